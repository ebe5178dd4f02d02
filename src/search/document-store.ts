import type { Redis } from 'ioredis';
import type { Timers } from '../../supervisors/ports.ts';
import { DOCUMENT_PREFIX, type Document, documentKey } from './document.ts';

/**
 * The hashes in the key-value store. A write replaces the whole hash unless a newer version is there already,
 * so two rebuilds of one property may race.
 */
const WRITE_UNLESS_NEWER = `
  local known = redis.call('HGET', KEYS[1], 'documentVersion')
  if known and tonumber(known) > tonumber(ARGV[1]) then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], unpack(ARGV, 2))
  return 1`;

/** Replaces a value only while it still is the expected one. */
const COMPARE_AND_SET = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1`;

/** Present as long as the store has not lost its documents. */
const MARKER_KEY = 'psearch:marker';
const READY = 'ready';

export interface DocumentStore {
  write(propertyId: string, version: number, fields: Record<string, string>): Promise<void>;
  remove(propertyId: string): Promise<void>;
  /** False after a flush: the documents are gone and must all be rebuilt. */
  isComplete(): Promise<boolean>;
  /** Runs `markAll` and notes completeness, unless another flush happens meanwhile. */
  restore(token: string, markAll: () => Promise<void>): Promise<void>;
}

export function createDocumentStore(redis: Redis): DocumentStore {
  return {
    async write(propertyId, version, fields) {
      await redis.eval(
        WRITE_UNLESS_NEWER,
        1,
        documentKey(propertyId),
        version,
        ...Object.entries(fields).flat(),
      );
    },
    async remove(propertyId) {
      await redis.del(documentKey(propertyId));
    },
    async isComplete() {
      return (await redis.get(MARKER_KEY)) === READY;
    },
    async restore(token, markAll) {
      await redis.set(MARKER_KEY, token);
      await markAll();
      await redis.eval(COMPARE_AND_SET, 1, MARKER_KEY, token, READY);
    },
  };
}

/** Documents for showing listings: a cache there, so reading never fails and never waits long. */
export interface DocumentReader {
  /** The documents that there are and that came in time, by property id. */
  read(propertyIds: readonly string[]): Promise<ReadonlyMap<string, Document>>;
}

/** The database answers in less; a store that takes longer is no help. */
const READ_PATIENCE_MS = 250;

export function createDocumentReader(redis: Redis, timers: Timers): DocumentReader {
  const nothing: ReadonlyMap<string, Document> = new Map();
  return {
    async read(propertyIds) {
      if (redis.status !== 'ready') return nothing;
      const answered = new AbortController();
      const documents = readDocuments(redis, propertyIds).catch(() => nothing);
      const late = timers.sleep(READ_PATIENCE_MS, answered.signal).then(() => nothing);
      try {
        return await Promise.race([documents, late]);
      } finally {
        // Only now: an ended sleep must not win the race.
        answered.abort();
      }
    },
  };
}

/** All at once, in one pipeline. @throws when the store does not answer every command. */
export async function readDocuments(
  redis: Redis,
  propertyIds: readonly string[],
): Promise<Map<string, Document>> {
  const pipeline = redis.pipeline();
  for (const propertyId of propertyIds) pipeline.hgetall(documentKey(propertyId));
  const answers = (await pipeline.exec()) ?? [];
  const documents = new Map<string, Document>();
  for (const [index, propertyId] of propertyIds.entries()) {
    const [error, fields] = answers[index] ?? [new Error('a pipeline came back short'), null];
    if (error) throw error;
    if (Object.keys(fields as Document).length > 0) documents.set(propertyId, fields as Document);
  }
  return documents;
}

/** What follows the prefix in the key of each document, a page at a time; a key may come twice. */
export async function* documentIds(redis: Redis, pageSize: number): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${DOCUMENT_PREFIX}*`, 'COUNT', pageSize);
    cursor = next;
    if (keys.length > 0) yield keys.map((key) => key.slice(DOCUMENT_PREFIX.length));
  } while (cursor !== '0');
}
