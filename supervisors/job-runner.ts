import { Doorbell } from './doorbell.ts';
import type { HeldJob, JobWork, QueueDelivery, RunnerPorts, RunPorts } from './held-job.ts';
import { runHeldJob } from './job-loop.ts';
import type { Service } from './service.ts';
import { Slots } from './slots.ts';
import { stagingWork } from './staging-work.ts';

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
  /** Something about the job changed elsewhere. */
  nudge(jobId: string): void;
  running(): number;
}

/** Runs staging jobs. */
export function createJobRunner(ports: RunnerPorts): JobRunner {
  return createRunner(ports, stagingWork(ports));
}

/** Runs jobs of the kind that `kindOfWork` knows. */
export function createRunner(ports: RunPorts, kindOfWork: JobWork): JobRunner {
  const slots = new Slots(ports.concurrency);
  const runs = new Map<string, HeldJob>();
  const active = new Set<Promise<void>>();
  const draining = new AbortController();
  const forced = new AbortController();
  const stop = { draining: draining.signal, forced: forced.signal };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  const inSlot = (jobId: string, work: (held: HeldJob) => Promise<void>): Promise<void> => {
    const run = underLease(ports, { jobId, runs }, work)
      .catch((error) => ports.reporter.problem('a job could not be run now', error, { jobId }))
      .finally(() => {
        slots.giveBack();
        active.delete(run);
      });
    active.add(run);
    return run;
  };

  return {
    name: 'job-runner',
    running: () => runs.size,
    start: async () => {},
    done: () => ended,
    async startFromQueue(jobId, delivery) {
      await slots.take();
      if (draining.signal.aborted) return slots.giveBack();
      await inSlot(jobId, async (held) => {
        await countAbandonment(ports, kindOfWork, held);
        await kindOfWork.admit(held, delivery);
        await runHeldJob(ports, kindOfWork, { held, stop });
      });
    },
    tryAdopt(jobId) {
      if (runs.has(jobId)) return true;
      if (draining.signal.aborted || !slots.tryTake()) return false;
      void inSlot(jobId, async (held) => {
        ports.reporter.count('jobs_adopted');
        await countAbandonment(ports, kindOfWork, held);
        await runHeldJob(ports, kindOfWork, { held, stop });
      });
      return true;
    },
    nudge(jobId) {
      const held = runs.get(jobId);
      if (!held) return;
      held.doorbell.ring();
      void kindOfWork.abortIfMovedOn(held);
    },
    async stop(graceMs) {
      draining.abort();
      for (const held of runs.values()) held.doorbell.ring();
      const idle = Promise.allSettled(active);
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

/** Holds the job's lease around `work` and gives it back, unless it was lost meanwhile. */
async function underLease(
  ports: RunPorts,
  { jobId, runs }: { jobId: string; runs: Map<string, HeldJob> },
  work: (held: HeldJob) => Promise<void>,
): Promise<void> {
  const taken = await ports.leases.take(jobId);
  if (!taken) return;
  const { lost, abandonedBy, lease } = taken;
  const held: HeldJob = {
    jobId,
    lost,
    abandonedBy,
    origin: { by: `worker:${ports.leases.owner}`, lease },
    doorbell: new Doorbell(ports.timers),
    running: null,
    pause: null,
  };
  runs.set(jobId, held);
  // The signal of the running effect is tied to `lost`; only a wait has to be cut short here.
  lost.addEventListener('abort', () => held.doorbell.ring());
  try {
    await work(held);
  } finally {
    runs.delete(jobId);
    await ports.leases
      .giveBack(jobId)
      .catch((error) =>
        ports.reporter.problem('a lease could not be given back; it will run out', error, { jobId }),
      );
  }
}
