import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { request } from 'undici';
import { changeSettings, clearFaults, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { ENTRY_OPTIONS, queueNames } from '../../../src/queues/names.ts';
import { createBlockingRedis } from '../../../src/queues/redis.ts';
import { GIVE_UP_FINGERPRINTS } from '../database/photo-verdicts.ts';
import { eventually } from '../eventually.ts';
import { onWeb, type Person, signIn } from './agent.ts';
import { brokenInvariants } from './broken-invariants.ts';
import { createListing, submit, uploadRoom } from './listing.ts';
import { type PlatformOptions, startTestPlatform, type TestPlatform } from './platform.ts';
import { listKeys } from './stack.ts';

/**
 * A platform with one agent and one listing, and queries for jobs, files and journal. The provider answers
 * quickly and with flat pictures unless a test says otherwise.
 */
export interface StagingWorld {
  readonly platform: TestPlatform;
  readonly agent: Person;
  readonly propertyId: string;
  /** The staging queue, as an operator sees it. */
  readonly queue: Queue;
  readonly kv: Redis;
  /** The agent on one of the webs that the world began with, the next with every call. */
  anyWeb(): Person;
  newOriginal(): Promise<string>;
  /** Submits a style of a new original. */
  newJob(style?: string): Promise<{ aiJobId: string; originalImageId: string }>;
  /** No faults, nothing held, the queue runs. */
  calm(): Promise<void>;
  close(): Promise<void>;
  /** What lay in the bucket when the world was opened: earlier files of a shared platform have left it. */
  readonly foundKeys: ReadonlySet<string>;
}

export async function openStagingWorld(options: PlatformOptions = {}): Promise<StagingWorld> {
  const platform = await startTestPlatform(options);
  try {
    const world = await makeWorld(platform);
    const close = async () => {
      await world.close();
      await platform.stop();
    };
    return { ...world, close };
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

/** A world on the platform that the files of this worker share. */
export interface SharedWorld extends StagingWorld {
  /** Stops what the file has started, and ends the jobs that a failed test has left under way. */
  settle(): Promise<void>;
}

/**
 * Opens a world on the worker's platform. Closed, it leaves no role, open job, fault or setting to the next one.
 * @throws when it is closed and the rows violate an invariant
 */
export async function openSharedWorld(platform: TestPlatform): Promise<SharedWorld> {
  await platform.reset();
  await changeSettings(platform.provider.baseUrl, { speed: 'fast' });
  const world = await makeWorld(platform);
  const settle = async () => {
    await platform.reset();
    await world.calm();
    await endOpenJobs(world);
    await platform.reset();
  };
  const close = async () => {
    await settle();
    await world.close();
    const broken = await brokenInvariants(platform.pool);
    if (broken.length > 0) throw new Error(`invariants are broken:\n  ${broken.join('\n  ')}`);
  };
  return { ...world, settle, close };
}

/** They would run in the workers of the next test, and take its faults. */
async function endOpenJobs(world: StagingWorld): Promise<void> {
  const open = () =>
    world.platform.rows<{ id: string }>(
      `select id from ai_jobs where status not in ('SUCCESS', 'FAILED', 'CANCELED')`,
    );
  for (const { id } of await open()) await world.agent.mutate('ai.cancelStagingJob', { aiJobId: id });
  if ((await open()).length === 0) return;
  await world.platform.startWorker(STEADY);
  await eventually(async () => (await open()).length === 0, { what: 'the open jobs of this file to end' });
}

async function makeWorld(platform: TestPlatform): Promise<StagingWorld> {
  const { baseUrl } = platform.provider;
  await changeSettings(baseUrl, { pictures: 'plain' });
  const webs = platform.urls.length;
  for (const url of platform.urls)
    await eventually(async () => (await request(`${url}/readyz`)).statusCode === 200, {
      what: `${url} to be ready`,
    });
  const agent = await signIn(platform);
  const propertyId = await createListing(agent);
  const connection = createBlockingRedis(platform.kvUrl, () => {});
  const queue = new Queue(queueNames(platform.queueSuffix).staging, { connection });
  // Some tests take the store away.
  queue.on('error', () => {});
  const kv = createBlockingRedis(platform.kvUrl, () => {});
  let calls = 0;
  let seed = 0;
  const foundKeys = new Set(await listKeys(platform.bucket.client, platform.bucket.bucket));
  const world: StagingWorld = {
    platform,
    foundKeys,
    agent,
    propertyId,
    queue,
    kv,
    anyWeb() {
      calls += 1;
      return onWeb(platform, agent, calls % webs);
    },
    newOriginal() {
      seed += 1;
      return uploadRoom(world.anyWeb(), propertyId, seed);
    },
    async newJob(style = 'MODERN') {
      const originalImageId = await world.newOriginal();
      const { aiJobId } = await submit(world.anyWeb(), originalImageId, style);
      return { aiJobId, originalImageId };
    },
    async calm() {
      await clearFaults(baseUrl);
      await releaseHeld(baseUrl);
      await changeSettings(baseUrl, { pictures: 'plain' });
      await queue.resume();
    },
    async close() {
      await queue.close();
      connection.disconnect();
      kv.disconnect();
    },
  };
  return world;
}

/** A long lease for tests that are not about losing it: a busy machine keeps it. */
export const STEADY = { TEST_LEASE_MS: '6000' };

export interface AttemptRow {
  id: string;
  attemptNumber: number;
  status: string;
  providerPredictionId: string | null;
  strayPredictionId: string | null;
  objectKey: string | null;
  cancelAsked: boolean;
  sendTries: number;
}

export const attemptsOf = ({ platform }: StagingWorld, jobId: string) =>
  platform.rows<AttemptRow>(
    'select * from ai_provider_attempts where "aiJobId" = $1 order by "attemptNumber"',
    [jobId],
  );

export interface JournalRow {
  eventType: string;
  fromState: string | null;
  toState: string;
  actedBy: string;
}

/** The journal of an actor, oldest first. */
export const journalOf = ({ platform }: StagingWorld, actorId: string) =>
  platform.rows<JournalRow>(
    `select "eventType", "fromState", "toState", "actedBy" from actor_transitions where "actorId" = $1 order by seq`,
    [actorId],
  );

export interface ImageRow {
  id: string;
  propertyId: string;
  objectKey: string;
  providerInputKey: string | null;
  paddedInputKey: string | null;
  isMain: boolean;
  isStyled: boolean;
  styledFromId: string | null;
  canonicalStyle: string | null;
  reviewStatus: string | null;
  reviewedByUserId: string | null;
  reviewedAt: Date | null;
  aiJobId: string | null;
  outputChecksum: string | null;
}

export const imageRow = async ({ platform }: StagingWorld, imageId: string): Promise<ImageRow | undefined> =>
  (await platform.rows<ImageRow>('select * from property_images where id = $1', [imageId]))[0];

/** The keys of a picture's own objects. */
export const keysOf = ({ objectKey, providerInputKey, paddedInputKey }: ImageRow): string[] =>
  [objectKey, providerInputKey, paddedInputKey].filter((key) => key !== null);

/** The staged images of an original. */
export const variantsOf = ({ platform }: StagingWorld, originalImageId: string) =>
  platform.rows<ImageRow>('select * from property_images where "styledFromId" = $1', [originalImageId]);

export interface OutboxRow {
  id: string;
  objectKey: string;
  reason: string;
  status: string;
  attempts: number;
  lastError: string | null;
  processedAt: Date | null;
  nextAttemptAt: Date;
}

export const outboxOf = ({ platform }: StagingWorld, objectKeys: readonly string[]) =>
  platform.rows<OutboxRow>(
    'select * from storage_deletion_outbox where "objectKey" = any($1) order by "createdAt", "objectKey"',
    [objectKeys],
  );

/** Lets the waits of all deletions pass and waits until the drain has dealt with them. */
export async function drainAll(world: StagingWorld): Promise<void> {
  const { platform } = world;
  // Once: a second time would take the claims of workers that are at work.
  await releaseClaims(world);
  await eventually(
    async () => {
      // Each time, because a worker may queue another one meanwhile.
      await platform.rows(GIVE_UP_FINGERPRINTS);
      await platform.rows(MAKE_DUE);
      const open = await platform.rows<OutboxRow>(
        `select * from storage_deletion_outbox where status in ('PENDING', 'PROCESSING')`,
      );
      if (open.length > 0) throw new Error(`${open.length} open, the first is ${JSON.stringify(open[0])}`);
      return true;
    },
    { what: 'the drain to finish', timeoutMs: 20_000 },
  );
}

/**
 * Makes every waiting deletion due. Its birth in the journal says so too, or a replay would not allow the claim (I9); rows
 * of the journal cannot be changed, so this one is written again.
 */
const MAKE_DUE = `
  with due as (
    update storage_deletion_outbox set "nextAttemptAt" = now() where status = 'PENDING' returning id, version
  ), birth as (
    delete from actor_transitions t using due
    where t."actorKind" = 'deletionItem' and t."actorId" = due.id and t.seq = 1 and due.version = 1 returning t.*
  )
  insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "toState", at, "actedBy", note)
  select "actorKind", "actorId", seq, "eventType",
    jsonb_set(event, '{nextAttemptAt}', to_jsonb(floor(extract(epoch from now()) * 1000))), "toState", at, "actedBy", note
  from birth`;

/** A dead worker's claims on comparisons, fingerprints and photos would run out after minutes, which are timestamps in rows. */
export async function releaseClaims({ platform }: StagingWorld): Promise<void> {
  await platform.rows(
    `update drift_comparisons set "nextTryAt" = now() where "comparedAt" is null and "nextTryAt" > now()`,
  );
  for (const table of ['photo_checks', 'staged_fingerprints'])
    await platform.rows(`update ${table} set "nextTryAt" = now() where claim is not null`);
}

export const storedKeys = ({ platform: { bucket } }: StagingWorld) => listKeys(bucket.client, bucket.bucket);

/** Objects stored since the world was opened that no row of a picture names. A heat map that is being stored has its guard in the outbox. */
export async function unreferencedKeys(world: StagingWorld): Promise<string[]> {
  const rows = await world.platform.rows<{ key: string }>(
    `select unnest(array["objectKey", "providerInputKey", "paddedInputKey"]) as key from property_images
     union all select "heatMapKey" from drift_comparisons where "heatMapKey" is not null
     union all select "objectKey" from storage_deletion_outbox where "objectKey" like 'drift/%' and status = 'PENDING'`,
  );
  const referenced = new Set(rows.map(({ key }) => key));
  return (await storedKeys(world)).filter((key) => !referenced.has(key) && !world.foundKeys.has(key));
}

/** The structured worker events of a job, in the order in which they were logged. */
export function loggedEvents({ platform }: StagingWorld, jobId: string): Record<string, unknown>[] {
  return platform.lines
    .filter((line) => line.includes(jobId) && line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event, jobId: of }) => typeof event === 'string' && of === jobId);
}

/** Waits for a worker event of the job and returns its fields. */
export function eventLogged(
  world: StagingWorld,
  jobId: string,
  event: string,
): Promise<Record<string, unknown>> {
  return eventually(() => loggedEvents(world, jobId).find((logged) => logged.event === event), {
    what: `the log line ${event}`,
    timeoutMs: 10_000,
  });
}

/**
 * Makes the queue deliver the job to a worker, due or not, and waits until the worker has processed the
 * entry.
 */
export async function enqueue({ queue }: StagingWorld, jobId: string): Promise<void> {
  await queue.add('stage-room', { aiJobId: jobId }, { ...ENTRY_OPTIONS, jobId });
  await eventually(async () => (await queue.getJob(jobId)) === undefined, {
    what: 'a worker to look at the job',
  });
}

/** Ends the wait before attempt 2 and makes the queue deliver the job, as when the wait is over. */
export async function endBackoff(world: StagingWorld, jobId: string): Promise<void> {
  await world.platform.rows('update ai_jobs set "retryAt" = now() where id = $1', [jobId]);
  const entry = await world.queue.getJob(jobId);
  if (await entry?.isDelayed()) await entry?.promote();
  await enqueue(world, jobId);
}
