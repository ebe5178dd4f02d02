import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { SearchDocumentActor } from './actor-store.ts';

/**
 * The bookkeeping columns of `properties` about its search document. They have no state column, because there is one
 * state; the version is the one that triggers grow with every change of the listing, so a journal row's `seq` is the
 * version of the document that it owes.
 */
export interface SearchDocumentRow {
  id: string;
  searchVersion: number | string;
  searchDirtyAt: Instant | null;
}

export const LOCK_SEARCH_DOCUMENT = `
  SELECT id, "searchVersion", "searchDirtyAt" FROM properties WHERE id = $1 FOR NO KEY UPDATE`;
/** Bookkeeping alone: the trigger of 0010 leaves it as it is written. */
export const UPDATE_SEARCH_DOCUMENT = `
  UPDATE properties SET "searchVersion" = "searchVersion" + 1, "searchDirtyAt" = $3
  WHERE id = $1 AND "searchVersion" = $2`;

export function searchDocumentFromRow(row: SearchDocumentRow): SearchDocumentActor {
  return {
    kind: 'searchDocument',
    id: row.id,
    version: Number(row.searchVersion),
    state: 'KEPT',
    context: { dirtySince: toMillis(row.searchDirtyAt) },
  };
}

/** The columns for a state, in the order of UPDATE_SEARCH_DOCUMENT's parameters after id and version. */
export function searchDocumentColumns({ context }: Pick<SearchDocumentActor, 'context'>): unknown[] {
  return [toDate(context.dirtySince)];
}
