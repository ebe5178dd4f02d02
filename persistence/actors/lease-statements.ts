import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { oneOf } from '../database/sql-values.ts';
import { HAS_ORDER, SELECT_AGGREGATES } from './rows/job-row.ts';

/**
 * Leases, each for jobs of one type only: a runner of one kind of job cannot take a lease of another. Every UPDATE
 * repeats what it relies on in its WHERE: a late writer loses.
 */

const ACTIVE = oneOf(ACTIVE_JOB_STATUSES);

const UNDER_LEASE = `id = $1 AND "leaseOwner" = $2 AND "leaseEpoch" = $3`;

/**
 * The job is read from the snapshot of before the lease. It has none of the statement's own changes, and is left out when
 * the row that was locked is a later one.
 */
const acquire = (which: string, locked: string): string => `
  WITH free AS (
    SELECT id, "leaseOwner", "localPass" FROM ai_jobs
    WHERE ${which} AND type = $5 AND status IN ${ACTIVE} AND "quarantinedAt" IS NULL
      AND ("leaseExpiresAt" IS NULL OR "leaseExpiresAt" <= $3)
    FOR UPDATE ${locked}
  ), taken AS (
    UPDATE ai_jobs j SET "leaseOwner" = $2, "leaseEpoch" = j."leaseEpoch" + 1, "leaseExpiresAt" = $4,
      "heartbeatAt" = CASE WHEN j.status = 'PENDING' THEN j."heartbeatAt" ELSE $3 END
    FROM free WHERE j.id = free.id
    RETURNING j.id AS "jobId", j.version AS "lockedVersion", j."heartbeatAt" AS "beatAt", j."leaseEpoch" AS epoch,
      free."leaseOwner" AS "abandonedBy", free."localPass" IS NOT NULL AS interrupted, j.failures
  )
  SELECT taken.*, job.* FROM taken LEFT JOIN LATERAL (
    ${SELECT_AGGREGATES} WHERE t.id = taken."jobId" AND t.version = taken."lockedVersion" AND ${HAS_ORDER} OFFSET 0
  ) job ON true`;

export const ACQUIRE_LEASE = acquire('id = $1', '');
/** The leases of many jobs after a crash. A locked row is left to the next sweep, so that it does not hold up the others. */
export const ACQUIRE_LEASES = acquire('id = ANY($1::uuid[])', 'SKIP LOCKED');

// Not by `=`, for which there is an index: it would read all jobs of a holder of thousands for each page of them.
const HELD = `j."leaseOwner" IS NOT DISTINCT FROM $5 AND j.status IN ${ACTIVE}`;

/**
 * Leases of one holder in one statement. A row that another transaction has locked is skipped and is only in `mine`, so
 * that it does not hold up the others; a lease that is not in `mine` is lost. NO KEY: rows that refer to a job take a key
 * lock on it, which does not matter here. A late renewal never shortens a lease.
 */
export const RENEW_LEASES = `
  WITH mine AS MATERIALIZED (
    SELECT held.id, held.epoch FROM unnest($1::uuid[], $2::int[]) AS held(id, epoch) JOIN ai_jobs j ON j.id = held.id
    WHERE j."leaseEpoch" = held.epoch AND ${HELD}
  ), free AS MATERIALIZED (
    SELECT j.id FROM mine JOIN ai_jobs j ON j.id = mine.id WHERE j."leaseEpoch" = mine.epoch AND ${HELD}
    FOR NO KEY UPDATE OF j SKIP LOCKED
  ), renewed AS (
    UPDATE ai_jobs j SET "leaseExpiresAt" = greatest(j."leaseExpiresAt", $4), "heartbeatAt" = $3
    FROM free WHERE j.id = free.id RETURNING j.id
  )
  SELECT ARRAY(SELECT id FROM mine) AS mine, ARRAY(SELECT id FROM renewed) AS renewed`;

export const RELEASE_LEASE = `
  UPDATE ai_jobs SET "leaseOwner" = NULL, "leaseExpiresAt" = NULL, "localPass" = NULL WHERE ${UNDER_LEASE}`;
export const MARK_LOCAL_PASS = `
  UPDATE ai_jobs SET "localPass" = $4, "localPassAlone" = $5, "localPassVersion" = $6 WHERE ${UNDER_LEASE}`;
export const CLEAR_LOCAL_PASS = `
  UPDATE ai_jobs SET "localPass" = NULL WHERE ${UNDER_LEASE} AND "localPass" IS NOT NULL`;
export const NOTE_FAILURE = `
  UPDATE ai_jobs SET failures = failures + 1 WHERE ${UNDER_LEASE} RETURNING failures`;
export const FORGET_FAILURES = `UPDATE ai_jobs SET failures = 0 WHERE ${UNDER_LEASE}`;

export const QUARANTINE_JOB = `
  UPDATE ai_jobs SET "quarantinedAt" = $2, "quarantineError" = $3, "leaseOwner" = NULL, "leaseExpiresAt" = NULL,
    "localPass" = NULL
  WHERE id = $1 AND "quarantinedAt" IS NULL AND status IN ${ACTIVE}`;
