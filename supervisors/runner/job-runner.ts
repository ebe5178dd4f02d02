import { isTemporary } from '../actors/retry-policy.ts';
import { abortAfter } from '../concurrency/linked-abort.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { WakeableTimer } from '../concurrency/wakeable-timer.ts';
import type { TracedHold } from '../ports.ts';
import { endedBy, type Service, type StopSignals } from '../supervision/service.ts';
import { UNTRACED } from '../supervision/untraced.ts';
import type { HeldJob, QueueDelivery, QueueOutcome, RunnerPorts } from './held-job.ts';
import { admit } from './job-admission.ts';
import { countFailure, recordCrash } from './job-crash.ts';
import { runHeldJob } from './job-loop.ts';
import { abortIfMovedOn } from './job-pass.ts';
import type { KeptLease } from './lease-keeper.ts';

/**
 * Recording a crash takes a connection several times. If all jobs in flight did it at once after a restart, all users of
 * the pool would wait for connections until they timed out.
 */
const CRASHES_AT_ONCE = 32;
/** How long aborted passes may take to give their leases back. */
const LETTING_GO_MS = 1_000;

/**
 * Runs jobs in a bounded number of slots, each under its lease: jobs that the queue delivered, and jobs that were
 * rescued after a crash. Always true: a job runs here only while this process holds its lease, and at most once.
 * Stopping drains: no pass and no purchase begins. Running passes may finish until the deadline; then they are aborted
 * and leases are given back. A create is never aborted: one still in flight stays under its lease, and the worker that
 * takes the job over after it sees a restart.
 */
export class JobRunner implements Service {
  readonly name = 'job-runner';
  readonly #ports: RunnerPorts;
  readonly #slots: Semaphore;
  readonly #runs = new Map<string, HeldJob>();
  /** Orphans that found no slot. */
  readonly #waiting = new Set<string>();
  readonly #recording = new Semaphore(CRASHES_AT_ONCE);
  readonly #draining = new AbortController();
  readonly #forced = new AbortController();
  readonly #ended = Promise.withResolvers<void>();

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#slots = new Semaphore(ports.concurrency);
  }

  running(): number {
    return this.#runs.size;
  }

  async start(): Promise<void> {}

  done(): Promise<void> {
    return this.#ended.promise;
  }

  /**
   * For entries of the queue: admits a waiting job within the start rate, then runs it until it must wait for others.
   */
  async startFromQueue(jobId: string, delivery: QueueDelivery): Promise<QueueOutcome> {
    const giveBack = await this.#slots.take();
    if (!this.#draining.signal.aborted) return this.#run(jobId, delivery, giveBack);
    giveBack();
    return null;
  }

  /**
   * After a crash: takes over jobs under way, all of them in one statement. False when some found no slot.
   * @throws the database's error when it is away
   */
  async rescue(jobIds: readonly string[]): Promise<boolean> {
    if (this.#draining.signal.aborted) return false;
    const orphans = jobIds.filter((jobId) => !this.#runs.has(jobId));
    const places = orphans.map(() => this.#slots.tryTake()).filter((place) => place !== null);
    const left = orphans.slice(places.length);
    for (const jobId of left) void this.#waitToRescue(jobId);
    const found = await holdAll(this.#ports, orphans.slice(0, places.length)).catch((error) => {
      for (const giveBack of places) giveBack();
      throw error;
    });
    for (const [index, giveBack] of places.entries()) {
      const job = found[index];
      if (job === undefined) giveBack();
      else void this.#run(job, null, giveBack);
    }
    return left.length === 0;
  }

  /** The job was changed elsewhere. */
  nudge(jobId: string): void {
    const held = this.#runs.get(jobId);
    if (!held) return;
    held.nudges += 1;
    held.seen = null;
    held.timer.wake();
    void abortIfMovedOn(this.#ports, held);
  }

  stopClaiming(): void {
    this.#draining.abort();
    for (const held of this.#runs.values()) held.timer.wake();
  }

  async stop(deadline: AbortSignal): Promise<void> {
    const { timers, reporter, kind } = this.#ports;
    this.stopClaiming();
    const idle = this.#slots.below(1);
    if (!(await endedBy(idle, deadline))) {
      this.#forced.abort();
      const last = abortAfter(timers, LETTING_GO_MS);
      await endedBy(idle, last.signal);
      last.release();
    }
    for (const jobId of this.#runs.keys())
      reporter.problem('a job is left under way; its lease runs out', new Error(kind), { jobId });
    this.#ended.resolve();
  }

  /** A busy queue never leaves a slot free, so orphans wait ahead of it, at most as many as there are slots. */
  async #waitToRescue(jobId: string): Promise<void> {
    if (this.#waiting.has(jobId) || this.#waiting.size === this.#ports.concurrency) return;
    this.#waiting.add(jobId);
    const giveBack = await this.#slots.take({ first: true });
    this.#waiting.delete(jobId);
    if (this.#draining.signal.aborted) giveBack();
    else await this.#run(jobId, null, giveBack);
  }

  /**
   * Runs in a slot already taken, and gives it back; never rejects. A job that waits costs only this call and its loop.
   */
  async #run(
    job: string | HeldJob,
    delivery: QueueDelivery | null,
    giveSlotBack: () => void,
  ): Promise<QueueOutcome> {
    try {
      const held = typeof job === 'string' ? await hold(this.#ports, job) : job;
      return held && (await this.#runHeld(held, delivery));
    } catch (error) {
      this.#ports.reporter.problem('a job could not be run now', error, {
        jobId: typeof job === 'string' ? job : job.jobId,
      });
      return null;
    } finally {
      giveSlotBack();
    }
  }

  async #runHeld(held: HeldJob, delivery: QueueDelivery | null): Promise<QueueOutcome> {
    const { tracer = UNTRACED } = this.#ports;
    const stop: StopSignals = { draining: this.#draining.signal, forced: this.#forced.signal };
    this.#runs.set(held.jobId, held);
    try {
      // The stop came while the lease was taken.
      if (stop.draining.aborted) return null;
      return await tracer.run(tracedHold(this.#ports, held, delivery), async () => {
        const waitMs = await this.#begin(held, delivery).catch((error: unknown) =>
          failedToBegin(this.#ports, { held, error }),
        );
        if (waitMs === null) await runHeldJob(this.#ports, { held, stop });
        return held.isOver ? 'over' : waitMs;
      });
    } finally {
      await this.#letGo(held);
    }
  }

  /** The work before the first pass. */
  async #begin(held: HeldJob, delivery: QueueDelivery | null): Promise<number | null> {
    if (delivery === null) this.#ports.reporter.count('jobs_adopted');
    if (held.interrupted) {
      held.seen = null;
      const leave = await this.#recording.take();
      await recordCrash(this.#ports, held, { certain: false }).finally(leave);
    }
    return delivery === null ? null : admit(this.#ports, held, delivery);
  }

  /** Leaves a new run alone that may have begun after this run lost its lease. */
  async #letGo(held: HeldJob): Promise<void> {
    if (this.#runs.get(held.jobId) === held) this.#runs.delete(held.jobId);
    await giveLeaseBack(this.#ports, held);
  }
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
