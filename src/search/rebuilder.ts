import { inTurn, type Turn } from '../../persistence/actors/sweep-turns.ts';
import { readSources, type SearchSource } from '../../persistence/search/search-documents.ts';
import {
  beginSearchEpoch,
  finishSearchEpoch,
  noteRebuilt,
  readSearchEpoch,
} from '../../persistence/search/search-epoch.ts';
import type { Chance, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { isOutage } from '../errors/outage.ts';
import { type IndexerPorts, indexChanged, writeDocuments } from './indexer.ts';

/**
 * Rebuilds all documents after the store or the database has lost some, or on request: page by page, by one worker at a
 * time. Each rebuild is an epoch. It is written to the database and then to the store, before the first page; a page is
 * recorded when it is done and the store still has the marker. So after a flush a new epoch begins at the first listing;
 * when a worker dies, the next continues after the last recorded page. No listing's row is written: listings that
 * change meanwhile are dirty, and the consumer rebuilds them.
 */
export interface RebuilderPorts extends IndexerPorts {
  chance: Chance;
  timers: Timers;
  /** This worker's name. */
  holder: string;
  intervalMs: number;
}

/** Listings in memory at a time. */
const PAGE = 250;
/** Another worker takes over after this time without a page. */
const HOLD_MS = 30_000;

export function createSearchRebuilder(ports: RebuilderPorts): Sweeper {
  const { pool, holder } = ports;
  return createSweeper({
    ...ports,
    name: 'search-rebuilder',
    isOutage,
    async sweep(signal) {
      if (await isWhole(ports)) return;
      await inTurn(pool, { name: 'search-rebuild', holder, everyMs: 0, holdMs: HOLD_MS }, (turn) =>
        rebuild(ports, turn, signal),
      );
    },
  });
}

async function isWhole({ pool, documents }: RebuilderPorts): Promise<boolean> {
  const known = await readSearchEpoch(pool);
  return known?.isFinished === true && known.marker === (await documents.marker());
}

async function rebuild(ports: RebuilderPorts, turn: Turn, signal: AbortSignal): Promise<void> {
  const { pool, documents } = ports;
  const { epoch, marker, throughId, isFinished } = await presentEpoch(ports);
  if (isFinished) return;
  /** False when the store was flushed, another epoch has begun, or another worker has taken over. */
  const goesOn = async () =>
    !signal.aborted && (await documents.marker()) === marker && (await turn.prolong());

  for (let afterId = throughId; ; ) {
    const page = await readSources(pool, { afterId, limit: PAGE });
    afterId = page.at(-1)?.propertyId ?? null;
    if (afterId === null) break;
    await rebuildPage(ports, page);
    if (!(await goesOn()) || !(await noteRebuilt(pool, { epoch, throughId: afterId }))) return;
  }
  if (await goesOn()) await finishSearchEpoch(pool, epoch);
}

/** The store's epoch; a new one when the store has none, or one that is not in the database. */
async function presentEpoch({ pool, documents, chance }: RebuilderPorts) {
  const known = await readSearchEpoch(pool);
  if (known !== null && known.marker === (await documents.marker())) return known;
  const begun = await beginSearchEpoch(pool, chance.id());
  await documents.setMarker(begun.marker);
  return begun;
}

/** Removes the documents first: one of a version that the database has forgotten would not be replaced. */
async function rebuildPage(ports: RebuilderPorts, page: readonly SearchSource[]): Promise<void> {
  await ports.documents.remove(page.map(({ propertyId }) => propertyId));
  await writeDocuments(ports, { page, at: ports.clock.now() });
  await indexChanged(ports, page);
}
