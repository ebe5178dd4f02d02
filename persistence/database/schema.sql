-- Written by `npm run schema` from a freshly migrated database; never by hand.

-- Extensions

create extension btree_gist;

create extension pg_trgm;

create extension unaccent;

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
  'UNKNOWN_ATTEMPT',
  'CONFLICT'
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

create type mismatch_report_status as enum (
  'OPEN',
  'ACKNOWLEDGED',
  'UPHELD',
  'CLOSED'
);

create type property_image_review_event_kind as enum (
  'APPROVED',
  'REJECTED'
);

create type property_image_review_status as enum (
  'PENDING_REVIEW',
  'APPROVED'
);

create type property_price_event as enum (
  'COMING_SOON',
  'LISTED',
  'LISTED_FOR_RENT',
  'PRICE_CHANGED',
  'UNDER_CONTRACT',
  'PENDING',
  'BACK_ON_MARKET',
  'HOLD',
  'WITHDRAWN',
  'CANCELED',
  'EXPIRED',
  'RELISTED',
  'SOLD',
  'RENTED',
  'CORRECTION'
);

create type start_gate_status as enum (
  'OPEN',
  'PAUSED',
  'CHECKING',
  'UNCERTAIN'
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

create type tour_kind as enum (
  'IN_PERSON',
  'VIRTUAL'
);

create type tour_status as enum (
  'REQUESTED',
  'RESCHEDULE_PROPOSED',
  'CONFIRMED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'COMPLETED',
  'NO_SHOW'
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

create table account_codes (
  "userId" uuid not null,
  purpose text not null,
  "codeHash" text not null,
  tries integer not null default 0,
  "expiresAt" timestamp with time zone not null,
  constraint account_codes_purpose_check CHECK (purpose = ANY (ARRAY['deletion'::text, 'export'::text, 'verification'::text])),
  constraint "account_codes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint account_codes_pkey PRIMARY KEY ("userId", purpose)
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
  constraint "actor_transitions_actorKind_check" CHECK ("actorKind" = ANY (ARRAY['stagingJob'::text, 'providerAttempt'::text, 'imageReview'::text, 'deletionItem'::text, 'tour'::text, 'descriptionJob'::text, 'startGate'::text, 'searchDocument'::text, 'mismatchReport'::text, 'feed'::text])),
  constraint actor_transitions_pkey PRIMARY KEY (id),
  constraint "actor_transitions_actorKind_actorId_seq_key" UNIQUE ("actorKind", "actorId", seq)
);

create table agent_invitation_mails (
  id uuid not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint agent_invitation_mails_id_fkey FOREIGN KEY (id) REFERENCES agent_invitations(id) ON DELETE CASCADE,
  constraint agent_invitation_mails_pkey PRIMARY KEY (id)
);

create table agent_invitations (
  id uuid not null default gen_random_uuid(),
  email text not null,
  "officeName" text not null,
  locale text not null,
  "invitedById" uuid,
  by text,
  reason text,
  "secretHash" text,
  "createdAt" timestamp with time zone not null,
  "expiresAt" timestamp with time zone not null,
  "acceptedAt" timestamp with time zone,
  "acceptedById" uuid,
  constraint agent_invitations_end_check CHECK (("acceptedAt" IS NULL) = ("acceptedById" IS NULL) AND ("acceptedAt" IS NULL OR "acceptedAt" < "expiresAt")),
  constraint agent_invitations_maker_check CHECK (num_nonnulls("invitedById", by) = 1 AND (by IS NULL) = (reason IS NULL)),
  constraint agent_invitations_time_check CHECK ("expiresAt" > "createdAt"),
  constraint "agent_invitations_acceptedById_fkey" FOREIGN KEY ("acceptedById") REFERENCES "user"(id),
  constraint "agent_invitations_invitedById_fkey" FOREIGN KEY ("invitedById") REFERENCES "user"(id),
  constraint agent_invitations_pkey PRIMARY KEY (id)
);

create table agent_job_counts (
  "agentId" uuid not null,
  hour timestamp with time zone not null,
  jobs integer not null,
  constraint agent_job_counts_jobs_check CHECK (jobs > 0),
  constraint "agent_job_counts_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint agent_job_counts_pkey PRIMARY KEY ("agentId", hour)
);

create table agent_standings (
  "agentId" uuid not null,
  "agentSince" timestamp with time zone not null,
  "approvedAt" timestamp with time zone,
  "approvedBy" text,
  "approvalReason" text,
  "needsApproval" boolean not null default false,
  "confirmedLicense" text,
  "licenseState" text,
  "licenseConfirmedBy" text,
  constraint agent_standings_approval_check CHECK (("approvedAt" IS NULL) = ("approvedBy" IS NULL) AND ("approvedAt" IS NULL) = ("approvalReason" IS NULL)),
  constraint agent_standings_license_check CHECK (num_nonnulls("confirmedLicense", "licenseState", "licenseConfirmedBy") = ANY (ARRAY[0, 3])),
  constraint "agent_standings_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint agent_standings_pkey PRIMARY KEY ("agentId")
);

create table ai_description_jobs (
  "aiJobId" uuid not null,
  locale text not null,
  facts jsonb not null,
  prompt text not null,
  "promptVersion" text not null,
  "providerModel" text not null,
  "sendState" text,
  "sendTries" integer not null default 0,
  "nextSendAt" timestamp with time zone,
  "sentAt" timestamp with time zone,
  "unconfirmedSince" timestamp with time zone,
  "unconfirmedCause" text,
  "providerPredictionId" text,
  "strayPredictionId" text,
  "providerStatus" text,
  text text,
  "createdAt" timestamp with time zone not null default now(),
  "throttledSends" integer not null default 0,
  "goneSince" timestamp with time zone,
  "notListedAt" timestamp with time zone,
  constraint ai_description_jobs_locale_check CHECK (locale = ANY (ARRAY['en'::text, 'es'::text])),
  constraint ai_description_jobs_prediction_check CHECK ("sendState" IS DISTINCT FROM 'RUNNING'::text OR "providerPredictionId" IS NOT NULL),
  constraint "ai_description_jobs_sendState_check" CHECK ("sendState" = ANY (ARRAY['RESERVED'::text, 'SENT'::text, 'UNCONFIRMED'::text, 'RUNNING'::text])),
  constraint "ai_description_jobs_unconfirmedCause_check" CHECK ("unconfirmedCause" = ANY (ARRAY['transport'::text, 'restart'::text])),
  constraint ai_description_jobs_unconfirmed_check CHECK ("sendState" IS DISTINCT FROM 'UNCONFIRMED'::text OR "unconfirmedSince" IS NOT NULL AND "unconfirmedCause" IS NOT NULL),
  constraint "ai_description_jobs_aiJobId_fkey" FOREIGN KEY ("aiJobId") REFERENCES ai_jobs(id) ON DELETE CASCADE,
  constraint ai_description_jobs_pkey PRIMARY KEY ("aiJobId"),
  constraint "ai_description_jobs_providerPredictionId_key" UNIQUE ("providerPredictionId")
);

create table ai_job_traces (
  "aiJobId" uuid not null,
  "leaseEpoch" integer not null,
  traceparent text not null,
  "createdAt" timestamp with time zone not null default now(),
  constraint ai_job_traces_traceparent_check CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'::text),
  constraint "ai_job_traces_aiJobId_fkey" FOREIGN KEY ("aiJobId") REFERENCES ai_jobs(id) ON DELETE CASCADE,
  constraint ai_job_traces_pkey PRIMARY KEY ("aiJobId", "leaseEpoch")
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
  "localPass" text,
  "localPassVersion" integer,
  "localPassAlone" boolean,
  failures integer not null default 0,
  "queueWaitMs" bigint,
  "startOrder" integer not null default 0,
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
  "throttledSends" integer not null default 0,
  "goneSince" timestamp with time zone,
  "notListedAt" timestamp with time zone,
  "missingTries" integer not null default 0,
  "missingAt" timestamp with time zone,
  constraint "ai_provider_attempts_attemptNumber_check" CHECK ("attemptNumber" = ANY (ARRAY[1, 2])),
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
  "legacyMessageKey" text,
  framing text not null default 'fixed'::text,
  "padWidth" integer,
  "padHeight" integer,
  "frameLeft" integer,
  "frameTop" integer,
  "frameWidth" integer,
  "frameHeight" integer,
  "groupId" uuid,
  "referenceImageKey" text,
  constraint ai_room_staging_jobs_framing_check CHECK (
CASE framing
    WHEN 'fixed'::text THEN num_nonnulls("padWidth", "padHeight", "frameLeft", "frameTop", "frameWidth", "frameHeight") = 0
    WHEN 'photo'::text THEN (num_nonnulls("aspectRatio", "padWidth", "padHeight", "frameLeft", "frameTop", "frameWidth", "frameHeight") = ANY (ARRAY[0, 7])) AND ("providerInputKey" IS NULL OR "padWidth" IS NOT NULL)
    ELSE false
END),
  constraint ai_room_staging_jobs_pad_check CHECK ("padWidth" IS NULL OR
CASE "aspectRatio"
    WHEN '1:1'::text THEN "padWidth" = "padHeight"
    WHEN '3:2'::text THEN ("padWidth" * 2) = ("padHeight" * 3)
    WHEN '2:3'::text THEN ("padWidth" * 3) = ("padHeight" * 2)
    ELSE false
END AND "frameLeft" >= 0 AND "frameTop" >= 0 AND "frameWidth" > 0 AND "frameHeight" > 0 AND ("frameLeft" + "frameWidth") <= "padWidth" AND ("frameTop" + "frameHeight") <= "padHeight"),
  constraint ai_room_staging_jobs_reference_has_group_check CHECK ("referenceImageKey" IS NULL OR "groupId" IS NOT NULL),
  constraint "ai_room_staging_jobs_aiJobId_fkey" FOREIGN KEY ("aiJobId") REFERENCES ai_jobs(id) ON DELETE CASCADE,
  constraint ai_room_staging_jobs_pkey PRIMARY KEY ("aiJobId"),
  constraint "ai_room_staging_jobs_legacyMessageKey_key" UNIQUE ("legacyMessageKey")
);

create table alert_cursor (
  one boolean not null default true,
  "lastSeq" bigint not null default 0,
  constraint alert_cursor_one_check CHECK (one),
  constraint alert_cursor_pkey PRIMARY KEY (one)
);

create table alert_events (
  id bigint not null generated always as identity,
  "propertyId" uuid not null,
  kind text not null,
  "openHouseId" uuid,
  "isCut" boolean not null,
  "isBulk" boolean not null,
  "createdAt" timestamp with time zone not null default clock_timestamp(),
  seq bigint,
  "matchedAt" timestamp with time zone,
  constraint alert_events_kind_check CHECK (kind = ANY (ARRAY['NEW'::text, 'PRICE'::text, 'BACK'::text, 'OPEN_HOUSE'::text, 'PENDING'::text, 'SOLD'::text])),
  constraint alert_events_matched_check CHECK ((seq IS NULL) = ("matchedAt" IS NULL)),
  constraint "alert_events_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint alert_events_pkey PRIMARY KEY (id)
);

create table alert_mails (
  "alertId" uuid not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint "alert_mails_alertId_fkey" FOREIGN KEY ("alertId") REFERENCES alerts(id) ON DELETE CASCADE,
  constraint alert_mails_pkey PRIMARY KEY ("alertId")
);

create table alert_settings (
  "userId" uuid not null,
  cadence text not null,
  channels text[] not null,
  "runSeq" bigint not null,
  "nextRunAt" timestamp with time zone,
  constraint alert_settings_cadence_check CHECK (cadence = ANY (ARRAY['INSTANT'::text, 'DAILY'::text, 'WEEKLY'::text, 'NONE'::text])),
  constraint alert_settings_channels_check CHECK (channels <@ ARRAY['MAIL'::text, 'PUSH'::text] AND cardinality(channels) >= 1 AND cardinality(channels) <= 2),
  constraint alert_settings_next_run_check CHECK ((cadence = ANY (ARRAY['DAILY'::text, 'WEEKLY'::text])) = ("nextRunAt" IS NOT NULL)),
  constraint "alert_settings_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint alert_settings_pkey PRIMARY KEY ("userId")
);

create table alerts (
  id uuid not null,
  "userId" uuid not null,
  "searchId" uuid,
  items jsonb not null,
  more integer not null,
  "createdAt" timestamp with time zone not null,
  constraint alerts_items_check CHECK (jsonb_array_length(items) >= 1 AND jsonb_array_length(items) <= 50),
  constraint alerts_more_check CHECK (more >= 0),
  constraint "alerts_searchId_fkey" FOREIGN KEY ("searchId") REFERENCES saved_searches(id) ON DELETE CASCADE,
  constraint "alerts_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint alerts_pkey PRIMARY KEY (id)
);

create table api_clients (
  id uuid not null,
  name text not null,
  "secretHash" bytea not null,
  scopes text[] not null,
  "perMinute" integer not null,
  "createdAt" timestamp with time zone not null,
  "expiresAt" timestamp with time zone not null,
  "revokedAt" timestamp with time zone,
  constraint api_clients_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  constraint api_clients_rate_check CHECK ("perMinute" >= 1 AND "perMinute" <= 100000),
  constraint api_clients_scopes_check CHECK (scopes <@ ARRAY['reso.read'::text] AND cardinality(scopes) > 0),
  constraint api_clients_pkey PRIMARY KEY (id),
  constraint api_clients_name_key UNIQUE (name)
);

create table api_tokens (
  hash bytea not null,
  "clientId" uuid not null,
  "createdAt" timestamp with time zone not null,
  "expiresAt" timestamp with time zone not null,
  constraint "api_tokens_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES api_clients(id) ON DELETE CASCADE,
  constraint api_tokens_pkey PRIMARY KEY (hash)
);

create table avatars (
  id uuid not null,
  "userId" uuid not null,
  "objectKey" text not null,
  checksum text not null,
  "createdAt" timestamp with time zone not null default now(),
  constraint "avatars_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint avatars_pkey PRIMARY KEY (id),
  constraint "avatars_objectKey_key" UNIQUE ("objectKey"),
  constraint "avatars_userId_key" UNIQUE ("userId")
);

create table cache_purges (
  id bigint not null generated always as identity,
  "propertyId" uuid not null,
  "requestedAt" timestamp with time zone not null default clock_timestamp(),
  tries integer not null default 0,
  "nextTryAt" timestamp with time zone not null default clock_timestamp(),
  constraint cache_purges_pkey PRIMARY KEY (id)
);

create table console_keys (
  id boolean not null default true,
  key bytea not null,
  constraint console_keys_id_check CHECK (id),
  constraint console_keys_pkey PRIMARY KEY (id)
);

create table console_sign_outs (
  "sessionId" uuid not null,
  "endsAt" timestamp with time zone not null,
  constraint console_sign_outs_pkey PRIMARY KEY ("sessionId")
);

create table data_reports (
  id uuid not null,
  "propertyId" uuid not null,
  subject text not null,
  note text not null,
  "createdAt" timestamp with time zone not null,
  constraint data_reports_note_check CHECK (char_length(note) >= 1 AND char_length(note) <= 1000),
  constraint data_reports_subject_check CHECK (subject = ANY (ARRAY['PRICE'::text, 'STATUS'::text, 'PICTURES'::text, 'FACTS'::text, 'OTHER'::text])),
  constraint "data_reports_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint data_reports_pkey PRIMARY KEY (id)
);

create table disclosure_confirmations (
  id uuid not null default gen_random_uuid(),
  "propertyId" uuid not null,
  market text not null,
  requirement text not null,
  pictures text not null,
  "agentId" uuid not null,
  at timestamp with time zone not null,
  constraint disclosure_confirmations_market_check CHECK (char_length(market) >= 1 AND char_length(market) <= 40),
  constraint disclosure_confirmations_pictures_check CHECK (pictures ~ '^[0-9a-f]{64}$'::text),
  constraint disclosure_confirmations_requirement_check CHECK (char_length(requirement) >= 1 AND char_length(requirement) <= 40),
  constraint "disclosure_confirmations_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "user"(id),
  constraint "disclosure_confirmations_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint disclosure_confirmations_pkey PRIMARY KEY (id),
  constraint disclosure_confirmations_key UNIQUE ("propertyId", market, requirement)
);

create table drift_comparisons (
  "stagedImageId" uuid not null,
  "createdAt" timestamp with time zone not null default now(),
  tries smallint not null default 0,
  "nextTryAt" timestamp with time zone default now(),
  "comparedAt" timestamp with time zone,
  algorithm smallint,
  score double precision,
  "geometryMoved" boolean,
  flags text[],
  measures jsonb,
  boxes jsonb,
  "heatMapKey" text,
  constraint drift_comparisons_moved_check CHECK ("geometryMoved" = ('GEOMETRY_MOVED'::text = ANY (flags))),
  constraint drift_comparisons_result_check CHECK (
CASE
    WHEN "comparedAt" IS NULL THEN num_nonnulls(algorithm, score, "geometryMoved", flags, measures, boxes, "heatMapKey") = 0
    ELSE num_nonnulls(algorithm, score, "geometryMoved", flags, measures, boxes) = 6 AND "nextTryAt" IS NULL
END),
  constraint drift_comparisons_score_check CHECK (score >= 0::double precision AND score <= 1::double precision),
  constraint drift_comparisons_tries_check CHECK (tries >= 0 AND tries <= 3),
  constraint drift_comparisons_pkey PRIMARY KEY ("stagedImageId"),
  constraint "drift_comparisons_heatMapKey_key" UNIQUE ("heatMapKey")
);

create table favorite_matches (
  "userId" uuid not null,
  "propertyId" uuid not null,
  "eventId" bigint not null,
  kind text not null,
  "createdAt" timestamp with time zone not null,
  "dueAt" timestamp with time zone not null,
  "alertId" uuid,
  constraint "favorite_matches_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "favorite_matches_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint favorite_matches_pkey PRIMARY KEY ("userId", "propertyId", "eventId")
);

create table favorites (
  "userId" uuid not null,
  "propertyId" uuid not null,
  "savedAt" timestamp with time zone not null,
  "priceWhenSaved" numeric(14,2) not null,
  "statusWhenSaved" text not null,
  note text,
  constraint favorites_note_check CHECK (char_length(note) >= 1 AND char_length(note) <= 500),
  constraint "favorites_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "favorites_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint favorites_pkey PRIMARY KEY ("userId", "propertyId")
);

create table feed_media (
  "propertyId" uuid not null,
  key text not null,
  "feedId" uuid not null,
  "position" integer not null,
  "isPreferred" boolean not null,
  "isFirst" boolean not null,
  url text,
  "modifiedAt" timestamp with time zone,
  "roomType" text,
  "imageOf" text,
  alteration text,
  state text not null,
  reason text,
  attempts smallint not null default 0,
  "nextAttemptAt" timestamp with time zone,
  claim uuid,
  "imageId" uuid,
  checksum bytea,
  constraint feed_media_key_check CHECK (char_length(key) >= 1 AND char_length(key) <= 255),
  constraint feed_media_position_check CHECK ("position" >= 0 AND "position" <= 100000),
  constraint feed_media_state_check CHECK (
CASE state
    WHEN 'WAITING'::text THEN num_nonnulls(url, "nextAttemptAt") = 2 AND reason IS NULL
    WHEN 'TAKEN'::text THEN num_nonnulls(url, checksum) = 2 AND num_nonnulls("nextAttemptAt", claim, reason) = 0
    WHEN 'REFUSED'::text THEN reason IS NOT NULL AND num_nonnulls("nextAttemptAt", claim, "imageId") = 0
    ELSE false
END),
  constraint "feed_media_feedId_fkey" FOREIGN KEY ("feedId") REFERENCES feeds(id) ON DELETE CASCADE,
  constraint "feed_media_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES property_images(id) ON DELETE SET NULL,
  constraint "feed_media_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint feed_media_pkey PRIMARY KEY ("propertyId", key)
);

create table feed_records (
  "feedId" uuid not null,
  resource text not null,
  key text not null,
  raw jsonb not null,
  hash bytea not null,
  "modifiedAt" timestamp with time zone,
  state text not null,
  "propertyId" uuid,
  unmapped jsonb not null default '{}'::jsonb,
  "seenAt" timestamp with time zone not null,
  "listedAt" timestamp with time zone,
  "mappedHash" bytea,
  constraint feed_records_key_check CHECK (char_length(key) >= 1 AND char_length(key) <= 255),
  constraint feed_records_resource_check CHECK (resource = ANY (ARRAY['Property'::text, 'Member'::text, 'Office'::text, 'OpenHouse'::text, 'Media'::text, 'Lookup'::text])),
  constraint feed_records_state_check CHECK (state = ANY (ARRAY['CURRENT'::text, 'GONE'::text, 'REFUSED'::text])),
  constraint "feed_records_feedId_fkey" FOREIGN KEY ("feedId") REFERENCES feeds(id) ON DELETE CASCADE,
  constraint "feed_records_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE SET NULL,
  constraint feed_records_pkey PRIMARY KEY ("feedId", resource, key)
);

create table feed_requests (
  id bigint not null generated always as identity,
  account text not null,
  until timestamp with time zone not null,
  "isOpen" boolean not null,
  bytes bigint not null,
  constraint feed_requests_account_check CHECK (char_length(account) >= 1 AND char_length(account) <= 200),
  constraint feed_requests_bytes_check CHECK (bytes >= 0),
  constraint feed_requests_pkey PRIMARY KEY (id)
);

create table feeds (
  id uuid not null,
  name text not null,
  profile text not null,
  "baseUrl" text not null,
  credentials text,
  filter text,
  "contactAgents" uuid[] not null default '{}'::uuid[],
  "userId" uuid not null,
  status text not null,
  version integer not null,
  task text not null,
  "dueAt" timestamp with time zone,
  failures integer not null,
  "lastError" text,
  "listBegan" timestamp with time zone,
  "heldDeletions" integer not null,
  "heldListings" integer not null,
  "reconcileDueAt" timestamp with time zone,
  cursor jsonb,
  pages bigint not null default 0,
  "nextLookAt" timestamp with time zone,
  "loadedAt" timestamp with time zone,
  "lastSeenAt" timestamp with time zone,
  "createdAt" timestamp with time zone not null,
  "mediaPausedUntil" timestamp with time zone,
  constraint feeds_credentials_check CHECK (credentials ~ '^FEED_[A-Z0-9_]*_(TOKEN|SECRET)$'::text),
  constraint feeds_filter_check CHECK (char_length(filter) >= 1 AND char_length(filter) <= 2000),
  constraint feeds_held_check CHECK ("heldDeletions" >= 0 AND "heldDeletions" <= "heldListings"),
  constraint feeds_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  constraint feeds_status_check CHECK (status = ANY (ARRAY['IDLE'::text, 'REPLICATING'::text, 'RECONCILING'::text, 'WAITING'::text, 'PAUSED'::text, 'FAILED'::text])),
  constraint feeds_task_check CHECK (task = ANY (ARRAY['REPLICATE'::text, 'RECONCILE'::text, 'REMOVE'::text])),
  constraint "feeds_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id),
  constraint feeds_pkey PRIMARY KEY (id),
  constraint feeds_name_key UNIQUE (name),
  constraint "feeds_userId_key" UNIQUE ("userId")
);

create table growth_counts (
  "userId" uuid not null,
  what text not null,
  about uuid not null,
  since timestamp with time zone not null,
  used bigint not null,
  constraint growth_counts_used_check CHECK (used > 0),
  constraint "growth_counts_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint growth_counts_pkey PRIMARY KEY ("userId", what, about, since)
);

create table hidden_homes (
  "userId" uuid not null,
  "propertyId" uuid not null,
  at timestamp with time zone not null,
  constraint "hidden_homes_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "hidden_homes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint hidden_homes_pkey PRIMARY KEY ("userId", "propertyId")
);

create table host_checks (
  id uuid not null default gen_random_uuid(),
  email text not null,
  "requestedAt" timestamp with time zone not null,
  "endedAt" timestamp with time zone,
  findings jsonb,
  constraint host_checks_end_check CHECK (("endedAt" IS NULL) = (findings IS NULL)),
  constraint host_checks_pkey PRIMARY KEY (id)
);

create table idempotency_keys (
  "userId" uuid not null,
  operation text not null,
  key text not null,
  "inputHash" text not null,
  claim uuid not null,
  "expiresAt" timestamp with time zone not null,
  "propertyIds" uuid[] not null,
  "tourId" uuid,
  answer text,
  "createdAt" timestamp with time zone not null,
  constraint idempotency_keys_answer_check CHECK (octet_length(answer) <= 65536),
  constraint idempotency_keys_key_check CHECK (key ~ '^[ -~]{1,255}$'::text),
  constraint "idempotency_keys_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint idempotency_keys_pkey PRIMARY KEY ("userId", operation, key)
);

create table image_renditions (
  "imageId" uuid not null,
  variant text not null,
  "objectKey" text not null,
  bytes integer not null,
  "createdAt" timestamp with time zone not null default now(),
  constraint "image_renditions_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint image_renditions_pkey PRIMARY KEY ("imageId", variant),
  constraint "image_renditions_objectKey_key" UNIQUE ("objectKey")
);

create table legacy_messages (
  "messageKey" text not null,
  disposition text not null,
  "aiJobId" uuid,
  "answeredAt" timestamp with time zone not null,
  constraint legacy_messages_pkey PRIMARY KEY ("messageKey")
);

create table listing_addresses (
  "propertyId" uuid not null,
  "addressText" text not null,
  "regionText" text not null,
  city text not null,
  "stateOrProvince" text,
  "postalCode" text,
  country character(2) not null,
  latitude double precision,
  longitude double precision,
  constraint "listing_addresses_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint listing_addresses_pkey PRIMARY KEY ("propertyId")
);

create table listing_change_cursor (
  one boolean not null default true,
  "lastSeq" bigint not null default 0,
  "lastAt" timestamp with time zone not null default to_timestamp((0)::double precision),
  "filledTo" uuid,
  "isFilled" boolean not null default false,
  constraint listing_change_cursor_one_check CHECK (one),
  constraint listing_change_cursor_pkey PRIMARY KEY (one)
);

create table listing_changes (
  id bigint not null generated always as identity,
  resource text not null,
  key uuid not null,
  "isUrgent" boolean not null,
  "ofPhotos" boolean not null,
  by xid8 not null default pg_current_xact_id(),
  "notedAt" timestamp with time zone not null default clock_timestamp(),
  constraint listing_changes_resource_check CHECK (resource = ANY (ARRAY['Property'::text, 'Media'::text, 'OpenHouse'::text, 'Member'::text, 'Office'::text])),
  constraint listing_changes_pkey PRIMARY KEY (id),
  constraint listing_changes_once UNIQUE (key, resource, by)
);

create table listing_offers (
  id uuid not null default gen_random_uuid(),
  "propertyId" uuid not null,
  kind text not null,
  "fromAgentId" uuid not null,
  "toAgentId" uuid not null,
  status text not null default 'OPEN'::text,
  "createdAt" timestamp with time zone not null,
  "expiresAt" timestamp with time zone not null,
  "endedAt" timestamp with time zone,
  constraint listing_offers_answer_check CHECK (status <> 'ACCEPTED'::text OR "endedAt" < "expiresAt"),
  constraint listing_offers_end_check CHECK ((status = 'OPEN'::text) = ("endedAt" IS NULL)),
  constraint listing_offers_kind_check CHECK (kind = ANY (ARRAY['OWNERSHIP'::text, 'ASSIGNMENT'::text])),
  constraint listing_offers_people_check CHECK ("fromAgentId" <> "toAgentId"),
  constraint listing_offers_status_check CHECK (status = ANY (ARRAY['OPEN'::text, 'ACCEPTED'::text, 'DECLINED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text])),
  constraint listing_offers_time_check CHECK ("expiresAt" > "createdAt"),
  constraint "listing_offers_fromAgentId_fkey" FOREIGN KEY ("fromAgentId") REFERENCES "user"(id),
  constraint "listing_offers_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "listing_offers_toAgentId_fkey" FOREIGN KEY ("toAgentId") REFERENCES "user"(id),
  constraint listing_offers_pkey PRIMARY KEY (id)
);

create table listing_region_changes (
  id bigint not null generated always as identity,
  "regionText" text not null,
  constraint listing_region_changes_pkey PRIMARY KEY (id)
);

create table listing_regions (
  "regionText" text not null,
  city text not null,
  "stateOrProvince" text,
  "postalCode" text,
  country character(2) not null,
  listings integer not null,
  placed integer not null,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  latitudes double precision,
  longitudes double precision,
  "cityText" text not null,
  "codeText" text
);

create table listing_views (
  "propertyId" uuid not null,
  day date not null,
  views integer not null,
  constraint listing_views_views_check CHECK (views > 0),
  constraint "listing_views_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint listing_views_pkey PRIMARY KEY ("propertyId", day)
);

create table mail_hours (
  "userId" uuid not null,
  hour timestamp with time zone not null,
  sent integer not null,
  held integer not null default 0,
  lines jsonb not null default '[]'::jsonb,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  "messageMails" integer not null default 0,
  constraint "mail_hours_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint mail_hours_pkey PRIMARY KEY ("userId", hour)
);

create table mail_totals (
  hour timestamp with time zone not null,
  sent integer not null,
  constraint mail_totals_pkey PRIMARY KEY (hour)
);

create table message_mails (
  "threadId" uuid not null,
  "userId" uuid not null,
  "fromSeq" integer not null,
  seq integer not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint message_mails_seq_check CHECK ("fromSeq" >= 1 AND "fromSeq" <= seq),
  constraint "message_mails_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES message_threads(id) ON DELETE CASCADE,
  constraint "message_mails_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint message_mails_pkey PRIMARY KEY ("threadId", "userId")
);

create table message_reads (
  "userId" uuid not null,
  "threadId" uuid not null,
  seq integer not null,
  constraint message_reads_seq_check CHECK (seq > 0),
  constraint "message_reads_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES message_threads(id) ON DELETE CASCADE,
  constraint "message_reads_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint message_reads_pkey PRIMARY KEY ("userId", "threadId")
);

create table message_reports (
  id uuid not null,
  "threadId" uuid not null,
  "reporterId" uuid not null,
  seq integer not null,
  note text,
  "createdAt" timestamp with time zone not null,
  constraint message_reports_note_check CHECK (char_length(note) >= 1 AND char_length(note) <= 1000),
  constraint "message_reports_reporterId_fkey" FOREIGN KEY ("reporterId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint "message_reports_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES message_threads(id) ON DELETE CASCADE,
  constraint message_reports_pkey PRIMARY KEY (id),
  constraint message_reports_once UNIQUE ("threadId", "reporterId", seq)
);

create table message_threads (
  id uuid not null,
  "propertyId" uuid not null,
  "customerId" uuid not null,
  "createdAt" timestamp with time zone not null,
  "lastSeq" integer not null default 0,
  "customerAt" timestamp with time zone not null,
  "agentAt" timestamp with time zone not null,
  "customerBlockedAt" timestamp with time zone,
  "agentBlockedAt" timestamp with time zone,
  "agentBlockedById" uuid,
  constraint message_threads_block_check CHECK (num_nulls("agentBlockedAt", "agentBlockedById") = ANY (ARRAY[0, 2])),
  constraint "message_threads_agentBlockedById_fkey" FOREIGN KEY ("agentBlockedById") REFERENCES "user"(id),
  constraint "message_threads_customerId_fkey" FOREIGN KEY ("customerId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint "message_threads_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint message_threads_pkey PRIMARY KEY (id),
  constraint message_threads_of_listing_and_customer UNIQUE ("propertyId", "customerId")
);

create table messages (
  "threadId" uuid not null,
  seq integer not null,
  "messageId" uuid not null,
  side text not null,
  "authorId" uuid not null,
  text text not null,
  "isHeld" boolean not null,
  "createdAt" timestamp with time zone not null,
  constraint messages_seq_check CHECK (seq > 0),
  constraint messages_side_check CHECK (side = ANY (ARRAY['customer'::text, 'agent'::text])),
  constraint messages_text_check CHECK (char_length(text) >= 1 AND char_length(text) <= 2000),
  constraint "messages_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "user"(id),
  constraint "messages_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES message_threads(id) ON DELETE CASCADE,
  constraint messages_pkey PRIMARY KEY ("threadId", seq),
  constraint messages_once UNIQUE ("authorId", "messageId")
);

create table mismatch_reports (
  id uuid not null,
  "customerId" uuid not null,
  "tourId" uuid not null,
  "stagedImageId" uuid not null,
  "propertyId" uuid not null,
  note text,
  status mismatch_report_status not null,
  "createdAt" timestamp with time zone not null,
  "answeredAt" timestamp with time zone,
  "answeredByUserId" uuid,
  version integer not null default 0,
  constraint mismatch_reports_answer_check CHECK (
CASE status
    WHEN 'OPEN'::mismatch_report_status THEN num_nonnulls("answeredAt", "answeredByUserId") = 0
    WHEN 'ACKNOWLEDGED'::mismatch_report_status THEN num_nulls("answeredAt", "answeredByUserId") = 0
    WHEN 'UPHELD'::mismatch_report_status THEN "answeredAt" IS NOT NULL
    ELSE "answeredAt" IS NOT NULL AND "answeredByUserId" IS NULL
END),
  constraint mismatch_reports_note_check CHECK (length(note) >= 1 AND length(note) <= 1000),
  constraint "mismatch_reports_answeredByUserId_fkey" FOREIGN KEY ("answeredByUserId") REFERENCES "user"(id),
  constraint "mismatch_reports_customerId_fkey" FOREIGN KEY ("customerId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint "mismatch_reports_tourId_fkey" FOREIGN KEY ("tourId") REFERENCES tours(id) ON DELETE CASCADE,
  constraint mismatch_reports_pkey PRIMARY KEY (id),
  constraint "mismatch_reports_stagedImageId_customerId_key" UNIQUE ("stagedImageId", "customerId")
);

create table offer_mails (
  "offerId" uuid not null,
  status text not null,
  side text not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint offer_mails_side_check CHECK (side = ANY (ARRAY['from'::text, 'to'::text])),
  constraint "offer_mails_offerId_fkey" FOREIGN KEY ("offerId") REFERENCES listing_offers(id) ON DELETE CASCADE,
  constraint offer_mails_pkey PRIMARY KEY ("offerId", status, side)
);

create table open_houses (
  id uuid not null default gen_random_uuid(),
  "propertyId" uuid not null,
  "startsAt" timestamp with time zone not null,
  "endsAt" timestamp with time zone not null,
  remarks text,
  "createdAt" timestamp with time zone not null,
  "changedAt" timestamp with time zone not null,
  version integer not null default 1,
  "canceledAt" timestamp with time zone,
  "feedKey" text,
  constraint open_houses_length_check CHECK (("endsAt" - "startsAt") >= '00:15:00'::interval AND ("endsAt" - "startsAt") <= '08:00:00'::interval),
  constraint open_houses_remarks_check CHECK (char_length(remarks) >= 1 AND char_length(remarks) <= 500),
  constraint "open_houses_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint open_houses_pkey PRIMARY KEY (id),
  constraint open_houses_do_not_overlap EXCLUDE USING gist ("propertyId" WITH =, tstzrange("startsAt", "endsAt") WITH &&) WHERE ("canceledAt" IS NULL)
);

create table operator_acts (
  id uuid not null default gen_random_uuid(),
  act text not null,
  "personId" uuid,
  "propertyId" uuid,
  by text not null,
  reason text not null,
  at timestamp with time zone not null,
  "invitationId" uuid,
  "clientId" uuid,
  constraint operator_acts_subject_check CHECK (num_nonnulls("personId", "propertyId", "invitationId", "clientId") = 1),
  constraint "operator_acts_personId_fkey" FOREIGN KEY ("personId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint operator_acts_pkey PRIMARY KEY (id)
);

create table operator_codes (
  operator text not null,
  "lastStep" bigint not null,
  constraint operator_codes_pkey PRIMARY KEY (operator)
);

create table photo_alteration_events (
  id uuid not null default gen_random_uuid(),
  "imageId" uuid not null,
  "propertyId" uuid not null,
  before text,
  after text,
  "originalImageId" uuid,
  by text not null,
  at timestamp with time zone not null,
  constraint photo_alteration_events_kind_check CHECK (num_nonnulls(before, after) > 0),
  constraint photo_alteration_events_original_check CHECK ("originalImageId" IS NULL OR after IS NOT NULL),
  constraint photo_alteration_events_pkey PRIMARY KEY (id)
);

create table photo_checks (
  "imageId" uuid not null,
  "propertyId" uuid not null,
  "isOlder" boolean not null default false,
  "createdAt" timestamp with time zone not null,
  "nextTryAt" timestamp with time zone default clock_timestamp(),
  tries smallint not null default 0,
  claim uuid,
  "checkedAt" timestamp with time zone,
  verdict text,
  "nearestId" uuid,
  "likeStaged" real,
  "likePhoto" real,
  "isQuestion" boolean not null default false,
  answer text,
  "answeredBy" text,
  "answeredAt" timestamp with time zone,
  "answeredByUserId" uuid,
  "ownerAgentId" uuid,
  turn bigint not null default 0,
  constraint photo_checks_answer_check CHECK (
CASE
    WHEN answer IS NULL THEN num_nonnulls("answeredBy", "answeredAt", "answeredByUserId") = 0
    ELSE verdict = 'STAGED_PICTURE'::text AND "answeredAt" IS NOT NULL AND ("answeredBy" = 'OPERATOR'::text AND (answer = ANY (ARRAY['PHOTO'::text, 'STAGED_PICTURE'::text])) OR "answeredBy" = 'AGENT'::text AND answer = 'PHOTO'::text AND "isQuestion" AND "answeredByUserId" IS NOT NULL)
END),
  constraint photo_checks_found_check CHECK (verdict IS DISTINCT FROM 'STAGED_PICTURE'::text OR "nearestId" IS NOT NULL),
  constraint photo_checks_open_check CHECK (num_nonnulls(verdict, "nextTryAt") > 0 AND (verdict IS NULL) = ("checkedAt" IS NULL)),
  constraint photo_checks_verdict_check CHECK (verdict = ANY (ARRAY['PHOTO'::text, 'STAGED_PICTURE'::text])),
  constraint "photo_checks_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint photo_checks_pkey PRIMARY KEY ("imageId")
);

create table photo_credentials (
  "imageId" uuid not null,
  "objectKey" text not null,
  generator text,
  signer text,
  constraint "photo_credentials_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint photo_credentials_pkey PRIMARY KEY ("imageId"),
  constraint "photo_credentials_objectKey_key" UNIQUE ("objectKey")
);

create table picture_mails (
  "imageId" uuid not null,
  seq integer not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint "picture_mails_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint picture_mails_pkey PRIMARY KEY ("imageId", seq)
);

create table places (
  id text not null,
  kind text not null,
  name text not null,
  label text not null,
  city text,
  county text,
  "stateOrProvince" text,
  country character(2) not null,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  latitude double precision,
  longitude double precision,
  weight integer not null default 0,
  source text not null,
  "sourceRank" integer not null,
  "headText" text not null,
  "searchText" text not null,
  constraint places_box_check CHECK ((num_nulls(west, south, east, north) = ANY (ARRAY[0, 4])) AND west >= '-180'::integer::double precision AND west <= 180::double precision AND east >= '-180'::integer::double precision AND east <= 180::double precision AND south >= '-90'::integer::double precision AND south <= 90::double precision AND north >= south AND north <= 90::double precision),
  constraint places_kind_check CHECK (kind = ANY (ARRAY['city'::text, 'neighborhood'::text, 'postal_code'::text, 'county'::text, 'state'::text])),
  constraint places_position_check CHECK ((latitude IS NULL) = (longitude IS NULL) AND latitude >= '-90'::integer::double precision AND latitude <= 90::double precision AND longitude >= '-180'::integer::double precision AND longitude <= 180::double precision),
  constraint places_weight_check CHECK (weight >= 0),
  constraint places_pkey PRIMARY KEY (id)
);

create table platform_job_counts (
  day timestamp with time zone not null,
  jobs integer not null,
  "unapprovedJobs" integer not null,
  constraint platform_job_counts_jobs_check CHECK ("unapprovedJobs" >= 0 AND jobs >= "unapprovedJobs"),
  constraint platform_job_counts_pkey PRIMARY KEY (day)
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
  "propertySubType" text,
  "unitNumber" text,
  "countyOrParish" text,
  "subdivisionName" text,
  "lotSizeUnits" text not null default 'Square Feet'::text,
  stories numeric(4,1),
  "roomsTotal" integer,
  "garageSpaces" integer,
  "parkingTotal" integer,
  "yearBuiltEffective" integer,
  "associationFee" numeric(14,2),
  "associationFeeFrequency" text,
  "taxAnnualAmount" numeric(14,2),
  "taxYear" integer,
  "originalListPrice" numeric(14,2),
  "closePrice" numeric(14,2),
  "closeDate" date,
  "propertyTimeZoneName" text not null default 'UTC'::text,
  "showingAdvanceNotice" integer not null default 0,
  "showingStartTime" time without time zone,
  "showingEndTime" time without time zone,
  "showingDays" text[] not null default '{}'::text[],
  "autoConfirmTours" boolean not null default false,
  "originatingSystemName" text,
  "originatingSystemKey" text,
  "statusChangedAt" timestamp with time zone,
  "offMarketAt" timestamp with time zone,
  "marketDaysBefore" integer not null default 0,
  "hiddenFor" text[] not null default '{}'::text[],
  "feedId" uuid,
  "showAddress" boolean not null default true,
  "showValuation" boolean not null default true,
  "showComments" boolean not null default true,
  "listOfficeName" text,
  "listAgentName" text,
  "listAgentLicense" text,
  "attributionContact" text,
  "feedUpdatedAt" timestamp with time zone,
  constraint properties_amounts_check CHECK ("associationFee" >= 0::numeric AND "taxAnnualAmount" >= 0::numeric AND "originalListPrice" >= 0::numeric AND "closePrice" >= 0::numeric),
  constraint "properties_associationFeeFrequency_check" CHECK ("associationFeeFrequency" = ANY (ARRAY['Annually'::text, 'Bi-Monthly'::text, 'Bi-Weekly'::text, 'Daily'::text, 'Monthly'::text, 'One Time'::text, 'Quarterly'::text, 'Seasonal'::text, 'Semi-Annually'::text, 'Semi-Monthly'::text, 'Weekly'::text])),
  constraint "properties_associationFee_with_frequency" CHECK (("associationFee" IS NULL) = ("associationFeeFrequency" IS NULL)),
  constraint properties_counts_check CHECK (stories >= 0::numeric AND "roomsTotal" >= 0 AND "garageSpaces" >= 0 AND "parkingTotal" >= 0),
  constraint "properties_lotSizeUnits_check" CHECK ("lotSizeUnits" = ANY (ARRAY['Acres'::text, 'Hectares'::text, 'Square Feet'::text, 'Square Meters'::text])),
  constraint "properties_marketDaysBefore_check" CHECK ("marketDaysBefore" >= 0),
  constraint properties_originating_system CHECK (("originatingSystemName" IS NULL) = ("originatingSystemKey" IS NULL)),
  constraint "properties_propertyTimeZoneName_check" CHECK ("propertyTimeZoneName" ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$'::text),
  constraint properties_sale_only_when_closed CHECK ("closePrice" IS NULL AND "closeDate" IS NULL OR ("standardStatus" = ANY (ARRAY['Closed'::text, 'Delete'::text]))),
  constraint "properties_showingAdvanceNotice_check" CHECK ("showingAdvanceNotice" >= 0 AND "showingAdvanceNotice" <= 720),
  constraint "properties_showingDays_check" CHECK ("showingDays" <@ ARRAY['Monday'::text, 'Tuesday'::text, 'Wednesday'::text, 'Thursday'::text, 'Friday'::text, 'Saturday'::text, 'Sunday'::text]),
  constraint properties_showing_hours CHECK (("showingStartTime" IS NULL) = ("showingEndTime" IS NULL) AND "showingStartTime" < "showingEndTime"),
  constraint properties_shown_address_check CHECK ("showAddress" OR address = ''::text AND "unitNumber" IS NULL AND latitude IS NULL AND longitude IS NULL),
  constraint "properties_standardStatus_check" CHECK ("standardStatus" = ANY (ARRAY['Active'::text, 'Active Under Contract'::text, 'Canceled'::text, 'Closed'::text, 'Coming Soon'::text, 'Delete'::text, 'Expired'::text, 'Hold'::text, 'Incomplete'::text, 'Pending'::text, 'Withdrawn'::text])),
  constraint properties_years_check CHECK ("yearBuiltEffective" >= 1000 AND "yearBuiltEffective" <= 3000 AND "taxYear" >= 1000 AND "taxYear" <= 3000),
  constraint "properties_feedId_fkey" FOREIGN KEY ("feedId") REFERENCES feeds(id),
  constraint "properties_ownerAgentId_fkey" FOREIGN KEY ("ownerAgentId") REFERENCES "user"(id),
  constraint properties_pkey PRIMARY KEY (id)
);

create table property_agents (
  "propertyId" uuid not null,
  "agentId" uuid not null,
  "assignedAt" timestamp with time zone default clock_timestamp(),
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
  "paddedInputKey" text,
  "withdrawnAt" timestamp with time zone,
  "withdrawnBy" text,
  withdrawals smallint not null default 0,
  alteration text,
  "alterationBy" text,
  "alteredFromId" uuid,
  "photoState" text,
  "consentedAt" timestamp with time zone,
  "imageOf" text,
  constraint property_images_alteration_check CHECK (
CASE
    WHEN alteration IS NULL THEN num_nonnulls("alterationBy", "alteredFromId") = 0
    ELSE (alteration = ANY (ARRAY['Decluttered - Item Removed'::text, 'Model Home'::text, 'Other Media Modification'::text, 'Twilight Conversion'::text, 'Virtual Enhancements'::text, 'Virtual Renovation'::text, 'Virtual Representation - To Be Built'::text, 'Virtual Representation - Under Construction'::text, 'Virtual Staging - Item Addition'::text])) AND NOT "isStyled" AND NOT "isMain" AND "alterationBy" IS NOT NULL AND ("alterationBy" = ANY (ARRAY['AGENT'::text, 'FILE'::text, 'FEED'::text]))
END),
  constraint property_images_altered_from_check CHECK ("alteredFromId" <> id),
  constraint property_images_image_of_check CHECK ("imageOf" IS NULL OR NOT "isStyled" AND "roomType" IS NULL AND ("imageOf" = ANY (ARRAY['Front of Structure'::text, 'Aerial View'::text, 'Entry'::text, 'Lobby'::text, 'Hallway'::text, 'Stairs'::text, 'Breakfast Area'::text, 'Pantry'::text, 'Fireplace'::text, 'Sun Room'::text, 'Library'::text, 'Walk-In Closet(s)'::text, 'Sauna'::text, 'Loft'::text, 'Game Room'::text, 'Exercise Room'::text, 'Laundry'::text, 'Mud Room'::text, 'Utility Room'::text, 'Storage'::text, 'Workshop'::text, 'Wine Cellar'::text, 'Basement'::text, 'Attic'::text, 'Garage'::text, 'Parking'::text, 'Balcony'::text, 'Deck'::text, 'Patio'::text, 'Courtyard'::text, 'Yard'::text, 'Pool'::text, 'Spa'::text, 'Out Buildings'::text, 'Back of Structure'::text, 'Side of Structure'::text, 'View'::text, 'Waterfront'::text, 'Community'::text, 'Map'::text, 'Floor Plan'::text]))),
  constraint property_images_photo_state_check CHECK ("photoState" IS NULL OR NOT "isStyled" AND ("photoState" = ANY (ARRAY['WAITING'::text, 'PHOTO'::text, 'SUSPECT'::text, 'QUESTION'::text, 'STAGED_PICTURE'::text]))),
  constraint property_images_refused_is_no_cover_check CHECK (NOT "isMain" OR "photoState" IS DISTINCT FROM 'STAGED_PICTURE'::text),
  constraint property_images_review_status_check CHECK ("isStyled" = ("reviewStatus" IS NOT NULL)),
  constraint property_images_staged_cannot_be_main_check CHECK (NOT ("isStyled" AND "isMain")),
  constraint property_images_staged_source_check CHECK ("isStyled" = ("styledFromId" IS NOT NULL)),
  constraint property_images_withdrawal_check CHECK (("withdrawnAt" IS NULL) = ("withdrawnBy" IS NULL) AND ("withdrawnAt" IS NULL OR "reviewStatus" = 'APPROVED'::property_image_review_status) AND ("withdrawnBy" = ANY (ARRAY['AGENT'::text, 'REPORTS'::text, 'OPERATOR'::text])) AND withdrawals >= 0),
  constraint "property_images_alteredFromId_fkey" FOREIGN KEY ("alteredFromId") REFERENCES property_images(id) ON DELETE SET NULL,
  constraint "property_images_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "property_images_styledFromId_fkey" FOREIGN KEY ("styledFromId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint property_images_pkey PRIMARY KEY (id),
  constraint "property_images_objectKey_key" UNIQUE ("objectKey"),
  constraint "property_images_paddedInputKey_key" UNIQUE ("paddedInputKey"),
  constraint "property_images_providerInputKey_key" UNIQUE ("providerInputKey")
);

create table property_price_events (
  id bigint not null generated always as identity,
  "propertyId" uuid not null,
  event property_price_event not null,
  at timestamp with time zone not null,
  price numeric(14,2),
  "previousPrice" numeric(14,2),
  "changePct" numeric(18,2),
  currency character(3) not null,
  "pricePerArea" numeric(16,2),
  "areaUnits" text,
  "daysOnMarket" integer,
  source text not null,
  "listingKey" text,
  "correctsId" bigint,
  note text,
  "recordedByUserId" uuid,
  "recordedAt" timestamp with time zone not null,
  constraint property_price_events_correction_explains_itself CHECK ((event = 'CORRECTION'::property_price_event) = ("correctsId" IS NOT NULL) AND (event <> 'CORRECTION'::property_price_event OR note IS NOT NULL)),
  constraint "property_price_events_daysOnMarket_check" CHECK ("daysOnMarket" >= 0),
  constraint property_price_events_import_has_price CHECK (source <> 'import'::text OR price IS NOT NULL),
  constraint property_price_events_price_check CHECK (price >= 0::numeric),
  constraint property_price_events_source_check CHECK (source = ANY (ARRAY['listing'::text, 'import'::text, 'migration'::text])),
  constraint "property_price_events_correctsId_fkey" FOREIGN KEY ("correctsId") REFERENCES property_price_events(id),
  constraint "property_price_events_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint property_price_events_pkey PRIMARY KEY (id)
);

create table provenance_due (
  "stagedImageId" uuid not null,
  tries smallint not null default 0,
  "nextTryAt" timestamp with time zone not null,
  constraint provenance_due_pkey PRIMARY KEY ("stagedImageId")
);

create table provenance_events (
  id bigint not null generated always as identity,
  "stagedImageId" uuid not null,
  kind text not null,
  by text,
  at timestamp with time zone not null,
  constraint provenance_events_kind_check CHECK (kind = ANY (ARRAY['WITHDRAWN'::text, 'LIFTED'::text, 'DELETED'::text])),
  constraint provenance_events_pkey PRIMARY KEY (id)
);

create table provenance_log (
  number integer not null,
  day date not null,
  records integer not null,
  root text not null,
  previous text,
  head text not null,
  signature text,
  certificate text,
  "madeAt" timestamp with time zone not null default clock_timestamp(),
  constraint provenance_log_number_check CHECK (number >= 1 AND (number = 1) = (previous IS NULL)),
  constraint provenance_log_records_check CHECK (records >= 0),
  constraint provenance_log_signature_check CHECK ((signature IS NULL) = (certificate IS NULL)),
  constraint provenance_log_previous_fkey FOREIGN KEY (previous) REFERENCES provenance_log(head),
  constraint provenance_log_pkey PRIMARY KEY (number),
  constraint provenance_log_head_unique UNIQUE (head)
);

create table provenance_log_leaves (
  "stagedImageId" uuid not null,
  entry integer not null,
  "position" integer not null,
  hash bytea not null,
  constraint provenance_log_leaves_entry_fkey FOREIGN KEY (entry) REFERENCES provenance_log(number),
  constraint "provenance_log_leaves_stagedImageId_fkey" FOREIGN KEY ("stagedImageId") REFERENCES provenance_records("stagedImageId"),
  constraint provenance_log_leaves_pkey PRIMARY KEY ("stagedImageId"),
  constraint provenance_log_leaves_place_unique UNIQUE (entry, "position")
);

create table provenance_manifests (
  "stagedImageId" uuid not null,
  variant text not null,
  "manifestId" text not null,
  "signedAt" timestamp with time zone not null,
  constraint "provenance_manifests_manifestId_check" CHECK ("manifestId" ~ '^urn:c2pa:[0-9a-f-]{36}$'::text),
  constraint provenance_manifests_pkey PRIMARY KEY ("stagedImageId", "manifestId")
);

create table provenance_records (
  "stagedImageId" uuid not null,
  "propertyId" uuid not null,
  "originalImageId" uuid not null,
  "aiJobId" uuid,
  "attemptNumber" smallint,
  "originalChecksum" text not null,
  "outputChecksum" text not null,
  "providerModel" text,
  "promptVersion" text,
  "canonicalStyle" canonical_style,
  "legacyStyle" text,
  "roomType" canonical_room_type,
  framing text,
  "requestedByUserId" uuid,
  "approvedByUserId" uuid,
  "approverRole" text,
  "approverOffice" text,
  "disclosureLabel" text not null,
  "requestedAt" timestamp with time zone,
  "stagedAt" timestamp with time zone not null,
  "approvedAt" timestamp with time zone,
  "recordedAt" timestamp with time zone not null,
  constraint provenance_records_checksums_check CHECK ("originalChecksum" ~ '^[0-9a-f]{64}$'::text AND "outputChecksum" ~ '^[0-9a-f]{64}$'::text),
  constraint provenance_records_label_check CHECK ("disclosureLabel" = 'AI · Virtually staged'::text),
  constraint provenance_records_pkey PRIMARY KEY ("stagedImageId")
);

create table published_records (
  resource text not null,
  key uuid not null,
  seq bigint not null,
  "modifiedAt" timestamp with time zone not null,
  "photosAt" timestamp with time zone,
  "goneAt" timestamp with time zone,
  constraint published_records_pkey PRIMARY KEY (resource, key),
  constraint published_records_seq_key UNIQUE (seq)
);

create table push_notices (
  "sessionId" uuid not null,
  kind text not null,
  "subjectId" uuid not null,
  seq bigint not null,
  "createdAt" timestamp with time zone not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint push_notices_kind_check CHECK (kind = ANY (ARRAY['TOUR'::text, 'MESSAGE'::text, 'ALERT'::text])),
  constraint "push_notices_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES push_subscriptions("sessionId") ON DELETE CASCADE,
  constraint push_notices_pkey PRIMARY KEY ("sessionId", kind, "subjectId")
);

create table push_subscriptions (
  "sessionId" uuid not null,
  "userId" uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  "serverKey" text not null,
  "createdAt" timestamp with time zone not null,
  hour timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  sent integer not null default 0,
  constraint push_subscriptions_endpoint_check CHECK (char_length(endpoint) >= 1 AND char_length(endpoint) <= 1000),
  constraint "push_subscriptions_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES session(id) ON DELETE CASCADE,
  constraint "push_subscriptions_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint push_subscriptions_pkey PRIMARY KEY ("sessionId"),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint)
);

create table retention_cuts (
  what text not null,
  before timestamp with time zone not null default '-infinity'::timestamp with time zone,
  "walkedAt" timestamp with time zone not null default '-infinity'::timestamp with time zone,
  "walkedId" bigint not null default 0,
  constraint retention_cuts_pkey PRIMARY KEY (what)
);

create table role_fingerprints (
  role text not null,
  "nodeId" text not null,
  hash text not null,
  "publishedAt" timestamp with time zone not null default now(),
  settings jsonb,
  "beatAt" timestamp with time zone,
  constraint role_fingerprints_pkey PRIMARY KEY (role, "nodeId")
);

create table room_differences (
  "stagedImageId" uuid not null,
  constraint "room_differences_stagedImageId_fkey" FOREIGN KEY ("stagedImageId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint room_differences_pkey PRIMARY KEY ("stagedImageId")
);

create table room_group_photos (
  "groupId" uuid not null,
  "imageId" uuid not null,
  "position" smallint not null,
  constraint room_group_photos_position_check CHECK ("position" >= 1 AND "position" <= 20),
  constraint "room_group_photos_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES room_groups(id) ON DELETE CASCADE,
  constraint "room_group_photos_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES property_images(id) ON DELETE CASCADE,
  constraint room_group_photos_pkey PRIMARY KEY ("groupId", "imageId"),
  constraint room_group_photos_position_key UNIQUE ("groupId", "position")
);

create table room_groups (
  id uuid not null,
  "propertyId" uuid not null,
  number smallint not null,
  "roomType" canonical_room_type not null,
  style canonical_style not null,
  pieces text[] not null,
  materials text[] not null,
  colours text[] not null,
  "createdAt" timestamp with time zone not null,
  constraint room_groups_brief_check CHECK (cardinality(pieces) >= 1 AND cardinality(pieces) <= 8 AND cardinality(materials) >= 1 AND cardinality(materials) <= 3 AND cardinality(colours) >= 1 AND cardinality(colours) <= 4 AND array_to_string((pieces || materials) || colours, ' '::text, '?'::text) ~ '^[a-z_]+( [a-z_]+)*$'::text),
  constraint room_groups_number_check CHECK (number >= 1 AND number <= 50),
  constraint "room_groups_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint room_groups_pkey PRIMARY KEY (id),
  constraint room_groups_number_key UNIQUE ("propertyId", number)
);

create table sample_town (
  id boolean not null default true,
  state text not null,
  "changedAt" timestamp with time zone not null default clock_timestamp(),
  constraint sample_town_one_row_check CHECK (id),
  constraint sample_town_state_check CHECK (state = ANY (ARRAY['LOADING'::text, 'LOADED'::text, 'REMOVED'::text])),
  constraint sample_town_pkey PRIMARY KEY (id)
);

create table saved_search_areas (
  "searchId" uuid not null,
  number smallint not null,
  "cityKey" text,
  "postalCodeKey" text,
  "stateKey" text,
  "propertyId" uuid,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  latitude double precision,
  longitude double precision,
  radius double precision,
  polygon polygon,
  constraint "saved_search_areas_searchId_fkey" FOREIGN KEY ("searchId") REFERENCES saved_searches(id) ON DELETE CASCADE,
  constraint saved_search_areas_pkey PRIMARY KEY ("searchId", number)
);

create table saved_search_keys (
  key bigint not null,
  "searchId" uuid not null,
  "bedsMin" integer not null,
  "priceMax" double precision not null,
  "priceMin" double precision not null,
  "bathsMin" double precision not null,
  "livingMin" double precision not null,
  "yearMin" integer not null,
  "lotMin" double precision not null,
  statuses smallint not null,
  "bedsMax" integer not null,
  "bathsMax" double precision not null,
  "livingMax" double precision not null,
  "yearMax" integer not null,
  "lotMax" double precision not null,
  "garageMin" integer not null,
  "feeMax" double precision not null,
  "featureBits" bigint not null,
  "priceReduced" boolean not null,
  "hasAreas" boolean not null,
  currency text,
  types text[],
  words text,
  constraint "saved_search_keys_searchId_fkey" FOREIGN KEY ("searchId") REFERENCES saved_searches(id) ON DELETE CASCADE,
  constraint saved_search_keys_pkey PRIMARY KEY ("searchId", key)
);

create table saved_searches (
  id uuid not null,
  "userId" uuid not null,
  name text not null,
  filters jsonb not null,
  "filtersHash" text not null,
  sort text not null,
  cadence text not null,
  channels text[] not null,
  "createdAt" timestamp with time zone not null,
  "seenSeq" bigint not null,
  "runSeq" bigint not null,
  "nextRunAt" timestamp with time zone,
  "keysAt" timestamp with time zone,
  "keysVersion" integer not null default 0,
  unnamed integer not null default 0,
  constraint saved_searches_cadence_check CHECK (cadence = ANY (ARRAY['INSTANT'::text, 'DAILY'::text, 'WEEKLY'::text, 'NONE'::text])),
  constraint saved_searches_channels_check CHECK (channels <@ ARRAY['MAIL'::text, 'PUSH'::text] AND cardinality(channels) >= 1 AND cardinality(channels) <= 2),
  constraint saved_searches_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 80),
  constraint saved_searches_next_run_check CHECK ((cadence = 'NONE'::text) = ("nextRunAt" IS NULL)),
  constraint "saved_searches_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint saved_searches_pkey PRIMARY KEY (id),
  constraint saved_searches_once UNIQUE ("userId", "filtersHash")
);

create table search_cell_changes (
  id bigint not null generated always as identity,
  x integer not null,
  y integer not null,
  constraint search_cell_changes_pkey PRIMARY KEY (id)
);

create table search_cells (
  shift smallint not null,
  x integer not null,
  y integer not null,
  count integer not null,
  latitude double precision not null,
  longitude double precision not null,
  "minPrice" double precision not null,
  "maxPrice" double precision not null,
  currency text,
  "westCell" integer not null,
  "eastCell" integer not null,
  "northCell" integer not null,
  "southCell" integer not null,
  "propertyId" uuid not null,
  constraint search_cells_pkey PRIMARY KEY (shift, x, y)
);

create table search_epoch (
  id smallint not null,
  epoch uuid not null,
  "throughId" uuid,
  "beganAt" timestamp with time zone not null,
  "finishedAt" timestamp with time zone,
  constraint search_epoch_one_row_check CHECK (id = 1),
  constraint search_epoch_pkey PRIMARY KEY (id)
);

create table search_listings (
  "propertyId" uuid not null,
  "onMarket" boolean not null,
  "standardStatus" text not null,
  rank smallint not null,
  "listPrice" double precision not null,
  currency text not null,
  "priceReduced" boolean not null,
  "bedroomsTotal" integer,
  "bathroomsTotal" double precision,
  "livingArea" double precision,
  "lotSize" double precision,
  "pricePerArea" double precision,
  "yearBuilt" integer,
  "propertyType" text,
  features text[] not null,
  latitude double precision,
  longitude double precision,
  "cellX" integer,
  "cellY" integer,
  "listedAt" timestamp with time zone,
  "offMarketAt" timestamp with time zone,
  "updatedAt" timestamp with time zone not null,
  "featureBits" bigint,
  "cityKey" text,
  "postalCodeKey" text,
  "garageSpaces" smallint,
  "monthlyFee" double precision,
  "soldAt" timestamp with time zone,
  "propertySubType" text,
  constraint "search_listings_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint search_listings_pkey PRIMARY KEY ("propertyId")
);

create table search_matches (
  "searchId" uuid not null,
  "propertyId" uuid not null,
  "eventId" bigint not null,
  kind text not null,
  "openHouseId" uuid,
  "createdAt" timestamp with time zone not null,
  "dueAt" timestamp with time zone not null,
  "alertId" uuid,
  constraint "search_matches_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "search_matches_searchId_fkey" FOREIGN KEY ("searchId") REFERENCES saved_searches(id) ON DELETE CASCADE,
  constraint search_matches_pkey PRIMARY KEY ("searchId", "propertyId", "eventId")
);

create table search_tombstones (
  "propertyId" uuid not null,
  "deletedAt" timestamp with time zone not null default now(),
  constraint search_tombstones_pkey PRIMARY KEY ("propertyId")
);

create table search_words (
  "propertyId" uuid not null,
  words tsvector not null,
  constraint "search_words_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES search_listings("propertyId") ON DELETE CASCADE,
  constraint search_words_pkey PRIMARY KEY ("propertyId")
);

create table seen_homes (
  "userId" uuid not null,
  "propertyId" uuid not null,
  at timestamp with time zone not null,
  constraint "seen_homes_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint "seen_homes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint seen_homes_pkey PRIMARY KEY ("userId", "propertyId")
);

create table server_heartbeat (
  id integer not null default 1,
  at timestamp with time zone not null,
  constraint server_heartbeat_one_row_check CHECK (id = 1),
  constraint server_heartbeat_pkey PRIMARY KEY (id)
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
  "lastUsedAt" timestamp with time zone not null default now(),
  "earlierNameSince" timestamp with time zone default now(),
  "lastWriteLsn" pg_lsn,
  "verifiedAt" timestamp with time zone,
  constraint "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_key UNIQUE (token)
);

create table shared_lists (
  "userId" uuid not null,
  "secretHash" text not null,
  name text not null,
  "withNotes" boolean not null,
  "createdAt" timestamp with time zone not null,
  constraint shared_lists_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 100),
  constraint "shared_lists_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint shared_lists_pkey PRIMARY KEY ("userId")
);

create table sign_in_codes (
  email text not null,
  holder text not null,
  network text not null,
  "codeHash" text not null,
  tries integer not null default 0,
  "looseTries" integer not null default 0,
  "askedAt" timestamp with time zone not null,
  "expiresAt" timestamp with time zone not null,
  constraint sign_in_codes_pkey PRIMARY KEY (email, holder)
);

create table sign_in_mails (
  id uuid not null default gen_random_uuid(),
  "userId" uuid not null,
  "signedInAt" timestamp with time zone not null,
  client text,
  system text,
  network text,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint "sign_in_mails_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint sign_in_mails_pkey PRIMARY KEY (id)
);

create table staged_fingerprint_keys (
  key integer not null,
  "stagedImageId" uuid not null,
  hash bigint not null,
  constraint "staged_fingerprint_keys_stagedImageId_fkey" FOREIGN KEY ("stagedImageId") REFERENCES staged_fingerprints("stagedImageId"),
  constraint staged_fingerprint_keys_pkey PRIMARY KEY (key, "stagedImageId") INCLUDE (hash)
);

create table staged_fingerprints (
  "stagedImageId" uuid not null,
  "propertyId" uuid not null,
  "aiJobId" uuid,
  "stagedKey" text,
  "originalKey" text,
  "createdAt" timestamp with time zone not null,
  "isQuestion" boolean not null,
  "nextTryAt" timestamp with time zone default clock_timestamp(),
  tries smallint not null default 0,
  claim uuid,
  "madeAt" timestamp with time zone,
  algorithm smallint,
  pictures bytea,
  margins smallint[],
  "givenUp" text,
  constraint staged_fingerprints_given_up_check CHECK ("givenUp" = ANY (ARRAY['OBJECT_MISSING'::text, 'UNREADABLE'::text, 'TRIES'::text])),
  constraint staged_fingerprints_made_check CHECK (
CASE
    WHEN "madeAt" IS NOT NULL THEN num_nonnulls(algorithm, pictures, margins) = 3 AND num_nonnulls("nextTryAt", "givenUp", "stagedKey", "originalKey") = 0
    WHEN "givenUp" IS NOT NULL THEN num_nonnulls(algorithm, pictures, margins, "nextTryAt") = 0
    ELSE num_nonnulls(algorithm, pictures, margins) = 0 AND "nextTryAt" IS NOT NULL
END),
  constraint staged_fingerprints_pkey PRIMARY KEY ("stagedImageId")
);

create table standby_heartbeat (
  id integer not null default 1,
  server text not null default ''::text,
  beat bigint not null default 0,
  at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint standby_heartbeat_one_row_check CHECK (id = 1),
  constraint standby_heartbeat_pkey PRIMARY KEY (id)
);

create table start_gate (
  id uuid not null,
  status start_gate_status not null default 'OPEN'::start_gate_status,
  "changedAt" timestamp with time zone,
  version integer not null default 0,
  server text,
  "newServer" text,
  "certainUntil" timestamp with time zone,
  "trustedAt" timestamp with time zone,
  "gapFrom" timestamp with time zone,
  "gapUntil" timestamp with time zone,
  constraint start_gate_one_row_check CHECK (id = '00000000-0000-4000-8000-000000000001'::uuid),
  constraint start_gate_pkey PRIMARY KEY (id)
);

create table start_places (
  place integer not null,
  "usedAt" timestamp with time zone not null,
  constraint start_places_pkey PRIMARY KEY (place)
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

create table sweep_turns (
  name text not null,
  turn bigint not null,
  holder text,
  "beganAt" timestamp with time zone not null,
  "heldUntil" timestamp with time zone,
  constraint sweep_turns_held_check CHECK ((holder IS NULL) = ("heldUntil" IS NULL)),
  constraint sweep_turns_pkey PRIMARY KEY (name)
);

create table tour_mails (
  "tourId" uuid not null,
  seq integer not null,
  side text not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint tour_mails_side_check CHECK (side = ANY (ARRAY['customer'::text, 'agent'::text])),
  constraint "tour_mails_tourId_fkey" FOREIGN KEY ("tourId") REFERENCES tours(id) ON DELETE CASCADE,
  constraint tour_mails_pkey PRIMARY KEY ("tourId", seq, side)
);

create table tour_reads (
  "userId" uuid not null,
  "tourId" uuid not null,
  version integer not null,
  constraint tour_reads_version_check CHECK (version > 0),
  constraint "tour_reads_tourId_fkey" FOREIGN KEY ("tourId") REFERENCES tours(id) ON DELETE CASCADE,
  constraint "tour_reads_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint tour_reads_pkey PRIMARY KEY ("userId", "tourId")
);

create table tours (
  id uuid not null,
  "customerId" uuid not null,
  "propertyId" uuid not null,
  "agentId" uuid not null,
  kind tour_kind not null,
  note text,
  status tour_status not null,
  "proposedSlots" jsonb not null default '[]'::jsonb,
  "proposedBy" text,
  "proposedById" uuid,
  rounds integer not null default 0,
  "proposalExpiresAt" timestamp with time zone,
  "heldStartsAt" timestamp with time zone,
  "heldEndsAt" timestamp with time zone,
  reason text,
  "closedAt" timestamp with time zone,
  "closedBy" text,
  "closedFrom" tour_status,
  version integer not null default 0,
  "createdAt" timestamp with time zone not null,
  "updatedAt" timestamp with time zone not null,
  undone boolean not null default false,
  "contestedAt" timestamp with time zone,
  "contestReadAt" timestamp with time zone,
  constraint "tours_closedBy_check" CHECK ("closedBy" = ANY (ARRAY['customer'::text, 'agent'::text, 'system'::text])),
  constraint "tours_closedFrom_check" CHECK ("closedFrom" = ANY (ARRAY['REQUESTED'::tour_status, 'RESCHEDULE_PROPOSED'::tour_status, 'CONFIRMED'::tour_status])),
  constraint tours_closed_check CHECK (
CASE
    WHEN status = ANY (ARRAY['REQUESTED'::tour_status, 'RESCHEDULE_PROPOSED'::tour_status, 'CONFIRMED'::tour_status]) THEN num_nonnulls("closedAt", "closedBy", "closedFrom", reason) = 0
    ELSE num_nulls("closedAt", "closedBy", "closedFrom") = 0
END),
  constraint tours_contest_check CHECK (("contestedAt" IS NULL OR status = 'NO_SHOW'::tour_status) AND ("contestReadAt" IS NULL OR "contestedAt" IS NOT NULL)),
  constraint tours_held_slot_check CHECK (("heldStartsAt" IS NULL) = ("heldEndsAt" IS NULL) AND "heldStartsAt" < "heldEndsAt"),
  constraint tours_proposal_check CHECK (
CASE
    WHEN jsonb_array_length("proposedSlots") = 0 THEN "proposedBy" IS NULL AND "proposedById" IS NULL AND "proposalExpiresAt" IS NULL AND rounds = 0
    ELSE "proposedBy" IS NOT NULL AND "proposedById" IS NOT NULL AND "proposalExpiresAt" IS NOT NULL
END),
  constraint "tours_proposedBy_check" CHECK ("proposedBy" = ANY (ARRAY['customer'::text, 'agent'::text])),
  constraint tours_rounds_check CHECK (rounds >= 0 AND rounds <= 5),
  constraint tours_slots_check CHECK (jsonb_typeof("proposedSlots") = 'array'::text AND jsonb_array_length("proposedSlots") <= 3),
  constraint tours_status_check CHECK (
CASE status
    WHEN 'REQUESTED'::tour_status THEN jsonb_array_length("proposedSlots") > 0 AND rounds = 0 AND "proposedBy" = 'customer'::text AND "heldStartsAt" IS NULL
    WHEN 'RESCHEDULE_PROPOSED'::tour_status THEN jsonb_array_length("proposedSlots") > 0 AND rounds > 0
    WHEN 'CONFIRMED'::tour_status THEN jsonb_array_length("proposedSlots") = 0 AND "heldStartsAt" IS NOT NULL
    WHEN 'COMPLETED'::tour_status THEN "heldStartsAt" IS NOT NULL
    WHEN 'NO_SHOW'::tour_status THEN "heldStartsAt" IS NOT NULL
    ELSE true
END),
  constraint "tours_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "user"(id),
  constraint "tours_customerId_fkey" FOREIGN KEY ("customerId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint "tours_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint tours_pkey PRIMARY KEY (id),
  constraint tours_held_slots_do_not_overlap EXCLUDE USING gist ("agentId" WITH =, tstzrange("heldStartsAt", "heldEndsAt") WITH &&) WHERE ("heldStartsAt" IS NOT NULL AND (status = ANY (ARRAY['RESCHEDULE_PROPOSED'::tour_status, 'CONFIRMED'::tour_status])))
);

create table "user" (
  id uuid not null default gen_random_uuid(),
  name text not null,
  email text,
  "emailVerified" boolean not null default false,
  image text,
  "createdAt" timestamp with time zone not null default now(),
  "updatedAt" timestamp with time zone not null default now(),
  role text not null default 'customer'::text,
  phone text,
  locale text not null default 'en'::text,
  "licenseNumber" text,
  "officeName" text,
  "emailPublic" boolean not null default false,
  "mutedMails" text[] not null default '{}'::text[],
  "suspendedAt" timestamp with time zone,
  "mutesMessages" boolean not null default false,
  "feedUser" boolean not null default false,
  constraint user_locale_check CHECK (locale = ANY (ARRAY['en'::text, 'es'::text])),
  constraint user_muted_mails_check CHECK ("mutedMails" <@ ARRAY['TOUR_REQUESTED'::text, 'TOUR_PROPOSED'::text, 'TOUR_CONFIRMED'::text, 'TOUR_DECLINED'::text, 'TOUR_CANCELED'::text, 'PICTURE_WITHDRAWN'::text, 'LISTING_OFFER'::text] AND (email IS NOT NULL OR "mutedMails" = '{}'::text[])),
  constraint user_role_check CHECK (role = ANY (ARRAY['customer'::text, 'agent'::text])),
  constraint user_tombstone_check CHECK (email IS NOT NULL OR name = ''::text AND NOT "emailVerified" AND image IS NULL AND phone IS NULL AND role = 'customer'::text AND locale = 'en'::text AND "licenseNumber" IS NULL AND "officeName" IS NULL AND NOT "emailPublic" AND "createdAt" = '1970-01-01 00:00:00+00'::timestamp with time zone AND "updatedAt" = '1970-01-01 00:00:00+00'::timestamp with time zone),
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

create table webhook_deliveries (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated by default as identity,
  "endpointId" uuid not null,
  "propertyId" uuid,
  event text not null,
  "subjectId" uuid,
  number integer,
  "createdAt" timestamp with time zone not null,
  state text not null default 'WAITING'::text,
  attempts integer not null default 0,
  "firstAttemptAt" timestamp with time zone,
  "nextAttemptAt" timestamp with time zone not null,
  status integer,
  problem text,
  "tookMs" integer,
  "endedAt" timestamp with time zone,
  constraint webhook_deliveries_ended_check CHECK ((state = 'WAITING'::text) = ("endedAt" IS NULL)),
  constraint webhook_deliveries_state_check CHECK (state = ANY (ARRAY['WAITING'::text, 'DELIVERED'::text, 'FAILED'::text, 'DROPPED'::text])),
  constraint webhook_deliveries_subject_check CHECK (("propertyId" IS NULL) = ("subjectId" IS NULL)),
  constraint webhook_deliveries_test_check CHECK ((event = 'webhook.test'::text) = ("propertyId" IS NULL)),
  constraint "webhook_deliveries_endpointId_fkey" FOREIGN KEY ("endpointId") REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint "webhook_deliveries_propertyId_fkey" FOREIGN KEY ("propertyId") REFERENCES properties(id) ON DELETE CASCADE,
  constraint webhook_deliveries_pkey PRIMARY KEY (id)
);

create table webhook_endpoints (
  id uuid not null,
  "userId" uuid,
  url text not null,
  events text[] not null,
  secret text not null,
  "formerSecret" text,
  "formerUntil" timestamp with time zone,
  state text not null default 'ACTIVE'::text,
  "offReason" text,
  "offAt" timestamp with time zone,
  "createdAt" timestamp with time zone not null,
  "servedAt" timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  "busyUntil" timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  "nextAttemptAt" timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  "deliveredAt" timestamp with time zone,
  failures integer not null default 0,
  sent bigint not null default 0,
  "requestedHour" timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  requested integer not null default 0,
  constraint webhook_endpoints_events_check CHECK (cardinality(events) >= 1 AND events <@ ARRAY['tour.requested'::text, 'tour.confirmed'::text, 'message.received'::text, 'listing.changed'::text, 'picture.approved'::text]),
  constraint webhook_endpoints_former_check CHECK (("formerSecret" IS NULL) = ("formerUntil" IS NULL)),
  constraint webhook_endpoints_off_check CHECK ((state = 'OFF'::text) = ("offReason" IS NOT NULL) AND ("offReason" IS NULL) = ("offAt" IS NULL) AND ("offReason" = ANY (ARRAY['OWNER'::text, 'FAILING'::text, 'GONE'::text, 'TOO_MUCH_WAITS'::text, 'SECRET_LOST'::text, 'SUSPENDED'::text]))),
  constraint webhook_endpoints_state_check CHECK (state = ANY (ARRAY['ACTIVE'::text, 'OFF'::text])),
  constraint webhook_endpoints_url_check CHECK (char_length(url) >= 1 AND char_length(url) <= 500),
  constraint "webhook_endpoints_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_once UNIQUE NULLS NOT DISTINCT ("userId", url)
);

create table webhook_mails (
  "endpointId" uuid not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null,
  constraint "webhook_mails_endpointId_fkey" FOREIGN KEY ("endpointId") REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_mails_pkey PRIMARY KEY ("endpointId")
);

create table witness_mails (
  entry integer not null,
  email text not null,
  attempts integer not null default 0,
  "nextAttemptAt" timestamp with time zone not null default clock_timestamp(),
  constraint witness_mails_entry_fkey FOREIGN KEY (entry) REFERENCES provenance_log(number),
  constraint witness_mails_pkey PRIMARY KEY (entry, email)
);

-- Indexes

CREATE INDEX "account_userId_idx" ON account USING btree ("userId");

CREATE INDEX actor_transitions_at_idx ON actor_transitions USING btree (at);

CREATE INDEX agent_invitation_mails_due_idx ON agent_invitation_mails USING btree ("nextAttemptAt");

CREATE INDEX agent_invitations_accepted_idx ON agent_invitations USING btree ("acceptedById");

CREATE UNIQUE INDEX agent_invitations_email_key ON agent_invitations USING btree (email, "invitedById") NULLS NOT DISTINCT;

CREATE INDEX agent_invitations_expiry_idx ON agent_invitations USING btree ("expiresAt");

CREATE INDEX agent_invitations_maker_idx ON agent_invitations USING btree ("invitedById");

CREATE UNIQUE INDEX agent_invitations_secret_key ON agent_invitations USING btree ("secretHash");

CREATE INDEX agent_job_counts_hour_idx ON agent_job_counts USING btree (hour);

CREATE INDEX agent_standings_waiting_idx ON agent_standings USING btree ("agentSince", "agentId") WHERE ("approvedAt" IS NULL);

CREATE INDEX ai_job_traces_created_idx ON ai_job_traces USING btree ("createdAt");

CREATE UNIQUE INDEX ai_jobs_active_description_dedupe_uidx ON ai_jobs USING btree ("dedupeKey") WHERE ((type = 'DESCRIPTION'::ai_job_type) AND (status = ANY (ARRAY['PENDING'::ai_job_status, 'PROCESSING'::ai_job_status, 'RETRYING'::ai_job_status, 'CANCEL_REQUESTED'::ai_job_status])));

CREATE INDEX ai_jobs_active_idx ON ai_jobs USING btree (type, status, "createdAt", id) WHERE (status = ANY (ARRAY['PENDING'::ai_job_status, 'PROCESSING'::ai_job_status, 'RETRYING'::ai_job_status, 'CANCEL_REQUESTED'::ai_job_status]));

CREATE UNIQUE INDEX ai_jobs_active_staging_dedupe_uidx ON ai_jobs USING btree ("dedupeKey") WHERE ((type = 'ROOM_STAGING'::ai_job_type) AND (status = ANY (ARRAY['PENDING'::ai_job_status, 'PROCESSING'::ai_job_status, 'RETRYING'::ai_job_status, 'CANCEL_REQUESTED'::ai_job_status])));

CREATE INDEX ai_jobs_agent_start_order_idx ON ai_jobs USING btree (COALESCE("requestedByUserId", '00000000-0000-0000-0000-000000000000'::uuid), "startOrder") WHERE ((status = 'PENDING'::ai_job_status) AND ("startOrder" > 0));

CREATE INDEX ai_jobs_descriptions_of_agent_idx ON ai_jobs USING btree ("requestedByUserId", "createdAt") WHERE (("requestedByUserId" IS NOT NULL) AND (type = 'DESCRIPTION'::ai_job_type));

CREATE INDEX ai_jobs_held_idx ON ai_jobs USING btree ("leaseOwner") WHERE ("leaseOwner" IS NOT NULL);

CREATE INDEX ai_jobs_newest_idx ON ai_jobs USING btree (type, status, "createdAt" DESC, id DESC);

CREATE INDEX ai_jobs_open_staging_of_agent_idx ON ai_jobs USING btree ("requestedByUserId") WHERE (("requestedByUserId" IS NOT NULL) AND (type = 'ROOM_STAGING'::ai_job_type) AND (status = ANY (ARRAY['PENDING'::ai_job_status, 'PROCESSING'::ai_job_status, 'RETRYING'::ai_job_status, 'CANCEL_REQUESTED'::ai_job_status])));

CREATE INDEX "ai_jobs_propertyId_idx" ON ai_jobs USING btree ("propertyId");

CREATE INDEX ai_jobs_quarantined_idx ON ai_jobs USING btree (id) WHERE ("quarantinedAt" IS NOT NULL);

CREATE INDEX ai_jobs_requester_idx ON ai_jobs USING btree ("requestedByUserId", id) WHERE ("requestedByUserId" IS NOT NULL);

CREATE INDEX ai_jobs_start_order_idx ON ai_jobs USING btree ("startOrder") WHERE ((status = 'PENDING'::ai_job_status) AND ("startOrder" > 0) AND ("quarantinedAt" IS NULL));

CREATE INDEX "ai_jobs_status_retryAt_idx" ON ai_jobs USING btree (status, "retryAt");

CREATE INDEX ai_provider_attempts_awaited_idx ON ai_provider_attempts USING btree (id) WHERE (("notListedAt" IS NULL) AND ((status = 'UNCONFIRMED'::ai_provider_attempt_status) OR ("goneSince" IS NOT NULL)));

CREATE INDEX ai_provider_attempts_newest_idx ON ai_provider_attempts USING btree (status, "createdAt" DESC, id DESC);

CREATE INDEX "ai_provider_attempts_sentAt_idx" ON ai_provider_attempts USING btree ("sentAt" DESC, "aiJobId" DESC) WHERE ("sentAt" IS NOT NULL);

CREATE INDEX ai_provider_attempts_stray_idx ON ai_provider_attempts USING btree ("strayPredictionId") WHERE ("strayPredictionId" IS NOT NULL);

CREATE INDEX ai_provider_attempts_unpriced_idx ON ai_provider_attempts USING btree ("sentAt") WHERE (("sentAt" IS NOT NULL) AND ("costKind" IS NULL));

CREATE INDEX "ai_provider_webhook_receipts_providerAttemptId_idx" ON ai_provider_webhook_receipts USING btree ("providerAttemptId");

CREATE INDEX ai_provider_webhook_receipts_received_idx ON ai_provider_webhook_receipts USING btree ("receivedAt");

CREATE INDEX "ai_room_staging_jobs_createdAt_idx" ON ai_room_staging_jobs USING btree ("createdAt");

CREATE INDEX "ai_room_staging_jobs_groupId_idx" ON ai_room_staging_jobs USING btree ("groupId") WHERE ("groupId" IS NOT NULL);

CREATE INDEX "ai_room_staging_jobs_originalImageId_idx" ON ai_room_staging_jobs USING btree ("originalImageId");

CREATE INDEX alert_events_bulk_idx ON alert_events USING btree (seq) WHERE ((seq IS NOT NULL) AND "isBulk");

CREATE INDEX alert_events_matched_idx ON alert_events USING btree ("matchedAt") WHERE ("matchedAt" IS NOT NULL);

CREATE INDEX alert_events_of_listing_idx ON alert_events USING btree ("propertyId", seq);

CREATE UNIQUE INDEX alert_events_seq_idx ON alert_events USING btree (seq) WHERE (seq IS NOT NULL);

CREATE INDEX alert_events_waiting_idx ON alert_events USING btree (id) WHERE (seq IS NULL);

CREATE INDEX alert_mails_due_idx ON alert_mails USING btree ("nextAttemptAt");

CREATE INDEX alert_settings_run_idx ON alert_settings USING btree ("nextRunAt") WHERE ("nextRunAt" IS NOT NULL);

CREATE INDEX alerts_created_idx ON alerts USING btree ("createdAt");

CREATE INDEX alerts_of_person_idx ON alerts USING btree ("userId", id);

CREATE INDEX alerts_of_search_idx ON alerts USING btree ("searchId");

CREATE INDEX api_tokens_of_client_idx ON api_tokens USING btree ("clientId", "createdAt");

CREATE INDEX cache_purges_due_idx ON cache_purges USING btree ("nextTryAt");

CREATE INDEX console_sign_outs_ends_idx ON console_sign_outs USING btree ("endsAt");

CREATE INDEX data_reports_listing_idx ON data_reports USING btree ("propertyId", "createdAt");

CREATE INDEX data_reports_time_idx ON data_reports USING btree ("createdAt", id);

CREATE INDEX disclosure_confirmations_agent_idx ON disclosure_confirmations USING btree ("agentId", id);

CREATE INDEX drift_comparisons_due_idx ON drift_comparisons USING btree ("createdAt") WHERE ("nextTryAt" IS NOT NULL);

CREATE INDEX favorite_matches_created_idx ON favorite_matches USING btree ("createdAt");

CREATE INDEX favorite_matches_due_idx ON favorite_matches USING btree ("dueAt", "userId") WHERE ("alertId" IS NULL);

CREATE INDEX favorite_matches_of_listing_idx ON favorite_matches USING btree ("propertyId");

CREATE INDEX "favorites_propertyId_idx" ON favorites USING btree ("propertyId");

CREATE INDEX favorites_saved_idx ON favorites USING btree ("userId", "savedAt" DESC, "propertyId" DESC);

CREATE INDEX feed_media_due_idx ON feed_media USING btree ("feedId", "isFirst", "nextAttemptAt") WHERE ("nextAttemptAt" IS NOT NULL);

CREATE INDEX feed_media_image_idx ON feed_media USING btree ("imageId") WHERE ("imageId" IS NOT NULL);

CREATE INDEX feed_records_open_house_idx ON feed_records USING btree ("feedId", ((raw ->> 'ListingKey'::text))) WHERE (resource = 'OpenHouse'::text);

CREATE UNIQUE INDEX feed_records_property_idx ON feed_records USING btree ("propertyId") WHERE ((resource = 'Property'::text) AND ("propertyId" IS NOT NULL));

CREATE INDEX feed_requests_of_account_idx ON feed_requests USING btree (account, until) INCLUDE (bytes, "isOpen");

CREATE INDEX feed_requests_until_idx ON feed_requests USING btree (until);

CREATE INDEX growth_counts_since_idx ON growth_counts USING btree (since);

CREATE INDEX "hidden_homes_propertyId_idx" ON hidden_homes USING btree ("propertyId");

CREATE INDEX host_checks_requested_idx ON host_checks USING btree ("requestedAt");

CREATE INDEX idempotency_keys_created_idx ON idempotency_keys USING btree ("createdAt");

CREATE INDEX idempotency_keys_person_idx ON idempotency_keys USING btree ("userId", "createdAt");

CREATE INDEX "legacy_messages_answeredAt_idx" ON legacy_messages USING btree ("answeredAt");

CREATE INDEX "listing_addresses_addressText_idx" ON listing_addresses USING gin ("addressText" gin_trgm_ops);

CREATE INDEX listing_addresses_beginning_idx ON listing_addresses USING btree ("addressText" COLLATE "C");

CREATE INDEX listing_addresses_region_idx ON listing_addresses USING btree ("regionText");

CREATE INDEX listing_addresses_words_idx ON listing_addresses USING gin ((("addressText" || "regionText")) gin_trgm_ops);

CREATE INDEX listing_changes_order_idx ON listing_changes USING btree ("isUrgent" DESC, id);

CREATE INDEX listing_offers_ended_idx ON listing_offers USING btree ("endedAt") WHERE (status = ANY (ARRAY['DECLINED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text]));

CREATE INDEX listing_offers_expiry_idx ON listing_offers USING btree ("expiresAt") WHERE (status = 'OPEN'::text);

CREATE INDEX listing_offers_from_idx ON listing_offers USING btree ("fromAgentId", "createdAt" DESC, id DESC);

CREATE UNIQUE INDEX listing_offers_open_key ON listing_offers USING btree ("propertyId", kind, "toAgentId") WHERE (status = 'OPEN'::text);

CREATE INDEX listing_offers_property_idx ON listing_offers USING btree ("propertyId", "endedAt" DESC);

CREATE INDEX listing_offers_to_idx ON listing_offers USING btree ("toAgentId", "createdAt" DESC, id DESC);

CREATE INDEX listing_region_changes_region_idx ON listing_region_changes USING btree ("regionText");

CREATE INDEX listing_regions_region_idx ON listing_regions USING btree ("regionText");

CREATE INDEX listing_regions_words_idx ON listing_regions USING gin ("regionText" gin_trgm_ops);

CREATE INDEX listing_views_day_idx ON listing_views USING btree (day);

CREATE INDEX mail_hours_due_idx ON mail_hours USING btree ("nextAttemptAt");

CREATE INDEX message_mails_due_idx ON message_mails USING btree ("nextAttemptAt");

CREATE INDEX message_mails_of_reader_idx ON message_mails USING btree ("userId");

CREATE INDEX message_reads_thread_idx ON message_reads USING btree ("threadId");

CREATE INDEX message_reports_newest_idx ON message_reports USING btree ("createdAt" DESC, id DESC);

CREATE INDEX message_reports_of_reporter_idx ON message_reports USING btree ("reporterId");

CREATE INDEX message_threads_of_customer_idx ON message_threads USING btree ("customerId", "customerAt" DESC, id DESC);

CREATE INDEX message_threads_of_listing_idx ON message_threads USING btree ("propertyId", "createdAt");

CREATE INDEX mismatch_reports_acknowledged_idx ON mismatch_reports USING btree ("answeredAt", "stagedImageId") WHERE (status = 'ACKNOWLEDGED'::mismatch_report_status);

CREATE INDEX mismatch_reports_customer_idx ON mismatch_reports USING btree ("customerId", "propertyId");

CREATE INDEX mismatch_reports_newest_idx ON mismatch_reports USING btree (status, "createdAt" DESC, id DESC);

CREATE INDEX mismatch_reports_open_idx ON mismatch_reports USING btree ("stagedImageId") WHERE (status = 'OPEN'::mismatch_report_status);

CREATE INDEX mismatch_reports_picture_idx ON mismatch_reports USING btree ("stagedImageId", status);

CREATE INDEX mismatch_reports_property_idx ON mismatch_reports USING btree ("propertyId", "createdAt" DESC, id DESC);

CREATE INDEX mismatch_reports_tour_idx ON mismatch_reports USING btree ("tourId");

CREATE INDEX offer_mails_due_idx ON offer_mails USING btree ("nextAttemptAt");

CREATE INDEX open_houses_ahead_idx ON open_houses USING btree ("endsAt", "startsAt") WHERE ("canceledAt" IS NULL);

CREATE INDEX open_houses_feed_key_idx ON open_houses USING btree ("feedKey") WHERE ("feedKey" IS NOT NULL);

CREATE INDEX open_houses_of_listing_idx ON open_houses USING btree ("propertyId", "startsAt" DESC);

CREATE INDEX operator_acts_client_idx ON operator_acts USING btree ("clientId", at) WHERE ("clientId" IS NOT NULL);

CREATE INDEX operator_acts_invitation_idx ON operator_acts USING btree ("invitationId", at) WHERE ("invitationId" IS NOT NULL);

CREATE INDEX operator_acts_person_idx ON operator_acts USING btree ("personId", at) WHERE ("personId" IS NOT NULL);

CREATE INDEX operator_acts_property_idx ON operator_acts USING btree ("propertyId", at) WHERE ("propertyId" IS NOT NULL);

CREATE INDEX photo_alteration_events_by_idx ON photo_alteration_events USING btree (by, id);

CREATE INDEX photo_alteration_events_image_idx ON photo_alteration_events USING btree ("imageId", at);

CREATE INDEX photo_checks_due_idx ON photo_checks USING btree ("isOlder", "nextTryAt") WHERE ("nextTryAt" IS NOT NULL);

CREATE INDEX photo_checks_found_idx ON photo_checks USING btree ("checkedAt") WHERE (verdict = 'STAGED_PICTURE'::text);

CREATE INDEX photo_checks_owner_turn_idx ON photo_checks USING btree ("ownerAgentId", turn) WHERE ((verdict IS NULL) AND (NOT "isOlder"));

CREATE INDEX photo_checks_property_idx ON photo_checks USING btree ("propertyId");

CREATE INDEX photo_checks_turn_idx ON photo_checks USING btree (turn, "createdAt") WHERE ((verdict IS NULL) AND (NOT "isOlder"));

CREATE INDEX photo_checks_untried_turn_idx ON photo_checks USING btree (turn) WHERE ((verdict IS NULL) AND (NOT "isOlder") AND (tries = 0));

CREATE INDEX picture_mails_due_idx ON picture_mails USING btree ("nextAttemptAt");

CREATE INDEX "places_headText_idx" ON places USING gin ("headText" gin_trgm_ops);

CREATE INDEX places_on_maps_idx ON places USING btree (kind, latitude);

CREATE INDEX "places_searchText_idx" ON places USING gin ("searchText" gin_trgm_ops);

CREATE INDEX properties_address_idx ON properties USING btree (search_text(address));

CREATE INDEX properties_city_region_idx ON properties USING btree (country, lower(city));

CREATE INDEX properties_feed_idx ON properties USING btree ("feedId", id) WHERE ("feedId" IS NOT NULL);

CREATE INDEX properties_hidden_idx ON properties USING btree (id) WHERE ("hiddenFor" <> '{}'::text[]);

CREATE INDEX properties_list_license_idx ON properties USING btree (NULLIF(upper(regexp_replace("listAgentLicense", '[^A-Za-z0-9]'::text, ''::text, 'g'::text)), ''::text)) WHERE ("feedId" IS NOT NULL);

CREATE INDEX properties_neighbours_idx ON properties USING gist (point((longitude + (360)::double precision), (latitude + (90)::double precision))) INCLUDE (id, country, city, "stateOrProvince", currency, "propertyType", "propertySubType", "listPrice", "bedroomsTotal", "livingArea", latitude, longitude) WHERE ("standardStatus" = ANY (ARRAY['Active'::text, 'Active Under Contract'::text, 'Coming Soon'::text]));

CREATE UNIQUE INDEX properties_originating_system_key ON properties USING btree ("originatingSystemName", "originatingSystemKey");

CREATE INDEX "properties_ownerAgentId_idx" ON properties USING btree ("ownerAgentId");

CREATE INDEX properties_postal_region_idx ON properties USING btree (country, "postalCode");

CREATE INDEX properties_search_dirty_idx ON properties USING btree ("searchDirtyAt") WHERE ("searchDirtyAt" IS NOT NULL);

CREATE INDEX "property_agents_agentId_idx" ON property_agents USING btree ("agentId");

CREATE INDEX property_image_review_events_actor_idx ON property_image_review_events USING btree ("actorUserId", id) WHERE ("actorUserId" IS NOT NULL);

CREATE UNIQUE INDEX "property_images_aiJobId_uidx" ON property_images USING btree ("aiJobId");

CREATE INDEX "property_images_alteredFromId_idx" ON property_images USING btree ("alteredFromId") WHERE ("alteredFromId" IS NOT NULL);

CREATE INDEX property_images_awaiting_operator_idx ON property_images USING btree ("withdrawnAt") WHERE ("withdrawnBy" = 'REPORTS'::text);

CREATE UNIQUE INDEX property_images_live_legacy_staged_variant_uidx ON property_images USING btree ("styledFromId", style) NULLS NOT DISTINCT WHERE ("isStyled" AND ("canonicalStyle" IS NULL));

CREATE UNIQUE INDEX property_images_live_staged_variant_uidx ON property_images USING btree ("styledFromId", "canonicalStyle") WHERE ("isStyled" AND ("canonicalStyle" IS NOT NULL) AND ("withdrawnAt" IS NULL));

CREATE INDEX property_images_newest_review_idx ON property_images USING btree ((
CASE
    WHEN ("withdrawnAt" IS NOT NULL) THEN 'WITHDRAWN'::text
    WHEN ("reviewStatus" = 'APPROVED'::property_image_review_status) THEN 'APPROVED'::text
    ELSE 'PENDING_REVIEW'::text
END), "createdAt" DESC, id DESC) WHERE "isStyled";

CREATE UNIQUE INDEX property_images_one_main_uidx ON property_images USING btree ("propertyId") WHERE "isMain";

CREATE INDEX "property_images_propertyId_idx" ON property_images USING btree ("propertyId");

CREATE INDEX "property_images_styledFromId_idx" ON property_images USING btree ("styledFromId");

CREATE INDEX "property_price_events_correctsId_idx" ON property_price_events USING btree ("correctsId") WHERE ("correctsId" IS NOT NULL);

CREATE UNIQUE INDEX property_price_events_import_key ON property_price_events USING btree ("propertyId", event, at, price) WHERE (source = 'import'::text);

CREATE INDEX "property_price_events_propertyId_idx" ON property_price_events USING btree ("propertyId", id);

CREATE INDEX property_price_events_sales_idx ON property_price_events USING btree ("propertyId", at) WHERE (event = ANY (ARRAY['SOLD'::property_price_event, 'RENTED'::property_price_event]));

CREATE INDEX provenance_due_next_idx ON provenance_due USING btree ("nextTryAt");

CREATE INDEX "provenance_events_stagedImageId_idx" ON provenance_events USING btree ("stagedImageId", id);

CREATE INDEX provenance_manifests_id_idx ON provenance_manifests USING btree ("manifestId");

CREATE INDEX published_records_gone_idx ON published_records USING btree ("goneAt") WHERE ("goneAt" IS NOT NULL);

CREATE UNIQUE INDEX published_records_time_idx ON published_records USING btree (resource, "modifiedAt", key);

CREATE INDEX push_notices_due_idx ON push_notices USING btree ("nextAttemptAt");

CREATE INDEX push_subscriptions_of_person_idx ON push_subscriptions USING btree ("userId", "createdAt");

CREATE INDEX "room_group_photos_imageId_idx" ON room_group_photos USING btree ("imageId");

CREATE INDEX saved_search_keys_idx ON saved_search_keys USING btree (key, "bedsMin", "priceMax", "priceMin", "bathsMin", "livingMin", "yearMin", "lotMin") INCLUDE ("searchId", statuses, "bedsMax", "bathsMax", "livingMax", "yearMax", "lotMax", "garageMin", "feeMax", "featureBits", "priceReduced", "hasAreas", currency, types, words);

CREATE INDEX saved_searches_keys_idx ON saved_searches USING btree ("keysVersion", "keysAt") WHERE (cadence = 'INSTANT'::text);

CREATE INDEX saved_searches_run_idx ON saved_searches USING btree ("nextRunAt") WHERE ("nextRunAt" IS NOT NULL);

CREATE INDEX search_cell_changes_cell_idx ON search_cell_changes USING btree (x, y);

CREATE INDEX search_listings_baths_idx ON search_listings USING btree ("onMarket", COALESCE("bathroomsTotal", ('-1'::integer)::double precision), "propertyId");

CREATE INDEX search_listings_beds_idx ON search_listings USING btree ("onMarket", COALESCE("bedroomsTotal", '-1'::integer), "propertyId");

CREATE INDEX search_listings_changed_idx ON search_listings USING btree ("onMarket", "updatedAt", "propertyId");

CREATE INDEX search_listings_city_idx ON search_listings USING btree ("onMarket", "cityKey", (("cellX" >> 6)), (("cellY" >> 6)), "bedroomsTotal", "listPrice", "bathroomsTotal", "livingArea", "lotSize", "listedAt", "yearBuilt") INCLUDE ("cellX", "cellY", longitude, latitude, "propertyId", "featureBits", "soldAt", "monthlyFee", "priceReduced", rank, "garageSpaces", currency, "propertyType", "propertySubType", "standardStatus");

CREATE INDEX search_listings_common_idx ON search_listings USING btree ("onMarket", (("cellX" >> 4)), "cellY") INCLUDE ("cellX", longitude, latitude, "listPrice", "propertyId", "featureBits", "bedroomsTotal", "bathroomsTotal", currency);

CREATE INDEX search_listings_features_idx ON search_listings USING gin (features) WITH (fastupdate=off);

CREATE INDEX search_listings_fee_idx ON search_listings USING btree ("onMarket", COALESCE("monthlyFee", (0)::double precision), "propertyId");

CREATE INDEX search_listings_garage_idx ON search_listings USING btree ("onMarket", "garageSpaces", "propertyId");

CREATE INDEX search_listings_living_area_idx ON search_listings USING btree ("onMarket", COALESCE("livingArea", ('-1'::integer)::double precision), "propertyId");

CREATE INDEX search_listings_lot_idx ON search_listings USING btree ("onMarket", COALESCE("lotSize", ('-1'::integer)::double precision), "propertyId");

CREATE INDEX search_listings_newest_idx ON search_listings USING btree ("onMarket", COALESCE("listedAt", '-infinity'::timestamp with time zone), "propertyId");

CREATE INDEX search_listings_postal_code_idx ON search_listings USING btree ("onMarket", "postalCodeKey");

CREATE INDEX search_listings_price_idx ON search_listings USING btree ("onMarket", "listPrice", "propertyId");

CREATE INDEX search_listings_price_per_area_idx ON search_listings USING btree ("onMarket", COALESCE("pricePerArea", 'Infinity'::double precision), "propertyId");

CREATE INDEX search_listings_relevance_idx ON search_listings USING btree ("onMarket", rank, COALESCE("listedAt", '-infinity'::timestamp with time zone), "propertyId");

CREATE INDEX search_listings_sold_idx ON search_listings USING btree ("onMarket", COALESCE("soldAt", '-infinity'::timestamp with time zone), "propertyId");

CREATE INDEX search_listings_stripes_idx ON search_listings USING btree ("onMarket", (("cellX" >> 4)), "cellY", "bedroomsTotal", "listPrice", "bathroomsTotal", "livingArea", "lotSize", "listedAt", "yearBuilt") INCLUDE ("cellX", longitude, latitude, "propertyId", "featureBits", "soldAt", "monthlyFee", "priceReduced", rank, "garageSpaces", currency, "propertyType", "propertySubType", "standardStatus");

CREATE INDEX search_listings_sub_type_idx ON search_listings USING btree ("onMarket", "propertySubType", "propertyType");

CREATE INDEX search_listings_tiles_idx ON search_listings USING btree ("onMarket", (("cellX" >> 6)), (("cellY" >> 6)), "bedroomsTotal", "listPrice", "bathroomsTotal") INCLUDE ("cellX", "cellY", longitude, latitude, "propertyId", "featureBits", currency, "propertyType", "propertySubType");

CREATE INDEX search_listings_type_idx ON search_listings USING btree ("onMarket", "propertyType");

CREATE INDEX search_listings_year_idx ON search_listings USING btree ("onMarket", COALESCE("yearBuilt", '-1'::integer), "propertyId");

CREATE INDEX search_matches_created_idx ON search_matches USING btree ("createdAt");

CREATE INDEX search_matches_due_idx ON search_matches USING btree ("dueAt", "searchId") WHERE ("alertId" IS NULL);

CREATE INDEX search_matches_of_listing_idx ON search_matches USING btree ("propertyId");

CREATE INDEX search_matches_waiting_idx ON search_matches USING btree ("searchId") WHERE ("alertId" IS NULL);

CREATE INDEX search_words_words_idx ON search_words USING gin (words) WITH (fastupdate=off);

CREATE INDEX "seen_homes_propertyId_idx" ON seen_homes USING btree ("propertyId");

CREATE INDEX session_expires_idx ON session USING btree ("expiresAt");

CREATE INDEX "session_userId_idx" ON session USING btree ("userId");

CREATE UNIQUE INDEX shared_lists_secret_key ON shared_lists USING btree ("secretHash");

CREATE INDEX sign_in_codes_expires_idx ON sign_in_codes USING btree ("expiresAt");

CREATE INDEX sign_in_mails_due_idx ON sign_in_mails USING btree ("nextAttemptAt");

CREATE INDEX sign_in_mails_person_idx ON sign_in_mails USING btree ("userId");

CREATE INDEX staged_fingerprints_due_idx ON staged_fingerprints USING btree ("createdAt") WHERE ("nextTryAt" IS NOT NULL);

CREATE INDEX staged_fingerprints_original_key_idx ON staged_fingerprints USING btree ("originalKey") WHERE ("nextTryAt" IS NOT NULL);

CREATE INDEX staged_fingerprints_property_idx ON staged_fingerprints USING btree ("propertyId", "createdAt");

CREATE INDEX staged_fingerprints_staged_key_idx ON staged_fingerprints USING btree ("stagedKey") WHERE ("nextTryAt" IS NOT NULL);

CREATE INDEX storage_deletion_outbox_claimed_idx ON storage_deletion_outbox USING btree ("claimedAt") WHERE (status = 'PROCESSING'::storage_deletion_status);

CREATE INDEX storage_deletion_outbox_done_idx ON storage_deletion_outbox USING btree ("processedAt") WHERE (status = 'DELETED'::storage_deletion_status);

CREATE INDEX storage_deletion_outbox_due_idx ON storage_deletion_outbox USING btree ("nextAttemptAt") WHERE (status = 'PENDING'::storage_deletion_status);

CREATE INDEX storage_deletion_outbox_newest_idx ON storage_deletion_outbox USING btree (status, "createdAt" DESC, id DESC);

CREATE INDEX "storage_deletion_outbox_objectKey_idx" ON storage_deletion_outbox USING btree ("objectKey");

CREATE INDEX tour_mails_due_idx ON tour_mails USING btree ("nextAttemptAt");

CREATE INDEX tour_reads_tour_idx ON tour_reads USING btree ("tourId");

CREATE INDEX tours_contested_idx ON tours USING btree ("contestedAt") WHERE (("contestedAt" IS NOT NULL) AND ("contestReadAt" IS NULL));

CREATE INDEX tours_customer_idx ON tours USING btree ("customerId", "createdAt" DESC, id DESC);

CREATE INDEX tours_newest_idx ON tours USING btree (status, "createdAt" DESC, id DESC);

CREATE UNIQUE INDEX tours_one_open_uidx ON tours USING btree ("customerId", "propertyId") WHERE (status = ANY (ARRAY['REQUESTED'::tour_status, 'RESCHEDULE_PROPOSED'::tour_status, 'CONFIRMED'::tour_status]));

CREATE INDEX tours_outcome_due_idx ON tours USING btree ("heldEndsAt") WHERE (status = 'CONFIRMED'::tour_status);

CREATE INDEX tours_property_idx ON tours USING btree ("propertyId", "createdAt" DESC, id DESC);

CREATE INDEX tours_proposal_due_idx ON tours USING btree ("proposalExpiresAt") WHERE (status = ANY (ARRAY['REQUESTED'::tour_status, 'RESCHEDULE_PROPOSED'::tour_status]));

CREATE INDEX user_license_idx ON "user" USING btree (NULLIF(upper(regexp_replace("licenseNumber", '[^A-Za-z0-9]'::text, ''::text, 'g'::text)), ''::text)) WHERE (role = 'agent'::text);

CREATE INDEX user_office_key_idx ON "user" USING btree (office_key("officeName")) WHERE ("officeName" IS NOT NULL);

CREATE INDEX user_suspended_idx ON "user" USING btree (id) WHERE ("suspendedAt" IS NOT NULL);

CREATE INDEX verification_identifier_idx ON verification USING btree (identifier);

CREATE INDEX webhook_deliveries_created_idx ON webhook_deliveries USING btree ("createdAt");

CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries USING btree ("endpointId", "nextAttemptAt") WHERE (state = 'WAITING'::text);

CREATE INDEX webhook_deliveries_newest_idx ON webhook_deliveries USING btree ("endpointId", seq);

CREATE INDEX webhook_deliveries_of_listing_idx ON webhook_deliveries USING btree ("propertyId");

CREATE INDEX webhook_deliveries_waiting_idx ON webhook_deliveries USING btree ("endpointId", "propertyId", seq) WHERE (state = 'WAITING'::text);

CREATE INDEX webhook_mails_due_idx ON webhook_mails USING btree ("nextAttemptAt");

CREATE INDEX witness_mails_due_idx ON witness_mails USING btree ("nextAttemptAt");

-- Functions

CREATE OR REPLACE FUNCTION agent_invitations_stay_accepted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     raise exception 'invitation % was accepted', old.id
       using errcode = '23514', constraint = 'agent_invitations_stay_accepted';
   end $function$;

CREATE OR REPLACE FUNCTION agent_standings_release_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    awaits constant boolean := new."needsApproval" and new."approvedAt" is null;
  begin
    update properties set "hiddenFor" = array_remove("hiddenFor", 'AWAITS_APPROVAL')
      || case when awaits then array['AWAITS_APPROVAL'] else '{}' end
    where "ownerAgentId" = new."agentId" and awaits is distinct from ('AWAITS_APPROVAL' = any ("hiddenFor"));
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION agents_keep_feed_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform keep_feed_agents(p) from properties p where p."feedId" is not null
       and nullif(upper(regexp_replace(p."listAgentLicense", '[^A-Za-z0-9]', '', 'g')), '')
         in (nullif(upper(regexp_replace(old."licenseNumber", '[^A-Za-z0-9]', '', 'g')), ''), nullif(upper(regexp_replace(new."licenseNumber", '[^A-Za-z0-9]', '', 'g')), ''));
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION ai_description_jobs_refuse_old_release()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception 'workers of this release buy no descriptions any more' using errcode = 'serialization_failure';
  end $function$;

CREATE OR REPLACE FUNCTION ai_provider_attempts_object_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if exists (select from ai_jobs where id = new."aiJobId" and type = 'ROOM_STAGING') then
      raise exception 'attempt % of a picture is % without an object', new.id, new.status
        using errcode = 'check_violation', table = 'ai_provider_attempts', constraint = 'ai_provider_attempts_object_check';
    end if;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION ai_room_staging_jobs_group_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if not exists (select from room_groups g join room_group_photos f on f."groupId" = g.id
        where g.id = new."groupId" and f."imageId" = new."originalImageId"
          and g."roomType" = new."canonicalRoomType" and g.style = new."canonicalStyle") then
      raise exception 'job % is not of a photo, room type and style of group %', new."aiJobId", new."groupId"
        using errcode = 'check_violation', table = 'ai_room_staging_jobs', constraint = 'ai_room_staging_jobs_group_check';
    end if;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION ai_room_staging_jobs_keep_pad()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if (old."padWidth",old."padHeight",old."frameLeft",old."frameTop",old."frameWidth",old."frameHeight") is distinct from (new."padWidth",new."padHeight",new."frameLeft",new."frameTop",new."frameWidth",new."frameHeight") then
      raise exception 'the pad of job % cannot change', new."aiJobId"
        using errcode = 'check_violation', table = 'ai_room_staging_jobs', constraint = 'ai_room_staging_jobs_keep_pad';
    end if;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION ai_room_staging_jobs_reference_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     if not exists (select from property_images i join ai_room_staging_jobs s on s."aiJobId" = i."aiJobId"
         where i."objectKey" = new."referenceImageKey" and i."reviewStatus" = 'APPROVED' and i."withdrawnAt" is null
           and s."groupId" = new."groupId") then
       raise exception 'job % names a picture that is not an approved one of its group', new."aiJobId"
         using errcode = 'check_violation', table = 'ai_room_staging_jobs',
           constraint = 'ai_room_staging_jobs_reference_check';
     end if;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION alert_event_mode()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN COALESCE(NULLIF(current_setting('proscenium.events'::text, true), ''::text), 'each'::text);

CREATE OR REPLACE FUNCTION approved_agents_keep_feed_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform keep_feed_agents(p) from properties p, "user" u where u.id = new."agentId" and p."feedId" is not null
       and nullif(upper(regexp_replace(p."listAgentLicense", '[^A-Za-z0-9]', '', 'g')), '') = nullif(upper(regexp_replace(u."licenseNumber", '[^A-Za-z0-9]', '', 'g')), '');
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION current_server()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
   begin
     return (select system_identifier from pg_control_system()) || '/'
       || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
   exception when others then
     return 'started ' || pg_postmaster_start_time();
   end $function$;

CREATE OR REPLACE FUNCTION drift_comparisons_keep_result()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if to_jsonb(new) - 'heatMapKey' is distinct from to_jsonb(old) - 'heatMapKey'
      or new."heatMapKey" is distinct from old."heatMapKey" and (new."heatMapKey" is not null
        or exists (select from property_images where id = old."stagedImageId")) then
      raise exception 'the comparison of picture % is never changed', old."stagedImageId"
        using errcode = 'restrict_violation';
    end if;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION feed_agents_of(listing properties)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
AS $function$
     with licensed as (
       select u.id from "user" u join agent_standings s on s."agentId" = u.id
       where u.role = 'agent' and nullif(upper(regexp_replace(u."licenseNumber", '[^A-Za-z0-9]', '', 'g')), '') = nullif(upper(regexp_replace(listing."listAgentLicense", '[^A-Za-z0-9]', '', 'g')), '')
         and nullif(upper(regexp_replace(s."confirmedLicense", '[^A-Za-z0-9]', '', 'g')), '') = nullif(upper(regexp_replace(u."licenseNumber", '[^A-Za-z0-9]', '', 'g')), '')
         and upper(s."licenseState") = upper(listing."stateOrProvince")
         and u.email is not null and u."suspendedAt" is null and not u."feedUser"
         and not (s."needsApproval" and s."approvedAt" is null)),
     named as (select id from licensed where (select count(*) from licensed) = 1)
     select id from named
     union all
     select u.id from feeds f cross join unnest(f."contactAgents") contact (id) join "user" u on u.id = contact.id
     where f.id = listing."feedId" and not exists (select from named)
       and u.role = 'agent' and u.email is not null and u."suspendedAt" is null
   $function$;

CREATE OR REPLACE FUNCTION feeds_keep_agents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform keep_feed_agents(p) from properties p where p."feedId" = new.id;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION in_one_process()
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN true;

CREATE OR REPLACE FUNCTION keep_feed_agents(listing properties)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
   begin
     delete from property_agents where "propertyId" = listing.id and "assignedAt" is null
       and "agentId" not in (select feed_agents_of(listing));
     insert into property_agents ("propertyId", "agentId", "assignedAt")
     select listing.id, agent, null from feed_agents_of(listing) agent on conflict do nothing;
   end $function$;

CREATE OR REPLACE FUNCTION keep_latest_homes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    perform from "user" where id in (select "userId" from written) order by id for no key update;
    execute format(
      'delete from %1$I kept using (
         select "userId", "propertyId", row_number() over (partition by "userId" order by at desc, "propertyId") as place
         from %1$I where "userId" in (select "userId" from written)
       ) ranked
       where ranked.place > $1 and kept."userId" = ranked."userId" and kept."propertyId" = ranked."propertyId"',
      tg_table_name) using tg_argv[0]::integer;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION listing_address_by_status(listing properties)
 RETURNS SETOF listing_addresses
 LANGUAGE sql
 STABLE
AS $function$
    select listing.id, search_text(concat_ws(' ', listing.address, listing."unitNumber")),
      search_text(concat_ws(' ', listing.city, listing."stateOrProvince", listing."postalCode")),
      listing.city, listing."stateOrProvince", listing."postalCode", listing.country,
      -- What is nearly 0 is 0: PostgreSQL refuses to reckon with the smallest numbers.
      case when listing.longitude is null then null when abs(listing.latitude) < 1e-9 then 0
        else listing.latitude end,
      case when listing.latitude is null then null when abs(listing.longitude) < 1e-9 then 0
        else listing.longitude end
    where listing."standardStatus" not in ('Incomplete', 'Delete')
  $function$;

CREATE OR REPLACE FUNCTION listing_address_of(listing properties)
 RETURNS SETOF listing_addresses
 LANGUAGE sql
 STABLE
AS $function$
     select * from listing_address_by_status(listing) where listing."hiddenFor" = '{}' $function$;

CREATE OR REPLACE FUNCTION listing_addresses_note_region()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into listing_region_changes ("regionText") select distinct "regionText" from changed;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION listing_is_passed_on(p properties)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (((p)."originatingSystemName" IS DISTINCT FROM 'Sample'::text) AND (alert_event_mode() <> 'none'::text) AND ((p)."feedId" IS NULL));

CREATE OR REPLACE FUNCTION listing_offers_keep_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     raise exception 'offer % has ended', old.id using errcode = '23514', constraint = 'listing_offers_keep_end';
   end $function$;

CREATE OR REPLACE FUNCTION listing_offers_write_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into offer_mails ("offerId", status, side, "nextAttemptAt")
     select new.id, new.status, side, coalesce(new."endedAt", new."createdAt") from unnest(array['from', 'to']) side;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION messages_write_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   declare
     listing uuid;
   begin
     select t."propertyId" into listing from message_threads t join properties p on p.id = t."propertyId"
     where t.id = new."threadId" and p."originatingSystemName" is distinct from 'Sample' and alert_event_mode() <> 'none';
     if found then
       perform write_webhooks('message.received', listing, null, new."threadId", new.seq);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION monthly_fee(amount double precision, frequency text)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (amount * (CASE frequency WHEN 'Annually'::text THEN ((1)::numeric / 12.0) WHEN 'Semi-Annually'::text THEN ((2)::numeric / 12.0) WHEN 'Seasonal'::text THEN ((4)::numeric / 12.0) WHEN 'Quarterly'::text THEN ((4)::numeric / 12.0) WHEN 'Bi-Monthly'::text THEN ((6)::numeric / 12.0) WHEN 'Monthly'::text THEN (1)::numeric WHEN 'Semi-Monthly'::text THEN (2)::numeric WHEN 'Bi-Weekly'::text THEN ((26)::numeric / 12.0) WHEN 'Weekly'::text THEN ((52)::numeric / 12.0) WHEN 'Daily'::text THEN ((365)::numeric / 12.0) ELSE (0)::numeric END)::double precision);

CREATE OR REPLACE FUNCTION note_listing_change(changed text, record uuid, urgent boolean, photos boolean DEFAULT false)
 RETURNS void
 LANGUAGE sql
AS $function$
     insert into listing_changes (resource, key, "isUrgent", "ofPhotos")
     select changed, record, urgent, photos where record is not null
     on conflict (key, resource, "by") do update
     set "isUrgent" = listing_changes."isUrgent" or excluded."isUrgent",
       "ofPhotos" = listing_changes."ofPhotos" or excluded."ofPhotos"
     where (excluded."isUrgent" and not listing_changes."isUrgent")
       or (excluded."ofPhotos" and not listing_changes."ofPhotos")
   $function$;

CREATE OR REPLACE FUNCTION note_member_change(member uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
     select note_listing_change('Member', u.id, false), note_listing_change('Office', office_key(u."officeName"), false)
     from "user" u where u.id = member
   $function$;

CREATE OR REPLACE FUNCTION office_key(name text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
RETURN (md5(('office '::text || lower(btrim(name)))))::uuid;

CREATE OR REPLACE FUNCTION open_houses_note_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     if alert_event_mode() <> 'none' then
       insert into alert_events ("propertyId", kind, "openHouseId", "isCut", "isBulk")
       values (new."propertyId", 'OPEN_HOUSE', new.id, false, alert_event_mode() = 'bulk');
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION open_houses_note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   declare
     house open_houses;
   begin
     if tg_op = 'DELETE' then house := old; else house := new; end if;
     perform note_listing_change('OpenHouse', house.id, tg_op = 'DELETE'),
       note_listing_change('Property', house."propertyId", false);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION photo_checks_set_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
   begin
     update property_images set "photoState" = photo_state(new)
     where id = new."imageId" and "photoState" is distinct from photo_state(new);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION photo_state(of photo_checks)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
     select case
       when of.verdict is null then case when of."isOlder" then null else 'WAITING' end
       when of.verdict = 'PHOTO' then 'PHOTO'
       when of.answer is not null then of.answer
       when of."isOlder" then 'SUSPECT'
       when of."isQuestion" then 'QUESTION'
       else 'STAGED_PICTURE' end
   $function$;

CREATE OR REPLACE FUNCTION place_slug(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN replace(btrim(search_text(given)), ' '::text, '-'::text);

CREATE OR REPLACE FUNCTION properties_approved_note_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into alert_events ("propertyId", kind, "isCut", "isBulk") values (new.id, 'NEW', false, false);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_await_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    awaits boolean;
  begin
    select s."needsApproval" and s."approvedAt" is null into awaits
    from agent_standings s where s."agentId" = new."ownerAgentId" for share;
    new."hiddenFor" := array_remove(new."hiddenFor", 'AWAITS_APPROVAL')
      || case when awaits then array['AWAITS_APPROVAL'] else '{}' end;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION properties_blank_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     new.address := '';
     new."unitNumber" := null;
     new.latitude := null;
     new.longitude := null;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION properties_cancel_tours()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    tour record;
    instant constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  begin
    for tour in
      select id, status, version from tours
      where "propertyId" = new.id and status in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED')
      order by id for update
    loop
      update tours set status = 'CANCELLED', "closedAt" = instant, "closedBy" = 'system',
        "closedFrom" = tour.status, reason = 'LISTING_LEFT_MARKET', version = tour.version + 1,
        "updatedAt" = instant
      where id = tour.id;
      insert into actor_transitions
        ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
      values ('tour', tour.id, tour.version + 1, 'LISTING_LEFT_MARKET',
        jsonb_build_object('type', 'LISTING_LEFT_MARKET', 'at', (extract(epoch from instant) * 1000)::bigint,
          'actor', 'system'),
        tour.status::text, 'CANCELLED', instant, 'database');
    end loop;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION properties_follow_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   declare
     suspended boolean;
   begin
     select "suspendedAt" is not null into suspended from "user" where id = new."ownerAgentId" for key share;
     new."hiddenFor" := array_remove(new."hiddenFor", 'OWNER_SUSPENDED')
       || case when suspended then array['OWNER_SUSPENDED'] else '{}' end;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION properties_follow_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into search_listings as known select * from search_listing_of(new)
    on conflict ("propertyId") do update set ("onMarket", "standardStatus", rank, "listPrice", currency, "priceReduced", "bedroomsTotal", "bathroomsTotal", "livingArea", "lotSize", "pricePerArea", "yearBuilt", "propertyType", features, latitude, longitude, "cellX", "cellY", "listedAt", "offMarketAt", "updatedAt", "featureBits", "cityKey", "postalCodeKey", "garageSpaces", "monthlyFee", "soldAt", "propertySubType") = row(excluded."onMarket", excluded."standardStatus", excluded.rank, excluded."listPrice", excluded.currency, excluded."priceReduced", excluded."bedroomsTotal", excluded."bathroomsTotal", excluded."livingArea", excluded."lotSize", excluded."pricePerArea", excluded."yearBuilt", excluded."propertyType", excluded.features, excluded.latitude, excluded.longitude, excluded."cellX", excluded."cellY", excluded."listedAt", excluded."offMarketAt", excluded."updatedAt", excluded."featureBits", excluded."cityKey", excluded."postalCodeKey", excluded."garageSpaces", excluded."monthlyFee", excluded."soldAt", excluded."propertySubType")
      where known.* is distinct from excluded.*;
    if not found then
      delete from search_listings where "propertyId" = new.id and not exists (select from search_listing_of(new));
    end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION properties_follow_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     update search_words set words = search_words_of(new) where "propertyId" = new.id;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_inserted_begin_price_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into property_price_events ("propertyId", event, at, price, currency, "pricePerArea", "areaUnits", source,
       "recordedByUserId", "recordedAt")
     select a.id, case when a."standardStatus" = 'Coming Soon' then 'COMING_SOON'::property_price_event
         when property_is_lease(row(a.*)::properties) then 'LISTED_FOR_RENT' else 'LISTED' end,
       a."listedAt", a."listPrice", a.currency,
       case when a."livingArea" > 0 then round(a."listPrice" / a."livingArea", 2) end, a."livingAreaUnits", 'listing',
       nullif(current_setting('proscenium.acting_user', true), '')::uuid, a."updatedAt"
     from added a where a."feedId" is null and a."standardStatus" in ('Active', 'Coming Soon') and a."originalListPrice" = a."listPrice";
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_inserted_follow_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into search_listings select found.* from added a cross join lateral search_listing_of(row(a.*)::properties) found;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_inserted_keep_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into listing_addresses select kept.* from added a cross join lateral listing_address_of(row(a.*)::properties) kept;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_keep_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if tg_op = 'UPDATE' then
      delete from listing_addresses where "propertyId" = old.id;
    end if;
    insert into listing_addresses select * from listing_address_of(new);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION properties_keep_feed_agents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform keep_feed_agents(new);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_keep_market_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    instant timestamptz;
    phase constant text := property_market_phase(new."standardStatus");
  begin
    if tg_op = 'UPDATE' and new."updatedAt" = old."updatedAt"
      and current_setting('proscenium.clock_of', true) is distinct from new.id::text
      and (old."standardStatus", old."listPrice", old.currency, old."closePrice")
        is distinct from (new."standardStatus", new."listPrice", new.currency, new."closePrice") then
      new."updatedAt" := greatest(new."updatedAt", now());
    end if;
    instant := new."updatedAt";
    if tg_op = 'INSERT' then
      new."statusChangedAt" := coalesce(new."statusChangedAt", instant);
      if phase = 'ON' then
        new."listedAt" := coalesce(new."listedAt", instant);
        new."offMarketAt" := null;
      elsif new."listedAt" is not null then
        new."offMarketAt" := coalesce(new."offMarketAt", new."statusChangedAt");
      end if;
      if new."listedAt" is not null then
        new."originalListPrice" := coalesce(new."originalListPrice", new."listPrice");
      end if;
      return new;
    end if;

    if nullif(current_setting('proscenium.price_correction', true), '') is not null
      and old."originalListPrice" = old."listPrice" then
      new."originalListPrice" := new."listPrice";
    end if;
    if new."standardStatus" = old."standardStatus" then
      return new;
    end if;

    new."statusChangedAt" := instant;
    if old."standardStatus" = 'Closed' and new."standardStatus" <> 'Delete' then
      new."closePrice" := null;
      new."closeDate" := null;
    end if;
    if phase <> 'ON' then
      if old."listedAt" is not null and old."offMarketAt" is null then
        new."offMarketAt" := case when new."standardStatus" = 'Closed'
          then property_sold_at(new, instant, old."statusChangedAt") else instant end;
      end if;
      return new;
    end if;
    if property_period_begins(old, new) then
      if property_market_phase(old."standardStatus") = 'ENDED' then
        if property_was_offered(old, old."listedAt") then
          new."marketDaysBefore" := old."marketDaysBefore" + greatest(0, floor(extract(epoch from
            coalesce(old."offMarketAt", instant) - old."listedAt") / 86400))::integer;
        end if;
        new."originalListPrice" := new."listPrice";
      else
        new."originalListPrice" := coalesce(old."originalListPrice", new."listPrice");
      end if;
      new."listedAt" := instant;
    end if;
    new."offMarketAt" := null;
    return new;
  end $function$;

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

CREATE OR REPLACE FUNCTION properties_note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   declare
     was boolean := false;
     is_now boolean := false;
   begin
     if tg_op <> 'INSERT' then was := (old."standardStatus" not in ('Incomplete', 'Delete') and old."hiddenFor" = '{}' and old."feedId" is null); end if;
     if tg_op <> 'DELETE' then is_now := (new."standardStatus" not in ('Incomplete', 'Delete') and new."hiddenFor" = '{}' and new."feedId" is null); end if;
     if not was and not is_now then return null; end if;
     if tg_op = 'DELETE' then
       perform note_listing_change('Property', old.id, true), note_member_change(old."ownerAgentId");
       return null;
     end if;
     perform note_listing_change('Property', new.id, was and not is_now);
     if was <> is_now or tg_op = 'INSERT' then
       perform note_member_change(new."ownerAgentId");
       perform note_listing_change('Media', i.id, was) from property_images i where i."propertyId" = new.id;
       perform note_listing_change('OpenHouse', o.id, was) from open_houses o where o."propertyId" = new.id;
     elsif old."ownerAgentId" <> new."ownerAgentId" then
       perform note_member_change(old."ownerAgentId"), note_member_change(new."ownerAgentId");
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_note_clock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    perform set_config('proscenium.clock_of', new.id::text, true);
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION properties_owner_accepted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     if (select ("fromAgentId", "toAgentId") = (old."ownerAgentId", new."ownerAgentId") from listing_offers
         where "propertyId" = new.id and kind = 'OWNERSHIP' and status = 'ACCEPTED'
         order by "endedAt" desc limit 1) is not true then
       raise exception 'listing % was not accepted by its new owner', new.id
         using errcode = '23514', constraint = 'properties_owner_accepted';
     end if;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION properties_withdraw_offers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     update listing_offers set status = 'WITHDRAWN', "endedAt" = new."updatedAt"
     where "propertyId" = new.id and status = 'OPEN';
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION properties_write_price_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    instant constant timestamptz := new."updatedAt";
    why constant text := nullif(current_setting('proscenium.price_correction', true), '');
    is_new constant boolean := tg_op = 'INSERT';
    begins constant boolean := case when is_new then new."listedAt" is not null
      else new."standardStatus" <> old."standardStatus" and property_period_begins(old, new) end;
    is_repriced constant boolean :=
      not is_new and (new."listPrice", new.currency) is distinct from (old."listPrice", old.currency);
    corrected bigint;
    what property_price_event;
  begin
    if is_repriced and why is not null then
      corrected := property_last_list_event(new.id);
      if corrected is not null then
        perform property_record_price_event(new, 'CORRECTION', instant, new."listPrice", corrected, why);
      end if;
    elsif is_repriced and not begins and property_market_phase(new."standardStatus") = 'ON' then
      perform property_record_price_event(new, 'PRICE_CHANGED', instant, new."listPrice");
    end if;

    if begins then
      what := case when new."standardStatus" = 'Coming Soon' then 'COMING_SOON'
        when property_was_offered(new, null) then 'RELISTED'
        when property_is_lease(new) then 'LISTED_FOR_RENT'
        else 'LISTED' end;
      perform property_record_price_event(new, what, new."listedAt",
        case when is_new then new."originalListPrice" else new."listPrice" end);
      if is_new and new."originalListPrice" <> new."listPrice" then
        perform property_record_price_event(new, 'PRICE_CHANGED', instant, new."listPrice");
      end if;
    end if;

    if new."standardStatus" is distinct from old."standardStatus" then
      what := property_status_event(old, new, begins);
      if what in ('SOLD', 'RENTED') then
        perform property_record_price_event(new, what,
          property_sold_at(new, instant, case when is_new then new."listedAt" else old."statusChangedAt" end),
          new."closePrice");
      elsif what is not null then
        perform property_record_price_event(new, what, new."statusChangedAt", new."listPrice");
      end if;
    elsif new."standardStatus" = 'Closed' and new."closePrice" is distinct from old."closePrice" then
      select max(e.id) into corrected from property_price_events e
      where e."propertyId" = new.id and e.event in ('SOLD', 'RENTED') and e.source = 'listing';
      if corrected is not null then
        perform property_record_price_event(new, 'CORRECTION', instant, new."closePrice", corrected,
          coalesce(why, 'The sale price was recorded anew.'));
      end if;
    end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION properties_write_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     if listing_is_passed_on(new) then
       perform write_webhooks('listing.changed', new.id, null, new.id, null);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_altered_leaves_cover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     new."isMain" := false;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_begin_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
     declare
       of_owner uuid := (select "ownerAgentId" from properties where id = new."propertyId");
     begin
       insert into photo_checks ("imageId", "propertyId", "createdAt", "ownerAgentId", turn)
       select new.id, new."propertyId", clock_timestamp(), of_owner, coalesce(greatest(
         (select min(turn) from photo_checks where verdict is null and not "isOlder" and tries = 0),
         (select max(turn) + 1 from photo_checks where verdict is null and not "isOlder" and "ownerAgentId" = of_owner)), 0);
       return null;
     end $function$;

CREATE OR REPLACE FUNCTION property_images_begin_drift()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into drift_comparisons ("stagedImageId", "createdAt", "nextTryAt")
    values (new.id, new."createdAt", new."createdAt") on conflict do nothing;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION property_images_begin_fingerprint()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into staged_fingerprints ("stagedImageId", "propertyId", "aiJobId", "stagedKey", "originalKey", "createdAt",
       "isQuestion")
     select new.id, new."propertyId", new."aiJobId", new."objectKey", o."objectKey", clock_timestamp(),
       new.style is not distinct from 'no-furniture' or 'FURNISHED' = any (p.features)
     from property_images o join properties p on p.id = new."propertyId" where o.id = new."styledFromId"
     on conflict do nothing;
     return null;
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

CREATE OR REPLACE FUNCTION property_images_close_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   declare
     report record;
     instant constant timestamptz := date_trunc('milliseconds', clock_timestamp());
   begin
     for report in
       select id, version from mismatch_reports where "stagedImageId" = old.id and status = 'OPEN'
       order by id for update
     loop
       update mismatch_reports set status = 'CLOSED', "answeredAt" = instant, version = report.version + 1
       where id = report.id;
       insert into actor_transitions
         ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
       values ('mismatchReport', report.id, report.version + 1, 'PICTURE_DELETED',
         jsonb_build_object('type', 'PICTURE_DELETED', 'at', (extract(epoch from instant) * 1000)::bigint),
         'OPEN', 'CLOSED', instant, 'database');
     end loop;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_end_drift()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    key text;
    why storage_deletion_reason := 'ORIGINAL_IMAGE_DELETED';
  begin
    select "heatMapKey" into key from drift_comparisons where "stagedImageId" = old.id for update;
    if key is not null then
      if exists (select from property_images where id = old."styledFromId") then
        why := 'STAGED_IMAGE_DELETED';
      end if;
      insert into storage_deletion_outbox ("objectKey", reason) values (key, why);
    end if;
    update drift_comparisons set "heatMapKey" = null, "nextTryAt" = null
    where "stagedImageId" = old.id and num_nonnulls("heatMapKey", "nextTryAt") > 0;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION property_images_file_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     raise exception 'picture % keeps its listing, its original and its file', old.id
       using errcode = 'restrict_violation', table = 'property_images', constraint = 'property_images_file_stays';
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

CREATE OR REPLACE FUNCTION property_images_note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   declare
     picture property_images;
     was boolean := false;
     is_now boolean := false;
   begin
     if tg_op <> 'INSERT' then
       was := not old."isStyled" or (old."reviewStatus" = 'APPROVED' and old."withdrawnAt" is null);
       picture := old;
     end if;
     if tg_op <> 'DELETE' then
       is_now := not new."isStyled" or (new."reviewStatus" = 'APPROVED' and new."withdrawnAt" is null);
       picture := new;
     end if;
     if not was and not is_now then return null; end if;
     perform note_listing_change('Media', picture.id, was and (not is_now or not picture."isStyled")),
       note_listing_change('Property', picture."propertyId", false, true);
     if tg_op = 'UPDATE' and not picture."isStyled" then
       perform note_listing_change('Media', i.id, true) from property_images i
       where i."propertyId" = picture."propertyId" and (i."styledFromId" = picture.id or i."alteredFromId" = picture.id);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_note_provenance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
   begin
     if tg_op = 'DELETE' then
       insert into provenance_events ("stagedImageId", kind, at)
       select old.id, 'DELETED', date_trunc('milliseconds', now())
       where exists (select from provenance_records r where r."stagedImageId" = old.id);
       delete from provenance_due where "stagedImageId" = old.id;
     elsif new."withdrawnAt" is null then
       insert into provenance_events ("stagedImageId", kind, at)
       values (new.id, 'LIFTED', date_trunc('milliseconds', now()));
     else
       insert into provenance_events ("stagedImageId", kind, by, at)
       values (new.id, 'WITHDRAWN', new."withdrawnBy",
         case when tg_op = 'UPDATE' and old."withdrawnAt" = new."withdrawnAt" then date_trunc('milliseconds', now())
           else new."withdrawnAt" end);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_pass_on_cover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     update property_images set "isMain" = true
     where id = (select id from property_images where "propertyId" = old."propertyId" and not "isStyled" and alteration is null
                   and "photoState" is distinct from 'STAGED_PICTURE' order by position, "createdAt", id limit 1)
       and not exists (select from property_images where "propertyId" = old."propertyId" and "isMain");
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_public_check()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
   declare
     approving constant boolean := tg_op = 'INSERT' or old."reviewStatus" is distinct from new."reviewStatus";
   begin
     if exists (select from property_images v 
  left join property_images o on o.id = v."styledFromId" and not o."isStyled" and o."propertyId" = v."propertyId"
  left join provenance_records r on r."stagedImageId" = v.id and r."originalImageId" = o.id
    and r."outputChecksum" = v."outputChecksum" and r."originalChecksum" = o."outputChecksum"
         left join property_image_review_events e on e."imageId" = v.id and e.kind = 'APPROVED'
           and e."objectKey" = v."objectKey"
           and (not approving or (e."actorUserId" = r."approvedByUserId" and e."actorUserId" = v."reviewedByUserId"))
       where v.id = new.id and v."reviewStatus" = 'APPROVED'
         and (o.id is null or e.id is null
           or (r."stagedImageId" is null
             and (approving or not exists (select from provenance_due d where d."stagedImageId" = v.id)))
           or exists (select from provenance_events gone where gone."stagedImageId" = v.id and gone.kind = 'DELETED')))
     then
       raise exception 'staged picture % lacks its original, its record or its approval by a person', new.id
         using errcode = 'check_violation', table = 'property_images', constraint = 'property_images_public_check';
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_room_ends_subject()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        new."imageOf" := null;
        return new;
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
    select key, why from unnest(array[old."objectKey", old."providerInputKey", old."paddedInputKey"]) as key
    where key is not null;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION property_images_state_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
   begin
     if new."photoState" is distinct from (select photo_state(c) from photo_checks c where c."imageId" = new.id) then
       raise exception 'what photo % is shown as follows from its check', new.id
         using errcode = 'check_violation', table = 'property_images', constraint = 'property_images_state_follows';
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_wait_for_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     new."photoState" := case when new."isStyled" then null else 'WAITING' end;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_write_mail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into picture_mails ("imageId", seq, "nextAttemptAt")
     values (new.id, new.version, new."withdrawnAt");
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_images_write_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform from properties p where p.id = new."propertyId" and listing_is_passed_on(p);
     if found then
       perform write_webhooks('picture.approved', new."propertyId", null, new.id, null);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_is_lease(listing properties)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE(((listing)."propertyType" ~~ '% Lease'::text), false);

CREATE OR REPLACE FUNCTION property_last_list_event(property uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN (SELECT e.id FROM (property_price_events e LEFT JOIN property_price_events c ON ((c.id = e."correctsId"))) WHERE ((e."propertyId" = property_last_list_event.property) AND (e.event <> ALL (ARRAY['SOLD'::property_price_event, 'RENTED'::property_price_event])) AND ((c.id IS NULL) OR (c.event <> ALL (ARRAY['SOLD'::property_price_event, 'RENTED'::property_price_event])))) ORDER BY e.id DESC LIMIT 1);

CREATE OR REPLACE FUNCTION property_market_phase(status text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (status = ANY (ARRAY['Active'::text, 'Active Under Contract'::text, 'Coming Soon'::text, 'Pending'::text])) THEN 'ON'::text WHEN (status = 'Hold'::text) THEN 'PAUSED'::text ELSE 'ENDED'::text END;

CREATE OR REPLACE FUNCTION property_period_begins(before properties, after properties)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((property_market_phase((after)."standardStatus") = 'ON'::text) AND (((before).id IS NULL) OR (property_market_phase((before)."standardStatus") = 'ENDED'::text) OR ((before)."listedAt" IS NULL) OR (((before)."standardStatus" = 'Coming Soon'::text) AND ((after)."standardStatus" <> 'Coming Soon'::text) AND (NOT property_was_offered(before, (before)."listedAt")))));

CREATE OR REPLACE FUNCTION property_price_events_note_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into alert_events ("propertyId", kind, "isCut", "isBulk")
     select a."propertyId",
       case when a.event in ('LISTED', 'LISTED_FOR_RENT', 'RELISTED', 'COMING_SOON') then 'NEW'
         when a.event = 'PRICE_CHANGED' then 'PRICE'
         when a.event = 'BACK_ON_MARKET' then 'BACK'
         when a.event in ('SOLD', 'RENTED') then 'SOLD' else 'PENDING' end,
       a.event = 'PRICE_CHANGED' and coalesce(a.price < a."previousPrice", false), alert_event_mode() = 'bulk'
     from added a
     where (a.source = 'listing' or a.source = 'import' and alert_event_mode() = 'feed') and alert_event_mode() <> 'none'
       and a.event in ('LISTED', 'LISTED_FOR_RENT', 'RELISTED', 'COMING_SOON', 'PRICE_CHANGED', 'BACK_ON_MARKET', 'SOLD',
         'RENTED', 'UNDER_CONTRACT', 'PENDING')
     order by a.id;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_price_events_note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform note_listing_change('Property', a."propertyId", false)
     from (select distinct "propertyId" from added) a;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION property_price_events_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if exists (select from properties where id = old."propertyId") then
      raise exception 'rows of % are never deleted', tg_table_name using errcode = 'restrict_violation';
    end if;
    return old;
  end $function$;

CREATE OR REPLACE FUNCTION property_record_price_event(listing properties, what property_price_event, instant timestamp with time zone, amount numeric, corrected bigint DEFAULT NULL::bigint, reason text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
  declare
    is_sale constant boolean := what in ('SOLD', 'RENTED');
    previous numeric;
    under_contract timestamptz;
    days integer;
  begin
    if corrected is not null then
      select e.price into previous from property_price_events e
      where e.id = corrected or e."correctsId" = corrected order by e.id desc limit 1;
    else
      previous := (select e.price from property_price_events e
        where e.id = property_last_list_event(listing.id) and e.currency = listing.currency);
      if not is_sale and previous = amount then
        previous := null;
      end if;
    end if;
    if is_sale and listing."listedAt" is not null then
      select min(e.at) into under_contract from property_price_events e
      where e."propertyId" = listing.id and e.event in ('UNDER_CONTRACT', 'PENDING') and e.at >= listing."listedAt"
        and e.id > coalesce((select max(b.id) from property_price_events b
          where b."propertyId" = listing.id and b.event = 'BACK_ON_MARKET'), 0);
      days := greatest(0, floor(extract(epoch from
        coalesce(under_contract, instant) - listing."listedAt") / 86400));
    end if;
    insert into property_price_events ("propertyId", event, at, price, "previousPrice", "changePct", currency,
      "pricePerArea", "areaUnits", "daysOnMarket", source, "correctsId", note, "recordedByUserId", "recordedAt")
    values (listing.id, what, instant, amount, previous,
      case when previous > 0 then round((amount - previous) / previous * 100, 2) end, listing.currency,
      case when listing."livingArea" > 0 then round(amount / listing."livingArea", 2) end,
      listing."livingAreaUnits", days, 'listing', corrected, reason,
      nullif(current_setting('proscenium.acting_user', true), '')::uuid, listing."updatedAt");
  end $function$;

CREATE OR REPLACE FUNCTION property_sold_at(listing properties, recorded timestamp with time zone, not_before timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((listing)."closeDate" IS NULL) THEN recorded ELSE LEAST(recorded, GREATEST((((listing)."closeDate" + '12:00:00'::time without time zone) AT TIME ZONE 'UTC'::text), not_before)) END;

CREATE OR REPLACE FUNCTION property_status_event(before properties, after properties, begins boolean)
 RETURNS property_price_event
 LANGUAGE sql
 STABLE
RETURN (CASE (after)."standardStatus" WHEN 'Active'::text THEN CASE WHEN (NOT begins) THEN 'BACK_ON_MARKET'::text ELSE NULL::text END WHEN 'Coming Soon'::text THEN CASE WHEN (NOT begins) THEN 'COMING_SOON'::text ELSE NULL::text END WHEN 'Active Under Contract'::text THEN 'UNDER_CONTRACT'::text WHEN 'Pending'::text THEN 'PENDING'::text WHEN 'Closed'::text THEN CASE WHEN (((before).id IS NULL) AND ((after)."closeDate" IS NULL)) THEN NULL::text WHEN property_is_lease(after) THEN 'RENTED'::text ELSE 'SOLD'::text END WHEN 'Hold'::text THEN CASE WHEN ((after)."listedAt" IS NOT NULL) THEN 'HOLD'::text ELSE NULL::text END WHEN 'Withdrawn'::text THEN CASE WHEN ((after)."listedAt" IS NOT NULL) THEN 'WITHDRAWN'::text ELSE NULL::text END WHEN 'Canceled'::text THEN CASE WHEN ((after)."listedAt" IS NOT NULL) THEN 'CANCELED'::text ELSE NULL::text END WHEN 'Expired'::text THEN CASE WHEN ((after)."listedAt" IS NOT NULL) THEN 'EXPIRED'::text ELSE NULL::text END ELSE CASE WHEN ((property_market_phase((before)."standardStatus") = ANY (ARRAY['ON'::text, 'PAUSED'::text])) AND ((after)."listedAt" IS NOT NULL)) THEN 'WITHDRAWN'::text ELSE NULL::text END END)::property_price_event;

CREATE OR REPLACE FUNCTION property_was_offered(listing properties, since timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (EXISTS (SELECT FROM property_price_events e WHERE ((e."propertyId" = (property_was_offered.listing).id) AND (e.event = ANY (ARRAY['LISTED'::property_price_event, 'LISTED_FOR_RENT'::property_price_event, 'RELISTED'::property_price_event])) AND ((property_was_offered.since IS NULL) OR (e.at >= property_was_offered.since)))));

CREATE OR REPLACE FUNCTION provenance_due_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
   begin
     if tg_op = 'DELETE' and not exists (select from property_images v 
  left join property_images o on o.id = v."styledFromId" and not o."isStyled" and o."propertyId" = v."propertyId"
  left join provenance_records r on r."stagedImageId" = v.id and r."originalImageId" = o.id
    and r."outputChecksum" = v."outputChecksum" and r."originalChecksum" = o."outputChecksum"
         where v.id = old."stagedImageId" and v."reviewStatus" = 'APPROVED' and r."stagedImageId" is null) then
       return old;
     end if;
     raise exception 'the pictures without a record are listed once and for all'
       using errcode = 'restrict_violation', table = 'provenance_due', constraint = 'provenance_due_closed';
   end $function$;

CREATE OR REPLACE FUNCTION provenance_manifests_refuse_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception 'manifest % is recorded for ever', old."manifestId"
      using errcode = 'check_violation', table = 'provenance_manifests',
        constraint = 'provenance_manifests_refuse_changes';
  end $function$;

CREATE OR REPLACE FUNCTION provenance_records_note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform note_listing_change('Media', new."stagedImageId", false),
       note_listing_change('Property', new."propertyId", false, true);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION refuse_rewrite_of_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
  end $function$;

CREATE OR REPLACE FUNCTION refuse_suspended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
   declare
     person uuid;
     suspended boolean;
   begin
     execute format('select ($1).%I', tg_argv[0]) into person using new;
     select "suspendedAt" is not null into suspended from "user" where id = person for key share;
     if suspended then
       raise exception 'account % is suspended', person using errcode = 'PA002', constraint = tg_name;
     end if;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION refuse_tombstones()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  declare
    field text;
    person uuid;
    is_deleted boolean;
  begin
    foreach field in array tg_argv loop
      execute format('select ($1).%I', field) into person using new;
      select email is null into is_deleted from "user" where id = person for key share;
      if is_deleted then
        raise exception 'account % was deleted', person using errcode = 'PA001', constraint = tg_name;
      end if;
    end loop;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION request_cache_purge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        insert into cache_purges ("propertyId")
        values ((to_jsonb(old) ->> case when tg_table_name = 'properties' then 'id' else 'propertyId' end)::uuid);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION room_group_photos_original_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if not exists (select from property_images i join room_groups g on g."propertyId" = i."propertyId"
        where i.id = new."imageId" and not i."isStyled" and g.id = new."groupId") then
      raise exception 'picture % is no original of the listing of group %', new."imageId", new."groupId"
        using errcode = 'check_violation', table = 'room_group_photos', constraint = 'room_group_photos_original_check';
    end if;
    return new;
  end $function$;

CREATE OR REPLACE FUNCTION room_group_photos_remove_empty_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    perform from room_groups where id = old."groupId" for update;
    delete from room_groups g where g.id = old."groupId"
      and not exists (select from room_group_photos f where f."groupId" = g.id);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION schedule_deletion_of_object()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into storage_deletion_outbox ("objectKey", reason) values (old."objectKey", 'ORIGINAL_IMAGE_DELETED');
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION search_feature_bits(features text[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    select coalesce(bit_or(1::bigint << place - 1), 0)
    from unnest(features) as key, array_position(array['OPEN_FLOORPLAN', 'HIGH_CEILINGS', 'FIREPLACE', 'HARDWOOD_FLOORS', 'WALK_IN_CLOSET', 'BUILT_IN_STORAGE', 'SKYLIGHTS', 'FURNISHED', 'EAT_IN_KITCHEN', 'KITCHEN_ISLAND', 'PANTRY', 'STONE_COUNTERTOPS', 'STAINLESS_APPLIANCES', 'DISHWASHER', 'GAS_COOKTOP', 'ENSUITE_BATHROOM', 'DOUBLE_VANITY', 'SOAKING_TUB', 'IN_UNIT_LAUNDRY', 'LAUNDRY_ROOM', 'CENTRAL_AIR', 'CENTRAL_HEATING', 'HEAT_PUMP', 'UNDERFLOOR_HEATING', 'CEILING_FANS', 'SOLAR_PANELS', 'DOUBLE_GLAZING', 'ENERGY_EFFICIENT_APPLIANCES', 'SMART_HOME', 'HIGH_SPEED_INTERNET', 'BACKUP_GENERATOR', 'BALCONY', 'TERRACE', 'PATIO', 'DECK', 'GARDEN', 'FENCED_YARD', 'PRIVATE_POOL', 'HOT_TUB', 'WATERFRONT', 'WATER_VIEW', 'MOUNTAIN_VIEW', 'CITY_VIEW', 'GARAGE', 'COVERED_PARKING', 'ASSIGNED_PARKING', 'EV_CHARGER', 'STORAGE_ROOM', 'ELEVATOR', 'CONCIERGE', 'GYM', 'SHARED_POOL', 'PETS_ALLOWED', 'SECURITY_SYSTEM', 'GATED_COMMUNITY', 'STEP_FREE_ENTRANCE', 'WHEELCHAIR_ACCESSIBLE'], key) as place
  $function$;

CREATE OR REPLACE FUNCTION search_listing_by_status(listing properties)
 RETURNS SETOF search_listings
 LANGUAGE sql
 STABLE
AS $function$
    select listing.id,
      listing."standardStatus" <> 'Closed',
      listing."standardStatus",
      (case when exists (select from property_images i where i."propertyId" = listing.id and not i."isStyled"
          and coalesce(i."photoState", 'PHOTO') in ('PHOTO', 'SUSPECT')) then 2 else 0 end
        + case when listing."standardStatus" in ('Active', 'Coming Soon') then 1 else 0 end)::smallint,
      listing."listPrice"::float8,
      listing.currency::text,
      coalesce(listing."originalListPrice" > listing."listPrice", false),
      listing."bedroomsTotal",
      listing."bathroomsTotal"::float8,
      area.living,
      area.lot,
      case when area.living > 0 then listing."listPrice"::float8 / area.living end,
      listing."yearBuilt",
      listing."propertyType",
      listing.features,
      place.latitude,
      place.longitude,
      case when place.latitude is not null
        then floor((place.longitude / 360 + 0.5) * 838860.8)::integer end,
      case when place.latitude is not null then floor(least(greatest(
        0.5 - ln(tan(pi() / 4 + radians(least(greatest(place.latitude, -85.06), 85.06)) / 2)) / (2 * pi()),
        0), 1) * 838860.8)::integer end,
      date_trunc('milliseconds', listing."listedAt"),
      date_trunc('milliseconds', listing."offMarketAt"),
      date_trunc('milliseconds', listing."updatedAt"),
      search_feature_bits(listing.features),
      concat_ws(':', lower(listing.country), lower(listing."stateOrProvince"), place_slug(listing.city)),
      lower(listing.country) || ':' || place_slug(listing."postalCode"),
      least(coalesce(listing."garageSpaces", 0), 32767)::smallint,
      nullif(monthly_fee(listing."associationFee"::float8, listing."associationFeeFrequency"), 0),
      listing."closeDate"::timestamp at time zone 'UTC',
      listing."propertySubType"
    from (select
        listing."livingArea"::float8
          / case listing."livingAreaUnits" when 'Square Meters' then 0.09290304::float8 else 1 end as living,
        listing."lotSizeArea"::float8
          * case listing."lotSizeUnits" when 'Acres' then 43560 when 'Hectares' then 10000 else 1 end
          / case when listing."lotSizeUnits" in ('Hectares', 'Square Meters') then 0.09290304::float8
            else 1 end as lot) area
      -- Half a position is none. What is nearly 0 is 0: PostgreSQL refuses to reckon with the smallest numbers.
      left join lateral (select
          case when abs(listing.latitude) < 1e-9 then 0 else listing.latitude end as latitude,
          case when abs(listing.longitude) < 1e-9 then 0 else listing.longitude end as longitude) place
        on listing.latitude is not null and listing.longitude is not null
    where listing."standardStatus" in ('Active', 'Active Under Contract', 'Coming Soon', 'Pending', 'Closed')
  $function$;

CREATE OR REPLACE FUNCTION search_listing_of(listing properties)
 RETURNS SETOF search_listings
 LANGUAGE sql
 STABLE
AS $function$
     select * from search_listing_by_status(listing) where listing."hiddenFor" = '{}' $function$;

CREATE OR REPLACE FUNCTION search_listings_keep_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     insert into search_words select p.id, search_words_of(p) from added a join properties p on p.id = a."propertyId";
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION search_listings_note_cell()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if tg_op <> 'INSERT' and old."onMarket" and old."cellX" is not null then
      insert into search_cell_changes (x, y) values (old."cellX" >> 3, old."cellY" >> 3);
    end if;
    if tg_op <> 'DELETE' and new."onMarket" and new."cellX" is not null then
      insert into search_cell_changes (x, y) values (new."cellX" >> 3, new."cellY" >> 3);
    end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION search_text(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (' '::text || btrim(regexp_replace(lower(unaccent('unaccent'::regdictionary, given)), '[\x01-\x2f\x3a-\x60\x7b-\x7f]+'::text, ' '::text, 'g'::text)));

CREATE OR REPLACE FUNCTION search_words_of(listing properties)
 RETURNS tsvector
 LANGUAGE sql
 STABLE
RETURN strip(to_tsvector('simple'::regconfig, search_text(concat_ws(' '::text, (listing)."publicRemarks", (listing).address, (listing)."unitNumber", (listing).city, (listing)."stateOrProvince", (listing)."postalCode"))));

CREATE OR REPLACE FUNCTION session_refuse_feed_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
      begin
        if exists (select from "user" where id = new."userId" and "feedUser") then
          raise exception 'account % is the user of a feed', new."userId" using errcode = 'PA002', constraint = tg_name;
        end if;
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION tours_keep_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if exists (select from tours where id = old."actorId") then
      raise exception 'the history of tour % is shown to its two sides and never pruned', old."actorId"
        using errcode = 'restrict_violation';
    end if;
    return old;
  end $function$;

CREATE OR REPLACE FUNCTION tours_write_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        insert into tour_mails ("tourId", seq, side, "nextAttemptAt")
        values (new.id, new.version, 'customer', new."updatedAt"), (new.id, new.version, 'agent', new."updatedAt");
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION tours_write_notices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform write_push_notices(array[new."customerId", new."agentId"], 'TOUR', new.id, new.version,
       new."updatedAt", new."updatedAt");
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION tours_write_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform from properties p where p.id = new."propertyId" and p."originatingSystemName" is distinct from 'Sample'
       and alert_event_mode() <> 'none';
     if not found then
       return null;
     end if;
     if tg_op = 'INSERT' then
       perform write_webhooks('tour.requested', new."propertyId", new."agentId", new.id, new.version);
     end if;
     if new.status = 'CONFIRMED' then
       perform write_webhooks('tour.confirmed', new."propertyId", new."agentId", new.id, new.version);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION user_note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     if not exists (select from properties p where p."ownerAgentId" = new.id) then return null; end if;
     perform note_listing_change('Member', new.id, old.role <> new.role),
       note_listing_change('Office', office_key(old."officeName"), false),
       note_listing_change('Office', office_key(new."officeName"), false);
     perform note_listing_change('Property', p.id, false) from properties p where p."ownerAgentId" = new.id;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION user_suspended_ends_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   declare
     instant constant timestamptz := date_trunc('milliseconds', clock_timestamp());
   begin
     update webhook_endpoints set state = 'OFF', "offReason" = 'SUSPENDED', "offAt" = instant
     where "userId" = new.id and state = 'ACTIVE';
     update webhook_deliveries set state = 'DROPPED', "endedAt" = instant
     where state = 'WAITING' and "endpointId" in (select id from webhook_endpoints where "userId" = new.id);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION write_push_notices(people uuid[], about text, subject uuid, number bigint, at timestamp with time zone, due timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
     insert into push_notices as n ("sessionId", kind, "subjectId", seq, "createdAt", "nextAttemptAt")
     select s."sessionId", about, subject, number, at, due from (
       select "sessionId" from push_subscriptions where "userId" = any (people)
       order by "sessionId" for key share) s
     on conflict ("sessionId", kind, "subjectId") do update
       set seq = excluded.seq, "createdAt" = excluded."createdAt", attempts = 0,
         "nextAttemptAt" = case when n.attempts = 0 then least(n."nextAttemptAt", excluded."nextAttemptAt")
           else greatest(n."nextAttemptAt", excluded."nextAttemptAt") end
   $function$;

CREATE OR REPLACE FUNCTION write_webhooks(about text, listing uuid, agent uuid, subject uuid, no integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
   declare
     target record;
     instant constant timestamptz := date_trunc('milliseconds', clock_timestamp());
   begin
     for target in
       select e.id from webhook_endpoints e
       where e.state = 'ACTIVE' and e.events @> array[about] and (e."userId" is null
         or (agent is not null and e."userId" = agent)
         or (agent is null and e."userId" in (
           select p."ownerAgentId" from properties p where p.id = listing
           union all select pa."agentId" from property_agents pa where pa."propertyId" = listing)))
       order by e.id for key share
     loop
       -- What no request has begun with says the same: its receiver reads the listing as it is after this change.
       if about = 'listing.changed' then
         perform from webhook_deliveries d
         where d."endpointId" = target.id and d."propertyId" = listing and d.state = 'WAITING'
           and d.event = about and d.attempts = 0
         order by d.seq desc limit 1 for update skip locked;
         continue when found;
       end if;
       insert into webhook_deliveries ("endpointId", "propertyId", event, "subjectId", number, "createdAt", "nextAttemptAt")
       values (target.id, listing, about, subject, no, instant, instant);
     end loop;
   end $function$;

-- Triggers

CREATE TRIGGER account_refuse_tombstones BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER actor_transitions_never_change BEFORE UPDATE ON actor_transitions FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER tours_keep_history BEFORE DELETE ON actor_transitions FOR EACH ROW WHEN ((old."actorKind" = 'tour'::text)) EXECUTE FUNCTION tours_keep_history();

CREATE TRIGGER agent_invitations_accepted_refuse_suspended BEFORE UPDATE ON agent_invitations FOR EACH ROW EXECUTE FUNCTION refuse_suspended('acceptedById');

CREATE TRIGGER agent_invitations_made_refuse_suspended BEFORE INSERT OR UPDATE ON agent_invitations FOR EACH ROW WHEN ((new."acceptedAt" IS NULL)) EXECUTE FUNCTION refuse_suspended('invitedById');

CREATE TRIGGER agent_invitations_refuse_tombstones BEFORE INSERT OR UPDATE ON agent_invitations FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('invitedById', 'acceptedById');

CREATE TRIGGER agent_invitations_stay_accepted BEFORE UPDATE ON agent_invitations FOR EACH ROW WHEN ((old."acceptedAt" IS NOT NULL)) EXECUTE FUNCTION agent_invitations_stay_accepted();

CREATE TRIGGER agent_standings_inserted_keep_feed_listings AFTER INSERT ON agent_standings FOR EACH ROW WHEN ((new."confirmedLicense" IS NOT NULL)) EXECUTE FUNCTION approved_agents_keep_feed_listings();

CREATE TRIGGER agent_standings_keep_feed_listings AFTER UPDATE ON agent_standings FOR EACH ROW WHEN (((((old."needsApproval" IS DISTINCT FROM new."needsApproval") OR (old."approvedAt" IS DISTINCT FROM new."approvedAt")) OR (old."confirmedLicense" IS DISTINCT FROM new."confirmedLicense")) OR (old."licenseState" IS DISTINCT FROM new."licenseState"))) EXECUTE FUNCTION approved_agents_keep_feed_listings();

CREATE TRIGGER agent_standings_release_listings AFTER INSERT OR UPDATE ON agent_standings FOR EACH ROW EXECUTE FUNCTION agent_standings_release_listings();

CREATE TRIGGER ai_description_jobs_refuse_old_release BEFORE UPDATE ON ai_description_jobs FOR EACH ROW WHEN ((new."sendState" IS NOT NULL)) EXECUTE FUNCTION ai_description_jobs_refuse_old_release();

CREATE TRIGGER ai_provider_attempts_object_check BEFORE INSERT OR UPDATE OF status, "objectKey" ON ai_provider_attempts FOR EACH ROW WHEN (((new.status = ANY (ARRAY['COLLECTING'::ai_provider_attempt_status, 'SUCCEEDED'::ai_provider_attempt_status])) AND (new."objectKey" IS NULL))) EXECUTE FUNCTION ai_provider_attempts_object_check();

CREATE TRIGGER ai_room_staging_jobs_group_check BEFORE INSERT OR UPDATE OF "groupId" ON ai_room_staging_jobs FOR EACH ROW WHEN ((new."groupId" IS NOT NULL)) EXECUTE FUNCTION ai_room_staging_jobs_group_check();

CREATE TRIGGER ai_room_staging_jobs_keep_pad BEFORE UPDATE OF "padWidth", "padHeight", "frameLeft", "frameTop", "frameWidth", "frameHeight" ON ai_room_staging_jobs FOR EACH ROW WHEN ((old."padWidth" IS NOT NULL)) EXECUTE FUNCTION ai_room_staging_jobs_keep_pad();

CREATE TRIGGER ai_room_staging_jobs_reference_check BEFORE INSERT OR UPDATE OF "referenceImageKey" ON ai_room_staging_jobs FOR EACH ROW WHEN ((new."referenceImageKey" IS NOT NULL)) EXECUTE FUNCTION ai_room_staging_jobs_reference_check();

CREATE TRIGGER alert_settings_refuse_tombstones BEFORE INSERT ON alert_settings FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER alerts_refuse_tombstones BEFORE INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER avatars_refuse_tombstones BEFORE INSERT ON avatars FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER avatars_schedule_deletion AFTER DELETE ON avatars FOR EACH ROW EXECUTE FUNCTION schedule_deletion_of_object();

CREATE TRIGGER disclosure_confirmations_refuse_tombstones BEFORE INSERT OR UPDATE ON disclosure_confirmations FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('agentId');

CREATE TRIGGER drift_comparisons_keep_result BEFORE UPDATE ON drift_comparisons FOR EACH ROW WHEN ((old."comparedAt" IS NOT NULL)) EXECUTE FUNCTION drift_comparisons_keep_result();

CREATE TRIGGER favorite_matches_refuse_tombstones BEFORE INSERT ON favorite_matches FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER favorites_refuse_tombstones BEFORE INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER feeds_keep_agents AFTER UPDATE ON feeds FOR EACH ROW WHEN ((new."contactAgents" IS DISTINCT FROM old."contactAgents")) EXECUTE FUNCTION feeds_keep_agents();

CREATE TRIGGER hidden_homes_keep_latest AFTER INSERT ON hidden_homes REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_homes('200');

CREATE TRIGGER hidden_homes_refuse_tombstones BEFORE INSERT ON hidden_homes FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER idempotency_keys_refuse_tombstones BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER image_renditions_schedule_deletion AFTER DELETE ON image_renditions FOR EACH ROW EXECUTE FUNCTION schedule_deletion_of_object();

CREATE TRIGGER listing_addresses_deleted_note_region AFTER DELETE ON listing_addresses REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION listing_addresses_note_region();

CREATE TRIGGER listing_addresses_inserted_note_region AFTER INSERT ON listing_addresses REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION listing_addresses_note_region();

CREATE TRIGGER listing_offers_keep_end BEFORE UPDATE ON listing_offers FOR EACH ROW WHEN ((old.status <> 'OPEN'::text)) EXECUTE FUNCTION listing_offers_keep_end();

CREATE TRIGGER listing_offers_refuse_tombstones BEFORE INSERT ON listing_offers FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('fromAgentId', 'toAgentId');

CREATE TRIGGER listing_offers_write_mails AFTER INSERT OR UPDATE ON listing_offers FOR EACH ROW EXECUTE FUNCTION listing_offers_write_mails();

CREATE TRIGGER message_reads_refuse_tombstones BEFORE INSERT OR UPDATE ON message_reads FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER message_reports_refuse_tombstones BEFORE INSERT ON message_reports FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('reporterId');

CREATE TRIGGER message_threads_refuse_tombstones BEFORE INSERT ON message_threads FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('customerId');

CREATE TRIGGER messages_refuse_tombstones BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('authorId');

CREATE TRIGGER messages_write_webhooks AFTER INSERT ON messages FOR EACH ROW WHEN (((new.side = 'customer'::text) AND (NOT new."isHeld"))) EXECUTE FUNCTION messages_write_webhooks();

CREATE TRIGGER mismatch_reports_refuse_tombstones BEFORE INSERT ON mismatch_reports FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('customerId');

CREATE TRIGGER open_houses_note_alert AFTER INSERT ON open_houses FOR EACH ROW EXECUTE FUNCTION open_houses_note_alert();

CREATE TRIGGER open_houses_note_change AFTER UPDATE ON open_houses FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION open_houses_note_change();

CREATE TRIGGER open_houses_note_new AFTER INSERT OR DELETE ON open_houses FOR EACH ROW EXECUTE FUNCTION open_houses_note_change();

CREATE TRIGGER operator_acts_never_change BEFORE UPDATE ON operator_acts FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER operator_acts_never_empty BEFORE TRUNCATE ON operator_acts FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER photo_alteration_events_never_change BEFORE DELETE OR UPDATE ON photo_alteration_events FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER photo_alteration_events_never_empty BEFORE TRUNCATE ON photo_alteration_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER photo_checks_set_state AFTER INSERT OR UPDATE ON photo_checks FOR EACH ROW EXECUTE FUNCTION photo_checks_set_state();

CREATE TRIGGER photo_credentials_schedule_deletion AFTER DELETE ON photo_credentials FOR EACH ROW EXECUTE FUNCTION schedule_deletion_of_object();

CREATE TRIGGER properties_approved_note_alert AFTER UPDATE OF "hiddenFor" ON properties FOR EACH ROW WHEN (((old."hiddenFor" @> '{AWAITS_APPROVAL}'::text[]) AND (new."hiddenFor" = '{}'::text[]) AND (new."standardStatus" = ANY (ARRAY['Active'::text, 'Active Under Contract'::text, 'Coming Soon'::text, 'Pending'::text])))) EXECUTE FUNCTION properties_approved_note_alert();

CREATE TRIGGER properties_blank_address BEFORE INSERT OR UPDATE ON properties FOR EACH ROW WHEN ((NOT new."showAddress")) EXECUTE FUNCTION properties_blank_address();

CREATE TRIGGER properties_cancel_tours AFTER UPDATE ON properties FOR EACH ROW WHEN (((new."standardStatus" = ANY (ARRAY['Closed'::text, 'Withdrawn'::text, 'Canceled'::text, 'Expired'::text, 'Delete'::text])) AND (new."standardStatus" IS DISTINCT FROM old."standardStatus"))) EXECUTE FUNCTION properties_cancel_tours();

CREATE TRIGGER properties_clock BEFORE UPDATE OF "updatedAt" ON properties FOR EACH ROW EXECUTE FUNCTION properties_note_clock();

CREATE TRIGGER properties_given_follow_owner BEFORE UPDATE ON properties FOR EACH ROW WHEN ((old."ownerAgentId" IS DISTINCT FROM new."ownerAgentId")) EXECUTE FUNCTION properties_follow_owner();

CREATE TRIGGER properties_handed_await_approval BEFORE UPDATE ON properties FOR EACH ROW WHEN ((old."ownerAgentId" IS DISTINCT FROM new."ownerAgentId")) EXECUTE FUNCTION properties_await_approval();

CREATE TRIGGER properties_hidden_keep_address AFTER UPDATE ON properties FOR EACH ROW WHEN ((old."hiddenFor" IS DISTINCT FROM new."hiddenFor")) EXECUTE FUNCTION properties_keep_address();

CREATE TRIGGER properties_hidden_purge AFTER UPDATE ON properties FOR EACH ROW WHEN (((old."standardStatus" <> ALL (ARRAY['Incomplete'::text, 'Delete'::text])) AND (old."hiddenFor" = '{}'::text[]) AND (NOT ((new."standardStatus" <> ALL (ARRAY['Incomplete'::text, 'Delete'::text])) AND (new."hiddenFor" = '{}'::text[]))))) EXECUTE FUNCTION request_cache_purge();

CREATE TRIGGER properties_inserted_await_approval BEFORE INSERT ON properties FOR EACH ROW EXECUTE FUNCTION properties_await_approval();

CREATE TRIGGER properties_inserted_begin_price_history AFTER INSERT ON properties REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION properties_inserted_begin_price_history();

CREATE TRIGGER properties_inserted_follow_owner BEFORE INSERT ON properties FOR EACH ROW EXECUTE FUNCTION properties_follow_owner();

CREATE TRIGGER properties_inserted_follow_search AFTER INSERT ON properties REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION properties_inserted_follow_search();

CREATE TRIGGER properties_inserted_keep_address AFTER INSERT ON properties REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION properties_inserted_keep_address();

CREATE TRIGGER properties_inserted_keep_feed_agents AFTER INSERT ON properties FOR EACH ROW WHEN ((new."feedId" IS NOT NULL)) EXECUTE FUNCTION properties_keep_feed_agents();

CREATE TRIGGER properties_inserted_refuse_tombstones BEFORE INSERT ON properties FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('ownerAgentId');

CREATE TRIGGER properties_inserted_write_price_history AFTER INSERT ON properties FOR EACH ROW WHEN (((new."feedId" IS NULL) AND (((new."standardStatus" = ANY (ARRAY['Active'::text, 'Coming Soon'::text])) AND (new."originalListPrice" = new."listPrice")) IS NOT TRUE))) EXECUTE FUNCTION properties_write_price_history();

CREATE TRIGGER properties_keep_market_time BEFORE INSERT OR UPDATE ON properties FOR EACH ROW WHEN ((new."feedId" IS NULL)) EXECUTE FUNCTION properties_keep_market_time();

CREATE TRIGGER properties_leave_search_tombstone AFTER DELETE ON properties FOR EACH ROW EXECUTE FUNCTION properties_leave_search_tombstone();

CREATE TRIGGER properties_mark_search_dirty BEFORE INSERT OR UPDATE ON properties FOR EACH ROW EXECUTE FUNCTION properties_mark_search_dirty();

CREATE TRIGGER properties_note_change AFTER UPDATE ON properties FOR EACH ROW WHEN ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((old."ownerAgentId" IS DISTINCT FROM new."ownerAgentId") OR (old."listPrice" IS DISTINCT FROM new."listPrice")) OR (old.currency IS DISTINCT FROM new.currency)) OR (old."bedroomsTotal" IS DISTINCT FROM new."bedroomsTotal")) OR (old."bathroomsTotal" IS DISTINCT FROM new."bathroomsTotal")) OR (old."livingArea" IS DISTINCT FROM new."livingArea")) OR (old."livingAreaUnits" IS DISTINCT FROM new."livingAreaUnits")) OR (old."lotSizeArea" IS DISTINCT FROM new."lotSizeArea")) OR (old."lotSizeUnits" IS DISTINCT FROM new."lotSizeUnits")) OR (old."yearBuilt" IS DISTINCT FROM new."yearBuilt")) OR (old."yearBuiltEffective" IS DISTINCT FROM new."yearBuiltEffective")) OR (old."propertyType" IS DISTINCT FROM new."propertyType")) OR (old."propertySubType" IS DISTINCT FROM new."propertySubType")) OR (old."standardStatus" IS DISTINCT FROM new."standardStatus")) OR (old.address IS DISTINCT FROM new.address)) OR (old."unitNumber" IS DISTINCT FROM new."unitNumber")) OR (old.city IS DISTINCT FROM new.city)) OR (old."countyOrParish" IS DISTINCT FROM new."countyOrParish")) OR (old."subdivisionName" IS DISTINCT FROM new."subdivisionName")) OR (old."stateOrProvince" IS DISTINCT FROM new."stateOrProvince")) OR (old."postalCode" IS DISTINCT FROM new."postalCode")) OR (old.country IS DISTINCT FROM new.country)) OR (old.latitude IS DISTINCT FROM new.latitude)) OR (old.longitude IS DISTINCT FROM new.longitude)) OR (old."publicRemarks" IS DISTINCT FROM new."publicRemarks")) OR (old.features IS DISTINCT FROM new.features)) OR (old."listedAt" IS DISTINCT FROM new."listedAt")) OR (old.stories IS DISTINCT FROM new.stories)) OR (old."roomsTotal" IS DISTINCT FROM new."roomsTotal")) OR (old."garageSpaces" IS DISTINCT FROM new."garageSpaces")) OR (old."parkingTotal" IS DISTINCT FROM new."parkingTotal")) OR (old."associationFee" IS DISTINCT FROM new."associationFee")) OR (old."associationFeeFrequency" IS DISTINCT FROM new."associationFeeFrequency")) OR (old."taxAnnualAmount" IS DISTINCT FROM new."taxAnnualAmount")) OR (old."taxYear" IS DISTINCT FROM new."taxYear")) OR (old."originalListPrice" IS DISTINCT FROM new."originalListPrice")) OR (old."closePrice" IS DISTINCT FROM new."closePrice")) OR (old."closeDate" IS DISTINCT FROM new."closeDate")) OR (old."propertyTimeZoneName" IS DISTINCT FROM new."propertyTimeZoneName")) OR (old."showingAdvanceNotice" IS DISTINCT FROM new."showingAdvanceNotice")) OR (old."showingStartTime" IS DISTINCT FROM new."showingStartTime")) OR (old."showingEndTime" IS DISTINCT FROM new."showingEndTime")) OR (old."showingDays" IS DISTINCT FROM new."showingDays")) OR (old."originatingSystemName" IS DISTINCT FROM new."originatingSystemName")) OR (old."originatingSystemKey" IS DISTINCT FROM new."originatingSystemKey")) OR (old."statusChangedAt" IS DISTINCT FROM new."statusChangedAt")) OR (old."offMarketAt" IS DISTINCT FROM new."offMarketAt")) OR (old."marketDaysBefore" IS DISTINCT FROM new."marketDaysBefore")) OR (old."hiddenFor" IS DISTINCT FROM new."hiddenFor")) OR (old."feedId" IS DISTINCT FROM new."feedId")) OR (old."showAddress" IS DISTINCT FROM new."showAddress")) OR (old."showValuation" IS DISTINCT FROM new."showValuation")) OR (old."showComments" IS DISTINCT FROM new."showComments")) OR (old."listOfficeName" IS DISTINCT FROM new."listOfficeName")) OR (old."listAgentName" IS DISTINCT FROM new."listAgentName")) OR (old."listAgentLicense" IS DISTINCT FROM new."listAgentLicense")) OR (old."attributionContact" IS DISTINCT FROM new."attributionContact"))) EXECUTE FUNCTION properties_note_change();

CREATE TRIGGER properties_note_new AFTER INSERT OR DELETE ON properties FOR EACH ROW EXECUTE FUNCTION properties_note_change();

CREATE TRIGGER properties_owner_accepted BEFORE UPDATE ON properties FOR EACH ROW WHEN ((new."ownerAgentId" IS DISTINCT FROM old."ownerAgentId")) EXECUTE FUNCTION properties_owner_accepted();

CREATE TRIGGER properties_updated_follow_search AFTER UPDATE ON properties FOR EACH ROW WHEN (((old."searchVersion" IS DISTINCT FROM new."searchVersion") OR (old."updatedAt" IS DISTINCT FROM new."updatedAt"))) EXECUTE FUNCTION properties_follow_search();

CREATE TRIGGER properties_updated_follow_words AFTER UPDATE ON properties FOR EACH ROW WHEN (((((((old."publicRemarks" IS DISTINCT FROM new."publicRemarks") OR (old.address IS DISTINCT FROM new.address)) OR (old."unitNumber" IS DISTINCT FROM new."unitNumber")) OR (old.city IS DISTINCT FROM new.city)) OR (old."stateOrProvince" IS DISTINCT FROM new."stateOrProvince")) OR (old."postalCode" IS DISTINCT FROM new."postalCode"))) EXECUTE FUNCTION properties_follow_words();

CREATE TRIGGER properties_updated_keep_address AFTER UPDATE ON properties FOR EACH ROW WHEN ((((((((((old.address IS DISTINCT FROM new.address) OR (old."unitNumber" IS DISTINCT FROM new."unitNumber")) OR (old.city IS DISTINCT FROM new.city)) OR (old."stateOrProvince" IS DISTINCT FROM new."stateOrProvince")) OR (old."postalCode" IS DISTINCT FROM new."postalCode")) OR (old.country IS DISTINCT FROM new.country)) OR (old.latitude IS DISTINCT FROM new.latitude)) OR (old.longitude IS DISTINCT FROM new.longitude)) OR ((old."standardStatus" = ANY (ARRAY['Incomplete'::text, 'Delete'::text])) IS DISTINCT FROM (new."standardStatus" = ANY (ARRAY['Incomplete'::text, 'Delete'::text]))))) EXECUTE FUNCTION properties_keep_address();

CREATE TRIGGER properties_updated_keep_feed_agents AFTER UPDATE ON properties FOR EACH ROW WHEN (((new."feedId" IS NOT NULL) AND ((new."feedId" IS DISTINCT FROM old."feedId") OR (new."listAgentLicense" IS DISTINCT FROM old."listAgentLicense") OR (new."stateOrProvince" IS DISTINCT FROM old."stateOrProvince")))) EXECUTE FUNCTION properties_keep_feed_agents();

CREATE TRIGGER properties_updated_refuse_tombstones BEFORE UPDATE ON properties FOR EACH ROW WHEN (((new."ownerAgentId" IS DISTINCT FROM old."ownerAgentId") OR ((old."standardStatus" <> new."standardStatus") AND (new."standardStatus" <> 'Delete'::text)))) EXECUTE FUNCTION refuse_tombstones('ownerAgentId');

CREATE TRIGGER properties_updated_write_price_history AFTER UPDATE ON properties FOR EACH ROW WHEN (((new."feedId" IS NULL) AND ((((old."standardStatus" IS DISTINCT FROM new."standardStatus") OR (old."listPrice" IS DISTINCT FROM new."listPrice")) OR (old.currency IS DISTINCT FROM new.currency)) OR (old."closePrice" IS DISTINCT FROM new."closePrice")))) EXECUTE FUNCTION properties_write_price_history();

CREATE TRIGGER properties_withdraw_offers AFTER UPDATE ON properties FOR EACH ROW WHEN (((new."standardStatus" = 'Delete'::text) AND (old."standardStatus" <> 'Delete'::text))) EXECUTE FUNCTION properties_withdraw_offers();

CREATE TRIGGER properties_write_webhooks_of_birth AFTER INSERT ON properties FOR EACH ROW WHEN (((new."standardStatus" <> ALL (ARRAY['Incomplete'::text, 'Delete'::text])) AND (new."hiddenFor" = '{}'::text[]))) EXECUTE FUNCTION properties_write_webhooks();

CREATE TRIGGER properties_write_webhooks_of_change AFTER UPDATE ON properties FOR EACH ROW WHEN (((old."searchVersion" IS DISTINCT FROM new."searchVersion") AND (((new."standardStatus" <> ALL (ARRAY['Incomplete'::text, 'Delete'::text])) AND (new."hiddenFor" = '{}'::text[])) OR ((old."standardStatus" <> ALL (ARRAY['Incomplete'::text, 'Delete'::text])) AND (old."hiddenFor" = '{}'::text[]))))) EXECUTE FUNCTION properties_write_webhooks();

CREATE TRIGGER property_agents_refuse_tombstones BEFORE INSERT ON property_agents FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('agentId');

CREATE TRIGGER property_image_review_events_keep_approvals BEFORE DELETE ON property_image_review_events FOR EACH ROW WHEN ((old.kind = 'APPROVED'::property_image_review_event_kind)) EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER property_image_review_events_never_change BEFORE UPDATE ON property_image_review_events FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER property_image_review_events_never_empty BEFORE TRUNCATE ON property_image_review_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER property_image_review_events_refuse_suspended BEFORE INSERT ON property_image_review_events FOR EACH ROW WHEN ((new.kind = 'APPROVED'::property_image_review_event_kind)) EXECUTE FUNCTION refuse_suspended('actorUserId');

CREATE TRIGGER property_images_altered_leaves_cover BEFORE UPDATE OF alteration ON property_images FOR EACH ROW WHEN ((old."isMain" AND (new.alteration IS NOT NULL))) EXECUTE FUNCTION property_images_altered_leaves_cover();

CREATE TRIGGER property_images_altered_mark_search_dirty AFTER UPDATE OF alteration ON property_images FOR EACH ROW WHEN ((old.alteration IS DISTINCT FROM new.alteration)) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_altered_passes_on_cover AFTER UPDATE OF alteration ON property_images FOR EACH ROW WHEN ((old."isMain" AND (new.alteration IS NOT NULL))) EXECUTE FUNCTION property_images_pass_on_cover();

CREATE TRIGGER property_images_begin_check AFTER INSERT ON property_images FOR EACH ROW WHEN ((NOT new."isStyled")) EXECUTE FUNCTION property_images_begin_check();

CREATE TRIGGER property_images_begin_drift AFTER INSERT ON property_images FOR EACH ROW WHEN (new."isStyled") EXECUTE FUNCTION property_images_begin_drift();

CREATE TRIGGER property_images_begin_fingerprint AFTER INSERT ON property_images FOR EACH ROW WHEN ((new."isStyled" AND (new."providerModel" IS DISTINCT FROM 'sample'::text))) EXECUTE FUNCTION property_images_begin_fingerprint();

CREATE TRIGGER property_images_cancel_jobs BEFORE DELETE ON property_images FOR EACH ROW WHEN ((NOT old."isStyled")) EXECUTE FUNCTION property_images_cancel_jobs();

CREATE TRIGGER property_images_close_reports AFTER DELETE ON property_images FOR EACH ROW WHEN ((old."reviewStatus" = 'APPROVED'::property_image_review_status)) EXECUTE FUNCTION property_images_close_reports();

CREATE TRIGGER property_images_deleted_mark_search_dirty AFTER DELETE ON property_images FOR EACH ROW WHEN (((NOT old."isStyled") OR (old."reviewStatus" = 'APPROVED'::property_image_review_status))) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_deleted_purge AFTER DELETE ON property_images FOR EACH ROW WHEN (((NOT old."isStyled") OR ((old."reviewStatus" = 'APPROVED'::property_image_review_status) AND (old."withdrawnAt" IS NULL)))) EXECUTE FUNCTION request_cache_purge();

CREATE TRIGGER property_images_end_drift AFTER DELETE ON property_images FOR EACH ROW WHEN (old."isStyled") EXECUTE FUNCTION property_images_end_drift();

CREATE TRIGGER property_images_file_stays BEFORE UPDATE ON property_images FOR EACH ROW WHEN (((((((old.id IS DISTINCT FROM new.id) OR (old."propertyId" IS DISTINCT FROM new."propertyId")) OR (old."isStyled" IS DISTINCT FROM new."isStyled")) OR (old."styledFromId" IS DISTINCT FROM new."styledFromId")) OR (old."objectKey" IS DISTINCT FROM new."objectKey")) OR ((old."outputChecksum" IS NOT NULL) AND (old."outputChecksum" IS DISTINCT FROM new."outputChecksum")))) EXECUTE FUNCTION property_images_file_stays();

CREATE TRIGGER property_images_inserted_mark_search_dirty AFTER INSERT ON property_images FOR EACH ROW WHEN (((NOT new."isStyled") OR (new."reviewStatus" = 'APPROVED'::property_image_review_status))) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_note_change AFTER UPDATE ON property_images FOR EACH ROW WHEN (((((((((((((((((old."position" IS DISTINCT FROM new."position") OR (old."isMain" IS DISTINCT FROM new."isMain")) OR (old."isStyled" IS DISTINCT FROM new."isStyled")) OR (old."styledFromId" IS DISTINCT FROM new."styledFromId")) OR (old."roomType" IS DISTINCT FROM new."roomType")) OR (old."imageOf" IS DISTINCT FROM new."imageOf")) OR (old."reviewStatus" IS DISTINCT FROM new."reviewStatus")) OR (old."withdrawnAt" IS DISTINCT FROM new."withdrawnAt")) OR (old.alteration IS DISTINCT FROM new.alteration)) OR (old."alterationBy" IS DISTINCT FROM new."alterationBy")) OR (old."alteredFromId" IS DISTINCT FROM new."alteredFromId")) OR (old."photoState" IS DISTINCT FROM new."photoState")) OR (old."outputWidth" IS DISTINCT FROM new."outputWidth")) OR (old."outputHeight" IS DISTINCT FROM new."outputHeight")) OR (old."outputFormat" IS DISTINCT FROM new."outputFormat")) OR (old."outputChecksum" IS DISTINCT FROM new."outputChecksum"))) EXECUTE FUNCTION property_images_note_change();

CREATE TRIGGER property_images_note_deletion AFTER DELETE ON property_images FOR EACH ROW WHEN ((old."reviewStatus" = 'APPROVED'::property_image_review_status)) EXECUTE FUNCTION property_images_note_provenance();

CREATE TRIGGER property_images_note_new AFTER INSERT OR DELETE ON property_images FOR EACH ROW EXECUTE FUNCTION property_images_note_change();

CREATE TRIGGER property_images_note_withdrawal AFTER UPDATE ON property_images FOR EACH ROW WHEN (((old."withdrawnAt" IS DISTINCT FROM new."withdrawnAt") OR (old."withdrawnBy" IS DISTINCT FROM new."withdrawnBy"))) EXECUTE FUNCTION property_images_note_provenance();

CREATE TRIGGER property_images_note_withdrawn_birth AFTER INSERT ON property_images FOR EACH ROW WHEN ((new."withdrawnAt" IS NOT NULL)) EXECUTE FUNCTION property_images_note_provenance();

CREATE TRIGGER property_images_pass_on_cover AFTER DELETE ON property_images FOR EACH ROW WHEN (old."isMain") EXECUTE FUNCTION property_images_pass_on_cover();

CREATE CONSTRAINT TRIGGER property_images_public_on_insert AFTER INSERT ON property_images DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new."reviewStatus" = 'APPROVED'::property_image_review_status)) EXECUTE FUNCTION property_images_public_check();

CREATE CONSTRAINT TRIGGER property_images_public_on_update AFTER UPDATE ON property_images DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new."reviewStatus" = 'APPROVED'::property_image_review_status) AND ((old."reviewStatus" IS DISTINCT FROM new."reviewStatus") OR (old."withdrawnAt" IS DISTINCT FROM new."withdrawnAt")))) EXECUTE FUNCTION property_images_public_check();

CREATE TRIGGER property_images_refused_cancels_jobs AFTER UPDATE ON property_images FOR EACH ROW WHEN (((old."photoState" IS DISTINCT FROM new."photoState") AND (new."photoState" = 'STAGED_PICTURE'::text))) EXECUTE FUNCTION property_images_cancel_jobs();

CREATE TRIGGER property_images_refused_leaves_cover BEFORE UPDATE ON property_images FOR EACH ROW WHEN ((old."isMain" AND (new."photoState" = 'STAGED_PICTURE'::text))) EXECUTE FUNCTION property_images_altered_leaves_cover();

CREATE TRIGGER property_images_refused_passes_on_cover AFTER UPDATE ON property_images FOR EACH ROW WHEN ((old."isMain" AND (new."photoState" = 'STAGED_PICTURE'::text))) EXECUTE FUNCTION property_images_pass_on_cover();

CREATE TRIGGER property_images_room_ends_subject BEFORE UPDATE OF "roomType" ON property_images FOR EACH ROW WHEN (((new."roomType" IS NOT NULL) AND (new."imageOf" IS NOT NULL))) EXECUTE FUNCTION property_images_room_ends_subject();

CREATE TRIGGER property_images_schedule_deletion AFTER DELETE ON property_images FOR EACH ROW EXECUTE FUNCTION property_images_schedule_deletion();

CREATE TRIGGER property_images_state_follows AFTER UPDATE ON property_images FOR EACH ROW WHEN ((old."photoState" IS DISTINCT FROM new."photoState")) EXECUTE FUNCTION property_images_state_follows();

CREATE TRIGGER property_images_state_marks_search_dirty AFTER UPDATE ON property_images FOR EACH ROW WHEN (((COALESCE(old."photoState", 'PHOTO'::text) = ANY (ARRAY['PHOTO'::text, 'SUSPECT'::text])) <> (COALESCE(new."photoState", 'PHOTO'::text) = ANY (ARRAY['PHOTO'::text, 'SUSPECT'::text])))) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_state_purge AFTER UPDATE ON property_images FOR EACH ROW WHEN (((COALESCE(old."photoState", 'PHOTO'::text) = ANY (ARRAY['PHOTO'::text, 'SUSPECT'::text])) AND (NOT (COALESCE(new."photoState", 'PHOTO'::text) = ANY (ARRAY['PHOTO'::text, 'SUSPECT'::text]))))) EXECUTE FUNCTION request_cache_purge();

CREATE TRIGGER property_images_subject_marks_search_dirty AFTER UPDATE OF "roomType", "imageOf" ON property_images FOR EACH ROW WHEN (((old."roomType" IS DISTINCT FROM new."roomType") OR (old."imageOf" IS DISTINCT FROM new."imageOf"))) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_updated_mark_search_dirty AFTER UPDATE ON property_images FOR EACH ROW WHEN ((((NOT old."isStyled") OR (NOT new."isStyled") OR (old."reviewStatus" = 'APPROVED'::property_image_review_status) OR (new."reviewStatus" = 'APPROVED'::property_image_review_status)) AND (((((((old."propertyId" IS DISTINCT FROM new."propertyId") OR (old."objectKey" IS DISTINCT FROM new."objectKey")) OR (old."position" IS DISTINCT FROM new."position")) OR (old."isMain" IS DISTINCT FROM new."isMain")) OR (old."isStyled" IS DISTINCT FROM new."isStyled")) OR (old."styledFromId" IS DISTINCT FROM new."styledFromId")) OR (old."reviewStatus" IS DISTINCT FROM new."reviewStatus")))) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_wait_for_check BEFORE INSERT ON property_images FOR EACH ROW EXECUTE FUNCTION property_images_wait_for_check();

CREATE TRIGGER property_images_withdrawn_mark_search_dirty AFTER UPDATE ON property_images FOR EACH ROW WHEN ((old."withdrawnAt" IS DISTINCT FROM new."withdrawnAt")) EXECUTE FUNCTION property_images_mark_search_dirty();

CREATE TRIGGER property_images_withdrawn_purge AFTER UPDATE ON property_images FOR EACH ROW WHEN ((((NOT old."isStyled") OR ((old."reviewStatus" = 'APPROVED'::property_image_review_status) AND (old."withdrawnAt" IS NULL))) AND (new."withdrawnAt" IS NOT NULL))) EXECUTE FUNCTION request_cache_purge();

CREATE TRIGGER property_images_write_mail AFTER UPDATE ON property_images FOR EACH ROW WHEN (((new."withdrawnBy" = 'REPORTS'::text) AND (old."withdrawnBy" IS DISTINCT FROM 'REPORTS'::text))) EXECUTE FUNCTION property_images_write_mail();

CREATE TRIGGER property_images_write_webhooks AFTER UPDATE ON property_images FOR EACH ROW WHEN (((new."reviewStatus" = 'APPROVED'::property_image_review_status) AND (old."reviewStatus" IS DISTINCT FROM 'APPROVED'::property_image_review_status))) EXECUTE FUNCTION property_images_write_webhooks();

CREATE TRIGGER property_price_events_never_change BEFORE UPDATE ON property_price_events FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER property_price_events_note_alert AFTER INSERT ON property_price_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION property_price_events_note_alert();

CREATE TRIGGER property_price_events_note_change AFTER INSERT ON property_price_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION property_price_events_note_change();

CREATE TRIGGER property_price_events_stay BEFORE DELETE ON property_price_events FOR EACH ROW EXECUTE FUNCTION property_price_events_stay();

CREATE TRIGGER provenance_due_closed BEFORE INSERT OR DELETE OR UPDATE OF "stagedImageId" ON provenance_due FOR EACH ROW EXECUTE FUNCTION provenance_due_closed();

CREATE TRIGGER provenance_due_never_empty BEFORE TRUNCATE ON provenance_due FOR EACH STATEMENT EXECUTE FUNCTION provenance_due_closed();

CREATE TRIGGER provenance_events_never_change BEFORE DELETE OR UPDATE ON provenance_events FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_events_never_empty BEFORE TRUNCATE ON provenance_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_log_never_change BEFORE DELETE OR UPDATE ON provenance_log FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_log_never_empty BEFORE TRUNCATE ON provenance_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_log_leaves_never_change BEFORE DELETE OR UPDATE ON provenance_log_leaves FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_log_leaves_never_empty BEFORE TRUNCATE ON provenance_log_leaves FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_manifests_refuse_changes BEFORE DELETE OR UPDATE ON provenance_manifests FOR EACH ROW EXECUTE FUNCTION provenance_manifests_refuse_changes();

CREATE TRIGGER provenance_records_never_change BEFORE DELETE OR UPDATE ON provenance_records FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_records_never_empty BEFORE TRUNCATE ON provenance_records FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER provenance_records_note_change AFTER INSERT ON provenance_records FOR EACH ROW EXECUTE FUNCTION provenance_records_note_change();

CREATE TRIGGER push_subscriptions_refuse_tombstones BEFORE INSERT OR UPDATE OF "userId" ON push_subscriptions FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER room_group_photos_original_check BEFORE INSERT OR UPDATE ON room_group_photos FOR EACH ROW EXECUTE FUNCTION room_group_photos_original_check();

CREATE TRIGGER room_group_photos_remove_empty_group AFTER DELETE ON room_group_photos FOR EACH ROW EXECUTE FUNCTION room_group_photos_remove_empty_group();

CREATE TRIGGER saved_searches_refuse_tombstones BEFORE INSERT ON saved_searches FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER search_listings_deleted_note_cell AFTER DELETE ON search_listings FOR EACH ROW WHEN ((old."onMarket" AND (old."cellX" IS NOT NULL))) EXECUTE FUNCTION search_listings_note_cell();

CREATE TRIGGER search_listings_inserted_keep_words AFTER INSERT ON search_listings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION search_listings_keep_words();

CREATE TRIGGER search_listings_inserted_note_cell AFTER INSERT ON search_listings FOR EACH ROW WHEN ((new."onMarket" AND (new."cellX" IS NOT NULL))) EXECUTE FUNCTION search_listings_note_cell();

CREATE TRIGGER search_listings_updated_note_cell AFTER UPDATE ON search_listings FOR EACH ROW WHEN (((old."onMarket" OR new."onMarket") AND (((((old."onMarket" IS DISTINCT FROM new."onMarket") OR (old.latitude IS DISTINCT FROM new.latitude)) OR (old.longitude IS DISTINCT FROM new.longitude)) OR (old."listPrice" IS DISTINCT FROM new."listPrice")) OR (old.currency IS DISTINCT FROM new.currency)))) EXECUTE FUNCTION search_listings_note_cell();

CREATE TRIGGER seen_homes_keep_latest AFTER INSERT ON seen_homes REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_homes('500');

CREATE TRIGGER seen_homes_refuse_tombstones BEFORE INSERT ON seen_homes FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER session_refuse_feed_user BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION session_refuse_feed_user();

CREATE TRIGGER session_refuse_tombstones BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER shared_lists_refuse_suspended BEFORE INSERT OR UPDATE ON shared_lists FOR EACH ROW EXECUTE FUNCTION refuse_suspended('userId');

CREATE TRIGGER shared_lists_refuse_tombstones BEFORE INSERT ON shared_lists FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER staged_fingerprints_keep_pictures BEFORE UPDATE ON staged_fingerprints FOR EACH ROW WHEN ((old."madeAt" IS NOT NULL)) EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER staged_fingerprints_stay BEFORE DELETE ON staged_fingerprints FOR EACH ROW EXECUTE FUNCTION refuse_rewrite_of_history();

CREATE TRIGGER tour_reads_refuse_tombstones BEFORE INSERT OR UPDATE ON tour_reads FOR EACH ROW EXECUTE FUNCTION refuse_tombstones('userId');

CREATE TRIGGER tours_inserted_refuse_tombstones BEFORE INSERT ON tours FOR EACH ROW WHEN ((new.status = ANY (ARRAY['REQUESTED'::tour_status, 'RESCHEDULE_PROPOSED'::tour_status, 'CONFIRMED'::tour_status]))) EXECUTE FUNCTION refuse_tombstones('customerId', 'agentId');

CREATE TRIGGER tours_refuse_suspended BEFORE INSERT ON tours FOR EACH ROW EXECUTE FUNCTION refuse_suspended('customerId');

CREATE TRIGGER tours_updated_refuse_tombstones BEFORE UPDATE ON tours FOR EACH ROW WHEN (((new.status = ANY (ARRAY['REQUESTED'::tour_status, 'RESCHEDULE_PROPOSED'::tour_status, 'CONFIRMED'::tour_status])) AND ((old.status <> ALL (ARRAY['REQUESTED'::tour_status, 'RESCHEDULE_PROPOSED'::tour_status, 'CONFIRMED'::tour_status])) OR (new."agentId" IS DISTINCT FROM old."agentId") OR (new."proposedById" IS DISTINCT FROM old."proposedById")))) EXECUTE FUNCTION refuse_tombstones('customerId', 'agentId', 'proposedById');

CREATE TRIGGER tours_write_mails_of_birth AFTER INSERT ON tours FOR EACH ROW EXECUTE FUNCTION tours_write_mails();

CREATE TRIGGER tours_write_mails_of_change AFTER UPDATE ON tours FOR EACH ROW WHEN ((new.version > old.version)) EXECUTE FUNCTION tours_write_mails();

CREATE TRIGGER tours_write_notices_of_birth AFTER INSERT ON tours FOR EACH ROW EXECUTE FUNCTION tours_write_notices();

CREATE TRIGGER tours_write_notices_of_change AFTER UPDATE ON tours FOR EACH ROW WHEN ((new.version > old.version)) EXECUTE FUNCTION tours_write_notices();

CREATE TRIGGER tours_write_webhooks_of_birth AFTER INSERT ON tours FOR EACH ROW EXECUTE FUNCTION tours_write_webhooks();

CREATE TRIGGER tours_write_webhooks_of_change AFTER UPDATE ON tours FOR EACH ROW WHEN (((new.status = 'CONFIRMED'::tour_status) AND (old.status <> 'CONFIRMED'::tour_status))) EXECUTE FUNCTION tours_write_webhooks();

CREATE TRIGGER user_keep_feed_listings AFTER UPDATE ON "user" FOR EACH ROW WHEN (((((old."licenseNumber" IS DISTINCT FROM new."licenseNumber") OR (old.role IS DISTINCT FROM new.role)) OR (old."suspendedAt" IS DISTINCT FROM new."suspendedAt")) OR (old.email IS DISTINCT FROM new.email))) EXECUTE FUNCTION agents_keep_feed_listings();

CREATE TRIGGER user_note_change AFTER UPDATE ON "user" FOR EACH ROW WHEN ((((((((old.name IS DISTINCT FROM new.name) OR (old.email IS DISTINCT FROM new.email)) OR (old."emailPublic" IS DISTINCT FROM new."emailPublic")) OR (old.phone IS DISTINCT FROM new.phone)) OR (old."licenseNumber" IS DISTINCT FROM new."licenseNumber")) OR (old."officeName" IS DISTINCT FROM new."officeName")) OR (old.role IS DISTINCT FROM new.role))) EXECUTE FUNCTION user_note_change();

CREATE TRIGGER user_suspended_ends_webhooks AFTER UPDATE OF "suspendedAt" ON "user" FOR EACH ROW WHEN (((old."suspendedAt" IS NULL) AND (new."suspendedAt" IS NOT NULL))) EXECUTE FUNCTION user_suspended_ends_webhooks();

CREATE TRIGGER webhook_endpoints_refuse_suspended BEFORE INSERT OR UPDATE OF state ON webhook_endpoints FOR EACH ROW WHEN (((new."userId" IS NOT NULL) AND (new.state = 'ACTIVE'::text))) EXECUTE FUNCTION refuse_suspended('userId');

CREATE TRIGGER webhook_endpoints_refuse_tombstones BEFORE INSERT ON webhook_endpoints FOR EACH ROW WHEN ((new."userId" IS NOT NULL)) EXECUTE FUNCTION refuse_tombstones('userId');
