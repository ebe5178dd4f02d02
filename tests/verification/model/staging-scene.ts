import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { type ActorSystem, createActorSystem } from '../../../supervisors/actors/deliver.ts';
import type { Delivery } from '../../../supervisors/actors/messages.ts';
import { seedVariant } from '../../support/database/seed.ts';
import { IDS } from '../../support/machines/event-catalogues.ts';
import { noWaiting } from '../../support/manual-time.ts';
import { asMessage, markPass } from '../../support/worlds/job-driver.ts';
import {
  bothQueues,
  createRecordingQueue,
  createRecordingReporter,
} from '../../support/worlds/recording-ports.ts';
import { LEASE, type PathEvent, tell } from './staging-inputs.ts';
import type { Notices, StagingModel } from './staging-model.ts';
import { expectedRows, keysOf, readRows } from './staging-rows.ts';

/** One job on real rows with its model: every event goes to both, and then they are compared whole. */
export interface StagingScene {
  imageId: string;
  propertyId: string;
  jobId: string;
  model: StagingModel;
}

/** An actor system on the rows, and what it reported and enqueued after its commits. */
export interface NotingActorSystem {
  actorSystem: ActorSystem;
  notices(): Notices;
}

export function notingActorSystem(pool: Pool): NotingActorSystem {
  const queue = createRecordingQueue();
  const reporter = createRecordingReporter();
  const actorSystem = createActorSystem({
    store: createPostgresActorStore(pool),
    queues: bothQueues(queue),
    nudges: { publish: () => {} },
    reporter,
    timers: noWaiting,
    chance: { id: randomUUID, jitter: () => 0 },
  });
  const { reports, alerts } = reporter;
  return {
    actorSystem,
    notices: () => ({ reports, alerts, enqueued: queue.enqueued, removed: queue.removed }),
  };
}

export const quietActorSystem = (pool: Pool): ActorSystem => notingActorSystem(pool).actorSystem;

/** The path's runner takes the lease for the whole path. */
export async function holdJob(pool: Pool, jobId: string, at: number): Promise<void> {
  const TEN_YEARS_MS = 315_360_000_000;
  const { owner } = LEASE;
  const taken = await createPostgresActorStore(pool).acquireLease({ jobId, owner, at, ttlMs: TEN_YEARS_MS });
  expect(taken?.lease).toMatchObject(LEASE);
}

const FIRST_STARTS = new Set(['WORKER_STARTED', 'PURCHASE_FOUND']);

/**
 * Replaces the catalogue's ids by ids of this path: no two attempts share a prediction, an object or an
 * image.
 */
export function freshIds(told: readonly PathEvent[]): PathEvent[] {
  const way = randomUUID().slice(0, 8);
  const [first, second, image] = [randomUUID(), randomUUID(), randomUUID()];
  const startsFirst = told.findIndex(
    ({ to, event }) =>
      to === 'job' && FIRST_STARTS.has(event.type) && !('enabled' in event && !event.enabled),
  );
  return told.map((word, index) => {
    const startsSecond = word.event.type === 'RETRY_DUE' || (startsFirst >= 0 && index > startsFirst);
    const number = word.to === 'attempt' ? word.number : startsSecond ? 2 : 1;
    const text = JSON.stringify(word)
      .replaceAll(IDS.attempt, number === 1 ? first : second)
      .replaceAll(IDS.image, image)
      .replaceAll(/"(p-[12])"/g, `"${way}-${number}-$1"`)
      .replaceAll('staged/a.jpg', `staged/${way}-${number}.jpg`);
    return JSON.parse(text);
  });
}

/**
 * Sends one event to the rows, as runners, provider and sweepers do, and to the model; the answers must be
 * equal.
 */
export async function sayToBoth(
  { pool, actorSystem }: { pool: Pool; actorSystem: ActorSystem },
  scene: StagingScene,
  told: PathEvent,
): Promise<void> {
  if (told.to === 'world') {
    const id = await seedVariant(pool, scene);
    tell(scene.model, told, id);
    return;
  }
  if (told.to === 'job' && told.event.type === 'RELEASE_ASKED')
    await quarantine(pool, { jobId: scene.jobId, quarantined: told.event.quarantined });
  if (told.to === 'job') await markPass(pool, scene.jobId, told.event);
  const answered = await deliverTold(actorSystem, scene, told);
  const known = await withKey(pool, scene.jobId, told);
  expect([told, answered]).toEqual([told, tell(scene.model, known)]);
}

/** The key of a picture that is collected again is chosen in the deciding transaction. */
async function withKey(pool: Pool, jobId: string, told: PathEvent): Promise<PathEvent> {
  if (told.to !== 'job' || told.event.type !== 'COLLECT_ASKED') return told;
  const { rows } = await pool.query<{ objectKey: string }>(
    `select "objectKey" from ai_provider_attempts where "aiJobId" = $1 order by "attemptNumber" desc limit 1`,
    [jobId],
  );
  return { ...told, event: { ...told.event, objectKey: rows[0]?.objectKey ?? '' } };
}

/** Quarantine is only a column of the row; the runner keeps the lease here, so that the path goes on. */
async function quarantine(
  pool: Pool,
  { jobId, quarantined }: { jobId: string; quarantined: boolean },
): Promise<void> {
  await pool.query(
    `update ai_jobs set "quarantinedAt" = case when $2 then now() end
     where id = $1 and status not in ('SUCCESS', 'FAILED', 'CANCELED')`,
    [jobId, quarantined],
  );
}

function deliverTold(
  actorSystem: ActorSystem,
  { model, jobId }: StagingScene,
  told: Exclude<PathEvent, { to: 'world' }>,
): Promise<Delivery> {
  const by = told.event.type === 'COLLECT_ASKED' ? 'operator:ada' : `worker:${LEASE.owner}`;
  const origin = { by, lease: LEASE };
  if (told.to === 'job')
    return actorSystem.deliver({ to: 'stagingJob', id: jobId, event: asMessage(told.event) }, origin);
  const id = model.jobs[0]?.attempts[told.number - 1]?.id ?? '';
  return actorSystem.deliver({ to: 'providerAttempt', id, event: told.event }, origin);
}

export async function expectRows(pool: Pool, { imageId, model }: StagingScene): Promise<void> {
  expect(await readRows(pool, { imageId, keys: keysOf(model) })).toEqual(expectedRows(model));
}
