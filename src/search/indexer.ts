import type { Pool } from 'pg';
import { countChangedCells } from '../../persistence/search/cell-counting.ts';
import {
  buryTombstone,
  confirmIndexed,
  dirtyProperties,
  readSearchSource,
  searchTombstones,
} from '../../persistence/search/search-documents.ts';
import type { Checkpoint, Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, eachRow, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { isOutage } from '../errors/outage.ts';
import type { SearchQueue } from '../queues/search-queue.ts';
import { buildDocument } from './document.ts';
import type { DocumentStore } from './document-store.ts';

/**
 * Keeps `psearch:property:*` equal to the database. It owns nothing: the dirty mark is in the property's row, and it is
 * cleared only for the version that was written. A crash between write and confirmation writes the same document again.
 */
export interface IndexerPorts {
  pool: Pool;
  documents: DocumentStore;
  clock: Clock;
  reporter: Reporter;
  checkpoint: Checkpoint;
  publicBaseUrl: string;
}

/** A property that changes faster than it can be indexed waits for the next sweep. */
const MAX_ROUNDS = 5;

/** Rebuilds or removes one property's document until it matches the present version. */
export async function indexProperty(ports: IndexerPorts, propertyId: string): Promise<void> {
  const { pool, documents, clock } = ports;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const read = await readSearchSource(pool, propertyId);
    if (read === null) return documents.remove([propertyId]);
    const at = clock.now();
    await ports.checkpoint('before-search-write', propertyId);
    if (read.source === null) await documents.remove([propertyId]);
    else
      await documents.write([
        { propertyId, version: read.version, fields: buildDocument(read.source, { ...ports, at }) },
      ]);
    await ports.checkpoint('after-search-write', propertyId);
    ports.reporter.count('search_documents_written');
    if (await confirmIndexed(pool, { propertyId, version: read.version, at })) return;
  }
}

const PAGE = 500;
/** Counted in one transaction, which takes about 50 ms for as many cells. */
const CHANGES = 5_000;

/** Counts changed cells of the map, and finds tombstones and dirty properties without a queue entry. */
export function createSearchSweeper(
  ports: IndexerPorts & { queue: SearchQueue; timers: Timers; intervalMs: number },
): Sweeper {
  const { pool, documents, queue, reporter, timers, intervalMs } = ports;
  return createSweeper({
    name: 'search-sweeper',
    intervalMs,
    timers,
    reporter,
    isOutage,
    async sweep(signal) {
      while (!signal.aborted && (await countChangedCells(pool, CHANGES)) === CHANGES);
      for (let afterId: string | null = null; !signal.aborted; ) {
        const dirty: string[] = await dirtyProperties(pool, { afterId, limit: PAGE });
        afterId = dirty.at(-1) ?? null;
        if (afterId === null) break;
        await queue.enqueue(dirty);
      }
      await eachRow(
        { reporter, signal, what: 'search tombstones' },
        (afterId) => (afterId === null ? searchTombstones(pool, PAGE) : Promise.resolve([])),
        async (propertyId) => {
          await documents.remove([propertyId]);
          await buryTombstone(pool, propertyId);
          return true;
        },
      );
    },
  });
}
