/**
 * Leases and what sweepers ask, each for jobs of one type only: whoever runs one kind of job can neither be
 * offered nor take hold of another. Every UPDATE repeats what it relies on in its WHERE: a late writer loses.
 */

const ACTIVE = `('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')`;

export const ACQUIRE_LEASE = `
  WITH free AS (
    SELECT id, "leaseOwner" FROM ai_jobs
    WHERE id = $1 AND type = $5 AND status IN ${ACTIVE} AND "quarantinedAt" IS NULL
      AND ("leaseExpiresAt" IS NULL OR "leaseExpiresAt" <= $3)
    FOR UPDATE
  )
  UPDATE ai_jobs j SET "leaseOwner" = $2, "leaseEpoch" = j."leaseEpoch" + 1, "leaseExpiresAt" = $4,
    "heartbeatAt" = CASE WHEN j.status = 'PENDING' THEN j."heartbeatAt" ELSE $3 END
  FROM free WHERE j.id = free.id
  RETURNING j."leaseEpoch" AS epoch, free."leaseOwner" AS "abandonedBy"`;

export const RENEW_LEASES = `
  UPDATE ai_jobs j SET "leaseExpiresAt" = $4, "heartbeatAt" = $3
  FROM unnest($1::uuid[], $2::int[]) AS held(id, epoch)
  WHERE j.id = held.id AND j."leaseEpoch" = held.epoch AND j."leaseOwner" = $5 AND j.status IN ${ACTIVE}
  RETURNING j.id`;

export const RELEASE_LEASE = `
  UPDATE ai_jobs SET "leaseOwner" = NULL, "leaseExpiresAt" = NULL
  WHERE id = $1 AND "leaseOwner" = $2 AND "leaseEpoch" = $3`;

/** Waiting for the queue; with the flag off only jobs that do not know it yet are offered. */
export const DUE_JOBS = `
  SELECT id FROM ai_jobs
  WHERE type = $6 AND "quarantinedAt" IS NULL AND ($1::uuid IS NULL OR id > $1)
    AND ("leaseExpiresAt" IS NULL OR "leaseExpiresAt" <= $2)
    AND ((status = 'PENDING' AND "createdAt" <= $4 AND ($3 OR phase = 'QUEUED'))
      OR (status = 'RETRYING' AND "retryAt" <= $2 AND $3))
  ORDER BY id LIMIT $5`;

/** Under way, but nobody holds them. With the flag off a purchase that was not sent yet stays where it is. */
export const ORPHANED_JOBS = `
  SELECT id FROM ai_jobs
  WHERE type = $5 AND status IN ('PROCESSING', 'CANCEL_REQUESTED') AND "quarantinedAt" IS NULL
    AND ("leaseExpiresAt" IS NULL OR "leaseExpiresAt" <= $2) AND ($1::uuid IS NULL OR id > $1)
    AND ($4 OR status = 'CANCEL_REQUESTED' OR NOT (
      EXISTS (SELECT FROM ai_provider_attempts a WHERE a."aiJobId" = ai_jobs.id AND a.status = 'RESERVED')
      OR EXISTS (SELECT FROM ai_description_jobs d
        WHERE d."aiJobId" = ai_jobs.id AND d."sendState" = 'RESERVED')))
  ORDER BY id LIMIT $3`;

export const QUARANTINE_JOB = `
  UPDATE ai_jobs SET "quarantinedAt" = $2, "quarantineError" = $3, "leaseOwner" = NULL, "leaseExpiresAt" = NULL
  WHERE id = $1 AND "quarantinedAt" IS NULL AND status IN ${ACTIVE}`;

/** The three alerts of platform.md: PENDING by age, the others by the silence of their heartbeat. */
export const STALE_JOBS = `
  SELECT id, status, (extract(epoch FROM $1::timestamptz - since) * 1000)::float8 AS "silentMs" FROM (
    SELECT id, status::text, CASE WHEN status = 'PENDING' THEN "createdAt"
      ELSE coalesce("heartbeatAt", "createdAt") END AS since
    FROM ai_jobs WHERE type = $5 AND status IN ${ACTIVE}
  ) silent
  WHERE since < $1::timestamptz - CASE status
    WHEN 'PENDING' THEN $2::interval WHEN 'RETRYING' THEN $4::interval ELSE $3::interval END
  ORDER BY since LIMIT 1000`;
