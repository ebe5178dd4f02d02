import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';

/**
 * The user who owns the listings of a feed. It is no person: its address receives no mail, and the database refuses it a
 * session (0168).
 */
export async function addFeedUser(
  pool: Pool,
  { id, name, at }: { id: string; name: string; at: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO "user" (id, name, email, "emailVerified", role, "createdAt", "updatedAt", "feedUser")
     VALUES ($1, $2, $3, false, 'agent', $4, $4, true) ON CONFLICT (id) DO NOTHING`,
    [id, name, `${id}@feed.invalid`, toDate(at)],
  );
}
