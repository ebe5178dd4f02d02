import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SynchronousPair, startSynchronousPair } from '../../../support/database/standby.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Gate, openGate } from '../../../support/platform/gates.ts';
import { openPublicPlaces } from '../../../support/platform/public-places.ts';
import { sharedStack } from '../../../support/platform/stack.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../../support/platform/staging-world.ts';
import { prepareDecisions } from './decisions.ts';
import { boughtAt, expectBoughtOnce, orderLoad } from './load.ts';

/**
 * CLAIM_DURABILITY=standby: the primary dies right after decisions were answered, and its
 * synchronous standby is promoted. Nothing that was answered is forgotten (I43), and nothing is bought twice.
 */
/** A logical Redis database for this file alone, because documents have no prefix per file. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/5';
let pair: SynchronousPair;
let address: Gate;
let world: StagingWorld;

beforeAll(async () => {
  pair = await startSynchronousPair();
  address = await openGate(pair.primary.url);
  const settings = { CLAIM_DURABILITY: 'standby' };
  const databaseUrl = address.through(pair.primary.url);
  world = await openStagingWorld({ webs: 1, workers: 0, databaseUrl, kvUrl: kvUrl.href, settings });
}, 120_000);
afterAll(async () => {
  await world?.close();
  await address?.close();
  await pair?.stop();
}, 60_000);

test('what was answered as less public or less permitted stays so, and nothing is bought twice', async () => {
  const { platform } = world;
  const places = await openPublicPlaces(world);
  await orderLoad(world);
  const worker = await platform.startWorker(STEADY);
  const decisions = await prepareDecisions(world);

  await decisions.decide();
  const { primary, standby } = pair;
  process.kill(primary.pid(), 'SIGKILL');
  await primary.exited();
  const promoted = new pg.Client({ connectionString: standby.url });
  await promoted.connect();
  await promoted.query('select pg_promote()');
  const { rows: kept } = await promoted.query(decisions.known);
  await promoted.end();
  expect(kept).toEqual([{ withdrawn: true, rejected: true, deleted: true, signedOut: true }]);

  address.leadTo(standby.url);
  const bought = await boughtAt(platform);
  // Without a standby nothing more is bought, and a decision is not durable.
  await eventually(async () => (await decisions.withdraw()).status === 503, {
    what: 'an unconfirmed decision',
  });
  expect(await boughtAt(platform)).toBe(bought);
  expect(Object.values(await places(decisions.hidden)).flat()).toEqual([]);
  await worker.stop();
  const local = await platform.startWorker({ ...STEADY, CLAIM_DURABILITY: 'local' });
  await local.ready;
  await expectBoughtOnce(world);
  expect(Object.values(await places(decisions.hidden)).flat()).toEqual([]);
}, 240_000);
