import type { LocalPass } from '../../../machines/crashes.ts';
import type { Pad } from '../../../machines/framing.ts';
import {
  PURCHASE_KIND_NAMES,
  PURCHASE_KINDS,
  type PurchaseKind,
  purchaseKindOf,
} from '../../../machines/purchase-kinds.ts';
import { jobMachine, type StagingJobContext } from '../../../machines/staging-job.ts';
import {
  AI_JOB_STATUSES,
  type CanonicalRoomType,
  type CanonicalStyle,
  type DescriptionLocale,
  FINAL_JOB_STATUSES,
  type StagingAspectRatio,
  type StagingFraming,
  type StagingOutputFormat,
} from '../../../machines/vocabulary.ts';
import { type Instant, toMillis } from '../../database/instants.ts';
import { oneOf } from '../../database/sql-values.ts';
import { PAD_COLUMNS } from '../../database/staged-frame.ts';
import {
  type ActorKindDefinition,
  always,
  type Column,
  type FactValue,
  fixed,
  instant,
  type KindList,
  plain,
  type Row,
  readOnly,
  record,
  rowsOfTable,
  type StoredActor,
  under,
} from '../actor-kind.ts';
import { bigint, type ProviderAttemptActor, providerAttemptKind } from './attempt-row.ts';
import { styleWords } from './image-row.ts';

interface StoredJob<K extends PurchaseKind, D> extends StoredActor<K, StagingJobContext> {
  details: D;
  lease: Lease | null;
  localPass: LocalPassMark | null;
  /** The epoch of the latest lease, held or not. */
  leaseEpoch: number;
  createdAt: number;
  heartbeatAt: number | null;
  quarantined: boolean;
}
export type StagingJobActor = StoredJob<'stagingJob', StagingJobDetails>;
export type DescriptionJobActor = StoredJob<'descriptionJob', DescriptionDetails>;
export type JobActor = StagingJobActor | DescriptionJobActor;

/** A job and its attempts, in the order of their numbers: one aggregate under one lock. */
export interface JobAggregate {
  job: JobActor;
  attempts: ProviderAttemptActor[];
}

/** The details of a staging job, fixed at submission (docs/contract.md#submitting). */
export interface StagingJobDetails {
  originalImageId: string;
  propertyId: string | null;
  requestedByUserId: string | null;
  canonicalRoomType: CanonicalRoomType;
  canonicalStyle: CanonicalStyle;
  prompt: string;
  promptVersion: string;
  providerModel: string;
  quality: string;
  framing: StagingFraming;
  /** Null while the shape of the photo is not known: the worker measures it when it prepares the input. */
  aspectRatio: StagingAspectRatio | null;
  /** Of the copy that the provider gets, when the picture has its photo's shape. */
  pad: Pad | null;
  outputFormat: StagingOutputFormat;
  outputCompression: number;
  /** Object key of the JPEG copy that the provider may fetch. */
  providerInputKey: string | null;
  /** The group of the original, also after it has ended. */
  groupId: string | null;
  /**
   * Object key of the group's approved picture, sent as the second input. Null when there was none at the submission,
   * or when it was gone before the job was sent.
   */
  referenceImageKey: string | null;
}

/** The details of a description job, fixed at submission. */
export interface DescriptionDetails {
  /** Null when the listing is gone. */
  propertyId: string | null;
  requestedByUserId: string | null;
  locale: DescriptionLocale;
  /** Sent unchanged. It contains the job's id, so that a prediction with a lost answer can be found. */
  prompt: string;
  providerModel: string;
  /** The facts that the text may use. */
  facts: unknown;
}

export interface Lease {
  owner: string;
  epoch: number;
  expiresAt: number;
}

/** The mark of a pass of local work on a job. It is void once the version has changed. */
export interface LocalPassMark {
  pass: LocalPass;
  alone: boolean;
  version: number;
}

const lease: Column<Lease | null> = {
  names: ['leaseOwner', 'leaseEpoch', 'leaseExpiresAt'],
  read: (owner: string | null, epoch: number, expiresAt: Instant | null) =>
    owner === null || expiresAt === null ? null : { owner, epoch, expiresAt: toMillis(expiresAt) },
};
/** Null when no pass of local work is marked. */
const localPass: Column<LocalPassMark | null> = {
  names: ['localPass', 'localPassAlone', 'localPassVersion'],
  read: (pass: LocalPass | null, alone: boolean | null, version: number | null) =>
    pass === null || version === null ? null : { pass, alone: alone === true, version },
};

const pad: Column<Pad | null> = {
  names: PAD_COLUMNS.map((name) => `s.${name}`),
  read: (
    width: number | null,
    height: number,
    left: number,
    top: number,
    frameWidth: number,
    frameHeight: number,
  ) =>
    width === null ? null : { width, height, frame: { left, top, width: frameWidth, height: frameHeight } },
};

/** The tables with the details of each kind. */
const ORDERS: Readonly<Record<PurchaseKind, string>> = {
  stagingJob: 'ai_room_staging_jobs s ON s."aiJobId" = t.id',
  descriptionJob: 'ai_description_jobs d ON d."aiJobId" = t.id',
};
const IS_FINAL = `$3::ai_job_status IN ${oneOf(FINAL_JOB_STATUSES)}`;

/** `ai_jobs` joined with the job's details: status and phase are the state value, the rest its context. */
const jobTable = (kind: PurchaseKind) => ({
  table: 'ai_jobs',
  joins: `JOIN ${ORDERS[kind]}`,
  base: `t.type = '${PURCHASE_KINDS[kind].type}'`,
  state: {
    names: ['status', 'phase'],
    read: (status: string, phase: string | null) => (phase === null ? status : `${status}.${phase}`),
    write(state: string) {
      const [status, phase = null] = state.split('.');
      return [status, phase];
    },
  },
  stateName: `concat_ws('.', t.status, t.phase)`,
  context: {
    attemptsAllowed: always(PURCHASE_KINDS[kind].attempts),
    // Read after the lock, because a locked row's sub-queries see the statement's old snapshot.
    attemptCount: {
      names: ['purchases'],
      read: (purchases: Row[]) => purchases.length,
      added: true as const,
    },
    errorCode: plain,
    retryAt: instant,
    startedAt: instant,
    finishedAt: instant,
    cancelRequestedAt: instant,
    canceledAt: instant,
    resultImageId: kind === 'stagingJob' ? readOnly(under('s.resultImageId', plain)) : always(null),
    crashCount: plain,
    crashMark: plain,
    queueWaitMs: bigint,
  },
  stamps: ['updatedAt', 'heartbeatAt'],
  // A final job releases its lease in the same write (I14). A job that moves has no pass under way.
  resets: `"localPass" = NULL, "leaseOwner" = CASE WHEN ${IS_FINAL} THEN NULL ELSE "leaseOwner" END,
    "leaseExpiresAt" = CASE WHEN ${IS_FINAL} THEN NULL ELSE "leaseExpiresAt" END`,
});
/** Columns that other statements write. */
const HELD = {
  lease,
  leaseEpoch: readOnly(plain),
  localPass,
  heartbeatAt: readOnly(instant),
  quarantined: { names: ['quarantinedAt'], read: (since: Instant | null) => since !== null },
  createdAt: fixed(instant),
};

/** The definition that both kinds share. */
const JOB = {
  machine: jobMachine,
  file: 'staging-job',
  effects: ['reserveAttempt', 'sendToAttempt', 'liftQuarantine', 'enqueue', 'report', 'alert'] as const,
  keptIn: '`ai_jobs.status` and `.phase`',
  endedAt: 'finishedAt',
  list: {
    status: { column: 't.status', type: 'ai_job_status', values: AI_JOB_STATUSES },
    createdAt: 't."createdAt"',
    columns: {
      errorCode: 't."errorCode"',
      propertyId: 't."propertyId"',
      worker: 't."leaseOwner"',
      quarantined: 't."quarantinedAt" IS NOT NULL',
    },
    narrow: {
      property: (id) => `t."propertyId" = ${id}`,
      // Leases are few: at most one for each slot.
      worker: (node) => `t."leaseOwner" = ${node}`,
      quarantined: 't."quarantinedAt" IS NOT NULL',
    },
    failed: ['FAILED'],
  } satisfies KindList,
  foundBy: { job: 'id' },
};
const ATTEMPTS = `ARRAY(
  SELECT to_jsonb(a) FROM ai_provider_attempts a WHERE a."aiJobId" = t.id ORDER BY a."attemptNumber")`;
const PAGE = { purchases: ATTEMPTS, quarantineError: 't."quarantineError"' };

/** The first facts of a job: why it failed, which worker holds it, and its listing. */
const heldFacts = (
  { context: { errorCode }, details: { propertyId }, lease, leaseEpoch, heartbeatAt }: JobActor,
  { quarantinedAt, quarantineError }: Row,
): Readonly<Record<string, FactValue | null>> => ({
  Error: errorCode === null ? null : { errorCode },
  Lease: { lease, epoch: leaseEpoch },
  Heartbeat: { ago: heartbeatAt },
  'Queue entry': { entry: 'queue' },
  Quarantined: quarantinedAt === null ? null : { due: toMillis(quarantinedAt), foreign: quarantineError },
  Listing: propertyId === null ? 'gone' : { listing: propertyId },
});

const stagingRows = rowsOfTable<StagingJobActor>('stagingJob', {
  ...jobTable('stagingJob'),
  beside: {
    ...HELD,
    details: fixed(
      record<StagingJobDetails>({
        originalImageId: under('s.originalImageId', plain),
        propertyId: plain,
        requestedByUserId: plain,
        canonicalRoomType: under('s.canonicalRoomType', plain),
        canonicalStyle: under('s.canonicalStyle', plain),
        prompt: under('s.prompt', plain),
        promptVersion: under('s.promptVersion', plain),
        providerModel: under('s.providerModel', plain),
        quality: under('s.quality', plain),
        framing: under('s.framing', plain),
        aspectRatio: under('s.aspectRatio', plain),
        pad,
        outputFormat: under('s.outputFormat', plain),
        outputCompression: under('s.outputCompression', plain),
        providerInputKey: under('s.providerInputKey', plain),
        groupId: under('s.groupId', plain),
        referenceImageKey: under('s.referenceImageKey', plain),
      }),
    ),
  },
});

export const stagingJobKind: ActorKindDefinition<StagingJobActor, typeof jobMachine, KindList> = {
  ...JOB,
  kind: 'stagingJob',
  rows: {
    ...stagingRows,
    // The result is in the row of the job's details.
    update(job, at, onlyIf) {
      const { sql, values } = stagingRows.update(job, at, onlyIf);
      const result = `UPDATE ai_room_staging_jobs SET "resultImageId" = $${values.length + 1}
        FROM moved WHERE "aiJobId" = moved.id AND "resultImageId" IS DISTINCT FROM $${values.length + 1}`;
      return { sql: `${sql}, result AS (${result})`, values: [...values, job.context.resultImageId] };
    },
  },
  label: { one: 'Staging job', many: 'Staging jobs' },
  page: {
    beside: {
      ...PAGE,
      legacyStyle: 's."legacyStyle"',
      reviewStatus: `(SELECT i."reviewStatus" FROM property_images i WHERE i.id = s."resultImageId")`,
    },
    createdAt: 't."createdAt"',
    facts(job, beside) {
      const { details, context } = job;
      const { providerModel, quality, aspectRatio, outputFormat, promptVersion, requestedByUserId } = details;
      const { groupId, referenceImageKey } = details;
      const inputs = [providerModel, quality, aspectRatio, outputFormat, promptVersion];
      const style = styleWords(details.canonicalStyle, beside.legacyStyle);
      return {
        ...heldFacts(job, beside),
        Original: { image: details.originalImageId },
        Result:
          context.resultImageId === null
            ? 'none yet'
            : { actor: { kind: 'imageReview', id: context.resultImageId } },
        'Asked for': `${style} in ${details.canonicalRoomType ?? 'a room of no type'}`,
        'Provider inputs': { code: inputs.filter(Boolean).join(' · ') },
        'Room group': groupId === null ? null : { code: groupId },
        'Second input': referenceImageKey === null ? null : { code: referenceImageKey },
        'Photo in the input': details.pad === null ? null : { code: padWords(details.pad) },
        'Asked by': requestedByUserId === null ? 'unknown' : { code: `user:${requestedByUserId}` },
      };
    },
    wait: () => 'job',
  },
};

/** `1365x1024+85+0 of 1536x1024`: size and place of the photo in the padded copy. */
const padWords = ({ frame, width, height }: Pad): string =>
  `${frame.width}x${frame.height}+${frame.left}+${frame.top} of ${width}x${height}`;

export const descriptionJobKind: ActorKindDefinition<DescriptionJobActor, typeof jobMachine, KindList> = {
  ...JOB,
  kind: 'descriptionJob',
  rows: rowsOfTable<DescriptionJobActor>('descriptionJob', {
    ...jobTable('descriptionJob'),
    beside: {
      ...HELD,
      details: fixed(
        record<DescriptionDetails>({
          propertyId: plain,
          requestedByUserId: plain,
          locale: under('d.locale', plain),
          prompt: under('d.prompt', plain),
          providerModel: under('d.providerModel', plain),
          facts: under('d.facts', plain),
        }),
      ),
    },
  }),
  label: { one: 'Description job', many: 'Description jobs' },
  page: {
    beside: { ...PAGE, characters: 'length(d.text)' },
    createdAt: 't."createdAt"',
    facts: (job, beside) => ({
      ...heldFacts(job, beside),
      Language: job.details.locale,
      'Provider model': { code: job.details.providerModel },
      Draft: beside.characters === null ? 'none' : `${beside.characters} characters, not shown`,
    }),
    wait: () => 'job',
  },
};

const JOB_ROWS = { stagingJob: stagingJobKind.rows, descriptionJob: descriptionJobKind.rows };
const COLUMNS = new Set(['t.type', ...JOB_ROWS.stagingJob.columns, ...JOB_ROWS.descriptionJob.columns]);

/**
 * `SELECT … FROM` the jobs of both kinds, as `t`. The condition `HAS_ORDER` must leave out jobs of the old release
 * without details.
 */
const selectJobs = (...more: string[]): string => `
  SELECT ${[...COLUMNS, ...more].join(', ')} FROM ai_jobs t
    LEFT JOIN ${ORDERS.stagingJob} LEFT JOIN ${ORDERS.descriptionJob}`;
export const SELECT_JOBS = selectJobs();
/** Each job with the rows of its attempts, from one snapshot. */
export const SELECT_AGGREGATES = selectJobs(`${ATTEMPTS} AS purchases`);
export const HAS_ORDER = `coalesce(s."aiJobId", d."aiJobId") IS NOT NULL`;

export const aggregateOf = (row: Row): JobAggregate => ({
  job: JOB_ROWS[purchaseKindOf(row.type)].fromRow(row),
  attempts: row.purchases.map(providerAttemptKind.rows.fromRow),
});

/** The actor kind of a row of `ai_jobs`. */
export const KIND_OF_JOB = `CASE type ${PURCHASE_KIND_NAMES.map((kind) => `WHEN '${PURCHASE_KINDS[kind].type}' THEN '${kind}'`).join(' ')} END`;
