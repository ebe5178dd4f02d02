import type { Pool } from 'pg';
import { INSERT_PROVENANCE } from '../actors/actor-statements.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { named } from '../database/sql-values.ts';

/** An approved picture of an old release that has no provenance record yet (0065). */
export interface DueRecord {
  stagedImageId: string;
  /** This try included. */
  tries: number;
}

const FIRST_PAUSE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 24 * 3_600_000;

/** Takes pictures that are due. Each is due again later, up to a day, so a worker that dies keeps none back. */
export async function takeDueRecords(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<DueRecord[]> {
  const { rows } = await pool.query<DueRecord>(
    `UPDATE provenance_due d
     SET tries = least(d.tries + 1, 1000), "nextTryAt" = $1::timestamptz
       + least(${LONGEST_PAUSE_MS}, ${FIRST_PAUSE_MS} * 2.0 ^ d.tries) * interval '1 millisecond'
     FROM (SELECT "stagedImageId" FROM provenance_due WHERE "nextTryAt" <= $1
           ORDER BY "nextTryAt" LIMIT $2 FOR UPDATE SKIP LOCKED) due
     WHERE d."stagedImageId" = due."stagedImageId" RETURNING d."stagedImageId", d.tries`,
    [toDate(at), limit],
  );
  return rows;
}

/** Writes the record of a picture whose checksums are known, and takes it off the list. */
export function writeDueRecord(
  pool: Pool,
  { stagedImageId, at }: { stagedImageId: string; at: number },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(named(INSERT_PROVENANCE, { id: stagedImageId, at: toDate(at) }));
    await client.query('DELETE FROM provenance_due WHERE "stagedImageId" = $1', [stagedImageId]);
  });
}
