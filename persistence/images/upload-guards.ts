import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';

/**
 * Persist, then act, for uploads. Before an object is put, a row of the deletion outbox names its key; the
 * transaction that stores the image row takes those rows away again. Always true: an object that no row refers
 * to has an outbox row that will delete it, whenever the process died. Guards are the ids of those rows.
 * Their journal has no birth, because almost every guard is taken away again.
 */
export type UploadGuards = readonly string[];

/** Far beyond the time limits of decoding and putting together; an upload that takes longer is given up. */
export const GUARD_MS = 15 * 60_000;

/** Names the keys that are about to be put; without `dueAt` they are swept at `at` + 15 minutes. */
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
 * Removes the guards inside the transaction that inserts the rows of the objects.
 * @throws UploadExpired when the sweep has touched any of them: the objects may be gone.
 */
export async function releaseGuards(client: PoolClient, guards: UploadGuards): Promise<void> {
  const { rowCount } = await client.query(
    `DELETE FROM storage_deletion_outbox WHERE id = ANY($1::uuid[]) AND status = 'PENDING' AND version = 0`,
    [guards],
  );
  if (rowCount !== guards.length) throw new UploadExpired();
}

/** Rolls the storing transaction back: the sweep was faster than the upload. */
export class UploadExpired extends Error {
  override readonly name = 'UploadExpired';
  override readonly message = 'the deletion sweep has taken an upload that was still under way';
}
