import { Migration } from '@mikro-orm/migrations';

/**
 * Types, tables and columns of room staging v2. Nothing is enforced yet and nothing legacy is dropped: the backfill
 * (0009) still reads the old columns, and the constraints (0010) follow once the data satisfies them.
 */
export class RoomStagingSchema extends Migration {
  override up(): void {
    for (const section of [
      TYPES,
      IMAGES,
      JOBS,
      STAGING_JOBS,
      ATTEMPTS,
      RECEIPTS,
      REVIEW,
      OUTBOX,
      JOURNAL,
      SEARCH,
    ]) {
      this.addSql(section);
    }
  }
}

// Enum types: a status that no machine has cannot be stored.
const TYPES = `
  create type canonical_room_type as enum
    ('BEDROOM', 'LIVING_ROOM', 'DINING_ROOM', 'KITCHEN', 'BATHROOM', 'OFFICE', 'TV_ROOM');
  create type canonical_style as enum
    ('MODERN', 'SCANDINAVIAN', 'INDUSTRIAL', 'FARMHOUSE', 'TRADITIONAL', 'LUXURY');
  create type property_image_review_status as enum ('PENDING_REVIEW', 'APPROVED');
  create type property_image_review_event_kind as enum ('APPROVED', 'REJECTED');
  create type ai_job_type as enum ('ROOM_STAGING', 'DESCRIPTION');
  create type ai_job_status as enum
    ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED', 'SUCCESS', 'FAILED', 'CANCELED');
  create type ai_job_phase as enum ('QUEUED', 'PROVIDER_DISABLED', 'ATTEMPT', 'BACKOFF');
  create type ai_provider_attempt_status as enum
    ('RESERVED', 'SENT', 'UNCONFIRMED', 'RUNNING', 'COLLECTING', 'CANCELING',
     'SUCCEEDED', 'FAILED', 'CANCELED', 'DISCARDED', 'LOST');
  create type ai_webhook_outcome as enum ('APPLIED', 'IGNORED', 'UNKNOWN_ATTEMPT');
  create type storage_deletion_reason as enum
    ('STAGED_IMAGE_DELETED', 'ORIGINAL_IMAGE_DELETED', 'MIGRATED_ORPHAN', 'MIGRATED_DUPLICATE',
     'MIGRATED_DUPLICATE_LEGACY', 'MIGRATED_DUPLICATE_JOB_RESULT');
  create type storage_deletion_status as enum ('PENDING', 'PROCESSING', 'DELETED', 'FAILED')`;

// output* describe the stored file, for originals too; providerInputKey is the small copy the provider may fetch.
const IMAGES = `
  alter table property_images
    add column "providerInputKey" text,
    add column "canonicalStyle" canonical_style,
    add column "roomType" canonical_room_type,
    add column "reviewStatus" property_image_review_status,
    add column "reviewedByUserId" uuid,
    add column "reviewedAt" timestamptz,
    add column "providerInputs" jsonb,
    add column "providerPredictionId" text,
    add column "providerModel" text,
    add column "promptVersion" text,
    add column "outputBytes" bigint,
    add column "outputWidth" integer,
    add column "outputHeight" integer,
    add column "outputFormat" text,
    add column "outputChecksum" text,
    add column version integer not null default 0`;

// Renames the legacy columns until 0010 drops them; a legacy writer fails from here on.
const JOBS = `
  alter table ai_jobs rename column type to "legacyType";
  alter table ai_jobs rename column status to "legacyStatus";
  alter table ai_jobs rename column payload to "legacyPayload";
  alter table ai_jobs rename column error to "legacyError";
  alter table ai_jobs rename column "userId" to "requestedByUserId";
  alter table ai_jobs
    add column type ai_job_type,
    add column status ai_job_status,
    add column phase ai_job_phase,
    add column "errorCode" text,
    add column "dedupeKey" text,
    add column "heartbeatAt" timestamptz,
    add column "cancelRequestedAt" timestamptz,
    add column "canceledAt" timestamptz,
    add column "retryAt" timestamptz,
    add column "crashCount" integer not null default 0,
    add column "crashMark" integer,
    add column version integer not null default 0,
    add column "leaseOwner" text,
    add column "leaseEpoch" integer not null default 0,
    add column "leaseExpiresAt" timestamptz,
    add column "quarantinedAt" timestamptz,
    add column "quarantineError" text`;

// The image ids have no foreign keys: a job outlives its original and a rejected result.
const STAGING_JOBS = `
  create table ai_room_staging_jobs (
    "aiJobId" uuid primary key references ai_jobs (id) on delete cascade,
    "originalImageId" uuid not null,
    "resultImageId" uuid,
    "canonicalRoomType" canonical_room_type,
    "canonicalStyle" canonical_style,
    "styleModifier" text,
    prompt text not null,
    "promptVersion" text not null,
    "providerModel" text not null,
    quality text,
    "aspectRatio" text,
    "outputFormat" text,
    "outputCompression" integer,
    "providerInputKey" text,
    "submittedStyle" text,
    "legacyStyle" text,
    "legacyMetadata" jsonb,
    "createdAt" timestamptz not null default now()
  )`;

// One row is one purchase. The check of the number enforces "at most two" (docs/contract.md#jobs).
const ATTEMPTS = `
  create table ai_provider_attempts (
    id uuid primary key default gen_random_uuid(),
    "aiJobId" uuid not null references ai_jobs (id) on delete cascade,
    "attemptNumber" integer not null,
    status ai_provider_attempt_status not null,
    "providerPredictionId" text,
    "strayPredictionId" text,
    "providerStatus" text,
    "errorCode" text,
    "errorCategory" text,
    "sendTries" integer not null default 0,
    "nextSendAt" timestamptz,
    "sentAt" timestamptz,
    "unconfirmedSince" timestamptz,
    "unconfirmedCause" text,
    "cancelAsked" boolean not null default false,
    "nextPollAt" timestamptz,
    "objectKey" text,
    "downloadTries" integer not null default 0,
    "storageFailingSince" timestamptz,
    "downloadBytes" bigint,
    "outputWidth" integer,
    "outputHeight" integer,
    "outputFormat" text,
    "outputChecksum" text,
    "costMicrousd" bigint,
    "costKind" text,
    "createdAt" timestamptz not null default now(),
    "updatedAt" timestamptz not null default now(),
    "finishedAt" timestamptz,
    version integer not null default 0,
    constraint "ai_provider_attempts_attemptNumber_check" check ("attemptNumber" in (1, 2)),
    constraint "ai_provider_attempts_unconfirmedCause_check"
      check ("unconfirmedCause" in ('transport', 'restart')),
    constraint "ai_provider_attempts_aiJobId_attemptNumber_key" unique ("aiJobId", "attemptNumber"),
    constraint "ai_provider_attempts_providerPredictionId_key" unique ("providerPredictionId"),
    constraint "ai_provider_attempts_objectKey_key" unique ("objectKey")
  )`;

// The unique webhook id makes a repeated callback a no-op; a callback may name an attempt that never existed.
const RECEIPTS = `
  create table ai_provider_webhook_receipts (
    id uuid primary key default gen_random_uuid(),
    "webhookId" text not null,
    "providerAttemptId" uuid not null,
    "providerPredictionId" text,
    "providerStatus" text,
    "receivedAt" timestamptz not null default now(),
    outcome ai_webhook_outcome not null,
    constraint "ai_provider_webhook_receipts_webhookId_key" unique ("webhookId")
  )`;

// Snapshots without foreign keys: the audit survives the image, the job and the user.
const REVIEW = `
  create table property_image_review_events (
    id uuid primary key default gen_random_uuid(),
    kind property_image_review_event_kind not null,
    "imageId" uuid not null,
    "propertyId" uuid,
    "styledFromId" uuid,
    "canonicalStyle" canonical_style,
    "aiJobId" uuid,
    "actorUserId" uuid,
    "objectKey" text,
    reason text,
    at timestamptz not null,
    constraint "property_image_review_events_imageId_kind_key" unique ("imageId", kind)
  )`;

const OUTBOX = `
  create table storage_deletion_outbox (
    id uuid primary key default gen_random_uuid(),
    "objectKey" text not null,
    reason storage_deletion_reason not null,
    status storage_deletion_status not null default 'PENDING',
    attempts integer not null default 0,
    "lastError" text,
    "errorClass" text,
    note text,
    "nextAttemptAt" timestamptz not null default now(),
    "claimedAt" timestamptz,
    "claimedBy" text,
    "createdAt" timestamptz not null default now(),
    "processedAt" timestamptz,
    version integer not null default 0
  )`;

// Every transition of every actor; (kind, id, seq) without gaps equals the actor's version (invariant I8).
const JOURNAL = `
  create table actor_transitions (
    id bigint generated always as identity primary key,
    "actorKind" text not null,
    "actorId" uuid not null,
    seq integer not null,
    "eventType" text not null,
    event jsonb not null,
    "fromState" text,
    "toState" text not null,
    at timestamptz not null,
    "actedBy" text not null,
    "leaseEpoch" integer,
    note text,
    constraint "actor_transitions_actorKind_check"
      check ("actorKind" in ('stagingJob', 'providerAttempt', 'imageReview', 'deletionItem')),
    constraint "actor_transitions_actorKind_actorId_seq_key" unique ("actorKind", "actorId", seq)
  );
  create table role_fingerprints (
    role text not null,
    "nodeId" text not null,
    hash text not null,
    "publishedAt" timestamptz not null default now(),
    primary key (role, "nodeId")
  )`;

// searchVersion tells the indexer whether the listing changed again while it was writing the document.
const SEARCH = `
  alter table properties
    add column "searchDirtyAt" timestamptz,
    add column "searchVersion" bigint not null default 0,
    add column "searchIndexedAt" timestamptz;
  create table search_tombstones (
    "propertyId" uuid primary key,
    "deletedAt" timestamptz not null default now()
  )`;
