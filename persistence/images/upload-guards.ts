import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';

/**
 * Upload guards: persist, then act. Before an object is put, a row of the deletion outbox names its key; the
 * transaction that stores the image row removes these rows. Always true: an object without an image row has an outbox
 * row that will delete it, whenever the process dies. Guards are the ids of those rows. They have no birth in the
 * journal, because almost every guard is removed again.
 */
export type UploadGuards = readonly string[];

/** Far longer than the timeouts of decode and put together; a slower upload is given up. */
export const GUARD_MS = 15 * 60_000;

/** Inserts guards for keys that are about to be put. Without `dueAt` they are due at `at` + 15 minutes. */
export async function guardUploads(
  db: Pool | PoolClient,
  { keys, at, dueAt = at + GUARD_MS }: { keys: readonly string[]; at: number; dueAt?: number },
): Promise<UploadGuards> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO storage_deletion_outbox ("objectKey", reason, "nextAttemptAt", "createdAt")
     SELECT key, 'ORIGINAL_IMAGE_DELETED', $2, $3 FROM unnest($1::text[]) AS key RETURNING id`,
    [keys, toDate(dueAt), toDate(at)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes the guards in the transaction that inserts the rows of the objects.
 * @throws UploadExpired when the sweep has touched any of them: the objects may be gone.
 */
export async function releaseGuards(client: PoolClient, guards: UploadGuards): Promise<void> {
  const { rowCount } = await client.query(
    `DELETE FROM storage_deletion_outbox WHERE id = ANY($1::uuid[]) AND status = 'PENDING' AND version = 0`,
    [guards],
  );
  if (rowCount !== guards.length) throw new UploadExpired();
}

/** Rolls back the storing transaction: the sweep was faster than the upload. */
export class UploadExpired extends Error {
  override readonly name = 'UploadExpired';
  override readonly message = 'the deletion sweep has taken an upload that was still under way';
}
