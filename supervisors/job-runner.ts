import { providerAttemptMachine } from '../machines/provider-attempt.ts';
import { stagingJobMachine } from '../machines/staging-job.ts';
import { effectOf, isFinalState } from '../machines/step.ts';
import type { JobAggregate } from '../persistence/actor-store.ts';
import { databaseFailure } from '../persistence/database-failure.ts';
import { liveAttempt } from './advance-job.ts';
import { Doorbell } from './doorbell.ts';
import { ATTEMPT_EFFECTS } from './effects/catalogue.ts';
import type { EffectPorts } from './effects/effect.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Origin } from './messages.ts';
import type { Service } from './service.ts';
import { Slots } from './slots.ts';

/**
 * Runs jobs that this process holds the lease of: reads what the row asks for, does one pass of that effect,
 * and looks again, until nothing is left to do here. It owns no truth: between two looks it may die at any
 * point, and whoever adopts the job continues from the row. Source: architecture.md section 3 step 7.
 */
export interface RunnerPorts extends EffectPorts {
  leases: LeaseKeeper;
  /** The flag: only exact `true` starts purchases (platform.md, AI_ROOM_STAGING_ENABLED). */
  enabled: boolean;
  concurrency: number;
}

export interface JobRunner extends Service {
  /** From the queue: admits a waiting job past the start rate, then runs it to where it waits for others. */
  startFromQueue(jobId: string, delivery: { queueAttempt: number; queuedAt: number }): Promise<void>;
  /** After a crash: takes over a job under way. False when no slot is free. */
  tryAdopt(jobId: string): boolean;
  /** Something about the job changed elsewhere. */
  nudge(jobId: string): void;
  running(): number;
}

const CRASH_WAIT_MS = 1_000;
const OUTAGE_WAIT_MS = 500;
/** A whole job needs fewer passes in a row than this. */
const MAX_EAGER_PASSES = 20;
/** A job whose row cannot even be read or written this often is set aside. */
const MAX_UNRECORDED_CRASHES = 5;

interface Run {
  doorbell: Doorbell;
  effect: string | null;
  abort: AbortController | null;
}

export function createJobRunner(ports: RunnerPorts): JobRunner {
  const slots = new Slots(ports.concurrency);
  const runs = new Map<string, Run>();
  const active = new Set<Promise<void>>();
  const draining = new AbortController();
  const forced = new AbortController();

  const track = (work: Promise<void>): Promise<void> => {
    active.add(work);
    return work.finally(() => active.delete(work));
  };

  /** Holds the lease around `work`; gives it back unless it was lost. */
  const underLease = async (jobId: string, work: (held: HeldJob) => Promise<void>): Promise<void> => {
    const taken = await ports.leases.take(jobId);
    if (!taken) return;
    const run: Run = { doorbell: new Doorbell(ports.timers), effect: null, abort: null };
    runs.set(jobId, run);
    taken.lost.addEventListener('abort', () => {
      run.abort?.abort();
      run.doorbell.ring();
    });
    try {
      await work({
        jobId,
        run,
        lost: taken.lost,
        abandonedBy: taken.abandonedBy,
        origin: { by: `worker:${ports.leases.owner}`, lease: taken.lease },
      });
    } finally {
      runs.delete(jobId);
      await ports.leases
        .giveBack(jobId)
        .catch((error) =>
          ports.reporter.problem('a lease could not be given back; it will run out', error, { jobId }),
        );
    }
  };

  const loop = async (held: HeldJob): Promise<void> => {
    let unrecordedCrashes = 0;
    let idlePasses = 0;
    while (!held.lost.aborted && !draining.signal.aborted) {
      try {
        const waitMs = await pass(held);
        if (waitMs === null) return;
        unrecordedCrashes = 0;
        // A pass that leaves the row as it was (a lease just lost, say) must not spin.
        idlePasses = waitMs === 0 ? idlePasses + 1 : 0;
        const pauseMs = idlePasses > MAX_EAGER_PASSES ? OUTAGE_WAIT_MS : waitMs;
        if (pauseMs > 0 && !draining.signal.aborted) await held.run.doorbell.wait(pauseMs);
      } catch (error) {
        if (databaseFailure(error) === 'unavailable') {
          await ports.timers.sleep(OUTAGE_WAIT_MS, held.lost);
          continue;
        }
        ports.reporter.problem('a runner crashed', error, { jobId: held.jobId });
        if (await recordCrash(held)) unrecordedCrashes = 0;
        else unrecordedCrashes += 1;
        if (unrecordedCrashes >= MAX_UNRECORDED_CRASHES) return setAside(held, error);
        await held.run.doorbell.wait(CRASH_WAIT_MS);
      }
    }
  };

  /** One look and one pass; how long to wait before the next, or null when nothing is left to do here. */
  const pass = async (held: HeldJob): Promise<number | null> => {
    const aggregate = await ports.store.readJob(held.jobId);
    if (aggregate === null || isFinalState(stagingJobMachine, aggregate.job.state)) return null;
    if (await settleOrphan(held, aggregate)) return 0;
    const attempt = liveAttempt(aggregate);
    const name = attempt && effectOf(providerAttemptMachine, attempt.state);
    if (!attempt || !name) return null;
    // Reserved but not sent, and the flag is off now: nothing is bought (I7).
    if (name === 'sendPrediction' && !ports.enabled) return null;
    const effect = ATTEMPT_EFFECTS[name];
    if (!effect) throw new Error(`no effect is called ${name}`);
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, held.lost, forced.signal]);
    held.run.effect = name;
    held.run.abort = abort;
    try {
      return (await effect({ attempt, aggregate, origin: held.origin, signal, ports })).waitMs;
    } catch (error) {
      // An aborted effect may end in any way; the row says what to do next.
      if (signal.aborted) return 0;
      throw error;
    } finally {
      held.run.effect = null;
      held.run.abort = null;
    }
  };

  /** What only a restart or a database trigger leaves behind; true when the row was moved. */
  const settleOrphan = async (held: HeldJob, { job, attempts }: JobAggregate): Promise<boolean> => {
    const at = ports.clock.now();
    const attempt = liveAttempt({ job, attempts });
    if (attempt?.state === 'SENT') {
      // Not our send, or one that ended without an answer: it counts as sent.
      await ports.mailroom.deliver(
        { to: 'providerAttempt', id: attempt.id, event: { type: 'RUNNER_RESTARTED', at } },
        held.origin,
      );
      return true;
    }
    if (job.state !== 'CANCEL_REQUESTED') return false;
    if (!attempt) {
      await ports.mailroom.deliver(
        { to: 'stagingJob', id: job.id, event: { type: 'NOTHING_TO_CANCEL', at } },
        held.origin,
      );
      return true;
    }
    const told = await ports.mailroom.deliver(
      { to: 'providerAttempt', id: attempt.id, event: { type: 'CANCEL', at } },
      held.origin,
    );
    return told.outcome === 'applied';
  };

  const recordCrash = async ({ jobId, origin }: HeldJob): Promise<boolean> => {
    try {
      const aggregate = await ports.store.readJob(jobId);
      const attempt = aggregate && liveAttempt(aggregate);
      const event = {
        type: 'RUNNER_CRASHED' as const,
        at: ports.clock.now(),
        progressMark: attempt?.version ?? 0,
      };
      await ports.mailroom.deliver({ to: 'stagingJob', id: jobId, event }, origin);
      return true;
    } catch (error) {
      ports.reporter.problem('a crash could not be recorded', error, { jobId });
      return false;
    }
  };

  const setAside = async ({ jobId }: HeldJob, cause: unknown): Promise<void> => {
    const error = cause instanceof Error ? cause.message : String(cause);
    await ports.store.quarantine({ jobId, at: ports.clock.now(), error });
    ports.reporter.count('jobs_quarantined');
    ports.reporter.alert({ kind: 'stagingJob', id: jobId }, { alert: 'quarantined', fields: {} });
  };

  const admit = async (
    held: HeldJob,
    delivery: { queueAttempt: number; queuedAt: number },
  ): Promise<void> => {
    const aggregate = await ports.store.readJob(held.jobId);
    if (aggregate === null) return;
    const at = ports.clock.now();
    const common = { at, enabled: ports.enabled, attemptId: ports.chance.id() };
    const { state } = aggregate.job;
    await ports.checkpoint('before-reserve', held.jobId);
    if (state.startsWith('PENDING'))
      await ports.mailroom.deliver(
        {
          to: 'stagingJob',
          id: held.jobId,
          event: {
            type: 'WORKER_STARTED',
            ...common,
            queueAttempt: delivery.queueAttempt,
            queueWaitMs: Math.max(0, at - delivery.queuedAt),
          },
        },
        held.origin,
      );
    else if (state === 'RETRYING.BACKOFF')
      await ports.mailroom.deliver(
        { to: 'stagingJob', id: held.jobId, event: { type: 'RETRY_DUE', ...common } },
        held.origin,
      );
    await ports.checkpoint('after-reserve', held.jobId);
    await loop(held);
  };

  const adopt = async (held: HeldJob): Promise<void> => {
    ports.reporter.count('jobs_adopted');
    if (held.abandonedBy !== null) await recordCrash(held);
    await loop(held);
  };

  const inSlot = (jobId: string, work: (held: HeldJob) => Promise<void>): Promise<void> =>
    track(
      underLease(jobId, work)
        .catch((error) => ports.reporter.problem('a job could not be run now', error, { jobId }))
        .finally(() => slots.giveBack()),
    );

  return {
    name: 'job-runner',
    running: () => runs.size,
    start: async () => {},
    done: () => new Promise(() => {}),
    async startFromQueue(jobId, delivery) {
      await slots.take();
      if (draining.signal.aborted) return slots.giveBack();
      await inSlot(jobId, (held) => admit(held, delivery));
    },
    tryAdopt(jobId) {
      if (runs.has(jobId)) return true;
      if (draining.signal.aborted || !slots.tryTake()) return false;
      void inSlot(jobId, adopt);
      return true;
    },
    nudge(jobId) {
      const run = runs.get(jobId);
      if (!run) return;
      run.doorbell.ring();
      if (run.abort !== null && run.effect !== 'sendPrediction') void abortIfMovedOn(ports, jobId, run);
    },
    async stop(graceMs) {
      draining.abort();
      for (const run of runs.values()) run.doorbell.ring();
      const ended = Promise.allSettled(active);
      const grace = new AbortController();
      await Promise.race([ended, ports.timers.sleep(graceMs, grace.signal)]);
      forced.abort();
      await ended;
      grace.abort();
    },
  };
}

interface HeldJob {
  jobId: string;
  run: Run;
  lost: AbortSignal;
  abandonedBy: string | null;
  origin: Origin;
}

/** Stops an effect that the row does not ask for any more; a send is never stopped half-way. */
async function abortIfMovedOn(ports: RunnerPorts, jobId: string, run: Run): Promise<void> {
  try {
    const { abort, effect } = run;
    const aggregate = await ports.store.readJob(jobId);
    const attempt = aggregate && liveAttempt(aggregate);
    const wanted = attempt && effectOf(providerAttemptMachine, attempt.state);
    if (wanted !== effect) abort?.abort();
  } catch (error) {
    ports.reporter.problem('a nudge could not be followed; the next look will', error, { jobId });
  }
}
