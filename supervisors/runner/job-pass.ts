import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { jobMachine } from '../../machines/staging-job.ts';
import { activityOf, isFinalState, step } from '../../machines/step.ts';
import type { ProviderAttemptActor } from '../../persistence/actors/rows/attempt-row.ts';
import type { JobActor, JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import { ATTEMPT_ACTIVITIES } from '../activities/catalogue.ts';
import { liveAttempt } from '../actors/advance-job.ts';
import { linkAbort } from '../concurrency/linked-abort.ts';
import type { TraceAttributes } from '../ports.ts';
import type { StopSignals } from '../supervision/service.ts';
import { UNTRACED } from '../supervision/untraced.ts';
import type { HeldJob, RunnerPorts } from './held-job.ts';

/**
 * One pass over a job: the state of its live attempt decides what is done. Returns how long to wait before the next, or null
 * when nothing is left to do here.
 */
export async function pass(ports: RunnerPorts, held: HeldJob, stop: StopSignals): Promise<number | null> {
  const { nudges } = held;
  const aggregate = held.seen ?? (await ports.store.readJob(held.jobId));
  held.seen = null;
  if (aggregate === null) return null;
  held.isOver = isFinalState(jobMachine, aggregate.job.state);
  if (held.isOver) return null;
  if (await settleLeftover(ports, held, aggregate)) return 0;
  const attempt = liveAttempt(aggregate);
  const name = attempt && activityOf(providerAttemptMachine, attempt.state);
  if (!attempt || !name) return null;
  // Reserved but not sent, and purchases are switched off now: nothing is bought (I7).
  if (name === 'sendPrediction') {
    await ports.refreshStarts();
    if (!ports.startsAllowed()) return null;
  }
  const activity = ATTEMPT_ACTIVITIES[name];
  if (!activity) throw new Error(`no activity is called ${name}`);
  const { tracer = UNTRACED } = ports;
  const { nextPollAt, notListedAt } = attempt.context;
  const mark = `${attempt.id} ${attempt.state} ${nextPollAt} ${notListedAt}`;
  const rest = held.pause?.mark === mark ? held.pause.until - ports.clock.now() : 0;
  if (rest > 0) return rest;
  const abort = linkAbort(held.lost, stop.forced);
  const { signal } = abort;
  held.running = { activity: name, pollAt: nextPollAt, abort };
  try {
    const mayBuy = () => ports.startsAllowed() && !stop.draining.aborted && !signal.aborted;
    let hasMoved = false;
    const moved = () => {
      hasMoved = true;
    };
    const scope = { attempt, aggregate, origin: held.origin, signal, mayBuy, moved, ports };
    const { waitMs, now = null } = await tracer.span({ name, attributes: attemptOf(attempt) }, () =>
      activity(scope),
    );
    if (waitMs === 0 && held.nudges === nudges) held.seen = now;
    // The row that its own event has left may ask for something else.
    if (waitMs > 0 && hasMoved) held.timer.wake();
    held.pause = { mark, until: ports.clock.now() + waitMs };
    return waitMs;
  } catch (error) {
    // An aborted activity may end in any way; the row decides what is next.
    if (signal.aborted) return 0;
    throw error;
  } finally {
    held.running = null;
    abort.release();
  }
}

function attemptOf({ id, state }: ProviderAttemptActor): TraceAttributes {
  return { 'proscenium.attempt.id': id, 'proscenium.attempt.state': state };
}

/** Handles what a restart, or the end of a listing or an original, leaves behind; true when the row was moved. */
async function settleLeftover(
  { actorSystem, clock }: RunnerPorts,
  { origin }: HeldJob,
  aggregate: JobAggregate,
): Promise<boolean> {
  const at = clock.now();
  const { job } = aggregate;
  const attempt = liveAttempt(aggregate);
  if (attempt?.state === 'SENT') {
    // Another worker's send, or one that ended without an answer: it counts as sent.
    const event = { type: 'RUNNER_RESTARTED', at } as const;
    await actorSystem.deliver({ to: 'providerAttempt', id: attempt.id, event }, origin);
    return true;
  }
  const gone = { type: 'LISTING_GONE', at } as const;
  if (hasLostItsListing(job) && step(jobMachine, job, gone).outcome === 'applied') {
    await actorSystem.deliver({ to: job.kind, id: job.id, event: gone }, origin);
    return true;
  }
  if (job.state !== 'CANCEL_REQUESTED') return false;
  if (!attempt) {
    const event = { type: 'NOTHING_TO_CANCEL', at } as const;
    await actorSystem.deliver({ to: job.kind, id: job.id, event }, origin);
    return true;
  }
  const event = { type: 'CANCEL', at } as const;
  const delivery = await actorSystem.deliver({ to: 'providerAttempt', id: attempt.id, event }, origin);
  return delivery.outcome === 'applied';
}

/** True for a text whose listing was deleted. A picture's job is moved by a trigger when its original is deleted. */
const hasLostItsListing = ({ kind, details }: JobActor): boolean =>
  kind === 'descriptionJob' && details.propertyId === null;

/**
 * Stops an activity that the row no longer asks for, and a poll that waits while a callback asks for one at once; a send
 * is never stopped.
 */
export async function abortIfMovedOn(
  { store, reporter }: RunnerPorts,
  { jobId, running }: HeldJob,
): Promise<void> {
  if (running === null || running.activity === 'sendPrediction') return;
  try {
    const aggregate = await store.readJob(jobId);
    const attempt = aggregate && liveAttempt(aggregate);
    const wanted = attempt && activityOf(providerAttemptMachine, attempt.state);
    if (wanted !== running.activity || attempt?.context.nextPollAt !== running.pollAt) running.abort.abort();
  } catch (error) {
    reporter.problem('a nudge could not be followed; the next look will', error, { jobId });
  }
}
