import type { LocalPass } from '../../machines/crashes.ts';
import { PURCHASE_KINDS } from '../../machines/purchase-kinds.ts';
import type { StagingJobContext } from '../../machines/staging-job.ts';
import type { ActorState } from '../../machines/step.ts';
import type {
  CanonicalRoomType,
  CanonicalStyle,
  StagingAspectRatio,
  StagingOutputFormat,
} from '../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { StagingJobActor } from './actor-store.ts';

/** `ai_jobs` joined with `ai_room_staging_jobs`: status and phase are the state value, the rest its context. */
export interface JobRow {
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
  originalImageId: string;
  resultImageId: string | null;
  canonicalRoomType: CanonicalRoomType;
  canonicalStyle: CanonicalStyle;
  prompt: string;
  promptVersion: string;
  providerModel: string;
  quality: string;
  aspectRatio: StagingAspectRatio;
  outputFormat: StagingOutputFormat;
  outputCompression: number;
  providerInputKey: string | null;
}

export const JOB_COLUMNS = `
  j.id, j.status, j.phase, j."errorCode", j."propertyId", j."requestedByUserId", j."createdAt", j."startedAt",
  j."finishedAt", j."heartbeatAt", j."cancelRequestedAt", j."canceledAt", j."retryAt", j."crashCount",
  j."crashMark", j."queueWaitMs", j.version, j."leaseOwner", j."leaseEpoch", j."leaseExpiresAt", j."quarantinedAt",
  j."localPass", j."localPassAlone", j."localPassVersion",
  s."originalImageId", s."resultImageId", s."canonicalRoomType", s."canonicalStyle", s.prompt,
  s."promptVersion", s."providerModel", s.quality, s."aspectRatio", s."outputFormat", s."outputCompression",
  s."providerInputKey"`;

/** `attemptCount` is read after the lock, because a locked row's sub-queries see the statement's old snapshot. */
export function jobFromRow(row: JobRow, attemptCount: number): StagingJobActor {
  return {
    kind: 'stagingJob',
    id: row.id,
    version: row.version,
    state: row.phase === null ? row.status : `${row.status}.${row.phase}`,
    context: contextFromRow(row, attemptCount),
    details: {
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
    },
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
}

/** Null when no pass of local work is marked. */
export function markFromRow(row: Pick<JobRow, 'localPass' | 'localPassAlone' | 'localPassVersion'>) {
  const { localPass: pass, localPassAlone: alone, localPassVersion: version } = row;
  return pass === null || version === null ? null : { pass, alone: alone === true, version };
}

function contextFromRow(row: JobRow, attemptCount: number): StagingJobContext {
  return {
    attemptsAllowed: PURCHASE_KINDS.stagingJob.attempts,
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

/** The columns of `ai_jobs` for a state, in the order of UPDATE_JOB's parameters after id, version and at. */
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
    context.resultImageId,
  ];
}
