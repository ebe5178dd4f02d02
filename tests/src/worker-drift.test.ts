import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimDrift } from '../../persistence/images/drift-comparisons.ts';
import type { Decoder } from '../../src/images/decoding/decoder.ts';
import { DRIFT_ALGORITHM } from '../../src/images/drift/compare.ts';
import { type ObjectStorage, StorageError } from '../../src/storage/object-storage.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createWorkerMetrics } from '../../src/telemetry/worker-metrics.ts';
import { createDriftComparer } from '../../src/worker/drift-comparer.ts';
import type { CheckpointName } from '../../supervisors/ports.ts';
import { seedOriginal, seedVariant } from '../support/database/seed.ts';
import { createManualTime, MANUAL_EPOCH, type ManualTime } from '../support/manual-time.ts';
import { decoderAtWork, decoderPids, testDecoder } from '../support/pictures/decoders.ts';
import { scaledRoom } from '../support/pictures/room-changes.ts';
import { listKeys } from '../support/platform/stack.ts';
import { useComparisonParts } from '../support/worlds/comparison-parts.ts';
import { createRecordingReporter } from '../support/worlds/recording-ports.ts';

/** Comparisons with a real database, object store and decoder (docs/contract.md#drift). */
const parts = useComparisonParts();
let { database, bucket, storage, decoder, photo, staged } = parts;
beforeAll(() => {
  ({ database, bucket, storage, decoder, photo, staged } = parts);
});

let time: ManualTime;
let running: { stop(): Promise<void> }[] = [];
beforeEach(() => {
  time = createManualTime();
});
afterEach(async () => {
  for (const one of running) await one.stop();
  running = [];
});

async function pictures(bytes: Buffer = staged): Promise<{ imageId: string; originalId: string }> {
  const original = await seedOriginal(database.pool);
  const imageId = await seedVariant(database.pool, original);
  const { rows } = await database.pool.query('select "objectKey" as key from property_images where id = $1', [
    imageId,
  ]);
  await storage.put(original.objectKey, photo, { contentType: 'image/jpeg' });
  await storage.put(rows[0].key, bytes, { contentType: 'image/jpeg' });
  return { imageId, originalId: original.imageId };
}

interface Worker {
  metrics(): Promise<string>;
  problems(): readonly unknown[];
  /** Until the loop has nothing more to do. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a worker's loop; the clock is the test's. */
async function started(
  given: {
    storage?: ObjectStorage;
    decoder?: Pick<Decoder, 'run'>;
    checkpoint?: (name: CheckpointName) => Promise<void> | void;
    driftComparison?: 'on' | 'off';
  } = {},
): Promise<Worker> {
  const { registry } = createMetrics({ role: 'worker' });
  const reporter = createRecordingReporter();
  const comparer = createDriftComparer({
    clock: time,
    timers: time,
    reporter,
    chance: { id: randomUUID, jitter: () => 0 },
    logger: { warn() {}, error() {} } as never,
    storage: given.storage ?? storage,
    checkpoint: given.checkpoint ?? (() => {}),
    config: { driftComparison: given.driftComparison ?? 'on' },
    database,
    workerMetrics: createWorkerMetrics(registry, { enabled: true, perMinute: 6 }),
    comparisonDecoder: given.decoder ?? decoder,
    timings: { driftMs: 15_000 },
  });
  const worker: Worker = {
    metrics: () => registry.metrics(),
    problems: () => reporter.problems,
    idle: () => expect.poll(() => time.sleeping().length, { timeout: 20_000 }).toBeGreaterThan(0),
    stop: () => comparer.stop(AbortSignal.timeout(5_000)),
  };
  await comparer.start();
  running.push(worker);
  return worker;
}

const rowOf = async (imageId: string) => {
  const { rows } = await database.pool.query('select * from drift_comparisons where "stagedImageId" = $1', [
    imageId,
  ]);
  return rows[0];
};
const heatMaps = async () =>
  (await listKeys(bucket.client, bucket.bucket)).filter((key) => key.startsWith('drift/'));
const guards = async () => {
  const { rows } = await database.pool.query(
    `select "objectKey" from storage_deletion_outbox where "objectKey" like 'drift/%' and status = 'PENDING'`,
  );
  return rows.map(({ objectKey }) => objectKey);
};

describe('a comparison', () => {
  test('is stored once with its heat map, and the guard of the heat map is gone', async () => {
    const { imageId } = await pictures();
    const worker = await started();
    await worker.idle();
    const row = await rowOf(imageId);
    expect(row).toMatchObject({
      tries: 1,
      nextTryAt: null,
      geometryMoved: false,
      flags: [],
      algorithm: DRIFT_ALGORITHM,
    });
    expect(row.comparedAt).toEqual(new Date(MANUAL_EPOCH));
    expect([row.score >= 0, row.measures.inliers > 0.7]).toEqual([true, true]);
    expect(await heatMaps()).toEqual([row.heatMapKey]);
    expect(await guards()).toEqual([]);
    expect(await worker.metrics()).toContain(
      'proscenium_drift_comparisons_total{outcome="compared",role="worker"} 1',
    );
    const change = `update drift_comparisons set score = 0 where "stagedImageId" = $1`;
    await expect(database.pool.query(change, [imageId])).rejects.toThrow('is never changed');
  });

  test('says that the geometry moved', async () => {
    const { imageId } = await pictures(await scaledRoom(photo, 1.05, 1));
    await (await started()).idle();
    expect(await rowOf(imageId)).toMatchObject({ geometryMoved: true, flags: ['GEOMETRY_MOVED'] });
  });

  test('is shared by workers: each picture is compared by one, the newest first', async () => {
    const order: string[] = [];
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) {
      const { imageId } = await pictures();
      ids.push(imageId);
      await database.pool.query(
        `update drift_comparisons set "createdAt" = to_timestamp($2), "nextTryAt" = to_timestamp($2) where "stagedImageId" = $1`,
        [imageId, MANUAL_EPOCH / 1000 - 60 + at],
      );
    }
    const noting: Pick<Decoder, 'run'> = {
      run: (task, given, options) => {
        order.push(String(options.about?.imageId));
        return decoder.run(task, given, options);
      },
    };
    await Promise.all([started({ decoder: noting }), started({ decoder: noting })]);
    await expect.poll(() => time.sleeping().length, { timeout: 30_000 }).toBe(2);
    // Two begin at once, in either order.
    expect(order.slice(0, 2)).toContain(ids[2]);
    expect(order.toSorted()).toEqual(ids.toSorted());
    expect(await heatMaps()).toHaveLength(3);
  });

  test('does not begin while it is switched off', async () => {
    const { imageId } = await pictures();
    await (await started({ driftComparison: 'off' })).idle();
    expect(await rowOf(imageId)).toMatchObject({
      tries: 0,
      comparedAt: null,
      nextTryAt: new Date(MANUAL_EPOCH),
    });
  });
});

describe('failures', () => {
  test('a picture that cannot be compared is given up after three tries, and its review goes on', async () => {
    const { imageId } = await pictures(Buffer.from('no picture'));
    const worker = await started();
    for (const tries of [1, 2, 3]) {
      await expect.poll(async () => (await rowOf(imageId)).tries, { timeout: 10_000 }).toBe(tries);
      await worker.idle();
      time.advance(2 * 60_000);
    }
    await expect.poll(async () => (await rowOf(imageId)).nextTryAt).toBe(null);
    expect(await rowOf(imageId)).toMatchObject({ tries: 3, comparedAt: null });
    expect(await worker.metrics()).toContain(
      'proscenium_drift_comparisons_total{outcome="given_up",role="worker"} 1',
    );
    expect(await worker.metrics()).toContain(
      'proscenium_drift_comparisons_total{outcome="failed",role="worker"} 3',
    );
    const { rows } = await database.pool.query('select "reviewStatus" from property_images where id = $1', [
      imageId,
    ]);
    expect(rows).toEqual([{ reviewStatus: 'PENDING_REVIEW' }]);
  });

  test('a decoder that is killed costs no try: the picture is compared in another one', async () => {
    const { imageId } = await pictures();
    const others = decoderPids();
    const doomed = testDecoder({ lane: 'drift', processes: 1 });
    try {
      const worker = await started({ decoder: doomed });
      process.kill(await decoderAtWork(others), 'SIGKILL');
      await expect.poll(async () => (await rowOf(imageId)).comparedAt, { timeout: 20_000 }).not.toBe(null);
      expect(worker.problems()).toEqual([]);
      expect(await rowOf(imageId)).toMatchObject({ tries: 1, nextTryAt: null });
    } finally {
      await doomed.close();
    }
  });

  test('an object store that is away costs no try', async () => {
    const { imageId } = await pictures();
    let isAway = true;
    const away: ObjectStorage = {
      ...storage,
      get: (key, options) =>
        isAway ? Promise.reject(new StorageError('transient', 'TIMEOUT', 'get')) : storage.get(key, options),
    };
    const worker = await started({ storage: away });
    await worker.idle();
    expect(await rowOf(imageId)).toMatchObject({ tries: 0, comparedAt: null });
    isAway = false;
    time.advance(60_000);
    await expect.poll(async () => (await rowOf(imageId)).comparedAt, { timeout: 20_000 }).not.toBe(null);
    expect((await rowOf(imageId)).tries).toBe(1);
  });

  test('a worker that stops does not wait for its comparison, which costs no try and is due at once', async () => {
    const { imageId } = await pictures();
    const [began, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Pick<Decoder, 'run'> = {
      run: (task, given, options) =>
        decoder.run(task, given, {
          ...options,
          async load() {
            began.resolve();
            await mayGoOn.promise;
            return options.load();
          },
        }),
    };
    const leaving = await started({ decoder: slow });
    await began.promise;
    await leaving.stop();
    expect(await rowOf(imageId)).toMatchObject({
      tries: 0,
      comparedAt: null,
      nextTryAt: new Date(MANUAL_EPOCH),
    });
    mayGoOn.resolve();
    await (await started()).idle();
    expect(await rowOf(imageId)).toMatchObject({ tries: 1, comparedAt: new Date(MANUAL_EPOCH) });
  });

  test('a picture that is deleted meanwhile leaves a row without result, and no heat map without a guard', async () => {
    const { imageId } = await pictures();
    const worker = await started({
      checkpoint: async (name) => {
        if (name === 'after-drift-put')
          await database.pool.query('delete from property_images where id = $1', [imageId]);
      },
    });
    await worker.idle();
    expect(await rowOf(imageId)).toMatchObject({ comparedAt: null, nextTryAt: null, heatMapKey: null });
    expect(await heatMaps()).toEqual([]);
    expect(await claimDrift(database.pool, { at: Number.MAX_SAFE_INTEGER / 1e6, heldUntil: 1 })).toBe(null);
  });

  test('a compared picture that is deleted gives up its heat map only', async () => {
    const { imageId, originalId } = await pictures();
    await (await started()).idle();
    const { heatMapKey, score } = await rowOf(imageId);
    const sql = 'update drift_comparisons set "heatMapKey" = null where "stagedImageId" = $1';
    await expect(database.pool.query(sql, [imageId])).rejects.toThrow('is never changed');
    await database.pool.query('delete from property_images where id = $1', [originalId]);
    expect(await rowOf(imageId)).toMatchObject({ score, heatMapKey: null });
    const { rows } = await database.pool.query(
      'select reason from storage_deletion_outbox where "objectKey" = $1',
      [heatMapKey],
    );
    expect(rows).toEqual([{ reason: 'ORIGINAL_IMAGE_DELETED' }]);
  });
});

/** A worker that dies stays where it is forever: nothing of it runs after the point. */
describe.each(['after-drift-claim', 'after-drift-put', 'after-drift-record'] as const)(
  'a crash %s',
  (point) => {
    test('leaves each heat map needed or guarded, and another worker ends the comparison', async () => {
      const { imageId } = await pictures();
      const dying = Promise.withResolvers<void>();
      let reached = false;
      await started({
        checkpoint: (name) => {
          if (name !== point || reached) return;
          reached = true;
          return dying.promise;
        },
      });
      await expect.poll(() => reached, { timeout: 20_000 }).toBe(true);
      const needed = [(await rowOf(imageId)).heatMapKey].filter((key) => key !== null);
      expect([...needed, ...(await guards())].toSorted()).toEqual(expect.arrayContaining(await heatMaps()));
      time.advance(6 * 60_000);
      await started();
      await expect.poll(async () => (await rowOf(imageId)).comparedAt, { timeout: 20_000 }).not.toBe(null);
      const after = await rowOf(imageId);
      // The first one comes back late: what it has made is not recorded.
      dying.resolve();
      await expect.poll(() => time.sleeping().length, { timeout: 20_000 }).toBe(2);
      expect(await rowOf(imageId)).toEqual(after);
      expect([after.heatMapKey, ...(await guards())].toSorted()).toEqual(
        expect.arrayContaining(await heatMaps()),
      );
    });
  },
);
