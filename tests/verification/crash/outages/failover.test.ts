import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../../ops/dev/stack/postgres.ts';
import { ledgerOf } from '../../../../ops/simulator/control-client.ts';
import { type Replicated, startReplicated } from '../../../support/database/standby.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Gate, openGate } from '../../../support/platform/gates.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../../support/platform/staging-world.ts';

/**
 * The primary dies under load, and its standby, which is seconds behind, is promoted: it has forgotten claims, attempts
 * and predictions. No job is bought twice.
 */
const JOBS = 200;
/** Purchases that the standby does not hear of. */
const FORGOTTEN = 25;

/** Purchases that the first server does not hear of, because the promoted one has taken over. */
const LATER = 20;

/** A server that was away for less long is still trusted. */
const SILENT_MS = 30_000;

let diedAt: number;
let servers: Replicated;
/** The first server, started again on its own disk. */
let returned: PostgresServer | undefined;
let address: Gate;
let world: StagingWorld;

beforeAll(async () => {
  servers = await startReplicated();
  address = await openGate(servers.primary.url);
  const databaseUrl = address.through(servers.primary.url);
  world = await openStagingWorld({ webs: 1, workers: 0, databaseUrl });
}, 120_000);
afterAll(async () => {
  await world?.close();
  await address?.close();
  await servers?.stop();
  await returned?.stop();
}, 60_000);

const bought = async () =>
  (await ledgerOf(world.platform.provider.baseUrl)).filter(({ kind }) => kind === 'create').length;

const allEnd = () =>
  eventually(
    async () => {
      const open = await world.platform.rows(
        `select 1 from ai_jobs where status not in ('SUCCESS', 'FAILED', 'CANCELED')`,
      );
      return open.length === 0;
    },
    { what: 'the end of every job', timeoutMs: 180_000, intervalMs: 250 },
  );
const gate = async () =>
  (
    await world.platform.rows<{ status: string; gapFrom: Date | null; gapUntil: Date | null }>(
      'select status::text, "gapFrom", "gapUntil" from start_gate',
    )
  )[0];

test('a promoted standby that has forgotten purchases buys none again', async () => {
  for (let made = 0; made < JOBS; made += 10)
    await Promise.all(Array.from({ length: 10 }, () => world.newJob()));
  const workers = await Promise.all([1, 2].map(() => world.platform.startWorker(STEADY)));
  await Promise.all(workers.map(({ ready }) => ready));
  await eventually(async () => (await bought()) >= JOBS / 4, { what: 'purchases', timeoutMs: 60_000 });

  const { primary, standby, link } = servers;
  link.shut();
  const before = await bought();
  await eventually(async () => (await bought()) >= before + FORGOTTEN, {
    what: 'purchases that are forgotten',
  });
  diedAt = Date.now();
  process.kill(primary.pid(), 'SIGKILL');
  await primary.exited();
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  await client.query('select pg_promote()');
  const { rows } = await client.query<{ known: number }>(
    'select count(*)::int as known from ai_provider_attempts where "providerPredictionId" is not null',
  );
  await client.end();
  expect(rows[0]?.known).toBeLessThan(await bought());
  address.leadTo(standby.url);

  await allEnd();
  const ended = await world.platform.rows<{ status: string; jobs: number }>(
    'select status::text, count(*)::int as jobs from ai_jobs group by 1',
  );
  expect(ended).toEqual([{ status: 'SUCCESS', jobs: JOBS }]);
  expect(await bought()).toBe(JOBS);
  const journal = await world.platform.rows<{ toState: string; note: string | null }>(
    `select "toState", note from actor_transitions where "actorKind" = 'startGate' order by seq`,
  );
  expect(journal.map(({ toState }) => toState)).toEqual(['OPEN', 'CHECKING', 'OPEN']);
  expect(journal.at(-1)?.note).toMatch(
    /^the database server changed: [1-9]\d* purchases adopted, 0 without a job$/,
  );
  // The console names what people may have to decide again.
  const { gapFrom, gapUntil } = (await gate()) ?? {};
  expect(gapFrom?.getTime()).toBeLessThan(diedAt);
  expect(gapUntil?.getTime()).toBeGreaterThan(diedAt);
}, 400_000);

test('the first server that comes back on its own disk is not trusted, and buys nothing again', async () => {
  await Promise.all(Array.from({ length: LATER }, () => world.newJob()));
  await allEnd();
  expect(await bought()).toBe(JOBS + LATER);
  await servers.standby.stop();
  await eventually(() => Date.now() - diedAt > SILENT_MS, { what: 'a silence of the first server' });
  returned = await startPostgres({ dataDir: servers.primaryDir });
  address.leadTo(returned.url);
  await eventually(async () => (await gate())?.status === 'CHECKING', {
    what: 'a comparison on the first server',
    timeoutMs: 60_000,
  });
  await eventually(async () => (await gate())?.status === 'OPEN', {
    what: 'the end of the comparison',
    timeoutMs: 180_000,
  });
  await allEnd();
  expect(await bought()).toBe(JOBS + LATER);
}, 400_000);
