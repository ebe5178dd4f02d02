import type { Pool } from 'pg';
import { inTurn, type Turn } from '../../persistence/actors/sweep-turns.ts';
import { countChangedCells } from '../../persistence/search/cell-counting.ts';
import { countChangedRegions } from '../../persistence/search/region-counting.ts';
import {
  buryTombstone,
  confirmIndexed,
  type DirtyMark,
  dirtyProperties,
  dueSearchWork,
  readSourcesOf,
  readVersions,
  type SearchSource,
  searchTombstones,
} from '../../persistence/search/search-documents.ts';
import type { Checkpoint, Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, eachRow, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { isOutage } from '../errors/outage.ts';
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
  const { pool, documents } = ports;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const page = await readSourcesOf(pool, [propertyId]);
    if (page.length === 0) return documents.remove([propertyId]);
    if ((await writeAndConfirm(ports, page)).length === 0) return;
  }
}

/** Writes or removes the documents of a page. @returns the sources that were not confirmed */
async function writeAndConfirm(
  ports: IndexerPorts,
  page: readonly SearchSource[],
): Promise<readonly SearchSource[]> {
  const at = ports.clock.now();
  await writeDocuments(ports, { page, at });
  const confirmed = await confirmIndexed(ports.pool, { written: page, at });
  return page.filter(({ propertyId }) => !confirmed.has(propertyId));
}

/** Writes the documents of listings that have one, and removes those of the others. */
export async function writeDocuments(
  ports: IndexerPorts,
  { page, at }: { page: readonly SearchSource[]; at: number },
): Promise<void> {
  const { documents, reporter } = ports;
  const first = page[0]?.propertyId ?? '';
  const shown = page.filter(({ hasDocument }) => hasDocument);
  const others = page.filter(({ hasDocument }) => !hasDocument);
  await ports.checkpoint('before-search-write', first);
  await documents.write(
    shown.map((source) => ({ ...source, fields: buildDocument(source, { ...ports, at }) })),
  );
  await documents.remove(others.map(({ propertyId }) => propertyId));
  await ports.checkpoint('after-search-write', first);
  reporter.count('search_documents_written', shown.length);
}

/**
 * When a listing has changed since it was read, an older document may have overwritten the newer one: these are
 * rebuilt one by one. Those that did not change stay as they are.
 */
export async function indexChanged(ports: IndexerPorts, written: readonly SearchSource[]): Promise<void> {
  if (written.length === 0) return;
  const present = await readVersions(
    ports.pool,
    written.map(({ propertyId }) => propertyId),
  );
  for (const { propertyId, version } of written)
    if (present.get(propertyId) !== version) await indexProperty(ports, propertyId);
}

/** Listings in memory at a time. */
const PAGE = 500;
/** Changes of cells counted in one transaction, which takes about 50 ms for as many cells. */
const CHANGES = 5_000;
/**
 * A region is counted from all its addresses, which takes 0.7 ms for 600. An import changes the same regions again and
 * again, so they are counted seldom, and few at a time.
 */
const REGION_CHANGES = 1_000;
const REGIONS_EVERY_MS = 2_000;
/** Another worker takes over after this time without a page. */
const HOLD_MS = 30_000;

/**
 * Rebuilds what is dirty and no hint has brought up to date, such as an import's listings, page by page in the order of
 * their changes; one worker at a time. Removes the documents of deleted listings, and counts the changed cells of the map
 * and regions of addresses.
 */
export function createSearchSweeper(
  ports: IndexerPorts & { timers: Timers; holder: string; intervalMs: number },
): Sweeper {
  const { pool, holder } = ports;
  return createSweeper({
    ...ports,
    name: 'search-sweeper',
    isOutage,
    async sweep(signal) {
      const due = await dueSearchWork(pool);
      if (due.regions)
        await inTurn(pool, { name: 'region-count', holder, everyMs: REGIONS_EVERY_MS, holdMs: HOLD_MS }, () =>
          countChangedRegions(pool, REGION_CHANGES),
        );
      while (due.cells && !signal.aborted && (await countChangedCells(pool, CHANGES)) === CHANGES);
      if (!due.documents) return;
      await inTurn(pool, { name: 'search-sweep', holder, everyMs: 0, holdMs: HOLD_MS }, async (turn) => {
        await sweepDirty(ports, turn, signal);
        await sweepTombstones(ports, signal);
      });
    },
  });
}

async function sweepDirty(ports: IndexerPorts, turn: Turn, signal: AbortSignal): Promise<void> {
  for (let after: DirtyMark | null = null; !signal.aborted; ) {
    const marks: DirtyMark[] = await dirtyProperties(ports.pool, { after, limit: PAGE });
    after = marks.at(-1) ?? null;
    if (after === null) return;
    const ids = marks.map(({ id }) => id);
    await sweepPage(ports, ids, signal);
    if (!(await turn.prolong())) return;
  }
}

/** A page that fails is tried one by one, so that one listing cannot hold up the others. */
async function sweepPage(ports: IndexerPorts, ids: string[], signal: AbortSignal): Promise<void> {
  const { pool, reporter } = ports;
  try {
    await indexChanged(ports, await writeAndConfirm(ports, await readSourcesOf(pool, ids)));
  } catch (error) {
    if (isOutage(error)) throw error;
    await eachRow({ reporter, signal, what: 'search documents', isOutage }, once(ids), async (id) => {
      await indexProperty(ports, id);
      return true;
    });
  }
}

/** One page and no other. */
const once = (ids: string[]) => async (afterId: string | null) => (afterId === null ? ids : []);

async function sweepTombstones(ports: IndexerPorts, signal: AbortSignal): Promise<void> {
  const { pool, documents, reporter } = ports;
  const ids = await searchTombstones(pool, PAGE);
  await eachRow({ reporter, signal, what: 'search tombstones', isOutage }, once(ids), async (propertyId) => {
    await documents.remove([propertyId]);
    await buryTombstone(pool, propertyId);
    return true;
  });
}
