import { GONE_PATIENCE_MS, RECONCILE_WINDOW_MS } from '../../../machines/limits.ts';
import type { ProviderAttemptContext } from '../../../machines/provider-attempt-model.ts';
import type { Lease } from '../../../persistence/actors/rows/job-row.ts';
import type { SeenJob } from '../../../persistence/console/actors.ts';
import { toMillis } from '../../../persistence/database/instants.ts';
import { type WaitingJob, type WaitReason, waitReason } from '../../wire/wait-reason.ts';
import { counted, shortId } from '../labels.ts';
import { clockTime, clockTimeAndSpan, span } from '../time-texts.ts';
import type { Explanation, WaitContext } from './wait-context.ts';

/**
 * Explains to an operator what a job waits for. Clients get the same reason (`src/wire/wait-reason.ts`); here the
 * responsible person, the time limit and the cause are added.
 */
export function explainJob(job: SeenJob, waitContext: WaitContext): Explanation | null {
  const wait = waitOf(job);
  const word = waitReason(wait, waitContext);
  if (word === null) return null;
  const purchase = job.attempts.at(-1);
  const waiting = { job, waitContext, purchase: purchase && { state: purchase.state, ...purchase.context } };
  return { word, sentence: SENTENCES[word](waiting, wait), person: word === 'operator' };
}

function waitOf({ actor, attempts, beside }: SeenJob): WaitingJob {
  const [status, phase = null] = actor.state.split('.');
  return {
    status,
    phase,
    quarantined: actor.quarantined,
    retryAt: actor.context.retryAt,
    // A description has no review.
    resultReviewStatus: beside.reviewStatus ?? null,
    attempts: attempts.map(({ state, context }) => ({ status: state, nextSendAt: context.nextSendAt })),
  } as WaitingJob;
}

interface Waiting {
  job: SeenJob;
  waitContext: WaitContext;
  purchase: (ProviderAttemptContext & { state: string }) | undefined;
}

const SENTENCES: Readonly<Record<WaitReason, (waiting: Waiting, wait: WaitingJob) => string>> = {
  operator: ({ job, waitContext }) => {
    const { quarantinedAt, quarantineError } = job.beside;
    const since = clockTimeAndSpan(toMillis(quarantinedAt), waitContext.at);
    return `Waits for a person: quarantined since ${since} because ${quarantineError ?? 'its runner kept crashing'}.`;
  },
  review: () => "Waits for the agent's review.",
  'flag-off': ({ waitContext }) => {
    if (!waitContext.enabled) return 'New purchases are switched off (AI_ROOM_STAGING_ENABLED).';
    return pausedStarts(waitContext) ?? `New purchases are on again; ${offeredAgain(waitContext)}.`;
  },
  'back-off': ({ purchase, waitContext }, { retryAt }) => {
    if (retryAt !== null)
      return `Backs off until ${clockTimeAndSpan(retryAt, waitContext.at)}, then tries once more.`;
    const why = purchase?.errorCode ? `${purchase.errorCode} and ` : '';
    const until = clockTimeAndSpan(purchase?.nextSendAt ?? waitContext.at, waitContext.at);
    return `Backs off until ${until} after ${why}${counted(purchase?.sendTries ?? 0, 'try', 'tries')}.`;
  },
  queue: queueSentence,
  cancellation: (waiting) => {
    const { job, waitContext } = waiting;
    const asked = job.actor.context.cancelRequestedAt;
    const since = asked === null ? '' : ` since ${clockTimeAndSpan(asked, waitContext.at)}`;
    return `Is being called off${since}. ${holder(waiting)}`;
  },
  output: (waiting) => {
    const { purchase, waitContext } = waiting;
    const failing = purchase?.storageFailingSince ?? null;
    if (failing !== null)
      return `Our object store has refused the output for ${span(waitContext.at - failing)}; it is fetched again until the provider removes it. ${holder(waiting)}`;
    const failed = counted(purchase?.downloadTries ?? 0, 'download has failed', 'downloads have failed');
    return `The output is being fetched, checked and stored; ${failed}. ${holder(waiting)}`;
  },
  provider: (waiting) => `${providerSentence(waiting)} ${holder(waiting)}`,
};

/** A job that waits in the queue: the first obstacle. */
function queueSentence({ job, waitContext }: Waiting): string {
  const { queue, at, startsPerMinute, slotsPerWorker } = waitContext;
  const paused = waitContext.enabled ? pausedStarts(waitContext) : null;
  if (paused !== null) return paused;
  if (isHeld(job.actor.lease, at)) return heldBy(job.actor.lease, at);
  if (queue === null) return 'Waits for the queue, and the key-value store that holds it does not answer.';
  if (queue.consumers === 0) return 'No worker holds it and no worker is running.';
  if (queue.paused) return 'Waits for the queue, which is paused.';
  if (queue.entry === null) return `The queue does not hold it; ${offeredAgain(waitContext)}.`;
  const { delayedUntil, state } = queue.entry;
  if (delayedUntil !== null && delayedUntil > at)
    return `Its queue entry is delayed until ${clockTimeAndSpan(delayedUntil, at)}.`;
  if (queue.limitedMs > 0)
    return `Waits for the start rate: ${startsPerMinute} a minute, next in about ${span(Math.max(1_000, queue.limitedMs))}.`;
  if (state === 'active') return 'A worker has just taken its queue entry.';
  return `Waits in the queue, ${queue.waiting} waiting, for one of ${slotsPerWorker} slots on each of ${queue.consumers} workers.`;
}

function pausedStarts({ pauseSwitch }: WaitContext): string | null {
  if (pauseSwitch.open) return null;
  if (pauseSwitch.by === null) return 'Starting is paused: its pause switch is gone, which counts as closed.';
  return `Starting is paused by ${pauseSwitch.by}${pauseSwitch.reason === null ? '' : `: ${pauseSwitch.reason}`}.`;
}

const offeredAgain = ({ dispatchMs }: WaitContext): string =>
  `the dispatcher offers it within ${span(dispatchMs)}`;

function providerSentence({ purchase, waitContext }: Waiting): string {
  const { at, pollIntervalMs } = waitContext;
  if (purchase?.goneSince != null && purchase.state !== 'UNCONFIRMED')
    return `The provider has said 404 of it for ${span(at - purchase.goneSince)}; that counts after ${span(GONE_PATIENCE_MS)} and a complete scan of its list.`;
  const since = (instant: number | null | undefined) => span(at - (instant ?? at));
  switch (purchase?.state) {
    case 'RESERVED':
      return waitContext.enabled
        ? (pausedStarts(waitContext) ?? 'A purchase is reserved and is sent next.')
        : 'A purchase is reserved, and new purchases are switched off (AI_ROOM_STAGING_ENABLED).';
    case 'SENT':
      return `The create call has been on the wire for ${since(purchase.sentAt)}.`;
    case 'UNCONFIRMED': {
      const from = purchase.unconfirmedSince ?? at;
      const until = from + RECONCILE_WINDOW_MS;
      const then =
        at < until
          ? `it is looked for until ${clockTime(until, at)}`
          : "it is looked for until one complete scan of the provider's list";
      return `The answer to the create call was lost ${span(at - from)} ago; ${then} and never sent again.`;
    }
    case 'CANCELING':
      return 'The provider is asked to stop.';
    case 'RUNNING':
      return `The provider has been working on it for ${since(purchase.sentAt)}; polled every ${span(pollIntervalMs)}.`;
    default:
      return 'Its last purchase is over; the job hears of it next.';
  }
}

const isHeld = (lease: Lease | null, at: number): lease is Lease => lease !== null && lease.expiresAt > at;
const heldBy = ({ owner, expiresAt }: Lease, at: number): string =>
  `Held by worker ${shortId(owner)} until ${clockTimeAndSpan(expiresAt, at)}.`;

function holder({ job, waitContext: { at, queue } }: Waiting): string {
  if (isHeld(job.actor.lease, at)) return heldBy(job.actor.lease, at);
  return queue?.consumers === 0
    ? 'No worker holds it and no worker is running.'
    : 'No worker holds it; one takes it over within seconds.';
}
