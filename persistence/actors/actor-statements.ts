import { ACTIVE_JOB_STATUSES, FINAL_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { oneOf } from '../database/sql-values.ts';
import { attemptRows } from './attempt-row.ts';
import { deletionItemKind } from './deletion-row.ts';
import { imageReviewKind } from './image-row.ts';
import { HAS_DETAILS, JOB_COLUMNS, JOBS_WITH_DETAILS } from './job-row.ts';

/** Every statement of the actor store, in one place for review. */

/** The root of the aggregate; `FOR UPDATE OF j` makes it the lock of the job and its attempts. */
export const LOCK_JOB = `
  SELECT ${JOB_COLUMNS} FROM ${JOBS_WITH_DETAILS} WHERE j.id = $1 AND ${HAS_DETAILS} FOR UPDATE OF j`;
/** The job with its attempts in order, at one instant and in one round trip. */
export const READ_JOB = `
  SELECT ${JOB_COLUMNS}, ARRAY(
    SELECT to_jsonb(a) FROM ai_provider_attempts a WHERE a."aiJobId" = j.id ORDER BY a."attemptNumber") AS attempts
  FROM ${JOBS_WITH_DETAILS} WHERE j.id = $1 AND ${HAS_DETAILS}`;
export const LOCK_JOBS_OF_ORIGINAL = `
  SELECT ${JOB_COLUMNS} FROM ${JOBS_WITH_DETAILS}
  WHERE s."originalImageId" = $1 AND j.status IN ${oneOf(ACTIVE_JOB_STATUSES)}
  ORDER BY j.id FOR UPDATE OF j`;
export const READ_ATTEMPTS = `
  ${attemptRows.select} WHERE t."aiJobId" = $1 ORDER BY t."attemptNumber"`;
export const JOB_OF_ATTEMPT = `SELECT "aiJobId" FROM ai_provider_attempts WHERE id = $1`;
export const LAST_SEND_TOKEN = `
  SELECT event->>'token' AS token FROM actor_transitions
  WHERE "actorKind" = 'providerAttempt' AND "actorId" = $1 AND "eventType" = 'SEND_CLAIMED'
  ORDER BY seq DESC LIMIT 1`;

/** A final job gives its lease back in the same write (I14). A job that moves has no pass under way. */
export const MOVE_JOB = `
  UPDATE ai_jobs SET version = version + 1, "updatedAt" = $3, "heartbeatAt" = $3,
    status = $4, phase = $5, "errorCode" = $6, "retryAt" = $7, "startedAt" = $8, "finishedAt" = $9,
    "cancelRequestedAt" = $10, "canceledAt" = $11, "crashCount" = $12, "crashMark" = $13,
    "queueWaitMs" = $14, "localPass" = NULL,
    "leaseOwner" = CASE WHEN $4::ai_job_status IN ${oneOf(FINAL_JOB_STATUSES)}
      THEN NULL ELSE "leaseOwner" END,
    "leaseExpiresAt" = CASE WHEN $4::ai_job_status IN ${oneOf(FINAL_JOB_STATUSES)}
      THEN NULL ELSE "leaseExpiresAt" END
  WHERE id = $1 AND version = $2`;
/** With its result. */
export const MOVE_STAGING_JOB = `
  WITH moved AS (${MOVE_JOB} RETURNING id)
  UPDATE ai_room_staging_jobs SET "resultImageId" = $15 FROM moved WHERE "aiJobId" = moved.id`;
/**
 * The hot path: the same locks in the same order as the long way (job, then attempt), the same checks and the same
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
export const APPEND_JOURNAL = `
  INSERT INTO actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", "leaseEpoch", note)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

export const LIFT_QUARANTINE = `
  UPDATE ai_jobs SET "quarantinedAt" = NULL, "quarantineError" = NULL, failures = 0 WHERE id = $1`;
/** What a staged image has of its original. */
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
  ${imageReviewKind.rows.select} WHERE t."styledFromId" = $1 AND t."isStyled" ORDER BY t.id FOR UPDATE`;
export const LOCK_DUE_DELETIONS = `
  ${deletionItemKind.rows.select}
  WHERE t.status = 'PENDING' AND t."nextAttemptAt" <= $1
  ORDER BY t."nextAttemptAt", t.id LIMIT $2 FOR UPDATE SKIP LOCKED`;
export const LOCK_EXPIRED_DELETIONS = `
  ${deletionItemKind.rows.select}
  WHERE t.status = 'PROCESSING' AND t."claimedAt" < $1
  ORDER BY t."claimedAt", t.id LIMIT $2 FOR UPDATE SKIP LOCKED`;
export const DELETION_QUEUED = `
  SELECT EXISTS (SELECT FROM storage_deletion_outbox
    WHERE "objectKey" = $1 AND status = 'PENDING' AND "nextAttemptAt" >= $2) AS found`;
export const OBJECT_REFERENCED = `
  SELECT EXISTS (SELECT FROM property_images WHERE "objectKey" = $1 OR "providerInputKey" = $1)
    OR EXISTS (SELECT FROM image_renditions WHERE "objectKey" = $1)
    OR EXISTS (SELECT FROM avatars WHERE "objectKey" = $1)
    OR EXISTS (SELECT FROM ai_provider_attempts WHERE "objectKey" = $1 AND status = 'COLLECTING') AS found`;
