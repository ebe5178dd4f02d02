import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { OUTPUT_LIFE_MS } from '../../../machines/limits.ts';
import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import { operationCandidates } from '../../../persistence/console/operation-candidates.ts';
import { lockOriginal } from '../../../persistence/jobs/staging-submissions.ts';
import { createOperations } from '../../../src/operations/catalogue.ts';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import { alterPhoto } from '../../../supervisors/actors/photo-alteration.ts';
import { seedStagingJob, seedVariant } from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { type AttemptInput, JobDriver, ROUTES, stored } from '../../support/worlds/job-driver.ts';
import { ADA, type OperationWorld, openOperationWorld } from '../../support/worlds/operation-world.ts';
import { expectInvariants } from '../../verification/model/staging-rows.ts';

/** `collect-output` on real rows: what it leads back from, what it refuses, and that nothing is bought after it. */
const database = useStoreDatabase();
let world: OperationWorld;
beforeEach(async () => {
  await database.clear();
  world = openOperationWorld(database);
});

const HOST = 'pictures.example';
const refused = (
  errorCode: 'OUTPUT_HOST_REFUSED' | 'OUTPUT_INVALID' = 'OUTPUT_HOST_REFUSED',
): AttemptInput => ({
  type: 'OUTPUT_REFUSED',
  errorCode,
  jitter: 0,
  downloadBytes: 0,
  host: HOST,
});
/** The setting of the process that the operator asks is mended, unless a test says otherwise. */
const collect = (outputHosts: readonly string[] = [HOST]) => {
  const found = createOperations({ ...world.ports, outputHosts }).find('collect-output');
  if (found === null) throw new Error('no such operation');
  return found;
};

/** A job that has failed because the host of its picture was refused; `completedAt` as the journal has it. */
async function refusedJob(): Promise<{ driver: JobDriver; jobId: string; completedAt: number }> {
  const driver = await JobDriver.open(world.runtime);
  await driver.play(ROUTES.COLLECTING());
  const completedAt = driver.at;
  await driver.sendToAttempt(refused());
  expect(await driver.states()).toEqual(['FAILED', 'FAILED']);
  return { driver, jobId: driver.jobId, completedAt };
}

/** A worker takes the job up. */
async function takeUp(driver: JobDriver): Promise<void> {
  const { jobId, at } = driver;
  const orphans = await database.store.orphanedJobs({ limit: 9, at, enabled: true });
  expect(orphans).toEqual([jobId]);
  const taken = await database.store.acquireLease({ jobId, owner: 'node-b', at, ttlMs: 86_400_000 });
  if (taken === null) throw new Error('no lease');
  driver.lease = taken.lease;
}

describe('a picture whose host is allowed by now', () => {
  test('is collected under a new key, and the job completes with its only purchase', async () => {
    const { driver, jobId } = await refusedJob();
    const before = await driver.attempt();
    const preview = await collect().preview(jobId);
    expect(preview).toMatchObject({ outcome: 'applies', from: { state: 'FAILED' } });
    expect(preview.to).toMatchObject({ state: 'PROCESSING.ATTEMPT' });
    expect(preview.effects.join(' ')).toMatch(/Attempt 1 goes from FAILED to COLLECTING.*Nothing is bought/);
    expect(await driver.states()).toEqual(['FAILED', 'FAILED']);
    const seenVersion = preview.version ?? 0;
    expect(await collect().run(jobId, { ...ADA, seenVersion })).toMatchObject({ outcome: 'applied' });
    const after = await driver.attempt();
    expect(after).toMatchObject({
      state: 'COLLECTING',
      context: {
        errorCode: null,
        finishedAt: null,
        providerPredictionId: before.context.providerPredictionId,
      },
    });
    expect(after.context.objectKey).toMatch(/^staged\/[0-9a-f-]{36}\.jpg$/);
    expect(after.context.objectKey).not.toBe(before.context.objectKey);
    expect((await driver.aggregate()).job.context).toMatchObject({
      errorCode: 'OUTPUT_HOST_REFUSED',
      finishedAt: null,
    });
    await expectInvariants(database.pool, driver.at);
    await takeUp(driver);
    await driver.sendToAttempt(stored());
    expect(await driver.states()).toEqual(['SUCCESS', 'SUCCEEDED']);
    const { job } = await driver.aggregate();
    expect(job.context.errorCode).toBeNull();
    const { rows } = await database.pool.query(
      `select "reviewStatus", "objectKey" from property_images where id = $1`,
      [job.context.resultImageId],
    );
    expect(rows).toEqual([{ reviewStatus: 'PENDING_REVIEW', objectKey: after.context.objectKey }]);
    const signed = { actedBy: 'operator:ada', note: ADA.reason, eventType: 'COLLECT_ASKED' };
    for (const [kind, id] of [
      ['stagingJob', jobId],
      ['providerAttempt', before.id],
    ] as const)
      expect(await journalOf(database.pool, kind, id)).toContainEqual(expect.objectContaining(signed));
    await expectInvariants(database.pool, driver.at);
  });

  test('is collected once, however often and from wherever it is asked for', async () => {
    const { driver, jobId } = await refusedJob();
    const told = await Promise.all([1, 2, 3].map(() => collect().run(jobId, ADA)));
    expect(told.map(({ outcome }) => outcome).toSorted()).toEqual(['applied', 'ignored', 'ignored']);
    const why = 'Its picture is being collected already.';
    expect(told.filter(({ outcome }) => outcome === 'ignored')).toMatchObject([{ why }, { why }]);
    expect(await collect().preview(jobId)).toMatchObject({ outcome: 'ignored', why });
    await takeUp(driver);
    await driver.sendToAttempt(stored());
    expect(await collect().run(jobId, ADA)).toMatchObject({ outcome: 'ignored', state: 'SUCCESS' });
  });

  test('may be refused again, and collected again', async () => {
    const { driver, jobId } = await refusedJob();
    for (let times = 0; times < 2; times += 1) {
      expect(await collect().run(jobId, ADA)).toMatchObject({ outcome: 'applied' });
      await takeUp(driver);
      await driver.sendToAttempt(refused());
      expect(await driver.states()).toEqual(['FAILED', 'FAILED']);
    }
    expect(world.runtime.reporter.alerts).toHaveLength(3);
    await expectInvariants(database.pool, driver.at);
  });

  test.each<[string, AttemptInput]>([
    ['is not what was asked for', refused('OUTPUT_INVALID')],
    ['is gone', { type: 'OUTPUT_REFUSED', errorCode: 'OUTPUT_UNAVAILABLE', jitter: 0 }],
  ])('that %s by then fails the job, and nothing is bought again', async (_, lost) => {
    const { driver, jobId } = await refusedJob();
    await collect().run(jobId, ADA);
    await takeUp(driver);
    await driver.sendToAttempt(lost);
    expect(await driver.states()).toEqual(['FAILED', 'FAILED']);
    const why = 'Only a job that failed with OUTPUT_HOST_REFUSED has a picture to collect.';
    expect(await collect().run(jobId, ADA)).toMatchObject({ outcome: 'ignored', why });
    await expectInvariants(database.pool, driver.at);
  });

  test('is called off by its agent like any other', async () => {
    const { driver, jobId } = await refusedJob();
    await collect().run(jobId, ADA);
    await driver.sendToJob({ type: 'CANCEL_ASKED' }, { leased: false });
    expect(await driver.states()).toEqual(['CANCELED', 'DISCARDED']);
    await expectInvariants(database.pool, driver.at);
  });
});

describe('is refused, with words', () => {
  const expectRefused = async (jobId: string, why: RegExp, outputHosts?: readonly string[]) => {
    const preview = await collect(outputHosts).preview(jobId);
    expect(preview).toMatchObject({ outcome: 'ignored', why: expect.stringMatching(why) });
    const told = await collect(outputHosts).run(jobId, ADA);
    expect(told).toMatchObject({ outcome: 'ignored', state: 'FAILED', why: expect.stringMatching(why) });
  };

  test('an hour after the provider completed it', async () => {
    const { jobId, completedAt } = await refusedJob();
    world.clock.at = completedAt + OUTPUT_LIFE_MS;
    await expectRefused(jobId, /removed the picture.*hour/);
    world.clock.at -= 1;
    expect(await collect().run(jobId, ADA)).toMatchObject({ outcome: 'applied' });
  });

  test('while the host is not in the setting of the process that is asked', async () => {
    const { jobId } = await refusedJob();
    await expectRefused(jobId, /host pictures\.example is not in PROVIDER_OUTPUT_HOSTS/, [
      '*.pictures.example',
    ]);
    expect(await collect(['replicate.delivery', '*.example']).preview(jobId)).toMatchObject({
      outcome: 'applies',
    });
  });

  test.each(['PENDING', 'FAILED'])(
    'after another job of the photo and style, which is %s by now',
    async (status) => {
      const { driver, jobId } = await refusedJob();
      const job = status === 'PENDING' ? {} : { status, phase: null };
      await seedStagingJob(database.pool, { original: driver.seeded, createdAt: driver.at, job });
      await expectRefused(jobId, /submitted again/);
    },
  );

  test('when the photo has another picture in the style', async () => {
    const { driver, jobId } = await refusedJob();
    await seedVariant(database.pool, driver.seeded);
    await expectRefused(jobId, /submitted again in this style, or has a picture/);
  });

  test('when the photo is deleted', async () => {
    const { driver, jobId } = await refusedJob();
    const { imageId } = driver.seeded;
    await deleteOriginal(world.runtime.actorSystem, { imageId, at: driver.at, by: 'user:x' });
    await expectRefused(jobId, /photo was deleted/);
  });

  test('when the photo was declared altered', async () => {
    const { driver, jobId } = await refusedJob();
    await alterPhoto(world.runtime.actorSystem, {
      imageId: driver.seeded.imageId,
      kind: 'Virtual Enhancements',
      originalImageId: null,
      agentId: null,
      by: 'operator:ada',
      at: driver.at,
    });
    await expectRefused(jobId, /photo was altered/);
  });

  test('for any other failure, and for a job that is under way', async () => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES.COLLECTING());
    const why = /Only a job that failed with OUTPUT_HOST_REFUSED/;
    expect(await collect().run(driver.jobId, ADA)).toMatchObject({
      outcome: 'ignored',
      why: expect.stringMatching(why),
    });
    await driver.sendToAttempt({
      ...refused('OUTPUT_INVALID'),
      errorCode: 'OUTPUT_TOO_LARGE',
    } as AttemptInput);
    await expectRefused(driver.jobId, why);
  });
});

describe('at once with', () => {
  test('a submission of the same photo and style: one of them has the photo, and the other finds it so', async () => {
    const { driver, jobId } = await refusedJob();
    const { imageId } = driver.seeded;
    const asked = Promise.withResolvers<unknown>();
    await inTransaction(database.pool, async (client) => {
      await lockOriginal(client, imageId);
      asked.resolve(collect().run(jobId, ADA));
      await eventually(async () => (await waiting()) > 0, { what: 'the operation to wait for the photo' });
      await seedStagingJob(client as never, { original: driver.seeded, createdAt: driver.at });
    });
    expect(await asked.promise).toMatchObject({
      outcome: 'ignored',
      why: expect.stringMatching(/submitted again/),
    });
    expect(await driver.states()).toEqual(['FAILED', 'FAILED']);
  });

  test('a declaration that the photo was altered: no open job is left', async () => {
    for (let times = 0; times < 5; times += 1) {
      const { driver, jobId } = await refusedJob();
      await Promise.all([
        collect().run(jobId, ADA),
        alterPhoto(world.runtime.actorSystem, {
          imageId: driver.seeded.imageId,
          kind: 'Virtual Enhancements',
          originalImageId: null,
          agentId: null,
          by: 'operator:ada',
          at: driver.at,
        }),
      ]);
      expect(['FAILED', 'CANCELED']).toContain((await driver.states())[0]);
    }
    await expectInvariants(database.pool, world.clock.at);
  });
});

test('the bulk form finds the jobs of the last hour, and no others', async () => {
  const { jobId, completedAt } = await refusedJob();
  await seedStagingJob(database.pool, {
    job: { status: 'FAILED', phase: null, errorCode: 'OUTPUT_INVALID' },
  });
  const { bulk } = collect();
  const source = bulk?.sourceOf({}, completedAt + OUTPUT_LIFE_MS);
  const later = bulk?.sourceOf({}, completedAt + OUTPUT_LIFE_MS + 60_000);
  if (!source || !later) throw new Error('no bulk form');
  const found = (of: typeof source) => operationCandidates(database.pool, of, { after: null, limit: 9 });
  expect((await found(source)).map(({ id }) => id)).toEqual([jobId]);
  expect(await found(later)).toEqual([]);
});

test('an id that is no job is missing', async () => {
  expect(await collect().run(randomUUID(), ADA)).toMatchObject({ outcome: 'missing' });
});

/** How many sessions wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}
