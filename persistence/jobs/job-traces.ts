import type { Pool, PoolClient } from 'pg';

/**
 * Which trace a job belongs to (`ai_job_traces`), so that it survives a flushed queue and a dead worker. Hints for
 * people who look at traces: nothing is decided by them.
 */
export interface JobTrace {
  jobId: string;
  /** 0 is the submission; above it, the hold of the lease with this epoch. */
  leaseEpoch: number;
  /** As W3C Trace Context writes it. */
  traceparent: string;
}

/** The two ends of what is known of a job: where its trace begins, and what was done last. */
export interface JobTraceEnds {
  first: Pick<JobTrace, 'leaseEpoch' | 'traceparent'> | null;
  last: Pick<JobTrace, 'leaseEpoch' | 'traceparent'> | null;
}

/** The first to write an epoch is right. */
export async function noteJobTrace(
  client: Pick<Pool | PoolClient, 'query'>,
  { jobId, leaseEpoch, traceparent }: JobTrace,
): Promise<void> {
  await client.query(
    `INSERT INTO ai_job_traces ("aiJobId", "leaseEpoch", traceparent) VALUES ($1, $2, $3)
     ON CONFLICT ("aiJobId", "leaseEpoch") DO NOTHING`,
    [jobId, leaseEpoch, traceparent],
  );
}

/** In the submission's transaction, so that a job is never found without its trace; nothing while tracing is off. */
export async function noteSubmissionTrace(
  client: PoolClient,
  { aiJobId, traceparent }: { aiJobId: string; traceparent?: string | null },
): Promise<void> {
  if (traceparent == null) return;
  await noteJobTrace(client, { jobId: aiJobId, leaseEpoch: 0, traceparent });
}

export async function jobTraceEnds(pool: Pool, jobId: string): Promise<JobTraceEnds> {
  const { rows } = await pool.query<{ leaseEpoch: number; traceparent: string }>(
    `(SELECT "leaseEpoch", traceparent FROM ai_job_traces WHERE "aiJobId" = $1 ORDER BY "leaseEpoch" LIMIT 1)
     UNION ALL
     (SELECT "leaseEpoch", traceparent FROM ai_job_traces WHERE "aiJobId" = $1 ORDER BY "leaseEpoch" DESC LIMIT 1)`,
    [jobId],
  );
  const [first = null, last = null] = rows;
  return { first, last };
}

/** Where the trace of an attempt's job begins; null when nothing is known of it. */
export async function traceOfAttempt(
  pool: Pool,
  attemptId: string,
): Promise<{ jobId: string; traceparent: string } | null> {
  const { rows } = await pool.query<{ jobId: string; traceparent: string }>(
    `SELECT t."aiJobId" AS "jobId", t.traceparent
     FROM ai_provider_attempts a JOIN ai_job_traces t ON t."aiJobId" = a."aiJobId"
     WHERE a.id = $1 ORDER BY t."leaseEpoch" LIMIT 1`,
    [attemptId],
  );
  return rows[0] ?? null;
}
