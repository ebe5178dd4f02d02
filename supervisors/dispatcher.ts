import type { LeaseStore } from '../persistence/actor-store.ts';
import type { JobRunner } from './job-runner.ts';
import type { Clock, Reporter, StagingQueue, StartSwitch, Timers } from './ports.ts';
import { createSweeper, eachRow, type Sweeper } from './sweeper.ts';

/**
 * Repairs what the queue forgot: every row that is due and not in the queue is offered again. After a
 * FLUSHALL one sweep restores all of it. Source: architecture.md section 5 "Postgres decides, Redis delivers".
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
    queue: Pick<StagingQueue, 'enqueue' | 'missing'>;
    mayStart: StartSwitch;
    isOutage?: (error: unknown) => boolean;
  },
): Sweeper {
  const { store, clock, queue, reporter } = ports;
  const sweep = async (signal: AbortSignal) => {
    const at = clock.now();
    for (let afterId: string | null = null; !signal.aborted; ) {
      const due: string[] = await store.dueJobs({
        afterId,
        limit: PAGE,
        at,
        enabled: ports.mayStart(),
        createdBefore: at - ENQUEUE_GRACE_MS,
      });
      afterId = due.at(-1) ?? null;
      if (afterId === null) return;
      const missing = await queue.missing(due);
      if (missing.length === 0) continue;
      await queue.enqueue(missing);
      reporter.count('dispatcher_repairs', missing.length);
    }
  };
  return createSweeper({ ...ports, name: 'dispatcher', sweep });
}

/**
 * Finds jobs under way that nobody holds (their worker died or let go) and takes over as many as there are
 * free slots. Adopting buys nothing, so it does not pass the start rate.
 */
export function createAdopter(ports: SweepPorts & { runner: JobRunner; mayStart: StartSwitch }): Sweeper {
  const { store, clock, reporter, runner } = ports;
  const sweep = (signal: AbortSignal) => {
    const at = clock.now();
    return eachRow(
      { reporter, signal, what: 'adopter' },
      (afterId) => store.orphanedJobs({ afterId, limit: PAGE, at, enabled: ports.mayStart() }),
      async (jobId) => {
        await runner.roomToAdopt();
        return runner.tryAdopt(jobId);
      },
    );
  };
  return createSweeper({ ...ports, name: 'adopter', sweep });
}
