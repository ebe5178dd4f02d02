import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askRows, askThrough } from '../../../ops/invariants/ask-rows.ts';
import { breachesOf, INVARIANTS } from '../../../ops/invariants/catalogue.ts';
import { PROVEN_ELSEWHERE } from '../../../ops/invariants/elsewhere.ts';
import { singlesOf } from '../../../ops/invariants/pipeline-state.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { type Look, look, lookThrough } from '../../../persistence/console/invariant-queries.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { type Life, liveThroughIt, renewOpenJobs } from '../../support/worlds/life.ts';
import { JOB_VIOLATIONS } from './job-violations.ts';
import { LISTING_VIOLATIONS } from './listing-violations.ts';
import { wholeState } from './merged-state.ts';

/** Each invariant finds its own seeded violation, in both of its forms, and no other. */
const SEEDED_VIOLATIONS = [...JOB_VIOLATIONS, ...LISTING_VIOLATIONS];
const database = useStoreDatabase();
let life: Life;
beforeAll(async () => {
  life = await liveThroughIt(database);
});
beforeEach(() => renewOpenJobs(database));

const all = { when: 'both', replay: true } as const;
const fresh = () => ({ ...all, at: Date.now() });

/** Runs `work` on rows changed by `sql`, past triggers and foreign keys; the change is undone afterwards. */
async function withViolation<T>(sql: string, work: (rows: Look) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica; ${sql}`);
    return await work(lookThrough(client));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('an ordinary life of an installation violates nothing, in either form', async () => {
  const verdicts = await askRows(database.pool, { ...fresh(), timeoutMs: 30_000 });
  expect(verdicts.filter(({ outcome }) => outcome === 'broken' || outcome === 'unanswered')).toEqual([]);
  const state = await look(database.pool, { timeoutMs: 30_000 }, (rows) => wholeState(rows, Date.now()));
  expect(breachesOf(state, { quiet: true })).toEqual([]);
  const { jobs, attempts, receipts } = state;
  const singles = (['imageReview', 'deletionItem', 'tour'] as const).map((kind) => singlesOf(state, kind));
  const sizes = [jobs, attempts, ...singles, receipts ?? []];
  expect(sizes.map(({ length }) => length)).toEqual([17, 15, 3, 7, 3, 1]);
});

describe('a seeded violation', () => {
  test.each(SEEDED_VIOLATIONS.map((violation) => [violation.title, violation] as const))(
    '%s',
    async (_, violation) => {
      await withViolation(violation.sql(life), async (rows) => {
        const verdicts = await askThrough(rows, { ...fresh(), replay: false });
        const broken = verdicts.filter(({ outcome }) => outcome === 'broken');
        expect(verdicts.filter(({ outcome }) => outcome === 'unanswered')).toEqual([]);
        expect(broken.map(({ id }) => id)).toEqual(violation.named);
        for (const { lines, count } of broken) {
          expect(count).toBe(lines.length);
          expect(lines.join('\n')).toContain(violation.offender(life));
        }
        const state = breachesOf(await wholeState(rows, Date.now()), { quiet: true });
        const namedInState = new Set(state.map((line) => line.split(' ')[0]));
        if (violation.inState !== false) for (const id of violation.named) expect(namedInState).toContain(id);
      });
    },
  );
});

test('a job with crashes counted under the earlier rule may fail sooner', async () => {
  const [old, last] = [{ progressMark: 1 }, { pass: 'collect-output', alone: true }].map((event) =>
    JSON.stringify({ type: 'RUNNER_CRASHED', at: 0, ...event }),
  );
  const row = (seq: number, event: string | undefined, to: string) => `
    insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
    select 'stagingJob', "actorId", max(seq) + ${seq}, 'RUNNER_CRASHED', '${event}', 'PROCESSING.ATTEMPT', '${to}', now(), 'test'
    from actor_transitions where "actorId" = '${life.jobs.collecting}' group by "actorId";`;
  const sql = row(1, old, 'PROCESSING.ATTEMPT') + row(1, last, 'FAILED');
  await withViolation(sql, async (rows) => {
    const verdicts = await askThrough(rows, { ...fresh(), replay: false });
    expect(verdicts.find(({ id }) => id === 'I30')).toMatchObject({ outcome: 'holds' });
    const state = breachesOf(await wholeState(rows, Date.now()), { quiet: true });
    expect(state.filter((line) => line.startsWith('I30'))).toEqual([]);
  });
});

test('a restart before a claim that the list has disproved is no cause of a second attempt', async () => {
  const first = `(select id from ai_provider_attempts
    where "aiJobId" = '${life.jobs.secondTry}' and "attemptNumber" = 1)`;
  const turned = (from: string, type: string, to: string) => `
    update actor_transitions set "eventType" = '${type}', "toState" = '${to}', event = event || '{"type":"${type}"}'
    where "actorId" = ${first} and "eventType" = '${from}';`;
  const sql = `update ai_provider_attempts set "errorCode" = 'PREDICTION_UNCONFIRMED' where id = ${first};
    ${turned('PREDICTION_CREATED', 'RUNNER_RESTARTED', 'UNCONFIRMED')}
    ${turned('PREDICTION_FAILED', 'CLAIM_DISPROVED', 'RESERVED')}`;
  await withViolation(sql, async (rows) => {
    const verdicts = await askThrough(rows, { ...fresh(), replay: false });
    expect(verdicts.find(({ id }) => id === 'I29')).toMatchObject({ outcome: 'holds' });
    const state = breachesOf(await wholeState(rows, Date.now()), { quiet: true });
    expect(state.filter((line) => line.startsWith('I29'))).toEqual([]);
  });
});

const DIVERGED: Record<string, (life: Life) => [string, string]> = {
  stagingJob: ({ jobs }) => [
    `update ai_jobs set "errorCode" = 'X' where id = '${jobs.approved}'`,
    jobs.approved,
  ],
  providerAttempt: ({ attempts }) =>
    [
      `update ai_provider_attempts set "sendTries" = 7 where id = '${attempts.running}'`,
      attempts.running,
    ] as [string, string],
  imageReview: ({ images }) => [
    `update property_images set "reviewedByUserId" = null where id = '${images.approved}'`,
    images.approved,
  ],
  deletionItem: ({ deletions }) => [
    `update storage_deletion_outbox set status = 'FAILED' where id = '${deletions.due}'`,
    deletions.due,
  ],
  'deletionItem with another due time': ({ deletions }) => [
    `update storage_deletion_outbox set "nextAttemptAt" = "nextAttemptAt" + interval '1 minute'
     where id = '${deletions.born}'`,
    deletions.born,
  ],
  'providerAttempt born in another state': ({ attempts }) => [
    `update actor_transitions set "toState" = 'SENT' where "actorId" = '${attempts.running}' and seq = 1`,
    attempts.running,
  ],
  tour: ({ tours }) => [
    `update tours set "heldEndsAt" = "heldEndsAt" + interval '1 minute' where id = '${tours.confirmed}'`,
    tours.confirmed,
  ],
  descriptionJob: ({ descriptions }) => [
    `update ai_jobs set "queueWaitMs" = 77 where id = '${descriptions.written}'`,
    descriptions.written,
  ],
  startGate: () => [`update start_gate set status = 'PAUSED'`, PAUSE_SWITCH_ID],
};

describe('a row that does not match its journal', () => {
  test.each(Object.keys(DIVERGED))('%s', async (kind) => {
    const [sql, id] = DIVERGED[kind]?.(life) ?? ['', ''];
    await withViolation(sql, async (rows) => {
      const broken = (await askThrough(rows, fresh())).filter(({ outcome }) => outcome === 'broken');
      expect(broken).toMatchObject([
        { id: 'I9', count: 1, lines: [expect.stringContaining(`${kind.split(' ')[0]} ${id}`)] },
      ]);
      expect(broken[0]?.count).toBe(1);
      const without = await askThrough(rows, { ...fresh(), replay: false });
      expect(without.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
    });
  });
});

test('an actor that waits for an operator is reported and is no violation', async () => {
  const sql = `update ai_jobs set "quarantinedAt" = '2026-01-02T03:04:05Z', "createdAt" = now() - interval '1 day'
      where id = '${life.jobs.queued}';
    update ai_jobs set "createdAt" = now() - interval '1 day' where id = '${life.jobs.switchedOff}';
    update storage_deletion_outbox set status = 'FAILED', "errorClass" = 'needs-person'
      where id = '${life.deletions.due}'`;
  await withViolation(sql, async (rows) => {
    const told = (await askThrough(rows, { ...fresh(), replay: false })).filter(
      ({ outcome }) => outcome !== 'holds',
    );
    expect(told.map(({ id, outcome, lines }) => [id, outcome, lines.length])).toEqual([
      ['I27', 'waiting', 1] as const,
      ['I27b', 'waiting', 1] as const,
      ['I26b', 'waiting', 1] as const,
    ]);
    expect(told[0]?.lines[0]).toBe(
      `job ${life.jobs.queued} is PENDING, quarantined since 2026-01-02T03:04:05Z`,
    );
    expect(told[2]?.lines[0]).toContain(life.jobs.switchedOff);
  });
});

test('only the first offending rows are shown, and all are counted', async () => {
  const sql = `insert into storage_deletion_outbox ("objectKey", reason, version)
    select 'gone/' || n, 'STAGED_IMAGE_DELETED', 1 from generate_series(1, 34) n`;
  await withViolation(sql, async (rows) => {
    const broken = (await askThrough(rows, fresh())).filter(({ outcome }) => outcome === 'broken');
    expect(broken.map(({ id, count, lines }) => [id, count, lines.length])).toEqual([['I8', 34, 20]]);
  });
});

describe('the check', () => {
  const looking = <T>(timeoutMs: number, work: (rows: Look) => Promise<T>) =>
    look(database.pool, { timeoutMs }, work);

  test('cannot write', async () => {
    await expect(looking(5_000, (rows) => rows.ask('select lo_create(0)::text', 1))).rejects.toMatchObject({
      code: '25006',
    });
  });

  test('sees one snapshot, whatever is written meanwhile', async () => {
    const count = `select id::text from storage_deletion_outbox`;
    await looking(5_000, async (rows) => {
      const before = await rows.ask(count, 1);
      await database.pool.query(
        `insert into storage_deletion_outbox ("objectKey", reason) values ('a', 'STAGED_IMAGE_DELETED')`,
      );
      expect(await rows.ask(count, 1)).toEqual(before);
    });
    await database.pool.query(`delete from storage_deletion_outbox where "objectKey" = 'a'`);
  });

  test('continues after a query that failed', async () => {
    await looking(50, async (rows) => {
      await expect(rows.ask('select pg_sleep(30)::text', 1)).rejects.toMatchObject({ code: '57014' });
      expect(await rows.ask(`select 'here'`, 1)).toEqual({ lines: ['here'], count: 1 });
    });
  });
});

describe('the catalogue', () => {
  test('has a seeded violation for every invariant with a query, in both forms', () => {
    const queried = INVARIANTS.filter(({ sql }) => sql !== null).map(({ id }) => id);
    const planted = (violations: typeof SEEDED_VIOLATIONS) =>
      new Set(violations.flatMap(({ named }) => named));
    expect([...planted(SEEDED_VIOLATIONS)].toSorted()).toEqual(queried.toSorted());
    // About accounts, photos, the log and alerts, which are not part of a PipelineState.
    const inState = queried.filter(
      (id) => !['T3', 'I42', 'I46', 'I47', 'I48', 'I49', 'I50', 'I51', 'I52', 'I53'].includes(id),
    );
    expect(
      [...planted(SEEDED_VIOLATIONS.filter((violation) => violation.inState !== false))].toSorted(),
    ).toEqual(inState.toSorted());
  });

  test('names every invariant of the design once', () => {
    const numbers = Array.from({ length: 27 }, (_, index) => `I${index + 1}`);
    const known = new Set([...INVARIANTS, ...PROVEN_ELSEWHERE].map(({ id }) => id));
    const bySomebodyElse = ['I18', 'I24', 'I27'];
    expect(numbers.filter((id) => !known.has(id))).toEqual(bySomebodyElse);
    expect(new Set(INVARIANTS.map(({ id }) => id)).size).toBe(INVARIANTS.length);
  });
});
