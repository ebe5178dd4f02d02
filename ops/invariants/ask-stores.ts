import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import {
  imagesToReview,
  jobsThatAreOver,
  neededAmong,
  neededKeys,
  unaccountedAmong,
} from '../../persistence/console/invariant-world.ts';
import { countDocuments } from '../../persistence/search/search-documents.ts';
import { queueNames } from '../../src/queues/names.ts';
import type { Document } from '../../src/search/document.ts';
import { checkDocuments } from '../../src/search/document-check.ts';
import { documentIds, readDocuments } from '../../src/search/document-store.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { uuid } from '../../src/wire/text.ts';
import { isAsked, type When } from './ask-rows.ts';
import { INVARIANTS } from './catalogue.ts';
import type { Invariant } from './pipeline-state.ts';
import { judged, notAsked, unanswered, type Verdict } from './verdict.ts';

/**
 * Invariants between the rows and the other stores: queue entries, search documents, objects. Nothing is written,
 * not even by opening a queue. The stores and the rows cannot be read at one instant, so an apparent breach is
 * checked again on the other side before it counts.
 */
export interface Stores {
  readonly pool: Pool;
  readonly redis: Redis | null;
  readonly objects: ObjectStorage | null;
  readonly queueSuffix: string;
  /** Without it, the origin of the images' addresses is not compared. */
  readonly publicBaseUrl: string | undefined;
}
type WithRedis = Stores & { readonly redis: Redis };
type WithObjects = Stores & { readonly objects: ObjectStorage };
/** The breaches, or why they cannot be determined now. */
type Found = Promise<string[] | { notNow: string }>;
type StoreInvariant = Pick<Invariant, 'id' | 'sentence' | 'when'> &
  ({ needs: 'KV_URL'; ask(stores: WithRedis): Found } | { needs: 'S3_*'; ask(stores: WithObjects): Found });

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const CHUNK = 1_000;
/** How many missing objects and the like are checked again; a store that lost more has been lost as a whole. */
const MAX_SECOND_LOOKS = 1_000;

const sentenceOf = (id: string): Pick<Invariant, 'id' | 'sentence' | 'when'> => {
  const known = INVARIANTS.find((invariant) => invariant.id === id);
  if (!known) throw new Error(`no invariant ${id}`);
  return { id, sentence: known.sentence, when: known.when };
};

const STORE_INVARIANTS: readonly StoreInvariant[] = [
  { ...sentenceOf('I14b'), needs: 'KV_URL', ask: entriesOfEndedJobs },
  {
    id: 'I18',
    sentence: 'No search document shows an image that waits for its review or is withdrawn.',
    when: 'always',
    needs: 'KV_URL',
    ask: privateImagesInDocuments,
  },
  { ...sentenceOf('I19'), needs: 'S3_*', ask: orphanObjects },
  { ...sentenceOf('I20'), needs: 'S3_*', ask: objectsLost },
  {
    id: 'I24',
    sentence: 'The search documents say what the database says.',
    when: 'quiet',
    needs: 'KV_URL',
    ask: wrongDocuments,
  },
];

export async function askStores(stores: Stores, when: When): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const invariant of STORE_INVARIANTS)
    if (isAsked(invariant, when)) verdicts.push(await askOne(invariant, stores));
  return verdicts;
}

async function askOne(invariant: StoreInvariant, stores: Stores): Promise<Verdict> {
  const { redis, objects } = stores;
  try {
    let found: string[] | { notNow: string };
    if (invariant.needs === 'KV_URL') {
      if (redis === null) return notAsked(invariant, 'KV_URL is not set');
      found = await invariant.ask({ ...stores, redis });
    } else {
      if (objects === null) return notAsked(invariant, 'S3_ENDPOINT and its companions are not set');
      found = await invariant.ask({ ...stores, objects });
    }
    if ('notNow' in found) return notAsked(invariant, found.notNow);
    return judged(invariant, { lines: found.toSorted(), count: found.length });
  } catch (error) {
    return unanswered(invariant, error);
  }
}

const ENTRY_STATES = ['wait', 'active', 'delayed', 'prioritized', 'failed'] as const;
const isUuid = (id: string): boolean => uuid.safeParse(id).success;

async function entriesOfEndedJobs({ pool, redis, queueSuffix }: WithRedis): Promise<string[]> {
  const names = queueNames(queueSuffix);
  const breaches: string[] = [];
  for (const name of [names.staging, names.descriptions]) {
    await withQueue(redis, name, async (queue) => {
      for (const state of ENTRY_STATES)
        for (let start = 0; ; start += CHUNK) {
          const ids = await queue.getRanges([state], start, start + CHUNK - 1, true);
          for (const id of await jobsThatAreOver(pool, ids.filter(isUuid)))
            if ((await redis.exists(queue.toKey(id))) === 1)
              breaches.push(`job ${id} is over and still in ${name}`);
          if (ids.length < CHUNK) break;
        }
    });
  }
  return breaches;
}

/** An image that waits for review now also waited when the document was read: reviews are never revoked. */
async function privateImagesInDocuments({ pool, redis }: WithRedis): Promise<string[]> {
  const breaches: string[] = [];
  for await (const ids of documentIds(redis, CHUNK)) {
    const shownBy = new Map<string, string>();
    for (const [propertyId, document] of await readDocuments(redis, ids))
      for (const imageId of idsIn(document)) shownBy.set(imageId, propertyId);
    for (const id of await imagesToReview(pool, [...shownBy.keys()]))
      breaches.push(`image ${id} waits for its review and is in the document of ${shownBy.get(id)}`);
  }
  return breaches;
}

/** Every id anywhere in the document, because a leak may be in any field. */
function idsIn(document: Document): string[] {
  return Object.values(document).join(' ').match(UUIDS) ?? [];
}

async function wrongDocuments({ pool, redis, queueSuffix, publicBaseUrl }: WithRedis): Found {
  const moving = () =>
    withQueue(redis, queueNames(queueSuffix).search, async (queue) => {
      const { owed, isRebuilding } = await countDocuments(pool);
      if (isRebuilding) return 'a rebuild of all documents is under way';
      const entries = await queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized');
      return owed + entries === 0 ? null : `${owed + entries} rebuilds of documents are under way`;
    });
  const before = await moving();
  if (before !== null) return { notNow: before };
  const { faults } = await checkDocuments({ pool, redis, publicBaseUrl });
  // A listing that changes meanwhile looks like a fault, but is none.
  const after = faults.length === 0 ? null : await moving();
  if (after !== null) return { notNow: after };
  return faults.map(({ propertyId, kind, fields }) =>
    [`document ${propertyId} is ${kind}`, ...(fields.length > 0 ? [fields.join(', ')] : [])].join(': '),
  );
}

/** Objects are read before rows, because a row or an outbox item is written before its object. */
async function orphanObjects({ pool, objects }: WithObjects): Promise<string[]> {
  const breaches: string[] = [];
  // Excludes objects deleted since the listing, with a finished outbox item.
  for await (const keys of inChunks(objects.list('')))
    for (const key of await unaccountedAmong(pool, keys))
      if (breaches.length >= MAX_SECOND_LOOKS || (await objects.exists(key)))
        breaches.push(`object ${key} belongs to no row`);
  return breaches;
}

async function objectsLost({ pool, objects }: WithObjects): Promise<string[]> {
  const breaches: string[] = [];
  const stored = new Set<string>();
  for await (const key of objects.list('')) stored.add(key);
  for (let afterKey: string | null = null; ; ) {
    const keys: string[] = await neededKeys(pool, { afterKey, limit: CHUNK });
    const missing: string[] = [];
    // Excludes objects stored since the listing of the others.
    for (const key of keys.filter((one) => !stored.has(one)))
      if (breaches.length >= MAX_SECOND_LOOKS || !(await objects.exists(key))) missing.push(key);
    for (const key of await neededAmong(pool, missing)) breaches.push(`object ${key} is lost`);
    afterKey = keys.at(-1) ?? null;
    if (keys.length < CHUNK) return breaches;
  }
}

async function* inChunks(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let chunk: string[] = [];
  for await (const key of keys) {
    chunk.push(key);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function withQueue<T>(redis: Redis, name: string, work: (queue: Queue) => Promise<T>): Promise<T> {
  // Opening a queue writes its version to the store, unless this option is set.
  const queue = new Queue(name, { connection: redis, skipMetasUpdate: true });
  queue.on('error', () => {});
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
