import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../../ops/dev/stack/postgres.ts';
import { type Replicated, startReplicated } from '../../../support/database/standby.ts';
import { eventually } from '../../../support/eventually.ts';
import { basicOf, CREDENTIALS, OPERATOR, wordsOf } from '../../../support/http/console-host.ts';
import { type Gate, openGate } from '../../../support/platform/gates.ts';
import { metricOf, opsUrlOf } from '../../../support/platform/outcomes.ts';
import { sharedStack } from '../../../support/platform/stack.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../../support/platform/staging-world.ts';
import { prepareDecisions } from './decisions.ts';
import { allEnd, boughtAt, expectBoughtOnce, JOBS, orderLoad } from './load.ts';

/**
 * The primary dies under load, and its standby, which is seconds behind, is promoted: it has forgotten claims, attempts,
 * predictions and decisions. No job is bought twice, and the alarm names the gap.
 */
/** Purchases that the standby does not hear of. */
const FORGOTTEN = 15;
/** A server that was away for less long is still trusted. */
const SILENT_MS = 30_000;

/** A logical Redis database for this file alone, because documents have no prefix per file. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/3';
let diedAt: number;
/** Files that were deleted by decisions which are forgotten. */
let undeleted: readonly string[] = [];
let servers: Replicated;
/** The first server, started again on its own disk. */
let returned: PostgresServer | undefined;
let address: Gate;
let world: StagingWorld;

beforeAll(async () => {
  servers = await startReplicated();
  address = await openGate(servers.primary.url);
  const databaseUrl = address.through(servers.primary.url);
  world = await openStagingWorld({ webs: 1, workers: 0, databaseUrl, kvUrl: kvUrl.href });
}, 120_000);
afterAll(async () => {
  await world?.close();
  await address?.close();
  await servers?.stop();
  await returned?.stop();
}, 60_000);

const bought = () => boughtAt(world.platform);
const gate = async () =>
  (
    await world.platform.rows<{ status: string; gapFrom: Date | null; gapUntil: Date | null }>(
      'select status::text, "gapFrom", "gapUntil" from start_gate',
    )
  )[0];

test('a promoted standby that has forgotten purchases and decisions buys none again, and the gap is named', async () => {
  const { platform } = world;
  await orderLoad(world);
  // A heat map that is stored in the gap loses its row with it: I19 names it to the operator, and nothing needs it.
  const settings = { ...STEADY, ...CREDENTIALS, AI_STAGING_DRIFT: 'off' };
  const workers = [1, 2].map(() => platform.startWorker(settings));
  const decisions = await prepareDecisions(world);

  const { primary, standby, link } = servers;
  link.shut();
  const before = await bought();
  await eventually(async () => (await bought()) >= before + FORGOTTEN, {
    what: 'purchases that are forgotten',
  });
  const decidedAt = Date.now();
  await decisions.decide();
  diedAt = Date.now();
  process.kill(primary.pid(), 'SIGKILL');
  await primary.exited();
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  await client.query('select pg_promote()');
  const { rows } = await client.query<{ known: number }>(
    'select count(*)::int as known from ai_provider_attempts where "providerPredictionId" is not null',
  );
  const { rows: kept } = await client.query(decisions.known);
  await client.end();
  expect(rows[0]?.known).toBeLessThan(await bought());
  expect(kept).toEqual([{ withdrawn: false, rejected: false, deleted: false, signedOut: false }]);
  address.leadTo(standby.url);

  undeleted = decisions.files;
  await expectBoughtOnce(world, { undeleted });
  const journal = await world.platform.rows<{ toState: string; note: string | null }>(
    `select "toState", note from actor_transitions where "actorKind" = 'startGate' order by seq`,
  );
  expect(journal.map(({ toState }) => toState)).toEqual(['OPEN', 'CHECKING', 'OPEN']);
  expect(journal.at(-1)?.note).toMatch(
    /^the database server changed: [1-9]\d* purchases adopted, 0 without a job$/,
  );
  // Everything that people may have to decide again was decided in the gap.
  const { gapFrom, gapUntil } = (await gate()) ?? {};
  expect(gapFrom?.getTime()).toBeLessThan(decidedAt);
  expect(gapUntil?.getTime()).toBeGreaterThan(diedAt);
  const opsUrls = await Promise.all(workers.map(async (worker) => opsUrlOf(platform, await worker)));
  const gaps = () => Promise.all(opsUrls.map((url) => metricOf(url, 'proscenium_failover_gap')));
  await eventually(async () => (await gaps()).includes(1), { what: 'the alarm of the gap' });
  const headers = { authorization: basicOf(OPERATOR) };
  const overview = await (await fetch(`${opsUrls[0]}/console`, { headers })).text();
  expect(wordsOf(overview)).toMatch(/Decisions between \S+ \S+ and \S+ \S+ may be lost/);
}, 400_000);

test('the first server that comes back on its own disk is not trusted, and buys nothing again', async () => {
  await orderLoad(world);
  await expectBoughtOnce(world, { loads: 2, undeleted });
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
  await allEnd(world);
  expect(await bought()).toBe(2 * JOBS);
}, 400_000);
