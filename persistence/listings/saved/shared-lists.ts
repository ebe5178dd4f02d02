import type { Pool } from 'pg';
import { toDate, toMillis } from '../../database/instants.ts';
import type { Reader } from '../../database/reader.ts';

/** How a person's saved homes are shown to anyone with the address. */
export interface SharedList {
  userId: string;
  name: string;
  withNotes: boolean;
  createdAt: number;
}

/** Shows the person's saved homes under a new secret. An earlier one ends. */
export async function shareFavorites(
  pool: Pool,
  { userId, name, withNotes, createdAt, secretHash }: SharedList & { secretHash: string },
): Promise<void> {
  await pool.query(
    `INSERT INTO shared_lists ("userId", "secretHash", name, "withNotes", "createdAt") VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ("userId") DO UPDATE SET "secretHash" = excluded."secretHash", name = excluded.name,
       "withNotes" = excluded."withNotes", "createdAt" = excluded."createdAt"`,
    [userId, secretHash, name, withNotes, toDate(createdAt)],
  );
}

export async function endSharing(pool: Pool, userId: string): Promise<void> {
  await pool.query('DELETE FROM shared_lists WHERE "userId" = $1', [userId]);
}

const COLUMNS = 'l."userId", l.name, l."withNotes", l."createdAt"';
type Row = Omit<SharedList, 'createdAt'> & { createdAt: Date };
const listOf = (row: Row | undefined): SharedList | null =>
  row === undefined ? null : { ...row, createdAt: toMillis(row.createdAt) };

/** Null when the person shares nothing. */
export async function sharedListOf(pool: Pool, userId: string): Promise<SharedList | null> {
  const { rows } = await pool.query<Row>(`SELECT ${COLUMNS} FROM shared_lists l WHERE l."userId" = $1`, [
    userId,
  ]);
  return listOf(rows[0]);
}

/** Null for a secret that is not valid, or no longer, and while the person is suspended. */
export async function sharedListBySecret(reader: Reader, secretHash: string): Promise<SharedList | null> {
  const { rows } = await reader.query<Row>(
    `SELECT ${COLUMNS} FROM shared_lists l JOIN "user" u ON u.id = l."userId"
     WHERE l."secretHash" = $1 AND u."suspendedAt" IS NULL`,
    [secretHash],
  );
  return listOf(rows[0]);
}
