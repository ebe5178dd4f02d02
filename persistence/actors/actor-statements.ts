import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { oneOf } from '../database/sql-values.ts';
import { providerAttemptKind } from './attempt-row.ts';
import { deletionItemKind } from './deletion-row.ts';
import { imageReviewKind } from './image-row.ts';
import { HAS_ORDER, SELECT_AGGREGATES, SELECT_JOBS } from './job-row.ts';

/** Every statement of the actor store, in one place for review. */

const attemptRows = providerAttemptKind.rows;

/** The root of the aggregate: it is the lock of the job and its attempts. */
export const LOCK_JOB = `${SELECT_JOBS} WHERE t.id = $1 AND ${HAS_ORDER} FOR UPDATE OF t`;
/** The job with its attempts in order, in one round trip. */
export const READ_JOB = `${SELECT_AGGREGATES} WHERE t.id = $1 AND ${HAS_ORDER}`;
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
 * The hot path: the same locks in the same order as the locking path (job, then attempt), the same checks and the same
 * journal row, in one round trip. Changes nothing when job, lease or attempt differ from those that were read.
 */
export const MOVE_ATTEMPT_AS_SEEN = `
  WITH held AS (
    SELECT CASE WHEN "leaseOwner" IS NULL THEN NULL ELSE "leaseEpoch" END AS epoch FROM ai_jobs
    WHERE id = $29 AND version = $30
      AND ($31::text IS NULL OR ("leaseOwner" = $31 AND "leaseEpoch" = $32))
    FOR UPDATE
  ), moved AS (
    UPDATE ai_provider_attempts SET ${attemptRows.sets} FROM held WHERE id = $1 AND version = $2 RETURNING held.epoch
  )
  INSERT INTO actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", note, "leaseEpoch")
  SELECT 'providerAttempt', $1::uuid, $33::int, $34, $35::jsonb, $36, $37, $28::timestamptz, $38, $39, moved.epoch
  FROM moved`;
export const LIFT_QUARANTINE = `
  UPDATE ai_jobs SET "quarantinedAt" = NULL, "quarantineError" = NULL, failures = 0 WHERE id = $1`;
/** The values that a staged image copies from its original. */
export const OF_ORIGINAL = {
  computed: { propertyId: 'o."propertyId"', position: 'o.position' },
  tail: 'FROM property_images o WHERE o.id = :styledFromId',
};
export const STORE_TEXT = `UPDATE ai_description_jobs SET text = $2 WHERE "aiJobId" = $1`;
export const INSERT_REVIEW_EVENT = `
  INSERT INTO property_image_review_events (id, kind, "imageId", "propertyId", "styledFromId",
    "canonicalStyle", "aiJobId", "actorUserId", "objectKey", reason, at)
  VALUES (gen_random_uuid(), :kind, :id, :propertyId, :styledFromId, :canonicalStyle, :jobId, :byUserId, :objectKey,
    :reason, :at)`;
export const DELETE_IMAGE = `DELETE FROM property_images WHERE id = $1`;
export const VARIANT_EXISTS = `
  SELECT EXISTS (SELECT FROM property_images
    WHERE "isStyled" AND "styledFromId" = $1 AND "canonicalStyle" = $2) AS found`;

export const LOCK_VARIANTS_OF_ORIGINAL = `
  ${imageReviewKind.rows.select()} WHERE t."styledFromId" = $1 AND t."isStyled" ORDER BY t.id FOR UPDATE`;
export const LOCK_DUE_DELETIONS = `
  ${deletionItemKind.rows.select()}
  WHERE t.status = 'PENDING' AND t."nextAttemptAt" <= $1
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
