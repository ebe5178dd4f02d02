import { isTemporary } from '../actors/retry-policy.ts';
import { abortAfter } from '../concurrency/linked-abort.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { WakeableTimer } from '../concurrency/wakeable-timer.ts';
import type { TracedHold } from '../ports.ts';
import { endedBy, type StopSignals } from '../supervision/service.ts';
import { UNTRACED } from '../supervision/untraced.ts';
import type { HeldJob, QueueDelivery, RunnerPorts } from './held-job.ts';
import { admit } from './job-admission.ts';
import { countFailure, recordCrash } from './job-crash.ts';
import { runHeldJob } from './job-loop.ts';
import { abortIfMovedOn } from './job-pass.ts';

/**
 * Runs jobs in a bounded number of slots, each under its lease: jobs that the queue delivered, and jobs that were
 * rescued after a crash. Always true: a job runs here only while this process holds its lease, and at most once.
 * Stopping drains: no pass and no purchase begins. Running passes may finish until the deadline; then they are aborted
 * and leases are given back. A create is never aborted: one still in flight stays under its lease, and the worker that
 * takes the job over after it sees a restart.
 */
export type JobRunner = ReturnType<typeof createJobRunner>;

/**
 * A rescue takes a connection a dozen times. If all jobs in flight were rescued at once after a restart, all users of
 * the pool would wait for connections until they timed out.
 */
const RESCUED_AT_ONCE = 32;
/** How long aborted passes may take to give their leases back. */
const LETTING_GO_MS = 1_000;

export function createJobRunner(ports: RunnerPorts) {
  const slots = new Semaphore(ports.concurrency);
  const runs = new Map<string, HeldJob>();
  const beginning = new Semaphore();
  const draining = new AbortController();
  const forced = new AbortController();
  const stop: StopSignals = { draining: draining.signal, forced: forced.signal };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { reporter, tracer = UNTRACED } = ports;
  let orphanWaits = false;

  /** Leaves a new run alone that may have begun after this run lost its lease. */
  const letGo = async (held: HeldJob): Promise<void> => {
    if (runs.get(held.jobId) === held) runs.delete(held.jobId);
    await giveLeaseBack(ports, held);
  };

  /** The work before the first pass. */
  const begin = async (held: HeldJob, delivery: QueueDelivery | null): Promise<number | null> => {
    if (delivery === null) reporter.count('jobs_adopted');
    if (held.interrupted) await recordCrash(ports, held, { certain: false });
    return delivery === null ? null : admit(ports, held, delivery);
  };

  /**
   * Runs in a slot already taken, and gives it back; never rejects. A job that waits costs only this call and its loop.
   */
  const run = async (
    jobId: string,
    delivery: QueueDelivery | null,
    giveSlotBack: () => void,
  ): Promise<number | null> => {
    const begun = beginning.enter();
    try {
      const held = await hold(ports, jobId);
      if (held === null) return null;
      runs.set(jobId, held);
      try {
        // The stop came while the lease was taken.
        if (draining.signal.aborted) return null;
        return await tracer.run(tracedHold(ports, held, delivery), async () => {
          const waitMs = await begin(held, delivery).catch((error: unknown) =>
            failedToBegin(ports, { held, error }),
          );
          begun();
          if (waitMs === null) await runHeldJob(ports, { held, stop });
          return waitMs;
        });
      } finally {
        await letGo(held);
      }
    } catch (error) {
      reporter.problem('a job could not be run now', error, { jobId });
      return null;
    } finally {
      begun();
      giveSlotBack();
    }
  };

  /** A busy queue never leaves a slot free, so one orphan at a time waits ahead of it. */
  const waitToRescue = async (jobId: string): Promise<void> => {
    if (orphanWaits) return;
    orphanWaits = true;
    const giveBack = await slots.take({ first: true });
    orphanWaits = false;
    if (draining.signal.aborted) giveBack();
    else await run(jobId, null, giveBack);
  };

  const stopClaiming = (): void => {
    draining.abort();
    for (const held of runs.values()) held.timer.wake();
  };

  return {
    name: 'job-runner',
    running: () => runs.size,
    start: async () => {},
    done: () => ended,
    /**
     * For entries of the queue: admits a waiting job within the start rate, then runs it until it must wait for others.
     * Returns null, or, when the rate leaves no room, how long nothing may start. The entry must then go back into the
     * queue.
     */
    async startFromQueue(jobId: string, delivery: QueueDelivery): Promise<number | null> {
      const giveBack = await slots.take();
      if (!draining.signal.aborted) return run(jobId, delivery, giveBack);
      giveBack();
      return null;
    },
    /** After a crash: takes over a job under way. False when no slot is free. */
    tryRescue(jobId: string): boolean {
      if (runs.has(jobId)) return true;
      if (draining.signal.aborted) return false;
      const giveBack = slots.tryTake();
      if (giveBack === null) {
        void waitToRescue(jobId);
        return false;
      }
      void run(jobId, null, giveBack);
      return true;
    },
    /** Resolves when few enough rescues are running that another may begin. */
    roomToRescue: () => beginning.below(RESCUED_AT_ONCE),
    /** The job was changed elsewhere. */
    nudge(jobId: string): void {
      const held = runs.get(jobId);
      if (!held) return;
      held.timer.wake();
      void abortIfMovedOn(ports, held);
    },
    stopClaiming,
    async stop(deadline: AbortSignal) {
      stopClaiming();
      const idle = slots.below(1);
      if (!(await endedBy(idle, deadline))) {
        forced.abort();
        const last = abortAfter(ports.timers, LETTING_GO_MS);
        await endedBy(idle, last.signal);
        last.release();
      }
      for (const jobId of runs.keys())
        reporter.problem('a job is left under way; its lease runs out', new Error(ports.kind), {
          jobId,
        });
      end();
    },
  };
}

/**
 * Quarantines a job that never reaches its first pass; otherwise it would begin again for ever. Temporary errors do not
 * count.
 */
async function failedToBegin(
  ports: RunnerPorts,
  { held, error }: { held: HeldJob; error: unknown },
): Promise<never> {
  if (!isTemporary(error)) await countFailure(ports, { held, error });
  throw error;
}

function tracedHold({ kind }: RunnerPorts, held: HeldJob, delivery: QueueDelivery | null): TracedHold {
  const { owner, epoch } = held.origin.lease;
  return { kind, jobId: held.jobId, owner, epoch, queuedAt: delivery?.queuedAt ?? null };
}

/** Takes the job's lease; null when it is held or there is nothing to hold. */
async function hold({ leases, timers }: RunnerPorts, jobId: string): Promise<HeldJob | null> {
  const taken = await leases.take(jobId);
  if (!taken) return null;
  const { lost, abandonedBy, lease, failures } = taken;
  const timer = new WakeableTimer(timers);
  // The signal of the running activity is tied to `lost`; only a wait must be ended here.
  lost.addEventListener('abort', () => timer.wake());
  const origin = { by: `worker:${leases.owner}`, lease };
  // Our own lease may have run out in an outage.
  const interrupted = taken.interrupted && abandonedBy !== null && abandonedBy !== leases.owner;
  return { jobId, lost, interrupted, failures, origin, timer, running: null, pause: null };
}

/** Does nothing if the lease was lost meanwhile. */
async function giveLeaseBack({ leases, reporter }: RunnerPorts, { jobId, origin }: HeldJob): Promise<void> {
  await leases
    .giveBack(jobId, origin.lease.epoch)
    .catch((error) => reporter.problem('a lease could not be given back; it will run out', error, { jobId }));
}
