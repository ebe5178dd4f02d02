import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedApproval, seedVariant } from '../../../support/database/seed.ts';
import { type SynchronousPair, startSynchronousPair } from '../../../support/database/standby.ts';
import { eventually } from '../../../support/eventually.ts';
import { signIn } from '../../../support/platform/agent.ts';
import { type Gate, openGate } from '../../../support/platform/gates.ts';
import { finishBoughtOnce } from '../../../support/platform/outcomes.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../../support/platform/staging-world.ts';

/**
 * CLAIM_DURABILITY=standby: the primary dies right after decisions were answered, and its
 * synchronous standby is promoted. Nothing that was answered is forgotten (I43), and nothing is bought twice.
 */
const JOBS = 20;
let pair: SynchronousPair;
let address: Gate;
let world: StagingWorld;

beforeAll(async () => {
  pair = await startSynchronousPair();
  address = await openGate(pair.primary.url);
  const settings = { CLAIM_DURABILITY: 'standby' };
  const databaseUrl = address.through(pair.primary.url);
  world = await openStagingWorld({ webs: 1, workers: 0, databaseUrl, settings });
}, 120_000);
afterAll(async () => {
  await world?.close();
  await address?.close();
  await pair?.stop();
}, 60_000);

/** A staged picture and its photo. */
async function picture({ isApproved }: { isApproved: boolean }) {
  const original = await world.newOriginal();
  const { pool } = world.platform;
  const imageId = await seedVariant(pool, { imageId: original, propertyId: world.propertyId });
  if (isApproved) await seedApproval(pool, imageId);
  return { original, imageId };
}

test('what was answered as less public or less permitted stays so, and nothing is bought twice', async () => {
  const { platform, agent } = world;
  const [withdrawn, rejected, deleted] = [
    await picture({ isApproved: true }),
    await picture({ isApproved: false }),
    await picture({ isApproved: true }),
  ];
  const leaving = await signIn(platform);
  const jobs = (await Promise.all(Array.from({ length: JOBS }, () => world.newJob()))).map(
    ({ aiJobId }) => aiJobId,
  );
  const worker = await platform.startWorker(STEADY);
  await worker.ready;
  await eventually(async () => (await platform.purchases()).size >= 3, { what: 'purchases' });

  const answers = [
    await agent.mutate('ai.withdrawStagedVariant', { imageId: withdrawn.imageId }),
    await agent.mutate('ai.rejectStagedVariant', { imageId: rejected.imageId }),
    await agent.request('DELETE', `/api/property-images/${deleted.original}`),
    await leaving.request('POST', '/api/auth/sign-out', { body: '{}' }),
  ];
  const { primary, standby } = pair;
  process.kill(primary.pid(), 'SIGKILL');
  await primary.exited();
  for (const { status, text } of answers) expect(status, text).toBeLessThan(300);

  const promoted = new pg.Client({ connectionString: standby.url });
  await promoted.connect();
  await promoted.query('select pg_promote()');
  const { rows: kept } = await promoted.query(
    `select exists (select from property_images where id = $1 and "withdrawnAt" is not null) as withdrawn,
       not exists (select from property_images where id = $2) as rejected,
       not exists (select from property_images where id = $3) as deleted,
       not exists (select from session s join "user" u on u.id = s."userId" where u.email = $4) as "signedOut"`,
    [withdrawn.imageId, rejected.imageId, deleted.original, leaving.email],
  );
  await promoted.end();
  expect(kept).toEqual([{ withdrawn: true, rejected: true, deleted: true, signedOut: true }]);

  address.leadTo(standby.url);
  const bought = (await platform.purchases()).size;
  // Without a standby nothing more is bought, and a decision is not durable.
  await eventually(
    async () =>
      (await agent.mutate('ai.withdrawStagedVariant', { imageId: withdrawn.imageId })).status === 503,
    { what: 'an unconfirmed decision' },
  );
  expect((await platform.purchases()).size).toBe(bought);
  await worker.stop();
  const local = await platform.startWorker({ ...STEADY, CLAIM_DURABILITY: 'local' });
  await local.ready;
  await finishBoughtOnce(platform, jobs);
}, 240_000);
