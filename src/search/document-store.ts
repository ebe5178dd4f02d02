import type { Redis } from 'ioredis';
import { documentKey } from './document.ts';

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
