import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';

/** Ends a session of the console for every worker. Idempotent. `endsAt` in ms. */
export async function signOutOfConsole(
  pool: Pool,
  { id, endsAt }: { id: string; endsAt: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO console_sign_outs ("sessionId", "endsAt") VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    [id, toDate(endsAt)],
  );
}

/** The given sessions that were signed out. */
export async function signedOutOfConsole(pool: Pool, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT "sessionId" AS id FROM console_sign_outs WHERE "sessionId" = ANY ($1::uuid[])`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
