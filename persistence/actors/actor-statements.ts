import { ACTIVE_JOB_STATUSES, DISCLOSURE_LABEL } from '../../machines/vocabulary.ts';
import { awaitsFingerprint } from '../database/awaited-fingerprint.ts';
import { ON_TRUSTED_SERVER } from '../database/server-identity.ts';
import { oneOf } from '../database/sql-values.ts';
import { stagedStyleColumns, stagedStyleJoin } from '../database/staged-style.ts';
import { providerAttemptKind } from './rows/attempt-row.ts';
import { deletionItemKind } from './rows/deletion-row.ts';
import { imageReviewKind } from './rows/image-row.ts';
import { HAS_ORDER, SELECT_AGGREGATES, SELECT_JOBS } from './rows/job-row.ts';

/** Every statement of the actor store, in one place for review. */

const attemptRows = providerAttemptKind.rows;

/** The root of the aggregate: it is the lock of the job and its attempts. */
export const LOCK_JOB = `${SELECT_JOBS} WHERE t.id = $1 AND ${HAS_ORDER} FOR UPDATE OF t`;
/** The job with its attempts in order, in one round trip. */
export const READ_JOB = `${SELECT_AGGREGATES} WHERE t.id = $1 AND ${HAS_ORDER}`;
/** `OFFSET 0` keeps it one index look-up an attempt: a plan for all at once would read whole tables while they are small. */
export const READ_JOBS_OF_ATTEMPTS = `
  SELECT job.* FROM unnest($1::uuid[]) AS asked(id) CROSS JOIN LATERAL (
    ${SELECT_AGGREGATES}
    WHERE t.id = (SELECT "aiJobId" FROM ai_provider_attempts WHERE id = asked.id) AND ${HAS_ORDER} OFFSET 0) job`;
export const LOCK_JOBS_OF_ORIGINAL = `
  ${SELECT_JOBS} WHERE s."originalImageId" = $1 AND t.status IN ${oneOf(ACTIVE_JOB_STATUSES)}
  ORDER BY t.id FOR UPDATE OF t`;
export const READ_ATTEMPTS = `
  ${attemptRows.select()} WHERE t."aiJobId" = $1 ORDER BY t."attemptNumber"`;
export const JOB_OF_ATTEMPT = `SELECT "aiJobId" FROM ai_provider_attempts WHERE id = $1`;
export const LAST_SEND_TOKEN = `
  SELECT event->>'token' AS token FROM actor_transitions
  WHERE "actorKind" = 'providerAttempt' AND "actorId" = $1 AND "eventType" = 'SEND_CLAIMED'
  ORDER BY seq DESC LIMIT 1`;

/**
 * Whether the attempt `t` is the one that was read, apart from its version: on a server that was promoted meanwhile the
 * same version may be of another history, even another claim in the same state.
 */
export const isAttemptAsSeen = (state: string, sentAt: string): string =>
  `t.status::text = ${state} AND t."sentAt" IS NOT DISTINCT FROM ${sentAt}`;
/**
 * The hot path: the same locks in the same order as the locking path (job, then attempt), the same checks and the same
 * journal row, in one round trip. Changes nothing when job, lease or attempt differ from those that were read.
 */
export const MOVE_ATTEMPT_AS_SEEN = `
  WITH held AS (
    SELECT CASE WHEN "leaseOwner" IS NULL THEN NULL ELSE "leaseEpoch" END AS epoch FROM ai_jobs
    WHERE id = $31 AND version = $32
      AND ($33::text IS NULL OR ("leaseOwner" = $33 AND "leaseEpoch" = $34))
      AND (NOT $42 OR ${ON_TRUSTED_SERVER})
    FOR UPDATE
  ), moved AS (
    UPDATE ai_provider_attempts t SET ${attemptRows.sets} FROM held
    WHERE id = $1 AND version = $2 AND ${isAttemptAsSeen('$38', '$43')} RETURNING held.epoch
  )
  INSERT INTO actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", note, "leaseEpoch")
  SELECT 'providerAttempt', $1::uuid, $35::int, $36, $37::jsonb, $38, $39, $30::timestamptz, $40, $41, moved.epoch
  FROM moved`;
/**
 * Several moves of the hot path in one statement and one commit; `$1` is a JSON array of them (`attempt-moves.ts`).
 * Each is checked like a single one, and a row that another transaction has locked is left out: nothing is waited
 * for, so a move holds up no other and causes no deadlock. Of several moves of one attempt at most one is written. A
 * callback's move is written only with its receipt, and a receipt only with its move: a repeated one writes nothing.
 * Returns the places of the moves that were written.
 */
export const MOVE_ATTEMPTS_AS_SEEN = `
  WITH held AS MATERIALIZED (
    SELECT DISTINCT ON ((m.attempt).id) m.place, m.attempt, m.entry, m.receipt, job.epoch
    FROM json_to_recordset($1) AS m(place int, "jobVersion" int, "leaseOwner" text, "leaseEpoch" int,
      "sentAt" timestamptz, buys boolean, attempt ai_provider_attempts, entry actor_transitions, receipt ai_provider_webhook_receipts)
    CROSS JOIN LATERAL (
      SELECT CASE WHEN j."leaseOwner" IS NULL THEN NULL ELSE j."leaseEpoch" END AS epoch
      FROM ai_jobs j JOIN ai_provider_attempts t ON t.id = (m.attempt).id
      WHERE j.id = (m.attempt)."aiJobId" AND j.version = m."jobVersion" AND t.version = (m.attempt).version
        AND ${isAttemptAsSeen('(m.entry)."fromState"', 'm."sentAt"')}
        AND (m."leaseOwner" IS NULL OR (j."leaseOwner" = m."leaseOwner" AND j."leaseEpoch" = m."leaseEpoch"))
        AND (NOT m.buys OR ${ON_TRUSTED_SERVER})
      FOR UPDATE OF j, t SKIP LOCKED
    ) job
  ), received AS (
    INSERT INTO ai_provider_webhook_receipts
      ("webhookId", "providerAttemptId", "providerPredictionId", "providerStatus", "receivedAt", outcome)
    SELECT (receipt)."webhookId", (attempt).id, (receipt)."providerPredictionId", (receipt)."providerStatus",
      (receipt)."receivedAt", 'APPLIED'
    FROM held WHERE (receipt)."webhookId" IS NOT NULL
    ON CONFLICT ("webhookId") DO NOTHING RETURNING "providerAttemptId"
  ), moved AS (
    UPDATE ai_provider_attempts t SET version = t.version + 1,
      ${attemptRows.moving.map((name) => `"${name}" = (held.attempt)."${name}"`).join(', ')}
    FROM held WHERE t.id = (held.attempt).id AND t.version = (held.attempt).version
      AND ((held.receipt)."webhookId" IS NULL OR t.id IN (SELECT "providerAttemptId" FROM received))
    RETURNING held.place, held.entry, held.epoch
  ), noted AS (
    INSERT INTO actor_transitions
      ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", note, "leaseEpoch")
    SELECT 'providerAttempt', (entry)."actorId", (entry).seq, (entry)."eventType", (entry).event, (entry)."fromState",
      (entry)."toState", (entry).at, (entry)."actedBy", (entry).note, epoch
    FROM moved
  )
  SELECT place FROM moved`;
export const ATTEMPT_OF_PREDICTION = `
  SELECT id FROM ai_provider_attempts WHERE "providerPredictionId" = $1
  UNION ALL SELECT id FROM ai_provider_attempts WHERE "strayPredictionId" = $1 LIMIT 1`;
export const IS_TRUSTED_SERVER = `SELECT ${ON_TRUSTED_SERVER} AS found`;
export const LIFT_QUARANTINE = `
  UPDATE ai_jobs SET "quarantinedAt" = NULL, "quarantineError" = NULL, failures = 0 WHERE id = $1`;
/** The values that a staged image copies from its original. */
export const OF_ORIGINAL = {
  computed: { propertyId: 'o."propertyId"', position: 'o.position' },
  from: 'property_images o',
  where: 'o.id = :styledFromId',
};
export const STORE_TEXT = `UPDATE ai_description_jobs SET text = $2 WHERE "aiJobId" = $1`;
export const INSERT_REVIEW_EVENT = `
  INSERT INTO property_image_review_events (id, kind, "imageId", "propertyId", "styledFromId",
    "canonicalStyle", "aiJobId", "actorUserId", "objectKey", reason, at)
  VALUES (gen_random_uuid(), :kind, :id, :propertyId, :styledFromId, :canonicalStyle, :jobId, :byUserId, :objectKey,
    :reason, :at)`;
export const DELETE_IMAGE = `DELETE FROM property_images WHERE id = $1`;
/** Takes the parameters with the original's id and the style. */
export const variantExists = (original: string, style: string): string => `
  EXISTS (SELECT FROM property_images
    WHERE "isStyled" AND "styledFromId" = ${original} AND "canonicalStyle" = ${style} AND "withdrawnAt" IS NULL)`;
export const VARIANT_EXISTS = `SELECT ${variantExists('$1', '$2')} AS found`;
/** The original of a staged image, locked as submissions lock it. */
export const LOCK_ORIGINAL_OF = `
  SELECT FROM property_images o WHERE o.id = (SELECT "styledFromId" FROM property_images WHERE id = $1)
  FOR NO KEY UPDATE`;
/** `geometryMoved` is null until the image is compared. */
export const COMPARISON_OF = `
  SELECT "geometryMoved" FROM drift_comparisons WHERE "stagedImageId" = $1`;
/**
 * Whether the photo and style of a staged image were submitted after the image was, or have another variant that is not
 * withdrawn: an operator may have retried a job that is older than the image.
 */
export const SUBMITTED_AGAIN = `
  SELECT EXISTS (SELECT FROM property_images v JOIN property_images other
      ON other."styledFromId" = v."styledFromId" AND other."canonicalStyle" = v."canonicalStyle"
    WHERE v.id = $1 AND other.id <> v.id AND other."withdrawnAt" IS NULL)
  OR EXISTS (SELECT FROM property_images v LEFT JOIN ai_jobs own ON own.id = v."aiJobId"
      JOIN ai_room_staging_jobs s ON s."originalImageId" = v."styledFromId" AND s."canonicalStyle" = v."canonicalStyle"
      JOIN ai_jobs later ON later.id = s."aiJobId"
    WHERE v.id = $1 AND later.id IS DISTINCT FROM v."aiJobId"
      AND later."createdAt" >= coalesce(own."createdAt", v."createdAt")) AS found`;
/** What is known of an image when it is approved, forever; `attemptNumber` is the purchase that made it. */
export const INSERT_PROVENANCE = `
  INSERT INTO provenance_records ("stagedImageId", "propertyId", "originalImageId", "aiJobId", "attemptNumber",
    "originalChecksum", "outputChecksum", "providerModel", "promptVersion", "canonicalStyle", "legacyStyle", "roomType",
    framing, "requestedByUserId", "approvedByUserId", "approverRole", "approverOffice", "disclosureLabel",
    "requestedAt", "stagedAt", "approvedAt", "recordedAt")
  SELECT v.id, v."propertyId", o.id, v."aiJobId", made_by."attemptNumber", o."outputChecksum", v."outputChecksum",
    v."providerModel", v."promptVersion", style."canonicalStyle", style."legacyStyle", v."roomType", staged_by.framing,
    j."requestedByUserId", v."reviewedByUserId", u.role, u."officeName", '${DISCLOSURE_LABEL}', j."createdAt",
    v."createdAt", v."reviewedAt", :at
  FROM property_images v JOIN property_images o ON o.id = v."styledFromId"
    ${stagedStyleJoin('v')}
    CROSS JOIN LATERAL (SELECT ${stagedStyleColumns('v')}) style
    LEFT JOIN ai_jobs j ON j.id = v."aiJobId"
    LEFT JOIN ai_provider_attempts made_by ON made_by."aiJobId" = v."aiJobId" AND made_by.status = 'SUCCEEDED'
    LEFT JOIN "user" u ON u.id = v."reviewedByUserId"
  WHERE v.id = :id AND v."reviewStatus" = 'APPROVED'
  ON CONFLICT ("stagedImageId") DO NOTHING`;

export const LOCK_VARIANTS_OF_ORIGINAL = `
  ${imageReviewKind.rows.select()} WHERE t."styledFromId" = $1 AND t."isStyled" ORDER BY t.id FOR UPDATE`;
export const LOCK_DUE_DELETIONS = `
  ${deletionItemKind.rows.select()}
  WHERE t.status = 'PENDING' AND t."nextAttemptAt" <= $1
    AND NOT ${awaitsFingerprint('t')}
  ORDER BY t."nextAttemptAt", t.id LIMIT $2 FOR UPDATE SKIP LOCKED`;
export const LOCK_EXPIRED_DELETIONS = `
  ${deletionItemKind.rows.select()}
  WHERE t.status = 'PROCESSING' AND t."claimedAt" < $1
  ORDER BY t."claimedAt", t.id LIMIT $2 FOR UPDATE SKIP LOCKED`;
export const DELETION_QUEUED = `
  SELECT EXISTS (SELECT FROM storage_deletion_outbox
    WHERE "objectKey" = $1 AND status = 'PENDING' AND "nextAttemptAt" >= $2) AS found`;
export const OBJECT_REFERENCED = `
  SELECT EXISTS (SELECT FROM property_images WHERE "objectKey" = $1 OR "providerInputKey" = $1
      OR "paddedInputKey" = $1)
    OR EXISTS (SELECT FROM image_renditions WHERE "objectKey" = $1)
    OR EXISTS (SELECT FROM drift_comparisons WHERE "heatMapKey" = $1)
    OR EXISTS (SELECT FROM avatars WHERE "objectKey" = $1)
    OR EXISTS (SELECT FROM ai_provider_attempts WHERE "objectKey" = $1 AND status = 'COLLECTING') AS found`;
