import type { LocalPass } from '../../machines/crashes.ts';
import type { DescriptionErrorCode, DescriptionJobContext } from '../../machines/description-job.ts';
import type { ActorState } from '../../machines/step.ts';
import type { DescriptionLocale } from '../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { DescriptionJobActor } from './description-store.ts';
import { markFromRow } from './job-row.ts';

/**
 * `ai_jobs` joined with `ai_description_jobs`: status, phase and `sendState` are the state value. The inner states
 * of PROCESSING are all of phase ATTEMPT and told apart by `sendState`.
 */
export interface DescriptionRow {
  id: string;
  status: string;
  phase: string | null;
  errorCode: DescriptionErrorCode | null;
  propertyId: string | null;
  createdAt: Instant;
  startedAt: Instant | null;
  finishedAt: Instant | null;
  canceledAt: Instant | null;
  queueWaitMs: string | null;
  crashCount: number;
  version: number;
  leaseOwner: string | null;
  leaseEpoch: number;
  leaseExpiresAt: Instant | null;
  quarantinedAt: Instant | null;
  localPass: LocalPass | null;
  localPassAlone: boolean | null;
  localPassVersion: number | null;
  locale: DescriptionLocale;
  facts: unknown;
  prompt: string;
  providerModel: string;
  sendState: string | null;
  sendTries: number;
  throttledSends: number;
  nextSendAt: Instant | null;
  sentAt: Instant | null;
  unconfirmedSince: Instant | null;
  unconfirmedCause: 'transport' | 'restart' | null;
  goneSince: Instant | null;
  notListedAt: Instant | null;
  providerPredictionId: string | null;
  strayPredictionId: string | null;
  providerStatus: string | null;
  text: string | null;
}

export const DESCRIPTION_COLUMNS = `
  j.id, j.status, j.phase, j."errorCode", j."propertyId", j."createdAt", j."startedAt", j."finishedAt",
  j."canceledAt", j."queueWaitMs", j."crashCount", j.version, j."leaseOwner", j."leaseEpoch", j."leaseExpiresAt",
  j."quarantinedAt", j."localPass", j."localPassAlone", j."localPassVersion", d.locale, d.facts, d.prompt,
  d."providerModel", d."sendState", d."sendTries", d."throttledSends", d."nextSendAt", d."sentAt",
  d."unconfirmedSince", d."unconfirmedCause", d."goneSince", d."notListedAt", d."providerPredictionId", d."strayPredictionId",
  d."providerStatus", d.text`;

export function descriptionFromRow(row: DescriptionRow): DescriptionJobActor {
  const { propertyId, locale, prompt, providerModel, facts } = row;
  return {
    kind: 'descriptionJob',
    id: row.id,
    version: row.version,
    state: stateOf(row),
    context: {
      errorCode: row.errorCode,
      startedAt: toMillis(row.startedAt),
      finishedAt: toMillis(row.finishedAt),
      canceledAt: toMillis(row.canceledAt),
      queueWaitMs: row.queueWaitMs === null ? null : Number(row.queueWaitMs),
      crashCount: row.crashCount,
      sendTries: row.sendTries,
      throttledSends: row.throttledSends,
      nextSendAt: toMillis(row.nextSendAt),
      sentAt: toMillis(row.sentAt),
      unconfirmedSince: toMillis(row.unconfirmedSince),
      unconfirmedCause: row.unconfirmedCause,
      goneSince: toMillis(row.goneSince),
      notListedAt: toMillis(row.notListedAt),
      providerPredictionId: row.providerPredictionId,
      strayPredictionId: row.strayPredictionId,
      providerStatus: row.providerStatus,
      text: row.text,
    },
    details: { propertyId, locale, prompt, providerModel, facts },
    lease:
      row.leaseOwner === null || row.leaseExpiresAt === null
        ? null
        : { owner: row.leaseOwner, epoch: row.leaseEpoch, expiresAt: toMillis(row.leaseExpiresAt) },
    localPass: markFromRow(row),
    createdAt: toMillis(row.createdAt),
    quarantined: row.quarantinedAt !== null,
  };
}

function stateOf({ status, phase, sendState }: DescriptionRow): string {
  if (status === 'PROCESSING') return `PROCESSING.${sendState}`;
  return phase === null ? status : `${status}.${phase}`;
}

/** The columns for a state, in the order of the store's UPDATE after id, version and instant. */
export function descriptionColumns({ state, context }: ActorState<DescriptionJobContext>): unknown[] {
  const [status, inner = null] = state.split('.');
  const underWay = status === 'PROCESSING';
  return [
    status,
    underWay ? 'ATTEMPT' : inner,
    context.errorCode,
    toDate(context.startedAt),
    toDate(context.finishedAt),
    toDate(context.canceledAt),
    context.queueWaitMs,
    context.crashCount,
    underWay ? inner : null,
    context.sendTries,
    toDate(context.nextSendAt),
    toDate(context.sentAt),
    toDate(context.unconfirmedSince),
    context.unconfirmedCause,
    context.providerPredictionId,
    context.strayPredictionId,
    context.providerStatus,
    context.text,
    context.throttledSends,
    toDate(context.goneSince),
    toDate(context.notListedAt),
  ];
}
