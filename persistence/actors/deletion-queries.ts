import type { Pool } from 'pg';
import { type Stored, withMillis } from '../database/instants.ts';

/** A deletion that needs a person, as the operator's list shows it. */
export interface FailedDeletion {
  id: string;
  objectKey: string;
  errorClass: string | null;
  lastError: string | null;
  createdAt: number;
}

/** Oldest first, at most `limit`. */
export async function failedDeletions(pool: Pool, limit: number): Promise<FailedDeletion[]> {
  const { rows } = await pool.query<Stored<FailedDeletion, 'createdAt'>>(
    `SELECT id, "objectKey", "errorClass", "lastError", "createdAt" FROM storage_deletion_outbox
     WHERE status = 'FAILED' ORDER BY "createdAt", id LIMIT $1`,
    [limit],
  );
  return rows.map(withMillis);
}
