-- Written by `node ops/schema-dump.ts` from a freshly migrated database; never by hand.

-- Enums

create type ai_job_phase as enum (
  'QUEUED',
  'PROVIDER_DISABLED',
  'ATTEMPT',
  'BACKOFF'
);

create type ai_job_status as enum (
  'PENDING',
  'PROCESSING',
  'RETRYING',
  'CANCEL_REQUESTED',
  'SUCCESS',
  'FAILED',
  'CANCELED'
);

create type ai_job_type as enum (
  'ROOM_STAGING',
  'DESCRIPTION'
);

create type ai_provider_attempt_status as enum (
  'RESERVED',
  'SENT',
  'UNCONFIRMED',
  'RUNNING',
  'COLLECTING',
  'CANCELING',
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'DISCARDED',
  'LOST'
);

create type ai_webhook_outcome as enum (
  'APPLIED',
  'IGNORED',
  'UNKNOWN_ATTEMPT'
);

create type canonical_room_type as enum (
  'BEDROOM',
  'LIVING_ROOM',
  'DINING_ROOM',
  'KITCHEN',
  'BATHROOM',
  'OFFICE',
  'TV_ROOM'
);

create type canonical_style as enum (
  'MODERN',
  'SCANDINAVIAN',
  'INDUSTRIAL',
  'FARMHOUSE',
  'TRADITIONAL',
  'LUXURY'
);

create type property_image_review_event_kind as enum (
  'APPROVED',
  'REJECTED'
);

create type property_image_review_status as enum (
  'PENDING_REVIEW',
  'APPROVED'
);

create type storage_deletion_reason as enum (
  'STAGED_IMAGE_DELETED',
  'ORIGINAL_IMAGE_DELETED',
  'MIGRATED_ORPHAN',
  'MIGRATED_DUPLICATE',
  'MIGRATED_DUPLICATE_LEGACY',
  'MIGRATED_DUPLICATE_JOB_RESULT'
);

create type storage_deletion_status as enum (
  'PENDING',
  'PROCESSING',
  'DELETED',
  'FAILED'
);

-- Tables

create table account (
  id uuid not null default gen_random_uuid(),
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamp with time zone,
  "refreshTokenExpiresAt" timestamp with time zone,
  scope text,
  password text,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  constraint "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint account_pkey PRIMARY KEY (id),
  constraint "account_providerId_accountId_key" UNIQUE ("providerId", "accountId")
);

create table actor_transitions (
  id bigint not null generated always as identity,
  "actorKind" text not null,
  "actorId" uuid not null,
  seq integer not null,
  "eventType" text not null,
  event jsonb not null,
  "fromState" text,
  "toState" text not null,
  at timestamp with time zone not null,
  "actedBy" text not null,
  "leaseEpoch" integer,
  note text,
  constraint "actor_transitions_actorKind_check" CHECK ("actorKind" = ANY (ARRAY['stagingJob'::text, 'providerAttempt'::text, 'imageReview'::text, 'deletionItem'::text])),
  constraint actor_transitions_pkey PRIMARY KEY (id),
  constraint "actor_transitions_actorKind_actorId_seq_key" UNIQUE ("actorKind", "actorId", seq)
);

create table ai_jobs (
  id uuid not null default gen_random_uuid(),
  "requestedByUserId" uuid,
  "propertyId" uuid,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  "startedAt" timestamp with time zone,
  "finishedAt" timestamp with time zone,
  type ai_job_type not null,
  status ai_job_status not null,
  phase ai_job_phase,
  "errorCode" text,
  "dedupeKey" text not null,
  "heartbeatAt" timestamp with time zone,
  "cancelRequestedAt" timestamp with time zone,
  "canceledAt" timestamp with time zone,
  "retryAt" timestamp with time zone,
  "crashCount" integer not null default 0,
  "crashMark" integer,
  version integer not null default 0,
  "leaseOwner" text,
  "leaseEpoch" integer not null default 0,
  "leaseExpiresAt" timestamp with time zone,
  "quarantinedAt" timestamp with time zone,
  "quarantineError" text,
  constraint ai_jobs_final_has_no_lease_check CHECK ((status <> ALL (ARRAY['SUCCESS'::ai_job_status, 'FAILED'::ai_job_status, 'CANCELED'::ai_job_status])) OR "leaseOwner" IS NULL AND "leaseExpiresAt" IS NULL),
  constraint ai_jobs_retrying_has_due_time_check CHECK (status <> 'RETRYING'::ai_job_status OR "retryAt" IS NOT NULL),
  constraint ai_jobs_status_phase_check CHECK (
CASE status
    WHEN 'PENDING'::ai_job_status THEN phase IS NOT NULL AND (phase = ANY (ARRAY['QUEUED'::ai_job_phase, 'PROVIDER_DISABLED'::ai_job_phase]))
    WHEN 'PROCESSING'::ai_job_status THEN phase IS NOT NULL AND phase = 'ATTEMPT'::ai_job_phase
    WHEN 'RETRYING'::ai_job_status THEN phase IS NOT NULL AND phase = 'BACKOFF'::ai_job_phase
    ELSE phase IS NULL
END),
  constraint "ai_jobs_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE SET NULL,
  constraint ai_jobs_pkey PRIMARY KEY (id)
);

create table ai_provider_attempts (
  id uuid not null default gen_random_uuid(),
  "aiJobId" uuid not null,
  "attemptNumber" integer not null,
  status ai_provider_attempt_status not null,
  "providerPredictionId" text,
  "strayPredictionId" text,
  "providerStatus" text,
  "errorCode" text,
  "errorCategory" text,
  "sendTries" integer not null default 0,
  "nextSendAt" timestamp with time zone,
  "sentAt" timestamp with time zone,
  "unconfirmedSince" timestamp with time zone,
  "unconfirmedCause" text,
  "cancelAsked" boolean not null default false,
  "nextPollAt" timestamp with time zone,
  "objectKey" text,
  "downloadTries" integer not null default 0,
  "storageFailingSince" timestamp with time zone,
  "downloadBytes" bigint,
  "outputWidth" integer,
  "outputHeight" integer,
  "outputFormat" text,
  "outputChecksum" text,
  "costMicrousd" bigint,
  "costKind" text,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  "finishedAt" timestamp with time zone,
  version integer not null default 0,
  constraint "ai_provider_attempts_attemptNumber_check" CHECK ("attemptNumber" = ANY (ARRAY[1, 2])),
  constraint ai_provider_attempts_object_check CHECK ((status <> ALL (ARRAY['COLLECTING'::ai_provider_attempt_status, 'SUCCEEDED'::ai_provider_attempt_status])) OR "objectKey" IS NOT NULL),
  constraint ai_provider_attempts_prediction_check CHECK ((status <> ALL (ARRAY['RUNNING'::ai_provider_attempt_status, 'CANCELING'::ai_provider_attempt_status, 'COLLECTING'::ai_provider_attempt_status, 'SUCCEEDED'::ai_provider_attempt_status])) OR "providerPredictionId" IS NOT NULL),
  constraint "ai_provider_attempts_unconfirmedCause_check" CHECK ("unconfirmedCause" = ANY (ARRAY['transport'::text, 'restart'::text])),
  constraint ai_provider_attempts_unconfirmed_check CHECK (status <> 'UNCONFIRMED'::ai_provider_attempt_status OR "unconfirmedSince" IS NOT NULL AND "unconfirmedCause" IS NOT NULL),
  constraint "ai_provider_attempts_aiJobId_fkey" FOREIGN KEY ("aiJobId") REFERENCES ai_jobs(id) ON DELETE CASCADE,
  constraint ai_provider_attempts_pkey PRIMARY KEY (id),
  constraint "ai_provider_attempts_aiJobId_attemptNumber_key" UNIQUE ("aiJobId", "attemptNumber"),
  constraint "ai_provider_attempts_objectKey_key" UNIQUE ("objectKey"),
  constraint "ai_provider_attempts_providerPredictionId_key" UNIQUE ("providerPredictionId")
);

create table ai_provider_webhook_receipts (
  id uuid not null default gen_random_uuid(),
  "webhookId" text not null,
  "providerAttemptId" uuid not null,
  "providerPredictionId" text,
  "providerStatus" text,
  "receivedAt" timestamp with time zone not null default now(),
  outcome ai_webhook_outcome not null,
  constraint ai_provider_webhook_receipts_pkey PRIMARY KEY (id),
  constraint "ai_provider_webhook_receipts_webhookId_key" UNIQUE ("webhookId")
);

create table ai_room_staging_jobs (
  "aiJobId" uuid not null,
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
  "createdAt" timestamp with time zone not null default now(),
  constraint "ai_room_staging_jobs_aiJobId_fkey" FOREIGN KEY ("aiJobId") REFERENCES ai_jobs(id) ON DELETE CASCADE,
  constraint ai_room_staging_jobs_pkey PRIMARY KEY ("aiJobId")
);

create table properties (
  id uuid not null default gen_random_uuid(),
  "ownerAgentId" uuid not null,
  "listPrice" numeric(14,2) not null,
  currency character(3) not null default 'USD'::bpchar,
  "bedroomsTotal" integer,
  "bathroomsTotal" numeric(4,2),
  "livingArea" numeric(12,2),
  "livingAreaUnits" text not null default 'Square Feet'::text,
  "lotSizeArea" numeric(14,2),
  "yearBuilt" integer,
  "propertyType" text,
  "standardStatus" text not null default 'Active'::text,
  address text not null,
  city text not null,
  "stateOrProvince" text,
  "postalCode" text,
  country character(2) not null default 'US'::bpchar,
  latitude double precision,
  longitude double precision,
  "publicRemarks" text,
  features text[] not null default '{}'::text[],
  "listedAt" timestamp with time zone,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  "searchDirtyAt" timestamp with time zone,
  "searchVersion" bigint not null default 0,
  "searchIndexedAt" timestamp with time zone,
  constraint "properties_standardStatus_check" CHECK ("standardStatus" = ANY (ARRAY['Active'::text, 'Active Under Contract'::text, 'Canceled'::text, 'Closed'::text, 'Coming Soon'::text, 'Delete'::text, 'Expired'::text, 'Hold'::text, 'Incomplete'::text, 'Pending'::text, 'Withdrawn'::text])),
  constraint "properties_ownerAgentId_fkey" FOREIGN KEY ("ownerAgentId") REFERENCES "user"(id),
  constraint properties_pkey PRIMARY KEY (id)
);

create table property_agents (
  "propertyId" uuid not null,
  "agentId" uuid not null,
  constraint "property_agents_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint "property_agents_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint property_agents_pkey PRIMARY KEY ("propertyId", "agentId")
);

create table property_image_review_events (
  id uuid not null default gen_random_uuid(),
  kind property_image_review_event_kind not null,
  "imageId" uuid not null,
  "propertyId" uuid,
  "styledFromId" uuid,
  "canonicalStyle" canonical_style,
  "aiJobId" uuid,
  "actorUserId" uuid,
  "objectKey" text,
  reason text,
  at timestamp with time zone not null,
  constraint property_image_review_events_pkey PRIMARY KEY (id),
  constraint "property_image_review_events_imageId_kind_key" UNIQUE ("imageId", kind)
);

create table property_images (
  id uuid not null default gen_random_uuid(),
  "propertyId" uuid not null,
  "objectKey" text not null,
  "position" integer not null default 0,
  "isMain" boolean not null default false,
  "createdAt" timestamp with time zone not null default now(),
  "isStyled" boolean not null default false,
  "styledFromId" uuid,
  style text,
  "aiJobId" uuid,
  "providerInputKey" text,
  "canonicalStyle" canonical_style,
  "roomType" canonical_room_type,
  "reviewStatus" property_image_review_status,
  "reviewedByUserId" uuid,
  "reviewedAt" timestamp with time zone,
  "providerInputs" jsonb,
  "providerPredictionId" text,
  "providerModel" text,
  "promptVersion" text,
  "outputBytes" bigint,
  "outputWidth" integer,
  "outputHeight" integer,
  "outputFormat" text,
  "outputChecksum" text,
  version integer not null default 0,
  constraint property_images_review_status_check CHECK ("isStyled" = ("reviewStatus" IS NOT NULL)),
  constraint property_images_staged_cannot_be_main_check CHECK (NOT ("isStyled" AND "isMain")),
  constraint property_images_staged_source_check CHECK ("isStyled" = ("styledFromId" IS NOT NULL)),
  constraint "property_images_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "property_images_styledFromId_fkey" FOREIGN KEY ("styledFromId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint property_images_pkey PRIMARY KEY (id),
  constraint "property_images_objectKey_key" UNIQUE ("objectKey"),
  constraint "property_images_providerInputKey_key" UNIQUE ("providerInputKey")
);

create table role_fingerprints (
  role text not null,
  "nodeId" text not null,
  hash text not null,
  "publishedAt" timestamp with time zone not null default now(),
  constraint role_fingerprints_pkey PRIMARY KEY (role, "nodeId")
);

create table search_tombstones (
  "propertyId" uuid not null,
  "deletedAt" timestamp with time zone not null default now(),
  constraint search_tombstones_pkey PRIMARY KEY ("propertyId")
);

create table session (
  id uuid not null default gen_random_uuid(),
  "expiresAt" timestamp with time zone not null,
  token text not null,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null,
  constraint "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_key UNIQUE (token)
);

create table storage_deletion_outbox (
  id uuid not null default gen_random_uuid(),
  "objectKey" text not null,
  reason storage_deletion_reason not null,
  status storage_deletion_status not null default 'PENDING'::storage_deletion_status,
  attempts integer not null default 0,
  "lastError" text,
  "errorClass" text,
  note text,
  "nextAttemptAt" timestamp with time zone not null default now(),
  "claimedAt" timestamp with time zone,
  "claimedBy" text,
  "createdAt" timestamp with time zone not null default now(),
  "processedAt" timestamp with time zone,
  version integer not null default 0,
  constraint storage_deletion_outbox_pkey PRIMARY KEY (id)
);

create table "user" (
  id uuid not null default gen_random_uuid(),
  name text not null,
  email text not null,
  "emailVerified" boolean not null default false,
  image text,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  role text not null default 'customer'::text,
  phone text,
  locale text not null default 'en'::text,
  "licenseNumber" text,
  "officeName" text,
  constraint user_locale_check CHECK (locale = ANY (ARRAY['en'::text, 'es'::text])),
  constraint user_role_check CHECK (role = ANY (ARRAY['customer'::text, 'agent'::text])),
  constraint user_pkey PRIMARY KEY (id),
  constraint user_email_key UNIQUE (email)
);

create table verification (
  id uuid not null default gen_random_uuid(),
  identifier text not null,
  value text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  constraint verification_pkey PRIMARY KEY (id)
);

-- Indexes

CREATE INDEX "account_userId_idx" ON account USING btree ("userId");

CREATE INDEX actor_transitions_at_idx ON actor_transitions USING btree (at);

CREATE UNIQUE INDEX ai_jobs_active_staging_dedupe_uidx ON ai_jobs USING btree ("dedupeKey") WHERE ((type = 'ROOM_STAGING'::ai_job_type) AND (status = ANY (ARRAY['PENDING'::ai_job_status, 'PROCESSING'::ai_job_status, 'RETRYING'::ai_job_status, 'CANCEL_REQUESTED'::ai_job_status])));

CREATE INDEX ai_jobs_lease_due_idx ON ai_jobs USING btree ("leaseExpiresAt") WHERE ("leaseExpiresAt" IS NOT NULL);

CREATE INDEX ai_jobs_pending_idx ON ai_jobs USING btree ("createdAt") WHERE (status = 'PENDING'::ai_job_status);

CREATE INDEX "ai_jobs_propertyId_idx" ON ai_jobs USING btree ("propertyId");

CREATE INDEX "ai_jobs_status_retryAt_idx" ON ai_jobs USING btree (status, "retryAt");

CREATE INDEX "ai_provider_webhook_receipts_providerAttemptId_idx" ON ai_provider_webhook_receipts USING btree ("providerAttemptId");

CREATE INDEX "ai_room_staging_jobs_originalImageId_idx" ON ai_room_staging_jobs USING btree ("originalImageId");

CREATE INDEX "properties_ownerAgentId_idx" ON properties USING btree ("ownerAgentId");

CREATE INDEX properties_search_dirty_idx ON properties USING btree ("searchDirtyAt") WHERE ("searchDirtyAt" IS NOT NULL);

CREATE INDEX "property_agents_agentId_idx" ON property_agents USING btree ("agentId");

CREATE UNIQUE INDEX "property_images_aiJobId_uidx" ON property_images USING btree ("aiJobId");

CREATE UNIQUE INDEX property_images_live_legacy_staged_variant_uidx ON property_images USING btree ("styledFromId", style) NULLS NOT DISTINCT WHERE ("isStyled" AND ("canonicalStyle" IS NULL));

CREATE UNIQUE INDEX property_images_live_staged_variant_uidx ON property_images USING btree ("styledFromId", "canonicalStyle") WHERE ("isStyled" AND ("canonicalStyle" IS NOT NULL));

CREATE UNIQUE INDEX property_images_one_main_uidx ON property_images USING btree ("propertyId") WHERE "isMain";

CREATE INDEX "property_images_propertyId_idx" ON property_images USING btree ("propertyId");

CREATE INDEX "property_images_styledFromId_idx" ON property_images USING btree ("styledFromId");

CREATE INDEX "session_userId_idx" ON session USING btree ("userId");

CREATE INDEX storage_deletion_outbox_claimed_idx ON storage_deletion_outbox USING btree ("claimedAt") WHERE (status = 'PROCESSING'::storage_deletion_status);

CREATE INDEX storage_deletion_outbox_due_idx ON storage_deletion_outbox USING btree ("nextAttemptAt") WHERE (status = 'PENDING'::storage_deletion_status);

CREATE INDEX "storage_deletion_outbox_objectKey_idx" ON storage_deletion_outbox USING btree ("objectKey");

CREATE INDEX verification_identifier_idx ON verification USING btree (identifier);

-- Functions

CREATE OR REPLACE FUNCTION properties_leave_search_tombstone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into search_tombstones ("propertyId", "deletedAt") values (old.id, now())
    on conflict ("propertyId") do update set "deletedAt" = excluded."deletedAt";
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION properties_mark_search_dirty()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    bookkeeping constant text[] := '{searchDirtyAt,searchVersion,searchIndexedAt,updatedAt}';
  begin
    if tg_op = 'INSERT' or to_jsonb(new) - bookkeeping is distinct from to_jsonb(old) - bookkeeping then
      new."searchDirtyAt" := now();
      new."searchVersion" := coalesce(new."searchVersion", 0) + 1;
    end if;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION property_images_cancel_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    job record;
    instant constant timestamptz := date_trunc('milliseconds', now());
    target ai_job_status;
  begin
    for job in
      select j.id, j.status, j.phase, j.version
      from ai_jobs j join ai_room_staging_jobs s on s."aiJobId" = j.id
      where s."originalImageId" = old.id and j.type = 'ROOM_STAGING'
        and j.status in ('PENDING', 'PROCESSING', 'RETRYING')
      order by j.id for update of j
    loop
      if job.status = 'PENDING' then
        target := 'CANCELED';
        update ai_jobs set status = target, phase = null, "retryAt" = null,
          "cancelRequestedAt" = coalesce("cancelRequestedAt", instant), "canceledAt" = instant, "finishedAt" = instant,
          "leaseOwner" = null, "leaseExpiresAt" = null,
          "heartbeatAt" = instant, version = version + 1, "updatedAt" = instant
        where id = job.id;
      else
        target := 'CANCEL_REQUESTED';
        update ai_jobs set status = target, phase = null, "retryAt" = null,
          "cancelRequestedAt" = coalesce("cancelRequestedAt", instant),
          "heartbeatAt" = instant, version = version + 1, "updatedAt" = instant
        where id = job.id;
      end if;
      insert into actor_transitions
        ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
      values ('stagingJob', job.id, job.version + 1, 'ORIGINAL_DELETED',
        jsonb_build_object('type', 'ORIGINAL_DELETED', 'at', (extract(epoch from instant) * 1000)::bigint),
        concat_ws('.', job.status, job.phase), target::text, instant, 'database');
    end loop;
    return old;
  end $function$;

CREATE OR REPLACE FUNCTION property_images_mark_search_dirty()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    update properties set "searchDirtyAt" = now(), "searchVersion" = "searchVersion" + 1
    where (tg_op <> 'INSERT' and id = old."propertyId") or (tg_op <> 'DELETE' and id = new."propertyId");
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION property_images_schedule_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    why storage_deletion_reason := 'ORIGINAL_IMAGE_DELETED';
  begin
    if old."isStyled" and exists (select from property_images where id = old."styledFromId") then
      why := 'STAGED_IMAGE_DELETED';
    end if;
    insert into storage_deletion_outbox ("objectKey", reason)
    select key, why from unnest(array[old."objectKey", old."providerInputKey"]) as key where key is not null;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION refuse_rewrite_of_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
  end $function$;

-- Triggers

CREATE TRIGGER actor_transitions_never_change BEFORE UPDATE ON actor_transitions FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER properties_leave_search_tombstone AFTER DELETE ON properties FOR EACH ROW EXECUTE FUNCTION properties_leave_search_tombstone();

CREATE TRIGGER properties_mark_search_dirty BEFORE INSERT OR UPDATE ON properties FOR EACH ROW EXECUTE FUNCTION properties_mark_search_dirty();

CREATE TRIGGER property_image_review_events_never_change BEFORE UPDATE ON property_image_review_events FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER property_images_cancel_jobs BEFORE DELETE ON property_images FOR EACH ROW WHEN ((NOT old."isStyled")) EXECUTE FUNCTION property_images_cancel_jobs();

CREATE TRIGGER property_images_deleted_mark_search_dirty AFTER DELETE ON property_images FOR EACH ROW WHEN (((NOT old."isStyled") OR (old."reviewStatus" = 'APPROVED'::property_image_review_status))) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_inserted_mark_search_dirty AFTER INSERT ON property_images FOR EACH ROW WHEN (((NOT new."isStyled") OR (new."reviewStatus" = 'APPROVED'::property_image_review_status))) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_schedule_deletion AFTER DELETE ON property_images FOR EACH ROW EXECUTE FUNCTION property_images_schedule_deletion();

CREATE TRIGGER property_images_updated_mark_search_dirty AFTER UPDATE ON property_images FOR EACH ROW WHEN ((((NOT old."isStyled") OR (NOT new."isStyled") OR (old."reviewStatus" = 'APPROVED'::property_image_review_status) OR (new."reviewStatus" = 'APPROVED'::property_image_review_status)) AND (((((((old."propertyId" IS DISTINCT FROM new."propertyId") OR (old."objectKey" IS DISTINCT FROM new."objectKey")) OR (old."position" IS DISTINCT FROM new."position")) OR (old."isMain" IS DISTINCT FROM new."isMain")) OR (old."isStyled" IS DISTINCT FROM new."isStyled")) OR (old."styledFromId" IS DISTINCT FROM new."styledFromId")) OR (old."reviewStatus" IS DISTINCT FROM new."reviewStatus")))) EXECUTE FUNCTION property_images_mark_search_dirty();
