import { databaseFailure } from '../../persistence/database/database-failure.ts';
import { isConflict } from '../actors/retry-policy.ts';
import type { Reporter, Timers } from '../ports.ts';
import { endedBy, type Service } from '../supervision/service.ts';

/**
 * An endless loop: one sweep, a wait, the next. Sweeps find in the database what lost hints should have reported, so
 * none of them runs only at boot. Outages of other servers and conflicts in the database (lock timeout, deadlock,
 * serialization, a newer version) are retried with a back-off up to a bound. Any other failure of a whole sweep is an
 * internal error: it ends the service, and its supervisor decides. The sweep handles failures of single rows itself;
 * they never stop it.
 */
export interface SweeperOptions {
  name: string;
  intervalMs: number;
  timers: Timers;
  reporter: Reporter;
  /** `draining` aborts when the sweeper stops: the current row may be finished, no other is begun. */
  sweep(draining: AbortSignal): Promise<void>;
  /** Failures of other servers (queue, key-value store) that are waited out like the database's. */
  isOutage?(error: unknown): boolean;
}

export type Sweeper = Service;

/** Longest wait after failures, unless the interval is longer, so that sweeps resume soon after an outage. */
const MAX_PAUSE_MS = 5_000;

/** The wait after so many failures in a row. */
function pauseMs(intervalMs: number, failures: number): number {
  if (failures === 0) return intervalMs;
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** (failures - 1), MAX_PAUSE_MS));
}

export function createSweeper(options: SweeperOptions): Sweeper {
  const { name, intervalMs, timers, reporter } = options;
  const draining = new AbortController();
  let failures = 0;
  let running: Promise<void> = Promise.resolve();
  const mayPass = (error: unknown): boolean =>
    databaseFailure(error) === 'unavailable' || isConflict(error) || options.isOutage?.(error) === true;
  const run = async () => {
    while (!draining.signal.aborted) {
      try {
        await options.sweep(draining.signal);
        failures = 0;
      } catch (error) {
        failures += 1;
        reporter.count('sweep_failures');
        reporter.problem(`${name} could not sweep`, error);
        if (!mayPass(error)) throw error;
      }
      await timers.sleep(pauseMs(intervalMs, failures), draining.signal);
    }
  };
  return {
    name,
    async start() {
      running = run();
      // The supervisor awaits `done`; this keeps an early crash from being an unhandled rejection.
      running.catch(() => {});
    },
    done: () => running,
    stopClaiming: () => draining.abort(),
    async stop(deadline) {
      draining.abort();
      await endedBy(running, deadline);
    },
  };
}

/** Walks all pages of ids, and each id in its own try/catch. An outage ends the walk: it would fail every other row too. */
export async function eachRow(
  {
    reporter,
    signal,
    what,
    isOutage,
  }: Pick<SweeperOptions, 'reporter' | 'isOutage'> & { signal: AbortSignal; what: string },
  page: (afterId: string | null) => Promise<string[]>,
  handle: (id: string) => Promise<boolean>,
): Promise<void> {
  let afterId: string | null = null;
  for (;;) {
    const ids = await page(afterId);
    for (const id of ids) {
      if (signal.aborted) return;
      try {
        if (!(await handle(id))) return;
      } catch (error) {
        if (databaseFailure(error) === 'unavailable' || isOutage?.(error)) throw error;
        reporter.count('sweep_failures');
        reporter.problem(`${what}: one row could not be handled`, error, { id });
      }
    }
    afterId = ids.at(-1) ?? null;
    if (afterId === null) return;
  }
}
