import type { Pool } from 'pg';
import { ACTIVE_JOB_STATUSES, type AiJobType } from '../../machines/vocabulary.ts';
import { toDate } from '../database/instants.ts';
import { oneOf } from '../database/sql-values.ts';
import { readWebhookBacklog, type WebhookBacklog } from '../webhooks/sending.ts';

/**
 * How much is waiting, for operators' gauges. Each query uses an index, however much history there is (I34), because
 * every worker runs them every few seconds.
 */
export interface Backlog {
  jobs: ActiveJobs[];
  deletions: OpenDeletions;
  /** Documents to be rebuilt or removed; counted up to `MAX_DOCUMENTS_COUNTED`. */
  searchDocumentsOwed: number;
  drift: WaitingDrift;
  /** Photos that are private until they have a verdict (docs/contract.md#intake). */
  photos: WaitingPhotos;
  pauseSwitch: {
    /** Closed: no purchase begins. */
    paused: boolean;
    /** Until an operator has compared the purchases. */
    uncertain: boolean;
    /** For how long purchases have been compared with the provider's list; 0 while they are not. */
    checkingSeconds: number;
    /** No operator has checked the decisions that a failover may have lost. */
    hasGap: boolean;
  };
  webhooks: WebhookBacklog;
  /** Pictures withdrawn by reports, which wait until an operator decides; the time of the longest wait. */
  withdrawals: { pictures: number; waitingSeconds: number };
}

/** Jobs of one type in one status that is not final; a status without any is left out. */
interface ActiveJobs {
  type: AiJobType;
  status: string;
  jobs: number;
  quarantined: number;
  /** The longest time since a sign of life: the submission while PENDING, else the heartbeat. */
  silentSeconds: number;
}

/** The open items of the deletion outbox. `later`: the item's own wait has not passed. */
interface OpenDeletions {
  due: number;
  later: number;
  processing: number;
  failed: number;
}

interface WaitingPhotos {
  /** Counted up to `MAX_PHOTOS_COUNTED`. */
  photos: number;
  longestSeconds: number;
}

/** Staged pictures that wait for their comparison (docs/contract.md#drift). */
interface WaitingDrift {
  /** Counted up to `MAX_DRIFT_COUNTED`. */
  pictures: number;
  /** Since the oldest of them was stored. */
  longestSeconds: number;
}

/** After a flush every listing needs its document; an exact count of millions every few seconds is not needed. */
const MAX_DOCUMENTS_COUNTED = 100_000;

/**
 * `ai_jobs_active_idx` holds only jobs that are not over. Counts and ages of submission are read from it alone; rows
 * are read only for running jobs, of which there are no more than workers have slots, and for quarantined ones.
 */
const ACTIVE_JOBS = `
  WITH active AS (
    SELECT type, status, count(*)::int AS jobs, min("createdAt") AS submitted FROM ai_jobs
    WHERE status IN ${oneOf(ACTIVE_JOB_STATUSES)} GROUP BY type, status
  ), silent AS (
    SELECT type, status, min(coalesce("heartbeatAt", "createdAt")) AS since FROM ai_jobs
    WHERE status IN ('PROCESSING', 'RETRYING', 'CANCEL_REQUESTED') GROUP BY type, status
  ), aside AS (
    SELECT type, status, count(*)::int AS quarantined FROM ai_jobs
    WHERE "quarantinedAt" IS NOT NULL GROUP BY type, status
  )
  SELECT type::text, status::text, jobs, coalesce(quarantined, 0) AS quarantined,
    greatest(0, extract(epoch FROM $1::timestamptz - coalesce(since, submitted)))::float8 AS "silentSeconds"
  FROM active LEFT JOIN silent USING (type, status) LEFT JOIN aside USING (type, status)`;

const OPEN_DELETIONS = `
  SELECT
    (SELECT count(*)::int FROM storage_deletion_outbox
      WHERE status = 'PENDING' AND "nextAttemptAt" <= $1) AS due,
    (SELECT count(*)::int FROM storage_deletion_outbox
      WHERE status = 'PENDING' AND "nextAttemptAt" > $1) AS later,
    (SELECT count(*)::int FROM storage_deletion_outbox WHERE status = 'PROCESSING') AS processing,
    (SELECT count(*)::int FROM storage_deletion_outbox WHERE status = 'FAILED') AS failed`;

const DOCUMENTS_OWED = `
  SELECT least($1::int,
    (SELECT count(*) FROM (SELECT FROM properties WHERE "searchDirtyAt" IS NOT NULL LIMIT $1) dirty)
    + (SELECT count(*) FROM (SELECT FROM search_tombstones LIMIT $1) gone))::int AS owed`;

/** After the first migration all older pictures wait. */
const MAX_DRIFT_COUNTED = 100_000;
const WAITING_DRIFT = `
  SELECT count(*)::int AS pictures,
    coalesce(greatest(0, extract(epoch FROM $1::timestamptz - min(since))), 0)::float8 AS "longestSeconds"
  FROM (SELECT "createdAt" AS since FROM drift_comparisons WHERE "nextTryAt" IS NOT NULL
    ORDER BY "createdAt" LIMIT $2) waiting`;

const MAX_PHOTOS_COUNTED = 10_000;
const WAITING_PHOTOS = `
  SELECT count(*)::int AS photos,
    coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(since))), 0)::float8 AS "longestSeconds"
  FROM (SELECT "createdAt" AS since FROM photo_checks
    WHERE NOT "isOlder" AND verdict IS NULL AND "nextTryAt" IS NOT NULL LIMIT $1) waiting`;

/** A missing row counts as closed, as it does for starts. */
const PAUSE_SWITCH = `
  SELECT gate.status IS DISTINCT FROM 'OPEN' AS paused, coalesce(gate.status = 'UNCERTAIN', false) AS uncertain,
    CASE WHEN gate.status = 'CHECKING'
      THEN greatest(0, extract(epoch FROM $1::timestamptz - gate."changedAt"))::float8 ELSE 0 END AS "checkingSeconds",
    coalesce(gate."gapFrom" IS NOT NULL, false) AS "hasGap"
  FROM (SELECT) one LEFT JOIN start_gate gate ON true`;

const AWAITING_OPERATOR = `
  SELECT count(*)::int AS pictures,
    greatest(0, coalesce(extract(epoch FROM $1::timestamptz - min("withdrawnAt")), 0))::float8 AS "waitingSeconds"
  FROM property_images WHERE "withdrawnBy" = 'REPORTS'`;

/** `at` in milliseconds since 1970. */
export async function readBacklog(pool: Pool, at: number): Promise<Backlog> {
  const now = toDate(at);
  const { rows: jobs } = await pool.query<ActiveJobs>(ACTIVE_JOBS, [now]);
  const { rows: deletions } = await pool.query<OpenDeletions>(OPEN_DELETIONS, [now]);
  const { rows: documents } = await pool.query<{ owed: number }>(DOCUMENTS_OWED, [MAX_DOCUMENTS_COUNTED]);
  const { rows: drift } = await pool.query<WaitingDrift>(WAITING_DRIFT, [now, MAX_DRIFT_COUNTED]);
  const { rows: photos } = await pool.query<WaitingPhotos>(WAITING_PHOTOS, [MAX_PHOTOS_COUNTED]);
  const { rows: gates } = await pool.query<Backlog['pauseSwitch']>(PAUSE_SWITCH, [now]);
  const { rows: withdrawals } = await pool.query<Backlog['withdrawals']>(AWAITING_OPERATOR, [now]);
  return {
    jobs,
    deletions: deletions[0] ?? { due: 0, later: 0, processing: 0, failed: 0 },
    searchDocumentsOwed: documents[0]?.owed ?? 0,
    drift: drift[0] ?? { pictures: 0, longestSeconds: 0 },
    photos: photos[0] ?? { photos: 0, longestSeconds: 0 },
    pauseSwitch: gates[0] ?? { paused: true, uncertain: false, checkingSeconds: 0, hasGap: false },
    webhooks: await readWebhookBacklog(pool, at),
    withdrawals: withdrawals[0] ?? { pictures: 0, waitingSeconds: 0 },
  };
}
