import type { Pool } from 'pg';
import type { AiJobType } from './entities/ai-job.ts';

/** How many jobs of a type are in each non-final status; an index serves it however many are over. */
export async function countActiveJobs(
  pool: Pool,
  type: AiJobType,
): Promise<{ status: string; jobs: number }[]> {
  const { rows } = await pool.query<{ status: string; jobs: number }>(
    `SELECT status::text, count(*)::int AS jobs FROM ai_jobs
     WHERE type = $1 AND status IN ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')
     GROUP BY status`,
    [type],
  );
  return rows;
}
