import type { DuePage, LeaseStore } from '../../persistence/actors/actor-store.ts';
import {
  type Clock,
  type InTurn,
  type JobQueue,
  type Reporter,
  type StartsAllowed,
  type Timers,
  turnEvery,
} from '../ports.ts';
import type { JobRunner } from '../runner/job-runner.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/**
 * Repairs the queue: a due row without a queue entry is enqueued again. A sweep reads the oldest rows and one more
 * page, from where the last sweep ended: it costs the same however many jobs wait, and finds a single lost row before
 * its turn comes. A sweep that finds a lost row continues to the end, so that one sweep restores everything after a
 * FLUSHALL. One worker sweeps at a time. Source: ARCHITECTURE.md#delivery-and-supervision.
 */
const PAGE = 500;
/** Rows younger than this are still on their ordinary way into the queue. */
const ENQUEUE_GRACE_MS = 3_000;

export interface SweepPorts {
  store: Pick<LeaseStore, 'dueJobs' | 'orphanedJobs'>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  intervalMs: number;
}

export function createDispatcher(
  ports: SweepPorts & {
    queue: Pick<JobQueue, 'enqueue' | 'missing'>;
    startsAllowed: StartsAllowed;
    inTurn: InTurn;
    /** The kind of these jobs, in the name of the turn. */
    kind: string;
    isOutage?: (error: unknown) => boolean;
  },
): Sweeper {
  const { store, clock, queue, reporter } = ports;
  /** Where the next sweep continues after the oldest page. */
  let next: string | null = null;

  /** Enqueues the missing jobs of one page; `lastId` is null after the last page. */
  const repair = async (
    page: Omit<DuePage, 'limit'>,
    signal: AbortSignal,
  ): Promise<{ lastId: string | null; repaired: number }> => {
    const due = await store.dueJobs({ ...page, limit: PAGE });
    const missing = due.length === 0 ? [] : await queue.missing(due);
    if (missing.length > 0 && !signal.aborted) {
      await queue.enqueue(missing);
      reporter.count('dispatcher_repairs', missing.length);
    }
    return { lastId: due.length < PAGE ? null : (due.at(-1) ?? null), repaired: missing.length };
  };

  const sweep = async (enabled: boolean, signal: AbortSignal) => {
    const at = clock.now();
    const due = { at, enabled, createdBefore: at - ENQUEUE_GRACE_MS };
    const oldest = await repair({ ...due, afterId: null }, signal);
    let { repaired, lastId: afterId } = oldest;
    if (repaired === 0 && afterId !== null) afterId = next ?? afterId;
    while (afterId !== null && !signal.aborted) {
      const page = await repair({ ...due, afterId }, signal);
      afterId = page.lastId;
      repaired += page.repaired;
      if (repaired === 0) break;
    }
    next = afterId;
  };
  return createSweeper({
    ...ports,
    name: 'dispatcher',
    async sweep(signal) {
      // A worker that may not start jobs enqueues fewer, and must not take the turn of one that may.
      const enabled = ports.startsAllowed();
      const name = `dispatcher ${ports.kind}${enabled ? '' : ', starts off'}`;
      await ports.inTurn({ name, everyMs: turnEvery(ports.intervalMs) }, () => sweep(enabled, signal));
    },
  });
}

/**
 * Finds running jobs without a valid lease (their worker died or released it) and rescues as many as there are free
 * slots. A rescue buys nothing, so the start rate does not apply.
 */
export function createRescuer(
  ports: SweepPorts & {
    runner: JobRunner;
    startsAllowed: StartsAllowed;
    /** Orphans are left, for workers with free slots. */
    callOthers(): Promise<void>;
  },
): Sweeper {
  const { store, clock, runner } = ports;
  const sweep = async (signal: AbortSignal) => {
    const at = clock.now();
    /** Jobs that could not be taken stay orphans. */
    const tried = new Set<string>();
    while (!signal.aborted) {
      const ids = await store.orphanedJobs({ limit: PAGE, at, enabled: ports.startsAllowed() });
      const orphans = ids.filter((id) => !tried.has(id));
      if (orphans.length === 0) return;
      if (!(await runner.rescue(orphans))) return ports.callOthers();
      if (ids.length < PAGE) return;
      for (const id of orphans) tried.add(id);
    }
  };
  return createSweeper({ ...ports, name: 'rescuer', sweep });
}
