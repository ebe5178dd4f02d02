import { Doorbell } from './doorbell.ts';
import type { HeldJob, JobWork, QueueDelivery, RunnerPorts, RunPorts } from './held-job.ts';
import { runHeldJob } from './job-loop.ts';
import type { TracedHold } from './ports.ts';
import type { Service } from './service.ts';
import { Slots } from './slots.ts';
import { stagingWork } from './staging-work.ts';
import { Tally } from './tally.ts';
import { UNTRACED } from './untraced.ts';

export type { RunnerPorts } from './held-job.ts';

/**
 * Runs jobs in a bounded number of slots, each under its lease, whether the queue brought them or they were
 * adopted after a crash. Always true: a job runs here only while this process holds its lease, and at most
 * once. Stopping drains: no pass begins, those in hand may finish within the grace, leases are given back.
 */
export interface JobRunner extends Service {
  /** From the queue: admits a waiting job past the start rate, then runs it to where it waits for others. */
  startFromQueue(jobId: string, delivery: QueueDelivery): Promise<void>;
  /** After a crash: takes over a job under way. False when no slot is free. */
  tryAdopt(jobId: string): boolean;
  /** Resolves when few enough takeovers are under way that another may begin. */
  roomToAdopt(): Promise<void>;
  /** Something about the job changed elsewhere. */
  nudge(jobId: string): void;
  running(): number;
}

/**
 * A takeover takes a connection a dozen times. After a restart with many jobs in flight, all at once would wait for
 * the pool until they gave up, and everybody else with them.
 */
const ADOPTED_AT_ONCE = 32;

/** Runs staging jobs. */
export function createJobRunner(ports: RunnerPorts): JobRunner {
  return createRunner(ports, stagingWork(ports));
}

/** Runs jobs of the kind that `kindOfWork` knows. */
export function createRunner(ports: RunPorts, kindOfWork: JobWork): JobRunner {
  const slots = new Slots(ports.concurrency);
  const runs = new Map<string, HeldJob>();
  const active = new Tally();
  const beginning = new Tally();
  const draining = new AbortController();
  const forced = new AbortController();
  const stop = { draining: draining.signal, forced: forced.signal };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { reporter, tracer = UNTRACED } = ports;
  let orphanWaits = false;

  const letGo = async ({ jobId }: HeldJob): Promise<void> => {
    runs.delete(jobId);
    await giveBack(ports, jobId);
  };

  /** What comes before the first pass. */
  const begin = async (held: HeldJob, delivery: QueueDelivery | null): Promise<void> => {
    if (delivery === null) reporter.count('jobs_adopted');
    await countAbandonment(ports, kindOfWork, held);
    if (delivery !== null) await kindOfWork.admit(held, delivery);
  };

  /** In a slot that has been taken, which it gives back; never rejects. A job that waits costs this and its loop. */
  const run = async (jobId: string, delivery: QueueDelivery | null): Promise<void> => {
    active.add();
    const begun = beginning.enter();
    try {
      const held = await hold(ports, jobId);
      if (held === null) return;
      runs.set(jobId, held);
      try {
        await tracer.run(tracedHold(kindOfWork, held, delivery), async () => {
          await begin(held, delivery);
          begun();
          await runHeldJob(ports, kindOfWork, { held, stop });
        });
      } finally {
        await letGo(held);
      }
    } catch (error) {
      reporter.problem('a job could not be run now', error, { jobId });
    } finally {
      begun();
      slots.giveBack();
      active.drop();
    }
  };

  /** A queue that always has another entry leaves no slot free: one orphan at a time waits ahead of it. */
  const waitToAdopt = async (jobId: string): Promise<void> => {
    if (orphanWaits) return;
    orphanWaits = true;
    await slots.takeNext();
    orphanWaits = false;
    if (draining.signal.aborted) slots.giveBack();
    else await run(jobId, null);
  };

  return {
    name: 'job-runner',
    running: () => runs.size,
    start: async () => {},
    done: () => ended,
    async startFromQueue(jobId, delivery) {
      await slots.take();
      if (draining.signal.aborted) return slots.giveBack();
      await run(jobId, delivery);
    },
    tryAdopt(jobId) {
      if (runs.has(jobId)) return true;
      if (draining.signal.aborted) return false;
      if (!slots.tryTake()) {
        void waitToAdopt(jobId);
        return false;
      }
      void run(jobId, null);
      return true;
    },
    roomToAdopt: () => beginning.below(ADOPTED_AT_ONCE),
    nudge(jobId) {
      const held = runs.get(jobId);
      if (!held) return;
      held.doorbell.ring();
      void kindOfWork.abortIfMovedOn(held);
    },
    async stop(graceMs) {
      draining.abort();
      for (const held of runs.values()) held.doorbell.ring();
      const idle = active.below(1);
      const grace = new AbortController();
      await Promise.race([idle, ports.timers.sleep(graceMs, grace.signal)]);
      grace.abort();
      forced.abort();
      await idle;
      end();
    },
  };
}

/** A lease that another process let run out looks like its crash; one's own ran out in an outage. */
async function countAbandonment({ leases }: RunPorts, work: JobWork, held: HeldJob): Promise<void> {
  if (held.abandonedBy !== null && held.abandonedBy !== leases.owner) await work.recordCrash(held);
}

function tracedHold({ kind }: JobWork, held: HeldJob, delivery: QueueDelivery | null): TracedHold {
  const { owner, epoch } = held.origin.lease;
  return { kind, jobId: held.jobId, owner, epoch, queuedAt: delivery?.queuedAt ?? null };
}

/** Takes the job's lease; null when somebody holds it or there is nothing to hold. */
async function hold({ leases, timers }: RunPorts, jobId: string): Promise<HeldJob | null> {
  const taken = await leases.take(jobId);
  if (!taken) return null;
  const { lost, abandonedBy, lease } = taken;
  const doorbell = new Doorbell(timers);
  // The signal of the running effect is tied to `lost`; only a wait has to be cut short here.
  lost.addEventListener('abort', () => doorbell.ring());
  const origin = { by: `worker:${leases.owner}`, lease };
  return { jobId, lost, abandonedBy, origin, doorbell, running: null, pause: null };
}

/** Unless it was lost meanwhile. */
async function giveBack({ leases, reporter }: RunPorts, jobId: string): Promise<void> {
  await leases
    .giveBack(jobId)
    .catch((error) => reporter.problem('a lease could not be given back; it will run out', error, { jobId }));
}
