import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Decoder } from '../../../src/images/decoding/decoder.ts';
import { createObjectStorage, type ObjectStorage } from '../../../src/storage/object-storage.ts';
import { openStoreDatabase, type StoreDatabase } from '../database/store-database.ts';
import { createManualTime, type ManualTime } from '../manual-time.ts';
import { testDecoder } from '../pictures/decoders.ts';
import { drawnRoom, stagedRoom } from '../pictures/room-changes.ts';
import { createBucket, listKeys, type TestBucket } from '../platform/stack.ts';

/** What comparisons of pictures need: a real database, object store and decoder, and a room with its staged picture. */
export interface ComparisonParts {
  database: StoreDatabase;
  bucket: TestBucket;
  storage: ObjectStorage;
  decoder: Decoder;
  photo: Buffer;
  staged: Buffer;
  time: ManualTime;
  /** Stopped after the test. */
  running: { stop(): Promise<void> }[];
}

/** The parts of one test file. They are empty before each test. */
export function useComparisonParts(): ComparisonParts {
  const parts = {} as ComparisonParts;
  beforeAll(async () => {
    const [database, bucket, photo] = await Promise.all([openStoreDatabase(), createBucket(), drawnRoom()]);
    const storage = createObjectStorage(bucket);
    const decoder = testDecoder({ lane: 'comparison', processes: 1 });
    Object.assign(parts, { database, bucket, photo, staged: await stagedRoom(photo), storage, decoder });
  });
  afterAll(async () => {
    await parts.decoder.close();
    await parts.storage.close();
    await parts.bucket.remove();
    await parts.database.close();
  });
  beforeEach(async () => {
    const { database, bucket, storage } = parts;
    await database.clear();
    for (const key of await listKeys(bucket.client, bucket.bucket)) await storage.delete(key);
  });
  beforeEach(() => {
    Object.assign(parts, { time: createManualTime(), running: [] });
  });
  afterEach(async () => {
    for (const one of parts.running) await one.stop();
  });
  return parts;
}
