import type { Redis } from 'ioredis';
import type { Reporter, Timers } from '../../supervisors/ports.ts';
import { endedBy } from '../../supervisors/supervision/service.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { isOutage } from '../errors/outage.ts';
import { DRAIN_JOB, ENTRY_OPTIONS, queueNames } from './names.ts';
import { openQueue } from './queue.ts';
import { CLOSE_MS } from './redis.ts';

/** Maintains the every-minute schedule of the drain: a flush deletes it, the next check restores it. */
export function createDrainScheduler(options: {
  redis: Redis;
  suffix: string;
  timers: Timers;
  reporter: Reporter;
  /** Between two drains. */
  everyMs: number;
  /** Between two checks whether the schedule still exists. */
  intervalMs: number;
}): Sweeper {
  const queue = openQueue(queueNames(options.suffix).storage, {
    redis: options.redis,
    onProblem: (error) => options.reporter.problem('storage queue', error),
  });
  const sweeper = createSweeper({
    ...options,
    name: 'drain-scheduler',
    isOutage,
    async sweep() {
      if (await queue.getJobScheduler(DRAIN_JOB)) return;
      await queue.upsertJobScheduler(
        DRAIN_JOB,
        { every: options.everyMs },
        { name: DRAIN_JOB, data: {}, opts: ENTRY_OPTIONS },
      );
    },
  });
  return {
    ...sweeper,
    async stop(deadline) {
      await sweeper.stop(deadline);
      await endedBy(queue.close(), AbortSignal.timeout(CLOSE_MS));
    },
  };
}
