import type { Pool } from 'pg';
import type { DeletionItemActor, SearchDocumentActor } from '../actors/actor-store.ts';
import { DELETION_COLUMNS, type DeletionRow, deletionFromRow } from '../actors/deletion-row.ts';
import { type SearchDocumentRow, searchDocumentFromRow } from '../actors/search-document-row.ts';
import { isOffered } from '../database/listing-visibility.ts';

/** What an operator looks at before moving it, as last committed and without a lock; null when it is not there. */
export async function readDeletion(pool: Pool, id: string): Promise<DeletionItemActor | null> {
  const { rows } = await pool.query<DeletionRow>(
    `SELECT ${DELETION_COLUMNS} FROM storage_deletion_outbox WHERE id = $1`,
    [id],
  );
  return rows[0] ? deletionFromRow(rows[0]) : null;
}

/** `onMarket`: only such a listing is to have a document. */
export async function readSearchDocument(
  pool: Pool,
  propertyId: string,
): Promise<(SearchDocumentActor & { onMarket: boolean }) | null> {
  const { rows } = await pool.query<SearchDocumentRow & { onMarket: boolean }>(
    `SELECT p.id, p."searchVersion", p."searchDirtyAt", ${isOffered('p')} AS "onMarket"
     FROM properties p WHERE p.id = $1`,
    [propertyId],
  );
  return rows[0] ? { ...searchDocumentFromRow(rows[0]), onMarket: rows[0].onMarket } : null;
}
