import type { LocalPass } from '../../machines/crashes.ts';
import {
  PURCHASE_KIND_NAMES,
  PURCHASE_KINDS,
  type PurchaseKind,
  purchaseKindOf,
} from '../../machines/purchase-kinds.ts';
import type { StagingJobContext } from '../../machines/staging-job.ts';
import type { ActorState } from '../../machines/step.ts';
import type {
  CanonicalRoomType,
  CanonicalStyle,
  DescriptionLocale,
  StagingAspectRatio,
  StagingOutputFormat,
} from '../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { JobActor, StagingJobDetails } from './actor-store.ts';

/**
 * `ai_jobs` joined with the order, `ai_room_staging_jobs` or `ai_description_jobs`: status and phase are the state
 * value, the rest its context.
 */
interface JobRowOf {
  id: string;
  status: string;
  phase: string | null;
  errorCode: string | null;
  propertyId: string | null;
  requestedByUserId: string | null;
  createdAt: Instant;
  startedAt: Instant | null;
  finishedAt: Instant | null;
  heartbeatAt: Instant | null;
  cancelRequestedAt: Instant | null;
  canceledAt: Instant | null;
  retryAt: Instant | null;
  crashCount: number;
  crashMark: number | null;
  queueWaitMs: string | number | null;
  version: number;
  leaseOwner: string | null;
  leaseEpoch: number;
  leaseExpiresAt: Instant | null;
  quarantinedAt: Instant | null;
  localPass: LocalPass | null;
  localPassAlone: boolean | null;
  localPassVersion: number | null;
  prompt: string;
  providerModel: string;
}
interface StagingJobRow extends JobRowOf {
  type: 'ROOM_STAGING';
  originalImageId: string;
  resultImageId: string | null;
  canonicalRoomType: CanonicalRoomType;
  canonicalStyle: CanonicalStyle;
  promptVersion: string;
  quality: string;
  aspectRatio: StagingAspectRatio;
  outputFormat: StagingOutputFormat;
  outputCompression: number;
  providerInputKey: string | null;
}
interface DescriptionJobRow extends JobRowOf {
  type: 'DESCRIPTION';
  resultImageId: null;
  locale: DescriptionLocale;
  facts: unknown;
}
export type JobRow = StagingJobRow | DescriptionJobRow;

export const JOB_COLUMNS = `
  j.id, j.type, j.status, j.phase, j."errorCode", j."propertyId", j."requestedByUserId", j."createdAt", j."startedAt",
  j."finishedAt", j."heartbeatAt", j."cancelRequestedAt", j."canceledAt", j."retryAt", j."crashCount",
  j."crashMark", j."queueWaitMs", j.version, j."leaseOwner", j."leaseEpoch", j."leaseExpiresAt", j."quarantinedAt",
  j."localPass", j."localPassAlone", j."localPassVersion", coalesce(s.prompt, d.prompt) AS prompt,
  coalesce(s."providerModel", d."providerModel") AS "providerModel",
  s."originalImageId", s."resultImageId", s."canonicalRoomType", s."canonicalStyle", s."promptVersion", s.quality,
  s."aspectRatio", s."outputFormat", s."outputCompression", s."providerInputKey", d.locale, d.facts`;

/** The actor kind of a row of `ai_jobs`. */
export const KIND_OF_JOB = `CASE type ${PURCHASE_KIND_NAMES.map((kind) => `WHEN '${PURCHASE_KINDS[kind].type}' THEN '${kind}'`).join(' ')} END`;

/** The jobs with their orders. Jobs of the old release without an order are not among them. */
export const JOBS_WITH_DETAILS = `
  ai_jobs j LEFT JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
    LEFT JOIN ai_description_jobs d ON d."aiJobId" = j.id`;
export const HAS_DETAILS = `coalesce(s."aiJobId", d."aiJobId") IS NOT NULL`;

/** `attemptCount` is read after the lock, because a locked row's sub-queries see the statement's old snapshot. */
export function jobFromRow(row: JobRow, attemptCount: number): JobActor {
  const kind = purchaseKindOf(row.type);
  const common = {
    id: row.id,
    version: row.version,
    state: row.phase === null ? row.status : `${row.status}.${row.phase}`,
    context: contextFromRow(kind, row, attemptCount),
    lease:
      row.leaseOwner === null || row.leaseExpiresAt === null
        ? null
        : { owner: row.leaseOwner, epoch: row.leaseEpoch, expiresAt: toMillis(row.leaseExpiresAt) },
    leaseEpoch: row.leaseEpoch,
    localPass: markFromRow(row),
    createdAt: toMillis(row.createdAt),
    heartbeatAt: toMillis(row.heartbeatAt),
    quarantined: row.quarantinedAt !== null,
  };
  if (row.type === 'ROOM_STAGING') return { kind: 'stagingJob', ...common, details: stagingDetails(row) };
  const { propertyId, requestedByUserId, locale, prompt, providerModel, facts } = row;
  return {
    kind: 'descriptionJob',
    ...common,
    details: { propertyId, requestedByUserId, locale, prompt, providerModel, facts },
  };
}

function stagingDetails(row: StagingJobRow): StagingJobDetails {
  return {
    originalImageId: row.originalImageId,
    propertyId: row.propertyId,
    requestedByUserId: row.requestedByUserId,
    canonicalRoomType: row.canonicalRoomType,
    canonicalStyle: row.canonicalStyle,
    prompt: row.prompt,
    promptVersion: row.promptVersion,
    providerModel: row.providerModel,
    quality: row.quality,
    aspectRatio: row.aspectRatio,
    outputFormat: row.outputFormat,
    outputCompression: row.outputCompression,
    providerInputKey: row.providerInputKey,
  };
}

/** Null when no pass of local work is marked. */
function markFromRow(row: Pick<JobRow, 'localPass' | 'localPassAlone' | 'localPassVersion'>) {
  const { localPass: pass, localPassAlone: alone, localPassVersion: version } = row;
  return pass === null || version === null ? null : { pass, alone: alone === true, version };
}

function contextFromRow(kind: PurchaseKind, row: JobRow, attemptCount: number): StagingJobContext {
  return {
    attemptsAllowed: PURCHASE_KINDS[kind].attempts,
    attemptCount,
    errorCode: row.errorCode,
    retryAt: toMillis(row.retryAt),
    startedAt: toMillis(row.startedAt),
    finishedAt: toMillis(row.finishedAt),
    cancelRequestedAt: toMillis(row.cancelRequestedAt),
    canceledAt: toMillis(row.canceledAt),
    resultImageId: row.resultImageId,
    crashCount: row.crashCount,
    crashMark: row.crashMark,
    queueWaitMs: row.queueWaitMs === null ? null : Number(row.queueWaitMs),
  };
}

/** The columns of `ai_jobs` for a state, in the order of MOVE_JOB's parameters after id, version and at. */
export function jobColumns({ state, context }: ActorState<StagingJobContext>): unknown[] {
  const [status, phase = null] = state.split('.');
  return [
    status,
    phase,
    context.errorCode,
    toDate(context.retryAt),
    toDate(context.startedAt),
    toDate(context.finishedAt),
    toDate(context.cancelRequestedAt),
    toDate(context.canceledAt),
    context.crashCount,
    context.crashMark,
    context.queueWaitMs,
  ];
}
