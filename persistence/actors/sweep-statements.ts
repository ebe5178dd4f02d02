/**
 * The queries of sweepers about jobs, each for jobs of one type only. Always true: a sweep reads running and waiting
 * jobs, never ended ones (I34). `ai_jobs_active_idx` holds only jobs that are not over, in the order of their
 * submission within a status; no renewal of a lease touches it. Each query names its statuses one by one, so that the
 * planner uses the index.
 */

const FREE = `"quarantinedAt" IS NULL AND ("leaseExpiresAt" IS NULL OR "leaseExpiresAt" <= $2)`;
/** Behind the job $1 in the order of submission. */
const BEHIND = `($1::uuid IS NULL OR ("createdAt", id) > ((SELECT "createdAt" FROM ai_jobs WHERE id = $1), $1))`;

/**
 * Jobs that wait for the queue, the oldest first; with the flag off only those still in PENDING.QUEUED. Each status is
 * read separately, in the order of the index, and only as far as the page needs.
 */
export const DUE_JOBS = `
  SELECT id FROM (
    (SELECT id, "createdAt" FROM ai_jobs
     WHERE type = $6 AND status = 'PENDING' AND ${FREE} AND ${BEHIND}
       AND "createdAt" <= $4 AND ($3 OR phase = 'QUEUED')
     ORDER BY "createdAt", id LIMIT $5)
    UNION ALL
    (SELECT id, "createdAt" FROM ai_jobs
     WHERE type = $6 AND status = 'RETRYING' AND ${FREE} AND ${BEHIND} AND "retryAt" <= $2 AND $3
     ORDER BY "createdAt", id LIMIT $5)
  ) due ORDER BY "createdAt", id LIMIT $5`;

/**
 * Running jobs without a valid lease, those first that have had none for longest: in another order new orphans could
 * keep one waiting forever. With the flag off, unsent purchases are left out. There are at most as many running jobs as
 * workers have slots, so all of them are read first. Ordered directly, the planner might walk all jobs in that order.
 */
export const ORPHANED_JOBS = `
  WITH free AS MATERIALIZED (
    SELECT id, status, "leaseExpiresAt" FROM ai_jobs
    WHERE type = $4 AND status IN ('PROCESSING', 'CANCEL_REQUESTED')
      AND "quarantinedAt" IS NULL AND ("leaseExpiresAt" IS NULL OR "leaseExpiresAt" <= $1)
  )
  SELECT id FROM free
  WHERE $3 OR status = 'CANCEL_REQUESTED'
    OR NOT EXISTS (SELECT FROM ai_provider_attempts a WHERE a."aiJobId" = free.id AND a.status = 'RESERVED')
  ORDER BY "leaseExpiresAt" NULLS FIRST, id LIMIT $2`;

const SILENT_SINCE = `coalesce("heartbeatAt", "createdAt")`;
const silent = (status: string, since: string, patience: string): string => `
  (SELECT id, status::text, ${since} AS since FROM ai_jobs
   WHERE type = $5 AND status = '${status}' AND ${since} < $1::timestamptz - ${patience}::interval
   ORDER BY ${since} LIMIT $6)`;

/**
 * The three alerts of docs/contract.md#alerts: PENDING by age, the others by their heartbeat. Each status has its own
 * query, so that many waiting jobs do not hide a job with a stopped heartbeat.
 */
export const STALE_JOBS = `
  SELECT id, status, (extract(epoch FROM $1::timestamptz - since) * 1000)::float8 AS "silentMs" FROM (
    ${silent('PENDING', '"createdAt"', '$2')}
    UNION ALL ${silent('PROCESSING', SILENT_SINCE, '$3')}
    UNION ALL ${silent('CANCEL_REQUESTED', SILENT_SINCE, '$3')}
    UNION ALL ${silent('RETRYING', SILENT_SINCE, '$4')}
  ) silent ORDER BY since`;
/** For each status; enough for a person to look at. */
export const MAX_STALE_JOBS = 250;
