import type { Pool, PoolClient } from 'pg';

/**
 * The trace of a job (`ai_job_traces`), stored so that it survives a flushed queue and a dead worker. It is only for
 * people who look at traces: no decision depends on it.
 */
export interface JobTrace {
  jobId: string;
  /** 0 is the submission; a greater number is the lease with this epoch. */
  leaseEpoch: number;
  /** In the format of W3C Trace Context. */
  traceparent: string;
}

/** The first and the last known span of a job: where its trace begins, and what was done last. */
export interface JobTraceEnds {
  first: Pick<JobTrace, 'leaseEpoch' | 'traceparent'> | null;
  last: Pick<JobTrace, 'leaseEpoch' | 'traceparent'> | null;
}

/** The first write of an epoch wins. */
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

/**
 * Runs in the submission's transaction, so that a job is never found without its trace. Does nothing while tracing is
 * off.
 */
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

/** Where the trace of the attempt's job begins; null when unknown. */
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
