/** The seven rooms that can be staged (docs/contract.md#rooms-and-styles). */
export const CANONICAL_ROOM_TYPES = [
  'BEDROOM',
  'LIVING_ROOM',
  'DINING_ROOM',
  'KITCHEN',
  'BATHROOM',
  'OFFICE',
  'TV_ROOM',
] as const;
export type CanonicalRoomType = (typeof CANONICAL_ROOM_TYPES)[number];

/** The six styles that can be requested (docs/contract.md#rooms-and-styles). */
export const CANONICAL_STYLES = [
  'MODERN',
  'SCANDINAVIAN',
  'INDUSTRIAL',
  'FARMHOUSE',
  'TRADITIONAL',
  'LUXURY',
] as const;
export type CanonicalStyle = (typeof CANONICAL_STYLES)[number];

/** Shown wherever an approved variant is shown; never drawn into the picture (docs/contract.md#disclosure). */
export const DISCLOSURE_LABEL = 'AI · Virtually staged';

/**
 * The options of a request to the provider; fixed at submission and stored with the job (docs/contract.md#submitting).
 */
export const STAGING_QUALITIES = ['low', 'medium', 'high', 'auto'] as const;
export const STAGING_ASPECT_RATIOS = ['1:1', '3:2', '2:3'] as const;
export type StagingAspectRatio = (typeof STAGING_ASPECT_RATIOS)[number];
export const STAGING_OUTPUT_FORMATS = ['jpeg', 'png', 'webp'] as const;
export type StagingOutputFormat = (typeof STAGING_OUTPUT_FORMATS)[number];

/** Whether a staged picture has its photo's shape, or one that is fixed for all (docs/contract.md#framing). */
export const STAGING_FRAMINGS = ['photo', 'fixed'] as const;
export type StagingFraming = (typeof STAGING_FRAMINGS)[number];

/** The kinds of pictures that are taken as photos, and their media types (docs/contract.md#photos). */
export const PHOTO_KINDS = ['jpeg', 'png', 'webp', 'avif', 'heic'] as const;
export type PhotoKind = (typeof PHOTO_KINDS)[number];
export const PHOTO_TYPES: readonly string[] = /* @__PURE__ */ [...PHOTO_KINDS, 'heif'].map(
  (kind) => `image/${kind}`,
);
/** The `accept` of a file input: some systems have no type for the files of phones. */
export const PHOTO_ACCEPT = /* @__PURE__ */ [...PHOTO_TYPES, '.heic', '.heif'].join();

/**
 * What a photo is shown as, by its check (docs/contract.md#intake): `WAITING` for its verdict, a `PHOTO`, an older photo
 * that is `SUSPECT` until an operator decides, a `QUESTION` to its agents, or a `STAGED_PICTURE` of ours. Only `PHOTO`
 * and `SUSPECT` are shown to the public.
 */
export const PHOTO_STATES = ['WAITING', 'PHOTO', 'SUSPECT', 'QUESTION', 'STAGED_PICTURE'] as const;
export type PhotoState = (typeof PHOTO_STATES)[number];

/** Pixels; a photo with a shorter side is not staged. */
export const MIN_STAGED_SIDE = 512;
/** Pixels; the longest side of a copy that the provider gets (docs/contract.md#photos). */
export const PROVIDER_INPUT_SIDE = 2048;

/** The languages of descriptions. */
export const DESCRIPTION_LOCALES = ['en', 'es'] as const;
export type DescriptionLocale = (typeof DESCRIPTION_LOCALES)[number];

export const STORAGE_DELETION_REASONS = [
  'STAGED_IMAGE_DELETED',
  'ORIGINAL_IMAGE_DELETED',
  'MIGRATED_ORPHAN',
  'MIGRATED_DUPLICATE',
  'MIGRATED_DUPLICATE_LEGACY',
  'MIGRATED_DUPLICATE_JOB_RESULT',
] as const;
export type StorageDeletionReason = (typeof STORAGE_DELETION_REASONS)[number];

export const AI_JOB_TYPES = ['ROOM_STAGING', 'DESCRIPTION'] as const;
export type AiJobType = (typeof AI_JOB_TYPES)[number];
export const AI_JOB_PHASES = ['QUEUED', 'PROVIDER_DISABLED', 'ATTEMPT', 'BACKOFF'] as const;
export type AiJobPhase = (typeof AI_JOB_PHASES)[number];

/** Statuses of actors whose rows are found by status, in the order of their database types. */
export const AI_JOB_STATUSES = [
  'PENDING',
  'PROCESSING',
  'RETRYING',
  'CANCEL_REQUESTED',
  'SUCCESS',
  'FAILED',
  'CANCELED',
] as const;
export type AiJobStatus = (typeof AI_JOB_STATUSES)[number];
export const FINAL_JOB_STATUSES = ['SUCCESS', 'FAILED', 'CANCELED'] as const satisfies AiJobStatus[];
// Pages of the site take only what they use of this file: a call is left out only where it is marked as pure.
export const ACTIVE_JOB_STATUSES = /* @__PURE__ */ without(AI_JOB_STATUSES, FINAL_JOB_STATUSES);

export const AI_PROVIDER_ATTEMPT_STATUSES = [
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
  'LOST',
] as const;
export type AiProviderAttemptStatus = (typeof AI_PROVIDER_ATTEMPT_STATUSES)[number];
export const FINAL_ATTEMPT_STATUSES = [
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'DISCARDED',
  'LOST',
] as const satisfies AiProviderAttemptStatus[];

export const REVIEW_STATUSES = ['PENDING_REVIEW', 'APPROVED'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** Who hid an approved picture from the public again; the higher rank comes later. */
export const WITHDRAWERS = ['AGENT', 'REPORTS', 'OPERATOR'] as const;
export type WithdrawnBy = (typeof WITHDRAWERS)[number];

/** The states of a customer's report that a picture did not match (`mismatch_reports.status`). */
export const MISMATCH_REPORT_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'UPHELD', 'CLOSED'] as const;
export type MismatchReportStatus = (typeof MISMATCH_REPORT_STATUSES)[number];

/** What became of an approved picture (`provenance_events.kind`). */
export const PROVENANCE_EVENT_KINDS = ['WITHDRAWN', 'LIFTED', 'DELETED'] as const;
export type ProvenanceEventKind = (typeof PROVENANCE_EVENT_KINDS)[number];

/** The decision about a staged picture. */
export const REVIEW_EVENT_KINDS = ['APPROVED', 'REJECTED'] as const;
export type ReviewEventKind = (typeof REVIEW_EVENT_KINDS)[number];

/**
 * What a comparison of a staged picture with its photo may report (docs/contract.md#drift): the room's geometry moved;
 * a fixture is gone; a wall or another surface has another color or texture.
 */
export const DRIFT_FLAGS = ['GEOMETRY_MOVED', 'STRUCTURE_LOST', 'SURFACE_REPAINTED'] as const;
export type DriftFlag = (typeof DRIFT_FLAGS)[number];
/** Flags of older comparisons that missed too much. They stay in the rows; only the operator's report shows them. */
export const RETIRED_DRIFT_FLAGS = ['FLOOR_CHANGED'] as const;
export type RetiredDriftFlag = (typeof RETIRED_DRIFT_FLAGS)[number];

/** Ways of travel that a router may know. */
export const COMMUTE_MODES = ['CAR', 'BIKE', 'FOOT'] as const;
export type CommuteMode = (typeof COMMUTE_MODES)[number];

export const STORAGE_DELETION_STATUSES = ['PENDING', 'PROCESSING', 'DELETED', 'FAILED'] as const;

export const TOUR_KINDS = ['IN_PERSON', 'VIRTUAL'] as const;
export type TourKind = (typeof TOUR_KINDS)[number];
export const TOUR_ACTORS = ['customer', 'agent', 'system'] as const;

export const TOUR_STATUSES = [
  'REQUESTED',
  'RESCHEDULE_PROPOSED',
  'CONFIRMED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'COMPLETED',
  'NO_SHOW',
] as const;
export type TourStatus = (typeof TOUR_STATUSES)[number];
export const OPEN_TOUR_STATUSES = [
  'REQUESTED',
  'RESCHEDULE_PROPOSED',
  'CONFIRMED',
] as const satisfies TourStatus[];
export type OpenTourStatus = (typeof OPEN_TOUR_STATUSES)[number];
/** One side was asked and has not answered yet. */
export const PROPOSED_TOUR_STATUSES = [
  'REQUESTED',
  'RESCHEDULE_PROPOSED',
] as const satisfies OpenTourStatus[];
/** The agent's calendar may hold a time. */
export const HOLDING_TOUR_STATUSES = ['RESCHEDULE_PROPOSED', 'CONFIRMED'] as const satisfies OpenTourStatus[];

function without<T extends string, U extends T>(all: readonly T[], some: readonly U[]): Exclude<T, U>[] {
  return all.filter((one): one is Exclude<T, U> => !some.some((other) => other === one));
}
