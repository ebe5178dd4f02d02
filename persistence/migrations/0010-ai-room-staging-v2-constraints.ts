import { Migration } from '@mikro-orm/migrations';
import { AUDIT_TRIGGERS, CANCELLATION_TRIGGER, DELETION_TRIGGER, SEARCH_TRIGGERS } from './0010-triggers.ts';

/**
 * The rules for every writer from now on: the legacy columns are dropped, the rules of docs/contract.md become
 * constraints, and four groups of triggers enforce what no single statement can guarantee.
 */
export class RoomStagingConstraints extends Migration {
  override up(): void {
    for (const section of [
      LEGACY_COLUMNS,
      JOB_CHECKS,
      JOB_INDEXES,
      ATTEMPT_CHECKS,
      IMAGE_CHECKS,
      IMAGE_INDEXES,
      SWEEPER_INDEXES,
      DELETION_TRIGGER,
      CANCELLATION_TRIGGER,
      SEARCH_TRIGGERS,
      AUDIT_TRIGGERS,
    ]) {
      this.addSql(section);
    }
  }
}

// Their content stays in ai_room_staging_jobs."legacyMetadata".
const LEGACY_COLUMNS = `
  alter table ai_jobs
    drop column "legacyType",
    drop column "legacyStatus",
    drop column "legacyPayload",
    drop column "legacyError"`;

// No machine has a status without its phase. A finished job is not run again.
const JOB_CHECKS = `
  alter table ai_jobs
    alter column type set not null,
    alter column status set not null,
    alter column "dedupeKey" set not null,
    add constraint "ai_jobs_propertyId_fkey" foreign key ("propertyId") references properties (id) on delete set null,
    add constraint ai_jobs_status_phase_check check (
      case status
        when 'PENDING' then phase is not null and phase in ('QUEUED', 'PROVIDER_DISABLED')
        when 'PROCESSING' then phase is not null and phase = 'ATTEMPT'
        when 'RETRYING' then phase is not null and phase = 'BACKOFF'
        else phase is null
      end),
    add constraint ai_jobs_retrying_has_due_time_check check (status <> 'RETRYING' or "retryAt" is not null),
    add constraint ai_jobs_final_has_no_lease_check check (
      status not in ('SUCCESS', 'FAILED', 'CANCELED') or ("leaseOwner" is null and "leaseExpiresAt" is null))`;

// Concurrent requests for the same picture get one job (docs/contract.md#submitting).
const JOB_INDEXES = `
  create unique index ai_jobs_active_staging_dedupe_uidx on ai_jobs ("dedupeKey")
    where type = 'ROOM_STAGING' and status in ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED');
  create index "ai_jobs_propertyId_idx" on ai_jobs ("propertyId");
  create index "ai_room_staging_jobs_originalImageId_idx" on ai_room_staging_jobs ("originalImageId")`;

// From RUNNING on an attempt has a prediction id; from COLLECTING on also an object key.
const ATTEMPT_CHECKS = `
  alter table ai_provider_attempts
    add constraint ai_provider_attempts_prediction_check check (
      status not in ('RUNNING', 'CANCELING', 'COLLECTING', 'SUCCEEDED') or "providerPredictionId" is not null),
    add constraint ai_provider_attempts_object_check check (
      status not in ('COLLECTING', 'SUCCEEDED') or "objectKey" is not null),
    add constraint ai_provider_attempts_unconfirmed_check check (
      status <> 'UNCONFIRMED' or ("unconfirmedSince" is not null and "unconfirmedCause" is not null))`;

// Deleting an original deletes its variants; a variant is never the cover and always has a review status.
const IMAGE_CHECKS = `
  alter table property_images
    add constraint "property_images_styledFromId_fkey" foreign key ("styledFromId")
      references property_images (id) on delete cascade,
    add constraint property_images_staged_cannot_be_main_check check (not ("isStyled" and "isMain")),
    add constraint property_images_review_status_check check ("isStyled" = ("reviewStatus" is not null)),
    add constraint property_images_staged_source_check check ("isStyled" = ("styledFromId" is not null)),
    add constraint "property_images_objectKey_key" unique ("objectKey"),
    add constraint "property_images_providerInputKey_key" unique ("providerInputKey");
  drop index "property_images_original_objectKey_uidx"`;

// A legacy row may have no style text: two such rows of one original are still duplicates.
const IMAGE_INDEXES = `
  create unique index property_images_live_staged_variant_uidx on property_images ("styledFromId", "canonicalStyle")
    where "isStyled" and "canonicalStyle" is not null;
  create unique index property_images_live_legacy_staged_variant_uidx on property_images ("styledFromId", style)
    nulls not distinct where "isStyled" and "canonicalStyle" is null;
  create unique index "property_images_aiJobId_uidx" on property_images ("aiJobId");
  create unique index property_images_one_main_uidx on property_images ("propertyId") where "isMain";
  create index "property_images_styledFromId_idx" on property_images ("styledFromId")`;

// Each sweep pages through one of these; partial, so that finished rows cost nothing.
const SWEEPER_INDEXES = `
  create index "ai_jobs_status_retryAt_idx" on ai_jobs (status, "retryAt");
  create index ai_jobs_lease_due_idx on ai_jobs ("leaseExpiresAt") where "leaseExpiresAt" is not null;
  create index ai_jobs_pending_idx on ai_jobs ("createdAt") where status = 'PENDING';
  create index storage_deletion_outbox_due_idx on storage_deletion_outbox ("nextAttemptAt") where status = 'PENDING';
  create index storage_deletion_outbox_claimed_idx on storage_deletion_outbox ("claimedAt") where status = 'PROCESSING';
  create index "storage_deletion_outbox_objectKey_idx" on storage_deletion_outbox ("objectKey");
  create index properties_search_dirty_idx on properties ("searchDirtyAt") where "searchDirtyAt" is not null;
  create index "ai_provider_webhook_receipts_providerAttemptId_idx" on ai_provider_webhook_receipts ("providerAttemptId");
  create index actor_transitions_at_idx on actor_transitions (at)`;
