import type { Redis } from 'ioredis';
import type { Timers } from '../../supervisors/ports.ts';
import { DOCUMENT_PREFIX, type Document, documentKey } from './document.ts';

/**
 * The hashes in the key-value store. A write replaces the whole hash unless it already has a newer version, so two
 * rebuilds of one property may race.
 */
const WRITE_UNLESS_NEWER = `
  local known = redis.call('HGET', KEYS[1], 'documentVersion')
  if known and tonumber(known) > tonumber(ARGV[1]) then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], unpack(ARGV, 2))
  return 1`;

interface VersionedDocument {
  readonly propertyId: string;
  readonly version: number;
  readonly fields: Record<string, string>;
}

/**
 * Besides the documents, it holds the marker of their epoch, one per installation, with the server that holds it. A flush
 * deletes both. Another server, promoted or restarted, may have forgotten the newest documents: there the epoch is over.
 */
export type DocumentStore = ReturnType<typeof createDocumentStore>;

export function createDocumentStore(redis: Redis, queueSuffix = '') {
  const markerKey = `psearch:marker${queueSuffix}`;
  return {
    async write(documents: readonly VersionedDocument[]): Promise<void> {
      const pipeline = redis.pipeline();
      for (const { propertyId, version, fields } of documents)
        pipeline.eval(
          WRITE_UNLESS_NEWER,
          1,
          documentKey(propertyId),
          version,
          ...Object.entries(fields).flat(),
        );
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    },
    async remove(propertyIds: readonly string[]): Promise<void> {
      if (propertyIds.length > 0) await redis.del(...propertyIds.map(documentKey));
    },
    /** The marker of the epoch since which no document was lost; null after a flush, and on another server than it was set on. */
    async marker(): Promise<string | null> {
      const server = await serverOf(redis);
      const [marker, at] = (await redis.get(markerKey))?.split(' ') ?? [];
      return marker !== undefined && at === server ? marker : null;
    },
    async setMarker(marker: string): Promise<void> {
      await redis.set(markerKey, `${marker} ${await serverOf(redis)}`);
    },
  };
}

/** Another text in every process of the server. */
async function serverOf(redis: Redis): Promise<string> {
  return /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1] ?? 'unnamed';
}

/** Documents for showing listings, used as a cache: reading never fails and never waits long. */
export type DocumentReader = ReturnType<typeof createDocumentReader>;

/** The database answers faster than this, so a slower store saves nothing. */
const READ_PATIENCE_MS = 250;

export function createDocumentReader(redis: Redis, timers: Timers) {
  const nothing: ReadonlyMap<string, Document> = new Map();
  return {
    /** The documents that exist and arrived in time, by property id. */
    async read(propertyIds: readonly string[]): Promise<ReadonlyMap<string, Document>> {
      if (redis.status !== 'ready') return nothing;
      const answered = new AbortController();
      const documents = readDocuments(redis, propertyIds).catch(() => nothing);
      const late = timers.sleep(READ_PATIENCE_MS, answered.signal).then(() => nothing);
      try {
        return await Promise.race([documents, late]);
      } finally {
        // Only now: an aborted sleep must not win the race.
        answered.abort();
      }
    },
  };
}

/** Reads all in one pipeline. @throws when the store does not answer every command. */
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

/** The id in the key of each document, one page at a time; a key may occur twice. */
export async function* documentIds(redis: Redis, pageSize: number): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${DOCUMENT_PREFIX}*`, 'COUNT', pageSize);
    cursor = next;
    if (keys.length > 0) yield keys.map((key) => key.slice(DOCUMENT_PREFIX.length));
  } while (cursor !== '0');
}
