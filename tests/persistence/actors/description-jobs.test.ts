import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobMachine } from '../../../machines/staging-job.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import { openStoreDatabase, type StoreDatabase } from '../../support/database/store-database.ts';
import { createAttempt, entryFor } from '../../support/database/store-under-test.ts';
import { STAGING_JOB_EVENTS } from '../../support/machines/event-catalogues.ts';
import { explore } from '../../support/machines/exploration.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

let database: StoreDatabase;
beforeAll(async () => {
  database = await openStoreDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.clear());

const AT = MANUAL_EPOCH;
const TTL = 15_000;

test('every job state of a text can be stored and read back unchanged', async () => {
  const { jobId } = await seedDescription(database.pool);
  for (const { state, context } of explore(jobMachine, STAGING_JOB_EVENTS).reached) {
    const of = { ...context, attemptsAllowed: 1, attemptCount: 0, resultImageId: null } as never;
    await database.store.transaction(async (tx) => {
      const aggregate = await tx.lockJob(jobId);
      if (!aggregate) throw new Error('no job');
      await tx.save(
        aggregate.job,
        { state, context: of },
        entryFor(aggregate.job, state, { type: 'WRITTEN' }),
      );
    });
    const seen = await database.store.readJob(jobId);
    expect({ kind: seen?.job.kind, state: seen?.job.state, context: seen?.job.context }).toEqual({
      kind: 'descriptionJob',
      state,
      context: of,
    });
  }
});

describe('the two job kinds are kept apart', () => {
  const page = { afterId: null, limit: 10, at: AT + 60_000, createdBefore: AT + 60_000 };
  const both = async () => ({
    description: (await seedDescription(database.pool)).jobId,
    staging: (await seedStagingJob(database.pool)).jobId,
    descriptions: createPostgresLeases(database.pool, 'DESCRIPTION'),
  });
  const underWay = (jobId: string) =>
    database.pool.query(`update ai_jobs set status = 'PROCESSING', phase = 'ATTEMPT' where id = $1`, [jobId]);

  test('due, orphaned and stale jobs are found only for their own kind', async () => {
    const { description, staging, descriptions } = await both();
    expect(await descriptions.dueJobs({ ...page, enabled: true })).toEqual([description]);
    expect(await database.store.dueJobs({ ...page, enabled: true })).toEqual([staging]);
    const thresholds = { at: AT + 60_000, pendingMs: 1, activeMs: 1, retryingMs: 1 };
    expect((await descriptions.staleJobs(thresholds)).map(({ jobId }) => jobId)).toEqual([description]);
    expect((await database.store.staleJobs(thresholds)).map(({ jobId }) => jobId)).toEqual([staging]);
    await underWay(description);
    await underWay(staging);
    expect(await descriptions.orphanedJobs({ ...page, enabled: true })).toEqual([description]);
    expect(await database.store.orphanedJobs({ ...page, enabled: true })).toEqual([staging]);
  });

  test('neither kind can lease a job of the other', async () => {
    const { description, staging, descriptions } = await both();
    const taking = { owner: 'a', at: AT, ttlMs: TTL };
    expect(await descriptions.acquireLease({ ...taking, jobId: staging })).toBeNull();
    expect(await database.store.acquireLease({ ...taking, jobId: description })).toBeNull();
  });

  test('with the flag off a job with an unsent purchase is no orphan', async () => {
    const { description, descriptions } = await both();
    await underWay(description);
    const attemptId = randomUUID();
    const order = { attemptId, attemptNumber: 1, at: AT } as const;
    await database.store.transaction((tx) => createAttempt(tx, description, order));
    expect(await descriptions.orphanedJobs({ ...page, enabled: false })).toEqual([]);
    expect(await descriptions.orphanedJobs({ ...page, enabled: true })).toEqual([description]);
    await database.pool.query(
      `update ai_provider_attempts set status = 'RUNNING', "providerPredictionId" = 'p-1' where id = $1`,
      [attemptId],
    );
    expect(await descriptions.orphanedJobs({ ...page, enabled: false })).toEqual([description]);
  });
});

test('the database rejects a second open job, an unknown language and a write of the previous release', async () => {
  const { jobId, propertyId } = await seedDescription(database.pool);
  await expect(seedDescription(database.pool, { propertyId })).rejects.toMatchObject({
    constraint: 'ai_jobs_active_description_dedupe_uidx',
  });
  await seedDescription(database.pool, { propertyId, locale: 'es' });
  const set = (columns: string) =>
    database.pool.query(`update ai_description_jobs set ${columns} where "aiJobId" = $1`, [jobId]);
  await expect(set(`locale = 'fr'`)).rejects.toMatchObject({
    constraint: 'ai_description_jobs_locale_check',
  });
  await expect(set(`"sendState" = 'RESERVED'`)).rejects.toMatchObject({ code: '40001' });
  await database.pool.query(`update ai_jobs set status = 'FAILED', phase = null where id = $1`, [jobId]);
  await seedDescription(database.pool, { propertyId });
});
