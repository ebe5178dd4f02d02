import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PostgresServer } from '../../../ops/dev/stack/postgres.ts';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import { type SynchronousPair, startStandby, startSynchronousPair } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';
import { type Gate, openGate } from '../../support/platform/gates.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { commandOf, run, sqlOf } from './commands.ts';

/**
 * The drill of docs/runbooks/primary-died.md with its own commands, on two servers with `CLAIM_DURABILITY=standby`: the
 * primary is gone, its standby is promoted, and buying resumes once the promoted server has a standby.
 */
const PAGE = 'primary-died.md';
const GAP_PAGE = 'alerts/failover-gap.md';
/** The comparison begins once every create of the first server has ended. */
const COMPARED_MS = 150_000;
let redis: RedisServer;
let pair: SynchronousPair;
let address: Gate;
let next: PostgresServer | undefined;
let world: StagingWorld;

beforeAll(async () => {
  redis = await startRedis({ dataDir: temporaryDirectory(), durable: false });
  pair = await startSynchronousPair();
  address = await openGate(pair.primary.url);
  const databaseUrl = address.through(pair.primary.url);
  const settings = { CLAIM_DURABILITY: 'standby' };
  world = await openStagingWorld({ webs: 1, workers: 0, databaseUrl, kvUrl: redis.url, settings });
}, 120_000);
afterAll(async () => {
  await world?.close();
  await address?.close();
  await next?.stop();
  await pair?.stop();
  await redis?.stop();
}, 60_000);

/** The rows of a `psql $DATABASE_URL` command. */
const ask = (page: string, words: string) => world.platform.rows<Record<string, unknown>>(sqlOf(page, words));
const pauseSwitch = async () => (await ask(PAGE, 'start_gate'))[0];
const becomes = (status: string) =>
  eventually(async () => (await pauseSwitch())?.status === status, {
    what: `the pause switch to be ${status}`,
    timeoutMs: COMPARED_MS,
  });
const bought = async () => [...(await world.platform.purchases()).values()].flat().length;

test('promoted, compared, and with a standby again, the installation buys on, and nothing twice', async () => {
  const { platform } = world;
  await platform.startWorker(STEADY);
  const before = await world.newJob();
  await jobReaches(platform, before.aiJobId, 'SUCCESS');

  process.kill(pair.primary.pid(), 'SIGKILL');
  await pair.primary.exited();
  const promoted = new pg.Client({ connectionString: pair.standby.url });
  await promoted.connect();
  await promoted.query(sqlOf(PAGE, 'pg_promote'));
  await promoted.end();
  address.leadTo(pair.standby.url);
  await becomes('CHECKING');
  const { aiJobId } = await eventually(() => world.newJob('LUXURY'), {
    what: 'a job on the promoted server',
  });
  await becomes('OPEN');
  expect(await ask(PAGE, 'pg_stat_replication')).toEqual([]);
  expect(await bought()).toBe(1);

  for (const words of ['ALTER SYSTEM', 'pg_reload_conf']) await ask(PAGE, words);
  const from = { primary: pair.standby, primaryDir: pair.standbyDir, follows: pair.standby.url };
  next = await startStandby(from, { dataDir: temporaryDirectory() });
  await eventually(async () => (await ask(PAGE, 'pg_stat_replication'))[0]?.sync_state === 'sync', {
    what: 'the new standby to stream',
  });
  await jobReaches(platform, aiJobId, 'SUCCESS');
  expect(await bought()).toBe(2);

  expect((await pauseSwitch())?.gapFrom).not.toBeNull();
  await ask(GAP_PAGE, 'actor_transitions');
  const env = {
    DATABASE_URL: platform.pool.options.connectionString ?? '',
    KV_URL: platform.kvUrl,
    QUEUE_SUFFIX: platform.queueSuffix,
  };
  for (const command of [commandOf(GAP_PAGE, 'close-gap'), commandOf(PAGE, '--always-only')]) {
    const done = await run(command, env);
    expect(done, done.text).toMatchObject({ code: 0 });
  }
  expect(await pauseSwitch()).toMatchObject({ status: 'OPEN', gapFrom: null, gapUntil: null });
}, 300_000);
