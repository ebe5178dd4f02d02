import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DescriptionJobContext, descriptionJobMachine } from '../../../machines/description-job.ts';
import type { ActorState } from '../../../machines/step.ts';
import type { DescriptionStore } from '../../../persistence/actors/description-store.ts';
import { createDescriptionStore } from '../../../persistence/actors/postgres-description-store.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { DESCRIPTION_JOB_EVENTS } from '../../support/machines/event-catalogues.ts';
import { explore } from '../../support/machines/exploration.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

const database = useStoreDatabase();
let store: DescriptionStore;
beforeAll(async () => {
  store = createDescriptionStore(database.pool);
});
beforeEach(() => database.clear());

const AT = MANUAL_EPOCH;
const TTL = 15_000;
const write = (jobId: string, next: ActorState<DescriptionJobContext>, type = 'WRITTEN') =>
  store.transaction(async (tx) => {
    const job = await tx.lock(jobId);
    if (!job) throw new Error('no job');
    return tx.save(job, next, {
      id: jobId,
      seq: job.version + 1,
      event: { type, at: AT },
      from: job.state,
      to: next.state,
      by: 'worker:a',
      leaseEpoch: null,
    });
  });

test('every state the machine can reach is a row that the database accepts, and comes back the same', async () => {
  const distinct = new Map<string, ActorState<DescriptionJobContext>>();
  for (const { state, context } of explore(descriptionJobMachine, DESCRIPTION_JOB_EVENTS).reached) {
    const shape = Object.values(context).map((value) => (value === null ? '-' : typeof value));
    distinct.set(`${state} ${shape}`, { state, context: context as never });
  }
  expect(distinct.size).toBeGreaterThan(30);
  const { jobId } = await seedDescription(database.pool);
  for (const reached of distinct.values()) {
    expect(await write(jobId, reached)).toBe(true);
    const read = await store.read(jobId);
    expect({ state: read?.state, context: read?.context }).toEqual(reached);
  }
  expect((await store.read(jobId))?.version).toBe(distinct.size);
});

describe('a save', () => {
  test('of an older version writes nothing, not even a journal row', async () => {
    const { jobId } = await seedDescription(database.pool);
    const old = await store.read(jobId);
    if (!old) throw new Error('no job');
    const next = { state: 'PENDING.PROVIDER_DISABLED', context: old.context };
    await write(jobId, next);
    const entry = { id: jobId, seq: 1, event: { type: 'LATE', at: AT }, from: old.state, to: next.state };
    const saved = await store.transaction((tx) =>
      tx.save(old, next, { ...entry, by: 'worker:b', leaseEpoch: null }),
    );
    expect(saved).toBe(false);
    const { rows } = await database.pool.query(
      `select "actorKind", seq, "eventType" from actor_transitions where "actorId" = $1`,
      [jobId],
    );
    expect(rows).toEqual([{ actorKind: 'descriptionJob', seq: 1, eventType: 'WRITTEN' }]);
  });

  test('to an end gives the lease back', async () => {
    const leases = createPostgresLeases(database.pool, 'DESCRIPTION');
    const { jobId } = await seedDescription(database.pool);
    await leases.acquireLease({ jobId, owner: 'a', at: AT, ttlMs: TTL });
    const job = await store.read(jobId);
    expect(job?.lease).toMatchObject({ owner: 'a' });
    await write(jobId, { state: 'CANCELED', context: job?.context as DescriptionJobContext });
    expect((await store.read(jobId))?.lease).toBeNull();
  });
});

describe('the two kinds of jobs do not see each other', () => {
  const page = { afterId: null, limit: 10, at: AT + 60_000, createdBefore: AT + 60_000 };
  const both = async () => ({
    description: (await seedDescription(database.pool)).jobId,
    staging: (await seedStagingJob(database.pool)).jobId,
    descriptions: createPostgresLeases(database.pool, 'DESCRIPTION'),
  });
  const underWay = (jobId: string) =>
    database.pool.query(`update ai_jobs set status = 'PROCESSING', phase = 'ATTEMPT' where id = $1`, [jobId]);

  test('each is due, orphaned and stale only among its own', async () => {
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

  test('neither can be taken or read by the other', async () => {
    const { description, staging, descriptions } = await both();
    const taking = { owner: 'a', at: AT, ttlMs: TTL };
    expect(await descriptions.acquireLease({ ...taking, jobId: staging })).toBeNull();
    expect(await database.store.acquireLease({ ...taking, jobId: description })).toBeNull();
    expect(await store.read(staging)).toBeNull();
    expect(await database.store.readJob(description)).toBeNull();
  });

  test('with the flag off a purchase that was not sent is no orphan', async () => {
    const { description, descriptions } = await both();
    await underWay(description);
    const set = (sendState: string) =>
      database.pool.query(
        `update ai_description_jobs set "sendState" = $2, "providerPredictionId" = 'p-1' where "aiJobId" = $1`,
        [description, sendState],
      );
    await set('RESERVED');
    expect(await descriptions.orphanedJobs({ ...page, enabled: false })).toEqual([]);
    expect(await descriptions.orphanedJobs({ ...page, enabled: true })).toEqual([description]);
    await set('RUNNING');
    expect(await descriptions.orphanedJobs({ ...page, enabled: false })).toEqual([description]);
  });
});

test('the database refuses a second job that is not over, a foreign language and a purchase without its id', async () => {
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
  await expect(set(`"sendState" = 'RUNNING'`)).rejects.toMatchObject({
    constraint: 'ai_description_jobs_prediction_check',
  });
  await expect(set(`"sendState" = 'UNCONFIRMED'`)).rejects.toMatchObject({
    constraint: 'ai_description_jobs_unconfirmed_check',
  });
  await database.pool.query(`update ai_jobs set status = 'FAILED', phase = null where id = $1`, [jobId]);
  await seedDescription(database.pool, { propertyId });
});
