import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pg, { type Pool } from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { readSearchEpoch } from '../../../persistence/search/search-epoch.ts';
import { checkDocuments } from '../../../src/search/document-check.ts';
import { createDocumentStore } from '../../../src/search/document-store.ts';
import { createSearchSweeper } from '../../../src/search/indexer.ts';
import { createSearchRebuilder } from '../../../src/search/rebuilder.ts';
import { systemClock, systemTimers } from '../../../src/time.ts';
import type { Checkpoint } from '../../../supervisors/ports.ts';
import { createDatabase, type TestDatabase } from '../database/database.ts';
import { insertListings, madeUpListings } from '../database/search-listings.ts';
import { sharedStack } from '../platform/stack.ts';
import { createRecordingReporter, type RecordingReporter } from './recording-ports.ts';

const publicBaseUrl = 'https://api.example.com';

export interface SearchWorker {
  readonly reporter: RecordingReporter;
  stop(): Promise<void>;
}

/** A database with made-up listings for the whole file, and an empty store for each test. */
export interface SearchStores {
  pool: Pool;
  redis: Redis;
}

/**
 * To be called at the top of a file; the fields are there from `beforeAll` on.
 * @param number of a logical database of the store that no other test file uses, because it is flushed
 */
export function useSearchStores(number: number, listings: number): SearchStores {
  const stores = {} as SearchStores;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    stores.pool = new pg.Pool({ connectionString: database.url, max: 6 });
    const kvUrl = new URL(sharedStack().kvUrl);
    kvUrl.pathname = `/${number}`;
    stores.redis = new Redis(kvUrl.href);
    await insertListings(stores.pool, madeUpListings(listings));
  });
  afterAll(async () => {
    await stores.redis.flushdb();
    stores.redis.disconnect();
    await stores.pool.end();
    await database.drop();
  });
  beforeEach(() => stores.redis.flushdb());
  return stores;
}

/** What an index consumer and a rebuilder need of a worker. */
export function searchPorts(stores: { pool: Pool; redis: Redis; checkpoint?: Checkpoint }) {
  const { pool, redis, checkpoint = () => {} } = stores;
  const reporter = createRecordingReporter();
  const documents = createDocumentStore(redis);
  return { pool, documents, clock: systemClock, reporter, checkpoint, publicBaseUrl };
}

/** The part of a worker that rebuilds all documents. */
export async function startRebuilder(
  stores: Parameters<typeof searchPorts>[0] & { holder: string },
): Promise<SearchWorker> {
  const ports = searchPorts(stores);
  const rebuilder = createSearchRebuilder({
    ...ports,
    holder: stores.holder,
    timers: systemTimers,
    chance: { id: () => randomUUID(), jitter: () => 0 },
    intervalMs: 50,
  });
  await rebuilder.start();
  return { reporter: ports.reporter, stop: () => rebuilder.stop(AbortSignal.timeout(1_000)) };
}

/** The part of a worker that rebuilds what is dirty. */
export async function startSweeper(
  stores: Parameters<typeof searchPorts>[0] & { holder: string },
): Promise<SearchWorker> {
  const ports = searchPorts(stores);
  const sweeper = createSearchSweeper({
    ...ports,
    holder: stores.holder,
    timers: systemTimers,
    intervalMs: 50,
  });
  await sweeper.start();
  return { reporter: ports.reporter, stop: () => sweeper.stop(AbortSignal.timeout(1_000)) };
}

/** Whether the present rebuild has ended, and the store has lost nothing since it began. */
export async function isRebuilt(pool: Pool, redis: Redis): Promise<boolean> {
  const known = await readSearchEpoch(pool);
  return known?.isFinished === true && known.marker === (await createDocumentStore(redis).marker());
}

export async function documentFaults(pool: Pool, redis: Redis) {
  return (await checkDocuments({ pool, redis, publicBaseUrl })).faults;
}
