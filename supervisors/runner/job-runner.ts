import { isTemporary } from '../actors/retry-policy.ts';
import { abortAfter } from '../concurrency/linked-abort.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { WakeableTimer } from '../concurrency/wakeable-timer.ts';
import type { TracedHold } from '../ports.ts';
import { endedBy, type StopSignals } from '../supervision/service.ts';
import { UNTRACED } from '../supervision/untraced.ts';
import type { HeldJob, QueueDelivery, QueueOutcome, RunnerPorts } from './held-job.ts';
import { admit } from './job-admission.ts';
import { countFailure, recordCrash } from './job-crash.ts';
import { runHeldJob } from './job-loop.ts';
import { abortIfMovedOn } from './job-pass.ts';
import type { KeptLease } from './lease-keeper.ts';

/**
 * Runs jobs in a bounded number of slots, each under its lease: jobs that the queue delivered, and jobs that were
 * rescued after a crash. Always true: a job runs here only while this process holds its lease, and at most once.
 * Stopping drains: no pass and no purchase begins. Running passes may finish until the deadline; then they are aborted
 * and leases are given back. A create is never aborted: one still in flight stays under its lease, and the worker that
 * takes the job over after it sees a restart.
 */
export type JobRunner = ReturnType<typeof createJobRunner>;

/**
 * Recording a crash takes a connection several times. If all jobs in flight did it at once after a restart, all users of
 * the pool would wait for connections until they timed out.
 */
const CRASHES_AT_ONCE = 32;
/** How long aborted passes may take to give their leases back. */
const LETTING_GO_MS = 1_000;

export function createJobRunner(ports: RunnerPorts) {
  const slots = new Semaphore(ports.concurrency);
  const runs = new Map<string, HeldJob>();
  const recording = new Semaphore(CRASHES_AT_ONCE);
  const draining = new AbortController();
  const forced = new AbortController();
  const stop: StopSignals = { draining: draining.signal, forced: forced.signal };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { reporter, tracer = UNTRACED } = ports;
  /** Orphans that found no slot. */
  const waiting = new Set<string>();

  /** Leaves a new run alone that may have begun after this run lost its lease. */
  const letGo = async (held: HeldJob): Promise<void> => {
    if (runs.get(held.jobId) === held) runs.delete(held.jobId);
    await giveLeaseBack(ports, held);
  };

  /** The work before the first pass. */
  const begin = async (held: HeldJob, delivery: QueueDelivery | null): Promise<number | null> => {
    if (delivery === null) reporter.count('jobs_adopted');
    if (held.interrupted) {
      held.seen = null;
      const leave = await recording.take();
      await recordCrash(ports, held, { certain: false }).finally(leave);
    }
    return delivery === null ? null : admit(ports, held, delivery);
  };

  const runHeld = async (held: HeldJob, delivery: QueueDelivery | null): Promise<QueueOutcome> => {
    runs.set(held.jobId, held);
    try {
      // The stop came while the lease was taken.
      if (draining.signal.aborted) return null;
      return await tracer.run(tracedHold(ports, held, delivery), async () => {
        const waitMs = await begin(held, delivery).catch((error: unknown) =>
          failedToBegin(ports, { held, error }),
        );
        if (waitMs === null) await runHeldJob(ports, { held, stop });
        return held.isOver ? 'over' : waitMs;
      });
    } finally {
      await letGo(held);
    }
  };

  /**
   * Runs in a slot already taken, and gives it back; never rejects. A job that waits costs only this call and its loop.
   */
  const run = async (
    job: string | HeldJob,
    delivery: QueueDelivery | null,
    giveSlotBack: () => void,
  ): Promise<QueueOutcome> => {
    try {
      const held = typeof job === 'string' ? await hold(ports, job) : job;
      return held && (await runHeld(held, delivery));
    } catch (error) {
      reporter.problem('a job could not be run now', error, {
        jobId: typeof job === 'string' ? job : job.jobId,
      });
      return null;
    } finally {
      giveSlotBack();
    }
  };

  /** A busy queue never leaves a slot free, so orphans wait ahead of it, at most as many as there are slots. */
  const waitToRescue = async (jobId: string): Promise<void> => {
    if (waiting.has(jobId) || waiting.size === ports.concurrency) return;
    waiting.add(jobId);
    const giveBack = await slots.take({ first: true });
    waiting.delete(jobId);
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
     */
    async startFromQueue(jobId: string, delivery: QueueDelivery): Promise<QueueOutcome> {
      const giveBack = await slots.take();
      if (!draining.signal.aborted) return run(jobId, delivery, giveBack);
      giveBack();
      return null;
    },
    /**
     * After a crash: takes over jobs under way, all of them in one statement. False when some found no slot.
     * @throws the database's error when it is away
     */
    async rescue(jobIds: readonly string[]): Promise<boolean> {
      if (draining.signal.aborted) return false;
      const orphans = jobIds.filter((jobId) => !runs.has(jobId));
      const places = orphans.map(() => slots.tryTake()).filter((place) => place !== null);
      const left = orphans.slice(places.length);
      for (const jobId of left) void waitToRescue(jobId);
      const found = await holdAll(ports, orphans.slice(0, places.length)).catch((error) => {
        for (const giveBack of places) giveBack();
        throw error;
      });
      for (const [index, giveBack] of places.entries()) {
        const job = found[index];
        if (job === undefined) giveBack();
        else void run(job, null, giveBack);
      }
      return left.length === 0;
    },
    /** The job was changed elsewhere. */
    nudge(jobId: string): void {
      const held = runs.get(jobId);
      if (!held) return;
      held.nudges += 1;
      held.seen = null;
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
 * Quarantines a job that never reaches its first pass; otherwise it would begin again forever. Temporary errors do not
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
async function hold(ports: RunnerPorts, jobId: string): Promise<HeldJob | null> {
  const taken = await ports.leases.take(jobId);
  return taken && heldJob(ports, taken);
}

/**
 * Takes the leases of those jobs that have none. When one of them makes this fail, all are left to be taken one by one,
 * so that it does not hold up the others.
 */
async function holdAll(ports: RunnerPorts, jobIds: readonly string[]): Promise<(HeldJob | string)[]> {
  const { leases, reporter } = ports;
  const taken = await leases.takeAll(jobIds).catch((error) => {
    if (isTemporary(error)) throw error;
    reporter.problem('jobs could not be taken over together', error, { jobs: jobIds.length });
    return null;
  });
  return taken === null ? [...jobIds] : taken.map((one) => heldJob(ports, one));
}

function heldJob(
  { leases, timers }: RunnerPorts,
  { jobId, lost, abandonedBy, lease, failures, seen, ...taken }: KeptLease,
): HeldJob {
  const timer = new WakeableTimer(timers);
  // The signal of the running activity is tied to `lost`; only a wait must be ended here.
  lost.addEventListener('abort', () => timer.wake());
  const origin = { by: `worker:${leases.owner}`, lease };
  // Our own lease may have run out in an outage.
  const interrupted = taken.interrupted && abandonedBy !== null && abandonedBy !== leases.owner;
  return {
    jobId,
    lost,
    interrupted,
    failures,
    origin,
    timer,
    running: null,
    pause: null,
    seen,
    nudges: 0,
    isOver: false,
  };
}

/** Does nothing if the lease was lost meanwhile. */
async function giveLeaseBack(
  { leases, reporter }: RunnerPorts,
  { jobId, origin, isOver }: HeldJob,
): Promise<void> {
  await leases
    .giveBack(jobId, { epoch: origin.lease.epoch, isOver })
    .catch((error) => reporter.problem('a lease could not be given back; it will run out', error, { jobId }));
}
