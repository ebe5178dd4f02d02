import type { JournalKind } from './invariant-queries.ts';

/**
 * Where the operators' pages find the actors of a kind: which table, which column is the state, what a list shows, what
 * it can be narrowed to. All lists and counts go through an index, so that they take as long as the page they fill,
 * however many actors there are. Nothing of a person is among what is read: no name, address or text.
 */
export interface KindSource {
  /** The table; the actor's row is `t`. */
  from: string;
  /** What makes a row of the table an actor of this kind. */
  base: string;
  /** The column that the index begins with, its type, and its values in the order of a life. */
  status: { column: string; type: string; values: readonly string[] };
  /** The machine's name of the state. */
  state: string;
  /** When it began; lists are sorted by it. */
  createdAt: string;
  columns: {
    updatedAt: string;
    errorCode: string;
    propertyId: string;
    worker: string;
    jobId: string;
    quarantined: string;
  };
  /** Conditions that leave few rows, each found by an index of its own; null where nobody would ask. */
  narrow: {
    /** `$7` is the listing's id. */
    property: string | null;
    /** `$8` is the node's id. */
    worker: string | null;
    quarantined: string | null;
  };
  /** Statuses that somebody may want to look at. */
  failed: readonly string[];
}

const NONE = 'NULL';
const JOB_STATUSES = [
  'PENDING',
  'PROCESSING',
  'RETRYING',
  'CANCEL_REQUESTED',
  'SUCCESS',
  'FAILED',
  'CANCELED',
];
const ATTEMPT_STATUSES = [
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
];
const TOUR_STATUSES = [
  'REQUESTED',
  'RESCHEDULE_PROPOSED',
  'CONFIRMED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'COMPLETED',
  'NO_SHOW',
];

const OF_PROPERTY = 't."propertyId" = $7';
const JOBS = {
  from: 'ai_jobs t',
  status: { column: 't.status', type: 'ai_job_status', values: JOB_STATUSES },
  createdAt: 't."createdAt"',
  columns: {
    updatedAt: 't."updatedAt"',
    errorCode: 't."errorCode"',
    propertyId: 't."propertyId"',
    worker: 't."leaseOwner"',
    jobId: NONE,
    quarantined: 't."quarantinedAt" IS NOT NULL',
  },
  narrow: {
    property: OF_PROPERTY,
    // Leases are few: as many as there are slots.
    worker: 't."leaseOwner" = $8',
    quarantined: 't."quarantinedAt" IS NOT NULL',
  },
  failed: ['FAILED'],
};
const STATUS_AND_PHASE = `concat_ws('.', t.status, t.phase)`;
/** Only what is under way is looked up beside its job. */
const SEND_STATE = `CASE WHEN t.status = 'PROCESSING'
  THEN 'PROCESSING.' || (SELECT d."sendState" FROM ai_description_jobs d WHERE d."aiJobId" = t.id)
  ELSE ${STATUS_AND_PHASE} END`;
const ofJob = (column: string) => `(SELECT j."${column}" FROM ai_jobs j WHERE j.id = t."aiJobId")`;
const ofJobs = (jobs: string) => `t."aiJobId" IN (SELECT j.id FROM ai_jobs j WHERE ${jobs})`;

export const CONSOLE_KINDS: Readonly<Record<Exclude<JournalKind, 'startGate'>, KindSource>> = {
  stagingJob: { ...JOBS, base: `t.type = 'ROOM_STAGING'`, state: STATUS_AND_PHASE },
  providerAttempt: {
    from: 'ai_provider_attempts t',
    base: 'true',
    status: { column: 't.status', type: 'ai_provider_attempt_status', values: ATTEMPT_STATUSES },
    state: 't.status::text',
    createdAt: 't."createdAt"',
    columns: {
      updatedAt: 't."updatedAt"',
      errorCode: 't."errorCode"',
      propertyId: ofJob('propertyId'),
      worker: ofJob('leaseOwner'),
      jobId: 't."aiJobId"',
      quarantined: 'false',
    },
    narrow: {
      property: ofJobs('j."propertyId" = $7'),
      worker: ofJobs('j."leaseOwner" = $8'),
      quarantined: null,
    },
    failed: ['FAILED', 'LOST'],
  },
  imageReview: {
    from: 'property_images t',
    base: 't."isStyled"',
    status: {
      column: 't."reviewStatus"',
      type: 'property_image_review_status',
      values: ['PENDING_REVIEW', 'APPROVED'],
    },
    state: 't."reviewStatus"::text',
    createdAt: 't."createdAt"',
    columns: {
      updatedAt: 't."reviewedAt"',
      errorCode: NONE,
      propertyId: 't."propertyId"',
      worker: NONE,
      jobId: 't."aiJobId"',
      quarantined: 'false',
    },
    narrow: { property: OF_PROPERTY, worker: null, quarantined: null },
    failed: [],
  },
  deletionItem: {
    from: 'storage_deletion_outbox t',
    base: 'true',
    status: {
      column: 't.status',
      type: 'storage_deletion_status',
      values: ['PENDING', 'PROCESSING', 'FAILED', 'DELETED'],
    },
    state: 't.status::text',
    createdAt: 't."createdAt"',
    columns: {
      updatedAt: 't."processedAt"',
      errorCode: 't."errorClass"',
      propertyId: NONE,
      worker: 't."claimedBy"',
      jobId: NONE,
      quarantined: 'false',
    },
    narrow: {
      property: null,
      worker: `t.status = 'PROCESSING' AND t."claimedBy" = $8`,
      quarantined: null,
    },
    failed: ['FAILED'],
  },
  descriptionJob: { ...JOBS, base: `t.type = 'DESCRIPTION'`, state: SEND_STATE },
  tour: {
    from: 'tours t',
    base: 'true',
    status: { column: 't.status', type: 'tour_status', values: TOUR_STATUSES },
    state: 't.status::text',
    createdAt: 't."createdAt"',
    columns: {
      updatedAt: 't."updatedAt"',
      errorCode: NONE,
      propertyId: 't."propertyId"',
      worker: NONE,
      jobId: NONE,
      quarantined: 'false',
    },
    narrow: { property: OF_PROPERTY, worker: null, quarantined: null },
    failed: [],
  },
  searchDocument: {
    // Only those that owe a rebuild: the others are as many as there are listings, and all alike.
    from: 'properties t',
    base: 't."searchDirtyAt" IS NOT NULL',
    status: { column: `'KEPT'`, type: 'text', values: ['KEPT'] },
    state: `'KEPT'`,
    createdAt: 't."searchDirtyAt"',
    columns: {
      updatedAt: 't."searchIndexedAt"',
      errorCode: NONE,
      propertyId: 't.id',
      worker: NONE,
      jobId: NONE,
      quarantined: 'false',
    },
    narrow: { property: 't.id = $7', worker: null, quarantined: null },
    failed: [],
  },
};
export type ConsoleKind = keyof typeof CONSOLE_KINDS;
