import type { Pool } from 'pg';

/** How many staging jobs are in each non-final status; an index serves it however many are over. */
export async function countActiveJobs(pool: Pool): Promise<{ status: string; jobs: number }[]> {
  const { rows } = await pool.query<{ status: string; jobs: number }>(
    `SELECT status::text, count(*)::int AS jobs FROM ai_jobs
     WHERE type = 'ROOM_STAGING' AND status IN ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')
     GROUP BY status`,
  );
  return rows;
}
