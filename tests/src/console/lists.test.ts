import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_KINDS, type ConsoleKind } from '../../../persistence/console/kinds.ts';
import {
  type ActorFilter,
  actorListQuery,
  COUNTED_UP_TO,
  countStates,
  listActors,
  stateCountQuery,
} from '../../../persistence/console/lists.ts';
import { findById } from '../../../persistence/console/search.ts';
import { seedOriginal, seedProperty, seedUser } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

/**
 * Lists, counts and look-ups over 100,000 staging jobs, and as many attempts, images, deletions, descriptions, tours and
 * mismatch reports.
 */
const MANY = 100_000;
const WORKER = randomUUID();
const database = useStoreDatabase();
let pool: Pool;
let propertyId: string;

beforeAll(async () => {
  pool = database.pool;
  propertyId = await seedProperty(pool);
  const client = await pool.connect();
  // Triggers and foreign keys are off: they would take minutes, and these tests do not need them.
  await client.query(`set statement_timeout = 0; set session_replication_role = replica`);
  await fill(client, propertyId);
  client.release(true);
}, 300_000);

const NOTHING: Omit<ActorFilter, 'kind'> = {
  state: null,
  failedOnly: false,
  quarantinedOnly: false,
  awaitsOperator: false,
  roomDiffersOnly: false,
  propertyId: null,
  worker: null,
  before: null,
  after: null,
  limit: 51,
};
const KINDS = Object.keys(CONSOLE_KINDS) as ConsoleKind[];
/** An instant in the middle of the rows. */
const MIDDLE = MANUAL_EPOCH - 15_000_000;

/** Every combination of the filters that the page has for a kind. */
function combinations(kind: ConsoleKind): ActorFilter[] {
  const { narrow, failed, status } = CONSOLE_KINDS[kind];
  const choices: Partial<ActorFilter>[][] = [
    [{}, ...status.values.map((state) => ({ state }))],
    failed.length > 0 ? [{}, { failedOnly: true }] : [{}],
    narrow.quarantined === undefined ? [{}] : [{}, { quarantinedOnly: true }],
    narrow.awaitsOperator === undefined ? [{}] : [{}, { awaitsOperator: true }],
    narrow.roomDiffers === undefined ? [{}] : [{}, { roomDiffersOnly: true }],
    narrow.property === undefined ? [{}] : [{}, { propertyId }],
    narrow.worker === undefined ? [{}] : [{}, { worker: WORKER }],
    [{}, { before: MIDDLE }],
    [{}, { after: { createdAt: MIDDLE, id: randomUUID() } }],
  ];
  return choices.reduce<ActorFilter[]>(
    (filters, options) => filters.flatMap((filter) => options.map((option) => ({ ...filter, ...option }))),
    [{ ...NOTHING, kind }],
  );
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function planOf(sql: string, values: unknown[]): Promise<PlanNode[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error('no plan');
  return nodesOf(plan);
}
/** Rows that a plan read and discarded because no index excluded them. */
const wasted = (nodes: readonly PlanNode[]) =>
  nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'], 0);
const scanned = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && !FEW_ROWS.has(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name']);
/** Old pairs that the migration 0110 wrote once, and the few feeds of an installation. */
const FEW_ROWS: ReadonlySet<string> = new Set(['room_differences', 'feeds']);

describe.for(KINDS)('%s', (kind) => {
  test('no combination of filters reads a whole table, or many rows that are not shown', async () => {
    for (const filter of combinations(kind)) {
      const { sql, values } = actorListQuery(filter);
      const nodes = await planOf(sql, values);
      expect([filter, scanned(nodes)]).toEqual([filter, []]);
      expect(wasted(nodes), JSON.stringify(filter)).toBeLessThan(2_000);
    }
  });

  test('a count reads no whole table, and stops where the page shows only "more than"', async () => {
    const nodes = await planOf(stateCountQuery(kind), [CONSOLE_KINDS[kind].status.values, COUNTED_UP_TO + 1]);
    expect(scanned(nodes)).toEqual([]);
    for (const count of (await countStates(pool, kind)).values())
      expect(count).toBeLessThanOrEqual(COUNTED_UP_TO + 1);
  });

  test('pages follow each other without gaps or repeats, newest first', async () => {
    const seen: string[] = [];
    let after: ActorFilter['after'] = null;
    let last = Number.POSITIVE_INFINITY;
    for (let page = 0; page < 4; page += 1) {
      const lines = await listActors(pool, { ...NOTHING, kind, after, limit: 25 });
      for (const { id, createdAt } of lines) {
        expect(createdAt).toBeLessThanOrEqual(last);
        last = createdAt;
        seen.push(id);
      }
      const end = lines.at(-1);
      if (end === undefined) break;
      after = end;
    }
    const atOnce = await listActors(pool, { ...NOTHING, kind, limit: 100 });
    expect(seen).toEqual(atOnce.map(({ id }) => id));
  });
});

describe('filters', () => {
  const list = (filter: Partial<ActorFilter>) =>
    listActors(pool, { ...NOTHING, kind: 'stagingJob', ...filter });

  test('by state, with and without the substate', async () => {
    expect(new Set((await list({ state: 'FAILED' })).map(({ state }) => state))).toEqual(new Set(['FAILED']));
    const waiting = await list({ state: 'PENDING' });
    expect(new Set(waiting.map(({ state }) => state))).toEqual(
      new Set(['PENDING.QUEUED', 'PENDING.PROVIDER_DISABLED']),
    );
    const disabled = await list({ state: 'PENDING.PROVIDER_DISABLED' });
    expect(new Set(disabled.map(({ state }) => state))).toEqual(new Set(['PENDING.PROVIDER_DISABLED']));
    expect(await list({ state: 'NO_SUCH' })).toEqual([]);
    expect(await list({ state: 'SUCCESS', failedOnly: true })).toEqual([]);
  });

  test('failed only, quarantined only, of a listing, of a worker, older than, and combined', async () => {
    expect((await list({ failedOnly: true })).every(({ state }) => state === 'FAILED')).toBe(true);
    const aside = await list({ quarantinedOnly: true });
    expect([aside.length, aside.every(({ quarantined }) => quarantined)]).toEqual([20, true]);
    const held = await list({ worker: WORKER });
    expect([held.length, held.every(({ worker }) => worker === WORKER)]).toEqual([20, true]);
    expect(await list({ worker: randomUUID() })).toEqual([]);
    const mine = await list({ propertyId });
    expect([mine.length, mine.every((line) => line.propertyId === propertyId)]).toEqual([51, true]);
    const old = await list({ before: MIDDLE });
    expect(old[0]?.createdAt).toBe(MIDDLE - 1_000);
    const all = await list({ propertyId, worker: WORKER, before: MANUAL_EPOCH + 1 });
    expect(all.every((line) => line.propertyId === propertyId && line.worker === WORKER)).toBe(true);
    const attempts = await list({ kind: 'providerAttempt', propertyId, failedOnly: true });
    expect(
      attempts.every(({ state, propertyId: of }) => ['FAILED', 'LOST'].includes(state) && of === propertyId),
    ).toBe(true);
  });
});

test('each kind of id is found by an index', async () => {
  const idOf = async (sql: string) => (await pool.query<{ id: string }>(sql)).rows[0]?.id ?? '';
  const job = await idOf(`select id from ai_jobs where type = 'ROOM_STAGING' limit 1`);
  const attempt = await idOf('select id from ai_provider_attempts limit 1');
  const prediction = await idOf(
    'select "providerPredictionId" as id from ai_provider_attempts where "providerPredictionId" is not null limit 1',
  );
  const image = await idOf('select id from property_images where "isStyled" limit 1');
  const original = await idOf('select id from property_images where not "isStyled" limit 1');
  const key = await idOf('select "objectKey" as id from storage_deletion_outbox limit 1');
  const whats = async (text: string) => (await findById(pool, text)).map(({ what }) => what);
  expect(await whats(job)).toEqual(['stagingJob']);
  expect(await whats(attempt)).toEqual(['providerAttempt']);
  expect(await whats(prediction)).toEqual(['providerAttempt']);
  expect(await whats(image)).toEqual(['imageReview']);
  expect(await whats(original)).toEqual(['original']);
  expect(await whats(propertyId)).toEqual(['property']);
  expect(await whats(key)).toEqual(['deletionItem']);
  expect(await whats(randomUUID())).toEqual([]);
  expect(await whats("x' or true --")).toEqual([]);
});

/** Rows as after a year of use: nearly all over, some failed, a few under way; three of the same instant. */
async function fill(target: PoolClient, property: string): Promise<void> {
  const { imageId } = await seedOriginal(pool, { propertyId: property });
  const agent = await seedUser(pool);
  const listings = `select array_agg(id) as ids from properties`;
  await target.query(
    `insert into properties (id, "ownerAgentId", "listPrice", address, city, "searchDirtyAt")
     select gen_random_uuid(), $1, 1, n || ' Street', 'Springfield', null from generate_series(1, 1000) n`,
    [agent],
  );
  await target.query(
    `update properties set "searchDirtyAt" = $1::timestamptz - n / 3 * interval '1 second'
    from (select id, row_number() over () as n from properties limit 150) few where few.id = properties.id`,
    [new Date(MANUAL_EPOCH)],
  );
  const status = `(case when n % 1000 = 1 then 'PENDING' when n % 1000 = 2 then 'PROCESSING' when n % 1000 = 3 then 'RETRYING'
    when n % 1000 = 4 then 'CANCEL_REQUESTED' when n % 20 = 5 then 'FAILED' when n % 20 = 6 then 'CANCELED' else 'SUCCESS' end)`;
  for (const type of ['ROOM_STAGING', 'DESCRIPTION'])
    await target.query(
      `insert into ai_jobs (id, type, status, phase, "dedupeKey", "propertyId", "createdAt", "updatedAt", "retryAt",
         "leaseOwner", "leaseExpiresAt", "quarantinedAt", "errorCode")
       select gen_random_uuid(), $1::text::ai_job_type, s.status::ai_job_status,
         (case s.status when 'PENDING' then (case when n % 2000 = 1 then 'QUEUED' else 'PROVIDER_DISABLED' end)
           when 'PROCESSING' then 'ATTEMPT' when 'RETRYING' then 'BACKOFF' end)::ai_job_phase,
         concat($1::text, n), l.ids[1 + n % 1000], $2::timestamptz - n / 3 * interval '1 second', now(), now(),
         case when n % 5000 = 2 then $3 end, case when n % 5000 = 2 then now() end,
         case when n % 5000 = 3 then now() end, case when s.status = 'FAILED' then 'PROVIDER_FAILED' end
       from generate_series(1, ${MANY}) n cross join lateral (select ${status} as status) s cross join (${listings}) l`,
      [type, new Date(MANUAL_EPOCH), WORKER],
    );
  await target.query(
    `update ai_jobs set "propertyId" = $1 where id in (
       select id from ai_jobs where type = 'ROOM_STAGING' order by "createdAt" limit 60)`,
    [property],
  );
  await target.query(
    `insert into ai_room_staging_jobs ("aiJobId", "originalImageId", prompt, "promptVersion", "providerModel")
     select id, $1, '', 'v', 'm' from ai_jobs where type = 'ROOM_STAGING'`,
    [imageId],
  );
  await target.query(
    `insert into ai_description_jobs ("aiJobId", locale, facts, prompt, "promptVersion", "providerModel", "sendState")
     select id, 'en', '{}', '', 'v', 'm', case when status = 'PROCESSING' then 'RESERVED' end
     from ai_jobs where type = 'DESCRIPTION'`,
  );
  await target.query(
    `insert into ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "providerPredictionId", "objectKey",
       "createdAt", "updatedAt")
     select gen_random_uuid(), id, 1, (case status when 'PROCESSING' then 'RESERVED' when 'CANCELED' then 'CANCELED'
       when 'FAILED' then (case when "createdAt" < $1::timestamptz - interval '1 day' then 'LOST' else 'FAILED' end)
       else 'SUCCEEDED' end)::ai_provider_attempt_status, 'p-' || id, 'staged/' || id, "createdAt", now()
     from ai_jobs where type = 'ROOM_STAGING'`,
    [new Date(MANUAL_EPOCH)],
  );
  await target.query(
    `insert into property_images (id, "propertyId", "objectKey", "isStyled", "styledFromId", style, "reviewStatus", "createdAt")
     select gen_random_uuid(), l.ids[1 + n % 1000], 'image-' || n, true, gen_random_uuid(), n::text,
       (case when n % 50 = 0 then 'PENDING_REVIEW' else 'APPROVED' end)::property_image_review_status,
       $1::timestamptz - n / 3 * interval '1 second'
     from generate_series(1, ${MANY}) n cross join (${listings}) l`,
    [new Date(MANUAL_EPOCH)],
  );
  await target.query(
    `insert into storage_deletion_outbox (id, "objectKey", reason, status, "claimedBy", "claimedAt", "createdAt")
     select gen_random_uuid(), 'gone-' || n, 'STAGED_IMAGE_DELETED',
       (case when n % 2000 = 0 then 'FAILED' when n % 3001 = 0 then 'PROCESSING' when n % 1500 = 1 then 'PENDING'
         else 'DELETED' end)::storage_deletion_status,
       case when n % 3001 = 0 then $2 end, case when n % 3001 = 0 then now() end,
       $1::timestamptz - n / 3 * interval '1 second'
     from generate_series(1, ${MANY}) n`,
    [new Date(MANUAL_EPOCH), WORKER],
  );
  await target.query(
    `insert into tours (id, "customerId", "propertyId", "agentId", kind, status, "closedAt", "closedBy", "closedFrom",
       "heldStartsAt", "heldEndsAt", "createdAt", "updatedAt")
     select gen_random_uuid(), $1, l.ids[1 + n % 1000], $1, 'IN_PERSON',
       (case when n % 3 = 0 then 'DECLINED' when n % 3 = 1 then 'COMPLETED' else 'EXPIRED' end)::tour_status,
       now(), 'agent', 'REQUESTED', now(), now() + interval '1 hour', $2::timestamptz - n / 3 * interval '1 second', now()
     from generate_series(1, ${MANY}) n cross join (${listings}) l`,
    [agent, new Date(MANUAL_EPOCH)],
  );
  await target.query(
    `insert into mismatch_reports (id, "customerId", "tourId", "stagedImageId", "propertyId", status, "createdAt", "answeredAt",
       "answeredByUserId")
     select gen_random_uuid(), $1::uuid, gen_random_uuid(), gen_random_uuid(), l.ids[1 + n % 1000],
       (case when n % 500 = 1 then 'OPEN' when n % 3 = 0 then 'ACKNOWLEDGED' else 'UPHELD' end)::mismatch_report_status,
       $2::timestamptz - n / 3 * interval '1 second', case when n % 500 <> 1 then now() end,
       case when n % 500 <> 1 then $1::uuid end
     from generate_series(1, ${MANY}) n cross join (${listings}) l`,
    [agent, new Date(MANUAL_EPOCH)],
  );
  await target.query('analyze');
}
