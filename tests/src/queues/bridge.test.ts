import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WorkerConfig } from '../../../src/config/config.ts';
import { createAiConsumer } from '../../../src/queues/ai-consumer.ts';
import { createBlockingRedis } from '../../../src/queues/redis.ts';
import { createStageRoomBridge, NotUnderstood } from '../../../src/queues/stage-room-bridge.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { systemChance, systemClock, systemTimers } from '../../../src/time.ts';
import type { Service } from '../../../supervisors/supervision/service.ts';
import { seedOriginal, seedStagingJob, seedUser, seedVariant } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { kvUrl } from '../../support/platform/stack.ts';
import { connectionLost } from '../../support/worlds/faulty-store.ts';
import {
  createRecordingQueue,
  createRecordingReporter,
  type RecordingQueue,
  type RecordingReporter,
} from '../../support/worlds/recording-ports.ts';

/** Old `stage-room` messages on the queue, and the result of each. */
const database = useStoreDatabase();
let lines: { event?: string; disposition?: string; entry?: string }[];
let staging: RecordingQueue;
beforeEach(async () => {
  await database.clear();
  lines = [];
  staging = createRecordingQueue();
});

const PROVIDER_INPUTS: WorkerConfig['providerInputs'] = {
  model: 'openai/gpt-image-2',
  quality: 'high',
  framing: 'fixed',
  aspectRatio: '3:2',
  outputFormat: 'webp',
  outputCompression: 80,
};
const newBridge = (providerInputs = PROVIDER_INPUTS) =>
  createStageRoomBridge({
    pool: database.pool,
    queue: staging,
    clock: systemClock,
    chance: systemChance,
    providerInputs,
    logger: createLogger({
      role: 'worker',
      level: 'info',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    }),
  });
const entryOf = (data: unknown, id = '7') => ({ id, timestamp: 1_700_000_000_000, data });
const jobs = async () =>
  (
    await database.pool.query<Record<string, unknown>>(
      `select * from ai_jobs j join ai_room_staging_jobs s on s."aiJobId" = j.id order by j."createdAt"`,
    )
  ).rows;
const dispositions = () =>
  lines.flatMap(({ event, disposition }) => (event === 'legacy_message' ? [disposition] : []));

describe('a message', () => {
  test('becomes one durable job with this worker’s provider inputs, and is enqueued on ai-staging', async () => {
    const original = await seedOriginal(database.pool, { roomType: null });
    const userId = await seedUser(database.pool);
    const data = {
      imageId: original.imageId,
      style: 'Mid-Century Modern',
      roomType: 'tv',
      userId,
      imageUrl: 'https://cdn.example.com/p.jpg?X-Signature=abc',
    };
    await newBridge()(entryOf(data));
    const [job, ...more] = await jobs();
    expect(more).toEqual([]);
    expect(job).toMatchObject({
      type: 'ROOM_STAGING',
      status: 'PENDING',
      phase: 'QUEUED',
      requestedByUserId: userId,
      dedupeKey: `staging:${original.imageId}:MODERN`,
      propertyId: original.propertyId,
      canonicalRoomType: 'TV_ROOM',
      canonicalStyle: 'MODERN',
      styleModifier: 'walnut, tapered legs, mustard + teal',
      submittedStyle: 'Mid-Century Modern',
      legacyStyle: 'Mid-Century Modern',
      providerModel: 'openai/gpt-image-2',
      quality: 'high',
      framing: 'fixed',
      aspectRatio: '3:2',
      outputFormat: 'webp',
      outputCompression: 80,
      providerInputKey: original.providerInputKey,
      promptVersion: 'room-staging-v2.0',
      legacyMetadata: {
        imageId: original.imageId,
        style: 'Mid-Century Modern',
        roomType: 'tv',
        room: 'tv',
        userId,
        queueEntry: '7',
        queuedAt: '2023-11-14T22:13:20.000Z',
      },
    });
    expect(job?.prompt).toContain('media');
    expect(JSON.stringify(job)).not.toContain('X-Signature');
    expect(staging.enqueued).toEqual([{ jobId: job?.id, delayMs: 0 }]);
    const { rows } = await database.pool.query('select "roomType" from property_images where id = $1', [
      original.imageId,
    ]);
    expect(rows).toEqual([{ roomType: 'TV_ROOM' }]);
  });

  test('with photo framing becomes a job in the shape of its photo', async () => {
    const photo = { outputWidth: 900, outputHeight: 1200, paddedInputKey: 'inputs/padded.jpg' };
    const { imageId } = await seedOriginal(database.pool, photo);
    const data = { imageId, style: 'modern', roomType: 'living' };
    await newBridge({ ...PROVIDER_INPUTS, framing: 'photo' })(entryOf(data));
    expect((await jobs())[0]).toMatchObject({
      framing: 'photo',
      aspectRatio: '2:3',
      providerInputKey: 'inputs/padded.jpg',
      padWidth: 900,
      padHeight: 1350,
      frameTop: 75,
    });
  });

  test('with an impossible time still becomes a job, due at once', async () => {
    const { imageId } = await seedOriginal(database.pool);
    const data = { imageId, style: 'modern', roomType: 'living' };
    await newBridge()({ ...entryOf(data), timestamp: 1e18 });
    expect((await jobs())[0]).toMatchObject({ legacyMetadata: { queuedAt: 'unknown' } });
  });

  test('delivered again, at once or long after its job ended, is the same job', async () => {
    const { imageId } = await seedOriginal(database.pool);
    const entry = entryOf({ imageId, style: 'modern', roomType: 'living' });
    await Promise.all(Array.from({ length: 5 }, () => newBridge()(entry)));
    expect(await jobs()).toHaveLength(1);
    await database.pool.query(`update ai_jobs set status = 'FAILED', phase = null`);
    await newBridge()(entry);
    expect(await jobs()).toHaveLength(1);
    expect(dispositions().toSorted()).toEqual(['ENQUEUED', 'known', 'known', 'known', 'known', 'known']);
    expect(staging.enqueued).toHaveLength(1);
  });

  test('that an existing job or variant covers creates no job', async () => {
    const busy = await seedStagingJob(database.pool);
    await newBridge()(entryOf({ imageId: busy.imageId, style: 'contemporary', roomType: 'living' }, '1'));
    const staged = await seedOriginal(database.pool);
    await seedVariant(database.pool, staged, { canonicalStyle: 'LUXURY', style: 'LUXURY' });
    await newBridge()(entryOf({ imageId: staged.imageId, style: 'glam', roomType: 'living' }, '2'));
    expect(dispositions()).toEqual(['EXISTING', 'style_exists']);
    expect(await jobs()).toHaveLength(1);
  });

  test('that was covered once creates no job after the covering job or variant is removed', async () => {
    const busy = await seedStagingJob(database.pool);
    const staged = await seedOriginal(database.pool);
    await seedVariant(database.pool, staged, { canonicalStyle: 'LUXURY', style: 'LUXURY' });
    const entries = [
      entryOf({ imageId: busy.imageId, style: 'contemporary', roomType: 'living' }, '1'),
      entryOf({ imageId: staged.imageId, style: 'glam', roomType: 'living' }, '2'),
      entryOf({ imageId: randomUUID(), style: 'glam', roomType: 'living' }, '3'),
    ];
    for (const entry of entries) await newBridge()(entry);
    await database.pool.query(`update ai_jobs set status = 'CANCELED', phase = null`);
    await database.pool.query('delete from property_images where "isStyled"');
    await Promise.all([...entries, ...entries].map((entry) => newBridge()(entry)));
    expect(await jobs()).toHaveLength(1);
    expect(staging.enqueued).toEqual([]);
    expect(dispositions().slice(0, 3)).toEqual(['EXISTING', 'style_exists', 'original-gone']);
    expect(dispositions().slice(3)).toEqual(Array(6).fill('known'));
    const { rows } = await database.pool.query('select disposition from legacy_messages order by 1');
    expect(rows.map(({ disposition }) => disposition)).toEqual(['EXISTING', 'original-gone', 'style_exists']);
  });

  test('that became a job in the previous release, without a mark, is that job', async () => {
    const { imageId } = await seedOriginal(database.pool);
    const entry = entryOf({ imageId, style: 'modern', roomType: 'living' });
    await newBridge()(entry);
    await database.pool.query('truncate legacy_messages');
    await database.pool.query(`update ai_jobs set status = 'FAILED', phase = null`);
    await newBridge()(entry);
    expect(dispositions()).toEqual(['ENQUEUED', 'known']);
    expect(await jobs()).toHaveLength(1);
  });

  test('that a person must check leaves no mark, and can become a job later', async () => {
    const { imageId } = await seedOriginal(database.pool, { roomType: null });
    const entry = entryOf({ imageId, style: 'modern' });
    await expect(newBridge()(entry)).rejects.toThrow(NotUnderstood);
    await database.pool.query(`update property_images set "roomType" = 'OFFICE'`);
    await newBridge()(entry);
    expect(dispositions()).toEqual(['ENQUEUED']);
  });

  test('whose job row was migrated is that job, in any state', async () => {
    const kept = await seedStagingJob(database.pool, { job: { status: 'FAILED', phase: null } });
    const { imageId, jobId } = kept;
    await newBridge()(entryOf({ imageId, style: 'modern', roomType: 'living', jobId }));
    expect(dispositions()).toEqual(['known']);
    expect(await jobs()).toHaveLength(1);
  });

  test('of a deleted photo is finished, and nothing is bought', async () => {
    await newBridge()(entryOf({ imageId: randomUUID(), style: 'modern', roomType: 'living' }));
    expect(dispositions()).toEqual(['original-gone']);
    expect(await jobs()).toEqual([]);
    expect(staging.enqueued).toEqual([]);
  });

  test('without a room uses the room of the photo; a room that an agent has set is not overwritten', async () => {
    const { imageId } = await seedOriginal(database.pool, { roomType: 'OFFICE' });
    await newBridge()(entryOf({ imageId, style: 'modern' }, '1'));
    await newBridge()(entryOf({ imageId, style: 'loft', roomType: 'bedroom' }, '2'));
    expect((await jobs()).map(({ canonicalRoomType }) => canonicalRoomType)).toEqual(['OFFICE', 'BEDROOM']);
    const { rows } = await database.pool.query('select "roomType" from property_images where id = $1', [
      imageId,
    ]);
    expect(rows).toEqual([{ roomType: 'OFFICE' }]);
    const unsaid = await seedOriginal(database.pool, { roomType: null });
    await expect(newBridge()(entryOf({ imageId: unsaid.imageId, style: 'modern' }))).rejects.toThrow(
      NotUnderstood,
    );
  });

  test('of an unknown person has no requester', async () => {
    const { imageId } = await seedOriginal(database.pool);
    await newBridge()(entryOf({ imageId, style: 'modern', roomType: 'living', userId: randomUUID() }));
    expect((await jobs())[0]).toMatchObject({ requestedByUserId: null });
  });

  test('with an alias still counts as one after the sunset of the aliases; a canonical name is no alias', async () => {
    const { imageId } = await seedOriginal(database.pool);
    await newBridge()(entryOf({ imageId, style: 'loft', roomType: 'living' }, '1'));
    await newBridge()(entryOf({ imageId, style: 'luxury', roomType: 'living' }, '2'));
    expect((await jobs()).map(({ submittedStyle, legacyStyle }) => [submittedStyle, legacyStyle])).toEqual([
      ['loft', 'loft'],
      ['luxury', null],
    ]);
  });
});

describe('the queue', () => {
  let redis: Redis;
  let queue: Queue;
  let reporter: RecordingReporter;
  let consumer: Service | null;
  let described: string[];
  beforeEach(() => {
    redis = createBlockingRedis(kvUrl(), () => {});
    queue = new Queue(`ai-${randomUUID()}`, { connection: redis });
    reporter = createRecordingReporter();
    consumer = null;
    described = [];
  });
  afterEach(async () => {
    await consumer?.stop(AbortSignal.timeout(1_000));
    await queue.obliterate({ force: true });
    await queue.close();
    redis.disconnect();
  });

  const consume = async (bridge = newBridge()) => {
    consumer = createAiConsumer({
      queue: queue.name,
      connect: () => createBlockingRedis(kvUrl(), () => {}),
      describe: async (jobId) => void described.push(jobId),
      bridge,
      clock: systemClock,
      timers: systemTimers,
      reporter,
      concurrency: 2,
    });
    await consumer.start();
  };
  const empty = () =>
    eventually(
      async () =>
        Object.values(await queue.getJobCounts('wait', 'active', 'delayed')).every((count) => count === 0),
      { what: 'the queue to be worked off', timeoutMs: 10_000 },
    );

  test('passes each kind of entry to its handler, and keeps an unknown entry once', async () => {
    const { imageId } = await seedOriginal(database.pool);
    const aiJobId = randomUUID();
    // Options that producers of any release may have set: retried, and removed when it fails.
    const hasty = { attempts: 5, removeOnFail: true, removeOnComplete: true };
    await queue.add('describe-listing', { aiJobId }, { removeOnComplete: true });
    await queue.add('describe-listing', { aiJobId: 'none' }, { removeOnComplete: true });
    await queue.add('stage-room', { imageId, style: 'loft', roomType: 'living' }, hasty);
    const strange = await queue.add('stage-room', { imageId, style: 'no-furniture' }, hasty);
    const unknown = await queue.add('generate-description', { text: 'r8_secret' }, hasty);
    await consume();
    await empty();
    expect(described).toEqual([aiJobId]);
    expect(await jobs()).toHaveLength(1);
    const failed = await queue.getFailed();
    expect(failed.map(({ id }) => id).toSorted()).toEqual([strange.id, unknown.id].toSorted());
    for (const { attemptsMade, failedReason } of failed) {
      expect(attemptsMade).toBe(1);
      expect(failedReason).not.toContain('r8_secret');
    }
    const kept = reporter.problems.filter(({ what }) => what.includes('kept among the failed'));
    expect(kept.map(({ fields }) => fields.entry).toSorted()).toEqual([strange.id, unknown.id].toSorted());
  });

  test('a message that fails because of an outage is retried without limit and not lost', async () => {
    let away = 3;
    const bridge = newBridge();
    const { imageId } = await seedOriginal(database.pool);
    await queue.add('stage-room', { imageId, style: 'loft', roomType: 'living' }, { removeOnFail: true });
    await consume(async (entry) => {
      away -= 1;
      if (away >= 0) throw connectionLost();
      return bridge(entry);
    });
    await eventually(
      async () => {
        for (const waiting of await queue.getDelayed()) await waiting.promote().catch(() => {});
        return (await jobs()).length === 1;
      },
      { what: 'the message to be bridged', timeoutMs: 10_000 },
    );
    await empty();
    expect(await queue.getFailedCount()).toBe(0);
  });

  test('a message that fails for internal reasons is quarantined after a bounded number of starts', async () => {
    let starts = 0;
    await queue.add('stage-room', { imageId: randomUUID(), style: 'loft' }, { removeOnFail: true });
    await consume(async () => {
      starts += 1;
      throw new TypeError('a bug');
    });
    await eventually(
      async () => {
        for (const waiting of await queue.getDelayed()) await waiting.promote().catch(() => {});
        return (await queue.getFailedCount()) === 1;
      },
      { what: 'the message to be quarantined', timeoutMs: 20_000 },
    );
    expect(starts).toBe(20);
  });
});
