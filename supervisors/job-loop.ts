import { providerAttemptMachine } from '../machines/provider-attempt.ts';
import { stagingJobMachine } from '../machines/staging-job.ts';
import { effectOf, isFinalState } from '../machines/step.ts';
import type { JobAggregate } from '../persistence/actor-store.ts';
import { databaseFailure } from '../persistence/database-failure.ts';
import { liveAttempt } from './advance-job.ts';
import { ATTEMPT_EFFECTS } from './effects/catalogue.ts';
import type { HeldJob, RunnerPorts, StopSignals } from './held-job.ts';
import { recordCrash, setAside } from './job-crash.ts';

/**
 * The loop over one held job: read the row, do one pass of the effect that it asks for, look again, until
 * nothing is left to do here. It owns no truth: it may die at any point, and whoever adopts the job goes on
 * from the row. Source: architecture.md section 3 step 7.
 */
const CRASH_WAIT_MS = 1_000;
const OUTAGE_WAIT_MS = 500;
/** A whole job needs fewer passes in a row than this; more mean that the row does not move. */
const MAX_EAGER_PASSES = 20;
/** A job whose crash cannot even be recorded this often is set aside. */
const MAX_UNRECORDED_CRASHES = 5;

export async function runHeldJob(ports: RunnerPorts, held: HeldJob, stop: StopSignals): Promise<void> {
  let unrecordedCrashes = 0;
  let eagerPasses = 0;
  while (!held.lost.aborted && !stop.draining.aborted) {
    try {
      const waitMs = await pass(ports, held, stop);
      if (waitMs === null) return;
      unrecordedCrashes = 0;
      eagerPasses = waitMs === 0 ? eagerPasses + 1 : 0;
      // A pass that leaves the row as it was (under a lease just lost, say) must not spin.
      const pauseMs = eagerPasses > MAX_EAGER_PASSES ? OUTAGE_WAIT_MS : waitMs;
      if (pauseMs > 0 && !stop.draining.aborted) await held.doorbell.wait(pauseMs);
    } catch (error) {
      if (databaseFailure(error) === 'unavailable') {
        await ports.timers.sleep(OUTAGE_WAIT_MS, held.lost);
        continue;
      }
      ports.reporter.problem('a runner crashed', error, { jobId: held.jobId });
      unrecordedCrashes = (await recordCrash(ports, held)) ? 0 : unrecordedCrashes + 1;
      if (unrecordedCrashes >= MAX_UNRECORDED_CRASHES) return setAside(ports, held.jobId, error);
      // Not the doorbell: recording the crash has rung it.
      await ports.timers.sleep(CRASH_WAIT_MS, AbortSignal.any([held.lost, stop.draining]));
    }
  }
}

/** One look and one pass; how long to wait before the next, or null when nothing is left to do here. */
async function pass(ports: RunnerPorts, held: HeldJob, stop: StopSignals): Promise<number | null> {
  const aggregate = await ports.store.readJob(held.jobId);
  if (aggregate === null || isFinalState(stagingJobMachine, aggregate.job.state)) return null;
  if (await settleLeftover(ports, held, aggregate)) return 0;
  const attempt = liveAttempt(aggregate);
  const name = attempt && effectOf(providerAttemptMachine, attempt.state);
  if (!attempt || !name) return null;
  // Reserved but not sent, and the flag is off now: nothing is bought (I7).
  if (name === 'sendPrediction' && !ports.enabled) return null;
  const effect = ATTEMPT_EFFECTS[name];
  if (!effect) throw new Error(`no effect is called ${name}`);
  const mark = `${attempt.id} ${attempt.state} ${attempt.context.nextPollAt}`;
  const rest = held.pause?.mark === mark ? held.pause.until - ports.clock.now() : 0;
  if (rest > 0) return rest;
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, held.lost, stop.forced]);
  held.running = { effect: name, abort };
  try {
    const { waitMs } = await effect({ attempt, aggregate, origin: held.origin, signal, ports });
    held.pause = { mark, until: ports.clock.now() + waitMs };
    return waitMs;
  } catch (error) {
    // An aborted effect may end in any way; the row says what to do next.
    if (signal.aborted) return 0;
    throw error;
  } finally {
    held.running = null;
  }
}

/** What only a restart or a database trigger leaves behind; true when the row was moved. */
async function settleLeftover(
  { mailroom, clock }: RunnerPorts,
  { origin }: HeldJob,
  aggregate: JobAggregate,
): Promise<boolean> {
  const at = clock.now();
  const { job } = aggregate;
  const attempt = liveAttempt(aggregate);
  if (attempt?.state === 'SENT') {
    // Not our send, or one that ended without an answer: it counts as sent.
    const event = { type: 'RUNNER_RESTARTED', at } as const;
    await mailroom.deliver({ to: 'providerAttempt', id: attempt.id, event }, origin);
    return true;
  }
  if (job.state !== 'CANCEL_REQUESTED') return false;
  if (!attempt) {
    const event = { type: 'NOTHING_TO_CANCEL', at } as const;
    await mailroom.deliver({ to: 'stagingJob', id: job.id, event }, origin);
    return true;
  }
  const event = { type: 'CANCEL', at } as const;
  const told = await mailroom.deliver({ to: 'providerAttempt', id: attempt.id, event }, origin);
  return told.outcome === 'applied';
}
