import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { RECONCILE_WINDOW_MS, SERVER_SETTLE_MS } from '../../../machines/limits.ts';
import type { StagingJobEvent } from '../../../machines/staging-job.ts';
import type { AttemptMessage } from '../../../supervisors/actors/messages.ts';
import { FAR } from './deletion-model.ts';
import {
  isOver,
  type JobModel,
  liveAttempt,
  type StagingModel,
  sendToAttempt,
  sendToJob,
} from './staging-model.ts';
import type { Act } from './walk-acts.ts';

/**
 * One choice of a walk; its meaning depends on the state of the walk, so that most choices have an effect.
 */
export interface Word {
  kind: (typeof KINDS)[number];
  style: 'MODERN' | 'LUXURY';
  agent: 0 | 1;
  worker: 'node-a' | 'node-b';
  pick: number;
  /** Chooses an event that changes the state, if there is one. */
  guided: boolean;
  asSeen: boolean;
}
const KINDS = ['run', 'person', 'callBack', 'lease', 'wait', 'atOnce', 'drain', 'sweep', 'end'] as const;
const WEIGHTS = [58, 12, 5, 4, 5, 9, 4, 3, 1];

const single = fc.record<Word>({
  kind: fc.oneof(
    ...KINDS.map((kind, index) => ({ weight: WEIGHTS[index] ?? 1, arbitrary: fc.constant(kind) })),
  ),
  style: fc.constantFrom('MODERN', 'LUXURY'),
  agent: fc.constantFrom(0, 1),
  worker: fc.constantFrom('node-a', 'node-b'),
  pick: fc.nat({ max: 9_999 }),
  guided: fc.nat(4).map((digit) => digit > 0),
  asSeen: fc.boolean(),
});
/** The second is a simultaneous act of another actor, if the first allows one. */
export const words = fc.array(fc.tuple(single, single), { minLength: 30, maxLength: 90, size: 'max' });

export interface WalkState {
  model: StagingModel;
  at: number;
  /** The last lease of each worker for each job, even if it is no longer valid. */
  leases: ReadonlyMap<string, { owner: string; epoch: number }>;
  drains: number;
}

/** The act of this choice in the present state; null when there is none. */
export function actOf(word: Word, walkState: WalkState): Act | null {
  const { model, at } = walkState;
  const { pick, agent } = word;
  const job = model.jobs.findLast(({ style }) => style === word.style);
  switch (word.kind) {
    case 'run':
      return (job && run(word, walkState, job)) ?? person(word, walkState, job);
    case 'person':
    case 'atOnce':
      return person(word, walkState, job);
    case 'callBack': {
      const attempt = job?.attempts[pick % Math.max(1, job.attempts.length)];
      if (!job || !attempt) return null;
      const predictionId = `${attempt.id}-${pick % 5 === 0 ? 'stray' : 'p'}`;
      const status = pick % 2 === 0 ? 'succeeded' : 'processing';
      return { do: 'callBack', jobId: job.id, attemptId: attempt.id, predictionId, status, at };
    }
    case 'lease': {
      if (!job) return null;
      const { epoch = 1 } = walkState.leases.get(`${word.worker} ${job.id}`) ?? {};
      const what = (['takeLease', 'takeLease', 'renewLease', 'giveBack'] as const)[pick % 4] ?? 'takeLease';
      return { do: what, jobId: job.id, worker: word.worker, epoch, at };
    }
    case 'drain': {
      const failed = model.deletions.filter(({ state }) => state === 'FAILED');
      const item = failed[pick % Math.max(1, failed.length)];
      if (item && pick % 3 > 0)
        return { do: 'retryDeletion', objectKey: item.objectKey, force: word.guided, at };
      const answer = (['deleted', 'deleted', 'transient', 'needs-person', 'nothing'] as const)[pick % 5];
      const far = FAR + walkState.drains * 2 * 3_600_000;
      return { do: 'drain', answer: answer ?? 'deleted', at: word.guided ? far : at };
    }
    case 'sweep':
      return { do: 'sweep', at, enabled: pick % 4 > 0 };
    case 'end':
      return pick % 3 === 0 ? { do: 'removeRow', at } : { do: 'deleteOriginal', agent, at };
    case 'wait':
      return null;
  }
}

function person({ style, agent, pick }: Word, { model, at }: WalkState, job: JobModel | undefined): Act {
  const { group } = model;
  if (group?.picture?.state === 'PENDING_REVIEW' && pick % 4 === 3) return { do: 'approveOther', agent, at };
  if (group?.picture && (pick % 16 === 13 || (job?.secondInput && pick % 8 === 1)))
    return { do: 'deleteOther', agent, at };
  if (group?.picture && group.picture.state !== 'PENDING_REVIEW' && pick % 16 === 5)
    return withdrawal({ pick, agent, state: group.picture.state }, { imageId: group.picture.id, at });
  const images = model.images.filter((one) => one.style === style);
  const image = images[pick % Math.max(1, images.length)];
  if (image && image.state !== 'PENDING_REVIEW' && pick % 8 < 5)
    return withdrawal({ pick, agent, state: image.state }, { imageId: image.id, at });
  const gone = model.reviews.findLast(({ kind }) => kind === 'REJECTED')?.imageId;
  const imageId = image?.id ?? (pick % 4 === 0 ? gone : undefined);
  if (imageId !== undefined && pick % 8 < 6)
    return { do: pick % 2 === 0 ? 'approve' : 'reject', agent, imageId, at };
  if (job && pick % 16 === 7) return { do: 'cancel', agent, jobId: job.id, at };
  // For a deleted original only few calls remain.
  if (model.original === null && job && pick % 4 > 0) return { do: 'cancel', agent, jobId: job.id, at };
  const grouped = model.original !== null && group?.style === style && pick % 3 > 0;
  return { do: 'submit', agent, style, grouped, at };
}

/** Mostly what changes the state; often by someone whose withdrawal an agent cannot lift, so that lifts are refused, too. */
function withdrawal(
  { pick, agent, state }: { pick: number; agent: number; state: string },
  about: { imageId: string; at: number },
): Act {
  const turn = Math.floor(pick / 16);
  const chosen = Math.floor(turn / 4) % 5;
  const isUsual = turn % 4 > 0;
  if (isUsual === (state === 'WITHDRAWN'))
    return { do: 'lift', by: chosen === 4 ? 'OPERATOR' : 'AGENT', agent, ...about };
  const by = (['AGENT', 'AGENT', 'OPERATOR', 'REPORTS', 'REPORTS'] as const)[chosen] ?? 'AGENT';
  return { do: 'withdraw', by, agent, ...about };
}

/** A runner takes the lease if it can and sends an event; a runner that lost the lease sends it as well. */
function run(word: Word, walkState: WalkState, job: JobModel): Act | null {
  const { worker, pick, guided, asSeen } = word;
  const { at } = walkState;
  const mine = walkState.leases.get(`${worker} ${job.id}`);
  const free = job.lease === null || job.lease.expiresAt <= at;
  if (isOver(job) && pick % 3 > 0) return null;
  if (!isOver(job) && free && job.lease?.owner !== worker)
    return { do: 'takeLease', jobId: job.id, worker, epoch: 0, at };
  // Every fifth event comes from a random worker with a possibly old lease.
  const by =
    pick % 3 === 0 ? (mine ?? null) : job.lease && { owner: job.lease.owner, epoch: job.lease.epoch };
  // A runner looks before each purchase.
  const isGone = walkState.model.group?.picture?.state !== 'APPROVED';
  if (job.secondInput !== null && (isGone || pick % 7 === 0))
    return { do: 'dropSecondInput', jobId: job.id, by };
  const all: Act[] = [
    ...jobEvents(job, at).map((event) => ({ do: 'sendToJob', jobId: job.id, event, by }) as const),
    ...job.attempts.flatMap((attempt) =>
      attemptEvents(attempt.id, at).map(
        (event) =>
          ({ do: 'sendToAttempt', jobId: job.id, attemptId: attempt.id, event, by, asSeen }) as const,
      ),
    ),
  ];
  const heard = guided ? all.filter((act) => isHeard(walkState.model, act)) : all;
  const ends = (act: Act) => 'event' in act && ['RUNNER_CRASHED', 'WINDOW_PASSED'].includes(act.event.type);
  const onward = heard.filter((act) => 'event' in act && ONWARD.has(act.event.type));
  const choice =
    pick % 10 === 0 ? heard : pick % 10 < 7 && onward.length > 0 ? onward : heard.filter((act) => !ends(act));
  return choice[Math.floor(pick / 30) % Math.max(1, choice.length)] ?? null;
}
/** Events that lead to a picture. Others end the job early, which would make walks short. */
const ONWARD = new Set([
  'WORKER_STARTED',
  'RETRY_DUE',
  'SEND_CLAIMED',
  'PREDICTION_CREATED',
  'PREDICTION_FOUND',
  'PREDICTION_SUCCEEDED',
  'OUTPUT_STORED',
]);

function isHeard(model: StagingModel, act: Act): boolean {
  if (act.do !== 'sendToJob' && act.do !== 'sendToAttempt') return false;
  const copy = structuredClone(model);
  const job = copy.jobs.find(({ id }) => id === act.jobId);
  if (!job) return false;
  if (act.do === 'sendToJob') return sendToJob(copy, job, act.event, job.lease).outcome === 'applied';
  const attempt = job.attempts.find(({ id }) => id === act.attemptId);
  return !!attempt && sendToAttempt(copy, job, attempt, act.event, job.lease).outcome === 'applied';
}

function jobEvents(job: JobModel, at: number): StagingJobEvent[] {
  const live = liveAttempt(job);
  const attemptId = randomUUID();
  const started = { type: 'WORKER_STARTED', at, attemptId, queueAttempt: 1, waitedMs: 5 } as const;
  return [
    { ...started, enabled: true },
    { ...started, enabled: true },
    { ...started, enabled: false },
    { type: 'RETRY_DUE', at, enabled: true, attemptId },
    { type: 'PURCHASE_FOUND', at, attemptId },
    { type: 'RUNNER_CRASHED', at, pass: 'collect-output', alone: true },
    // Its runner sends this only after a poll.
    ...(live ? [] : [{ type: 'NOTHING_TO_CANCEL', at } as const]),
  ];
}

const OUTPUT = { bytes: 9, width: 1024, height: 1024, format: 'jpeg', checksum: 'cd'.repeat(32) };
function attemptEvents(attemptId: string, at: number): AttemptMessage[] {
  const born = (type: 'PREDICTION_CREATED' | 'PREDICTION_FOUND', what = 'p') =>
    ({ type, at, predictionId: `${attemptId}-${what}`, providerStatus: 'starting' }) as const;
  const refused = (errorCode: 'PROVIDER_UNREACHABLE' | 'PROVIDER_THROTTLED' | 'PROVIDER_BILLING') =>
    ({ type: 'SEND_REFUSED', at, errorCode, retryAfterMs: 100, jitter: 0 }) as const;
  const objectKey = `staged/${attemptId}.jpg`;
  const jitter = 0;
  return [
    { type: 'SEND_CLAIMED', at, token: randomUUID() },
    refused('PROVIDER_UNREACHABLE'),
    refused('PROVIDER_THROTTLED'),
    refused('PROVIDER_BILLING'),
    { type: 'SEND_UNKNOWN', at, cause: 'transport' },
    { type: 'SEND_UNKNOWN', at, cause: 'restart' },
    { type: 'SEND_WITHDRAWN', at },
    { type: 'RUNNER_RESTARTED', at },
    born('PREDICTION_CREATED'),
    born('PREDICTION_CREATED', 'stray'),
    born('PREDICTION_FOUND'),
    { type: 'NOT_LISTED', at, scanBeganAt: at + RECONCILE_WINDOW_MS },
    { type: 'CLAIM_DISPROVED', at, listedFrom: 0, listBeganAt: at + SERVER_SETTLE_MS },
    { type: 'WINDOW_PASSED', at, jitter },
    { type: 'PREDICTION_GONE', at, jitter },
    { type: 'PREDICTION_SEEN', at },
    { type: 'PREDICTION_SUCCEEDED', at, providerStatus: 'succeeded', objectKey },
    { type: 'PREDICTION_FAILED', at, errorCode: 'PROVIDER_FAILED', jitter, providerStatus: 'failed' },
    { type: 'PREDICTION_FAILED', at, errorCode: 'PROVIDER_MODERATION', jitter, providerStatus: 'failed' },
    { type: 'PREDICTION_CANCELED', at, providerStatus: 'canceled' },
    { type: 'OUTPUT_STORED', at, jitter, imageId: randomUUID(), output: OUTPUT },
    { type: 'OUTPUT_STORED', at, jitter, imageId: randomUUID(), output: OUTPUT },
    { type: 'OUTPUT_REFUSED', at, errorCode: 'OUTPUT_INVALID', jitter },
    { type: 'DOWNLOAD_FAILED', at, jitter },
    { type: 'STORAGE_FAILED', at, jitter },
  ];
}
