import type { Pool } from 'pg';

/**
 * The rebuild of all search documents, one row for the whole installation. An epoch has a marker, which the key-value
 * store also holds until it loses data. Progress is written under the epoch's name, so a worker whose epoch was
 * replaced changes nothing.
 */
export interface SearchEpoch {
  epoch: string;
  /** The epoch on this database server. A promoted one may have forgotten versions that the store has documents of. */
  marker: string;
  /** Every listing up to this id is rebuilt; null before the first page. */
  throughId: string | null;
  isFinished: boolean;
}

const EPOCH = `epoch, epoch || '@' || md5(current_server()) AS marker, "throughId",
  "finishedAt" IS NOT NULL AS "isFinished"`;

/** Null until the first rebuild of an installation begins. */
export async function readSearchEpoch(pool: Pool): Promise<SearchEpoch | null> {
  const { rows } = await pool.query<SearchEpoch>(`SELECT ${EPOCH} FROM search_epoch WHERE id = 1`);
  return rows[0] ?? null;
}

/** Begins at the first listing, whatever the progress of an earlier epoch. */
export async function beginSearchEpoch(pool: Pool, epoch: string): Promise<SearchEpoch> {
  const { rows } = await pool.query<SearchEpoch>(
    `INSERT INTO search_epoch (id, epoch, "beganAt") VALUES (1, $1, now())
     ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, "throughId" = NULL, "beganAt" = now(), "finishedAt" = NULL
     RETURNING ${EPOCH}`,
    [epoch],
  );
  if (rows[0] === undefined) throw new Error('no epoch has begun');
  return rows[0];
}

/** Begins an epoch as `beginSearchEpoch` does, unless one is in progress, so that no work is repeated. */
export async function askForSearchEpoch(pool: Pool, epoch: string): Promise<void> {
  await pool.query(
    `INSERT INTO search_epoch (id, epoch, "beganAt") VALUES (1, $1, now())
     ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, "throughId" = NULL, "beganAt" = now(), "finishedAt" = NULL
     WHERE search_epoch."finishedAt" IS NOT NULL`,
    [epoch],
  );
}

/** How many of the listings that have a document the present rebuild has done. */
export async function countRebuilt(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ rebuilt: number }>(
    `SELECT count(*)::int AS rebuilt FROM search_listings JOIN search_epoch ON "propertyId" <= "throughId"
     WHERE "onMarket"`,
  );
  return rows[0]?.rebuilt ?? 0;
}

/** False when the epoch was replaced, or when another worker has got further. */
export async function noteRebuilt(
  pool: Pool,
  { epoch, throughId }: { epoch: string; throughId: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE search_epoch SET "throughId" = $2
     WHERE epoch = $1 AND ("throughId" IS NULL OR "throughId" < $2)`,
    [epoch, throughId],
  );
  return rowCount === 1;
}

export async function finishSearchEpoch(pool: Pool, epoch: string): Promise<void> {
  await pool.query(`UPDATE search_epoch SET "finishedAt" = now() WHERE epoch = $1`, [epoch]);
}
