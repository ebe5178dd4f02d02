import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SynchronousPair, startSynchronousPair } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';
import { finishBoughtOnce } from '../../support/platform/outcomes.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { type Pooler, pgbouncer, startPooler } from './pooler.ts';

/** Claims that are confirmed on a standby (CLAIM_DURABILITY=standby), by workers behind PgBouncer. */
const why = 'missing' in pgbouncer ? ` (skipped: ${pgbouncer.missing})` : '';

describe.skipIf('missing' in pgbouncer)(`behind PgBouncer, with a standby${why}`, () => {
  let pair: SynchronousPair;
  let pooler: Pooler;
  let world: StagingWorld;
  beforeAll(async () => {
    pair = await startSynchronousPair();
    const { primary } = pair;
    pooler = await startPooler(primary.url, { poolSize: 4 });
    world = await openStagingWorld({
      webs: 1,
      workers: 0,
      databaseUrl: primary.url,
      settings: {
        DATABASE_URL: pooler.through(primary.url),
        DATABASE_POOLER: 'transaction',
        DATABASE_DIRECT_URL: primary.url,
        CLAIM_DURABILITY: 'standby',
      },
    });
    const workers = await Promise.all([1, 2].map(() => world.platform.startWorker(STEADY)));
    await Promise.all(workers.map(({ ready }) => ready));
  }, 120_000);
  afterAll(async () => {
    await world?.close();
    await pooler?.stop();
    await pair?.stop();
  }, 60_000);

  const newJobs = async (count: number) => {
    const jobs = await Promise.all(Array.from({ length: count }, () => world.newJob()));
    return jobs.map(({ aiJobId }) => aiJobId);
  };
  const refusals = () =>
    world.platform.lines.filter((line) => line.includes('no standby confirms what was committed'));

  test('nothing is bought while no standby has the claim; then every job finishes and is bought once', async () => {
    // A failed try may have left the standby cut off.
    pair.link.open();
    const known = refusals().length;
    await finishBoughtOnce(world.platform, await newJobs(6));
    expect(refusals()).toHaveLength(known);

    pair.link.shut();
    const before = (await world.platform.purchases()).size;
    const jobs = await newJobs(6);
    await eventually(() => refusals().length > known, {
      what: 'a claim that no standby has',
      timeoutMs: 30_000,
    });
    expect((await world.platform.purchases()).size).toBe(before);

    pair.link.open();
    await finishBoughtOnce(world.platform, jobs);
  }, 240_000);
});
