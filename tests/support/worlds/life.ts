import { randomUUID } from 'node:crypto';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import { drainDeletions } from '../../../supervisors/sweepers/deletion-drain.ts';
import { seedDeletion, seedOriginal } from '../database/seed.ts';
import { seedDescription } from '../database/seed-description.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { TOUR_SLOTS } from '../machines/event-catalogues.ts';
import { createManualTime, MANUAL_EPOCH } from '../manual-time.ts';
import { NEVER_STOPPED } from '../never-stopped.ts';
import {
  created,
  JobDriver,
  openTestRuntime,
  type Reachable,
  ROUTES,
  retryDue,
  startJob,
  stored,
  succeeded,
  type TestRuntime,
  type Word,
} from './job-driver.ts';
import { closeWorlds, openWorld } from './runner-world.ts';
import { say, TourDriver, tourScene } from './tour-world.ts';

/** Rows as months of work leave them, all of them written by the real store: every kind of actor, in many states. */
export interface Life {
  /** Jobs by what became of them. */
  readonly jobs: Readonly<Record<JobName, string>>;
  /** Their last attempts. */
  readonly attempts: Readonly<Record<JobName, string>>;
  readonly images: { readonly approved: string; readonly rejected: string; readonly waiting: string };
  /** Originals: that of the approved image, and one without any variant. */
  readonly originals: { readonly staged: string; readonly plain: string };
  readonly deletions: { readonly done: string; readonly due: string; readonly born: string };
  readonly tours: { readonly requested: string; readonly confirmed: string; readonly expired: string };
  readonly descriptions: { readonly written: string; readonly waiting: string; readonly reserved: string };
}
export type JobName = (typeof JOB_NAMES)[number];
const JOB_NAMES = [
  ...(['queued', 'switchedOff', 'reserved', 'unconfirmed', 'running', 'collecting', 'backingOff'] as const),
  ...(['approved', 'rejected', 'waiting', 'secondTry', 'canceled', 'discarded', 'originalGone'] as const),
] as const;

const toAttempt = (word: Extract<Word, { to: 'attempt' }>['say']): Word => ({ to: 'attempt', say: word });
const toJob = (word: Extract<Word, { to: 'job' }>['say']): Word => ({ to: 'job', say: word });

const UNFINISHED: Partial<Record<JobName, Reachable>> = {
  queued: 'PENDING.QUEUED',
  switchedOff: 'PENDING.PROVIDER_DISABLED',
  reserved: 'RESERVED',
  unconfirmed: 'UNCONFIRMED',
  running: 'RUNNING',
  collecting: 'COLLECTING',
  backingOff: 'RETRYING.BACKOFF',
};

export async function liveThroughIt(database: StoreDatabase): Promise<Life> {
  const runtime = openTestRuntime(database);
  const drivers = {} as Record<JobName, JobDriver>;
  for (const name of JOB_NAMES) drivers[name] = await JobDriver.open(runtime);
  for (const [name, state] of Object.entries(UNFINISHED))
    await drivers[name as JobName].play(ROUTES[state]());
  const images = await endJobs(runtime, drivers);
  await takeCallback(database, drivers.running);
  const { imageId: plain } = await seedOriginal(database.pool);
  const life: Life = {
    jobs: mapNames((name) => drivers[name].jobId),
    attempts: await lastAttempts(drivers),
    images,
    originals: { staged: drivers.approved.seeded.imageId, plain },
    deletions: await drain(runtime),
    tours: await negotiate(runtime),
    descriptions: await describe(database),
  };
  await renewOpenJobs(database);
  return life;
}

/** Open jobs were made and updated just now: the drivers' clock stands still in the past, and a busy machine takes minutes. */
export async function renewOpenJobs({ pool }: StoreDatabase): Promise<void> {
  await pool.query(`update ai_jobs set "createdAt" = now(), "heartbeatAt" = now()
    where status not in ('SUCCESS', 'FAILED', 'CANCELED')`);
}

const mapNames = <T>(of: (name: JobName) => T): Record<JobName, T> =>
  Object.fromEntries(JOB_NAMES.map((name) => [name, of(name)])) as Record<JobName, T>;

async function lastAttempts(drivers: Record<JobName, JobDriver>): Promise<Record<JobName, string>> {
  const ids = new Map<JobName, string>();
  for (const name of JOB_NAMES) ids.set(name, (await drivers[name].aggregate()).attempts.at(-1)?.id ?? '');
  return mapNames((name) => ids.get(name) ?? '');
}

async function endJobs(runtime: TestRuntime, drivers: Record<JobName, JobDriver>): Promise<Life['images']> {
  const ids = { approved: randomUUID(), rejected: randomUUID(), waiting: randomUUID() };
  for (const name of ['approved', 'rejected', 'waiting'] as const)
    await drivers[name].play([...ROUTES.COLLECTING(), toAttempt(stored(ids[name]))]);
  await drivers.secondTry.play(ROUTES['RETRYING.BACKOFF']());
  // The back-off passes on the driver's own clock.
  drivers.secondTry.at += 120_000;
  await drivers.secondTry.play([
    toJob(retryDue()),
    toAttempt({ type: 'SEND_CLAIMED', token: randomUUID() }),
    toAttempt(created()),
    toAttempt(succeeded()),
    toAttempt(stored()),
  ]);
  await drivers.canceled.play([toJob(startJob()), toJob({ type: 'CANCEL_ASKED' })]);
  await drivers.discarded.play([...ROUTES.COLLECTING(), toJob({ type: 'CANCEL_ASKED' })]);
  await drivers.originalGone.play(ROUTES['RETRYING.BACKOFF']());
  const at = MANUAL_EPOCH + 60_000;
  const { imageId } = drivers.originalGone.seeded;
  await deleteOriginal(runtime.actorSystem, { imageId, at, by: 'user:ada' });
  await drivers.originalGone.sendToJob({ type: 'NOTHING_TO_CANCEL' });
  const byUserId = randomUUID();
  const approve = { type: 'APPROVE', at, byUserId } as const;
  await runtime.actorSystem.deliver({ to: 'imageReview', id: ids.approved, event: approve }, { by: 'web' });
  const reject = { type: 'REJECT', at, byUserId, reason: null } as const;
  await runtime.actorSystem.deliver({ to: 'imageReview', id: ids.rejected, event: reject }, { by: 'web' });
  return ids;
}

async function takeCallback(database: StoreDatabase, driver: JobDriver): Promise<void> {
  const attempt = await driver.attempt();
  const { actorSystem } = openTestRuntime(database);
  const predictionId = attempt.context.providerPredictionId ?? '';
  const at = driver.at + 1_000;
  await actorSystem.takeCallback({
    webhookId: `msg-${attempt.id}`,
    providerAttemptId: attempt.id,
    providerPredictionId: predictionId,
    providerStatus: 'processing',
    at,
  });
}

async function drain({ database, actorSystem, reporter }: TestRuntime): Promise<Life['deletions']> {
  const done = await seedDeletion(database.pool);
  await drainDeletions(
    {
      actorSystem,
      reporter,
      clock: createManualTime(),
      checkpoint: () => {},
      node: 'node-a',
      chance: { id: randomUUID, jitter: () => 0 },
      deleter: { delete: async () => ({ kind: 'deleted' }) },
    },
    NEVER_STOPPED,
  );
  const born = randomUUID();
  const details = { objectKey: `staged/${born}.jpg`, reason: 'STAGED_IMAGE_DELETED' } as const;
  const event = { type: 'CREATED', at: MANUAL_EPOCH, nextAttemptAt: MANUAL_EPOCH } as const;
  await actorSystem.deliver({ to: 'newDeletion', id: born, details, event }, { by: 'worker:node-a' });
  return { done, due: await seedDeletion(database.pool), born };
}

async function negotiate(runtime: TestRuntime): Promise<Life['tours']> {
  const [requested, confirmed, expired] = await Promise.all(
    [1, 2, 3].map(async () => new TourDriver(runtime, await tourScene(runtime.database))),
  );
  if (!requested || !confirmed || !expired) throw new Error('three tours were made');
  await requested.request();
  await confirmed.request();
  await confirmed.accept(TOUR_SLOTS.first);
  await confirmed.tell({ ...say('agent'), type: 'SLOTS_PROPOSED', slots: [TOUR_SLOTS.second] });
  await confirmed.tell({ ...say('customer'), type: 'PROPOSAL_REFUSED' });
  await expired.request();
  await expired.tell({ at: TOUR_SLOTS.second.endsAt, actor: 'system', type: 'TIME_PASSED' });
  return { requested: requested.id, confirmed: confirmed.id, expired: expired.id };
}

async function describe(database: StoreDatabase): Promise<Life['descriptions']> {
  const world = openWorld(database, { kind: 'descriptionJob' });
  const [written, waiting, reserved] = [
    (await seedDescription(database.pool)).jobId,
    (await seedDescription(database.pool)).jobId,
    (await seedDescription(database.pool)).jobId,
  ];
  await world.start(written);
  world.provider.answerCreate = () => ({
    kind: 'refused',
    errorCode: 'PROVIDER_THROTTLED',
    retryAfterMs: 60_000,
  });
  void world.start(reserved);
  await world.asleep(60_000);
  await closeWorlds();
  return { written, waiting, reserved };
}
