import type { StagingJobEvent } from '../../../machines/staging-job.ts';
import type { CanonicalStyle, WithdrawnBy } from '../../../machines/vocabulary.ts';
import type { AttemptMessage, Delivery } from '../../../supervisors/actors/messages.ts';
import { type DrainAnswer, drain, retryDeletion } from './deletion-model.ts';
import {
  type Bearer,
  isOver,
  type JobModel,
  type StagingModel,
  sendToAttempt,
  sendToJob,
} from './staging-model.ts';
import * as people from './staging-people.ts';

/** One action on the original, its jobs, images and deletions. */
export type Act =
  /** `grouped`: with the group of the photo. */
  | { do: 'submit'; agent: number; style: CanonicalStyle; grouped?: boolean; at: number }
  /** On the other photo of the group and its picture. */
  | { do: 'approveOther' | 'deleteOther'; agent: number; at: number }
  /** The look of a runner, before it sends the job, whether its second input is still there. */
  | { do: 'dropSecondInput'; jobId: string; by: Bearer }
  | { do: 'cancel'; agent: number; jobId: string; at: number }
  | { do: 'approve' | 'reject'; agent: number; imageId: string; at: number }
  /** Of a picture of either photo. Agents ask over HTTP, reports and operators go past it. */
  | { do: 'withdraw'; by: WithdrawnBy; agent: number; imageId: string; at: number }
  | { do: 'lift'; by: Exclude<WithdrawnBy, 'REPORTS'>; agent: number; imageId: string; at: number }
  | { do: 'deleteOriginal'; agent: number; at: number }
  /** A plain DELETE of the row without the application: only the trigger acts. */
  | { do: 'removeRow'; at: number }
  | { do: 'sendToJob'; jobId: string; event: StagingJobEvent; by: Bearer }
  /** `asSeen` uses the fast path of runners with a job read before, which may be out of date. */
  | {
      do: 'sendToAttempt';
      jobId: string;
      attemptId: string;
      event: AttemptMessage;
      by: Bearer;
      asSeen: boolean;
    }
  | { do: 'callBack'; jobId: string; attemptId: string; predictionId: string; status: string; at: number }
  | { do: 'takeLease' | 'renewLease' | 'giveBack'; jobId: string; worker: string; epoch: number; at: number }
  | { do: 'drain'; answer: DrainAnswer; at: number }
  | { do: 'retryDeletion'; objectKey: string; force: boolean; at: number }
  | { do: 'sweep'; at: number; enabled: boolean };

/** The result: an HTTP answer, the actor system's answer, or what a sweeper finds. */
export type Outcome = people.Answered | Delivery | { outcome: string } | { found: unknown };

export const LEASE_MS = 30_000;

/** Moves the model and returns the expected result. Of `actual` only the id of a new job is used. */
export function predict(
  model: StagingModel,
  act: Act,
  { agentIds, actual }: { agentIds: readonly string[]; actual: Outcome },
): Outcome {
  const job = 'jobId' in act ? model.jobs.find(({ id }) => id === act.jobId) : undefined;
  const by = 'agent' in act ? (agentIds[act.agent] ?? '') : '';
  switch (act.do) {
    case 'submit':
      return people.submit(model, {
        style: act.style,
        grouped: act.grouped ?? false,
        freshId: newIdIn(actual),
      });
    case 'approveOther':
      return people.approveOther(model, { ...act, by });
    case 'deleteOther':
      return people.deleteOther(model);
    case 'dropSecondInput':
      return { found: job !== undefined && dropSecondInput(model, job, act.by) };
    case 'cancel':
      return people.cancel(model, act);
    case 'approve':
      return people.approve(model, { ...act, by });
    case 'reject':
      return people.reject(model, { ...act, by });
    case 'withdraw':
    case 'lift':
      return predictWithdrawal(model, act);
    case 'deleteOriginal':
      return people.deleteOriginal(model, act);
    case 'removeRow':
      return { found: people.deleteOriginal(model, { at: act.at, past: true }).status === 200 };
    case 'drain':
      return { found: drain(model, act) };
    case 'retryDeletion':
      return retryDeletion(model, act);
    case 'sweep':
      return { found: dueAndOrphaned(model, act) };
    default:
      return job ? predictForJob(model, job, act) : { outcome: 'missing' };
  }
}

type JobAct = Extract<
  Act,
  { do: 'sendToJob' | 'sendToAttempt' | 'callBack' | 'takeLease' | 'renewLease' | 'giveBack' }
>;
function predictForJob(model: StagingModel, job: JobModel, act: JobAct): Outcome {
  if (act.do === 'sendToJob') return sendToJob(model, job, act.event, act.by);
  if (act.do === 'sendToAttempt' || act.do === 'callBack') {
    const attempt = job.attempts.find(({ id }) => id === act.attemptId);
    if (!attempt) return { outcome: 'missing' };
    if (act.do === 'sendToAttempt') return sendToAttempt(model, job, attempt, act.event, act.by);
    const { predictionId, status: providerStatus, at } = act;
    sendToAttempt(model, job, attempt, { type: 'CALLBACK_RECEIVED', at, predictionId, providerStatus }, null);
    return { status: 200, data: { received: true } };
  }
  return { found: moveLease(job, act) };
}

export type WithdrawalAct = Extract<Act, { do: 'withdraw' | 'lift' }>;
export const withdrawalEvent = (act: WithdrawalAct): people.WithdrawalEvent =>
  act.do === 'withdraw'
    ? { type: 'WITHDRAW', at: act.at, by: act.by }
    : { type: 'LIFT', at: act.at, by: act.by, superseded: false, roomDiffers: false };

function predictWithdrawal(model: StagingModel, act: WithdrawalAct): Outcome {
  const { imageId, by } = act;
  const change = { imageId, event: withdrawalEvent(act) };
  if (by !== 'AGENT') return { outcome: people.changeWithdrawal(model, change) };
  const { data, ...answer } = people.askWithdrawal(model, change);
  // Who has withdrawn it is read afterwards: two acts at once may both be in that answer.
  return data === undefined ? answer : { ...answer, data: { imageId } };
}

function dropSecondInput({ group }: StagingModel, job: JobModel, by: Bearer): boolean {
  const isMine = by !== null && job.lease?.owner === by.owner && job.lease.epoch === by.epoch;
  if (!isMine || job.secondInput === null || group?.picture?.state === 'APPROVED') return false;
  job.secondInput = null;
  return true;
}

function moveLease(job: JobModel, act: Extract<JobAct, { worker: string }>): number | boolean | null {
  const { worker: owner, epoch, at } = act;
  const { lease } = job;
  if (act.do === 'takeLease') {
    if (isOver(job) || (lease !== null && lease.expiresAt > at)) return null;
    job.leaseEpoch += 1;
    job.lease = { owner, epoch: job.leaseEpoch, expiresAt: at + LEASE_MS };
    return job.leaseEpoch;
  }
  const isMine = lease !== null && lease.owner === owner && lease.epoch === epoch;
  if (isMine) job.lease = act.do === 'giveBack' ? null : { ...lease, expiresAt: at + LEASE_MS };
  return act.do === 'giveBack' ? true : isMine;
}

/** Ids of jobs that the dispatcher would enqueue, and of those that the rescuer would take over. */
function dueAndOrphaned({ jobs }: StagingModel, { at, enabled }: { at: number; enabled: boolean }) {
  const free = jobs.filter(({ lease }) => lease === null || lease.expiresAt <= at);
  const due = free.filter(({ state, context }) => {
    if (state.startsWith('PENDING')) return enabled || state === 'PENDING.QUEUED';
    return state === 'RETRYING.BACKOFF' && enabled && (context.retryAt ?? 0) <= at;
  });
  const orphaned = free.filter(({ state, attempts }) => {
    if (state === 'CANCEL_REQUESTED') return true;
    return state === 'PROCESSING.ATTEMPT' && (enabled || attempts.every((one) => one.state !== 'RESERVED'));
  });
  return { due: due.map(({ id }) => id).sort(), orphaned: orphaned.map(({ id }) => id).sort() };
}

function newIdIn(actual: Outcome): string {
  const { aiJobId } = ('data' in actual ? actual.data : undefined) ?? {};
  return typeof aiJobId === 'string' ? aiJobId : 'no job was made';
}
