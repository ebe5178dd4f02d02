import { databaseFailure } from '../persistence/database-failure.ts';
import type { Reporter, Timers } from './ports.ts';
import type { Service } from './service.ts';

/**
 * A loop for ever: one sweep, a wait, the next. Sweeps find in the database what hints have lost, so none of
 * them runs only at boot. An outage of a neighbour is waited out; any other failure of a whole sweep ends the
 * service, and its supervisor decides. Rows are the sweep's own business: one of them never stops it.
 */
export interface SweeperOptions {
  name: string;
  intervalMs: number;
  timers: Timers;
  reporter: Reporter;
  sweep(signal: AbortSignal): Promise<void>;
  /** Failures of other neighbours (queue, key-value store) that are waited out like the database's. */
  isOutage?(error: unknown): boolean;
}

export interface Sweeper extends Service {
  /** Sweep now instead of at the next interval. */
  ring(): void;
}

export function createSweeper(options: SweeperOptions): Sweeper {
  const { name, intervalMs, timers, reporter } = options;
  const stopping = new AbortController();
  let nap = new AbortController();
  let rung = false;
  let running: Promise<void> = Promise.resolve();
  const run = async () => {
    while (!stopping.signal.aborted) {
      rung = false;
      try {
        await options.sweep(stopping.signal);
      } catch (error) {
        reporter.count('sweep_failures');
        reporter.problem(`${name} could not sweep`, error);
        if (databaseFailure(error) !== 'unavailable' && !options.isOutage?.(error)) throw error;
      }
      if (rung || stopping.signal.aborted) continue;
      nap = new AbortController();
      await timers.sleep(intervalMs, nap.signal);
    }
  };
  return {
    name,
    async start() {
      running = run();
      // The supervisor looks at done(); this keeps an early crash from being an unhandled rejection.
      running.catch(() => {});
    },
    done: () => running,
    ring() {
      rung = true;
      nap.abort();
    },
    async stop() {
      stopping.abort();
      nap.abort();
      await running.catch(() => {});
    },
  };
}

/** Walks all pages of ids, and each id in its own try/catch. */
export async function eachRow(
  { reporter, signal, what }: { reporter: Reporter; signal: AbortSignal; what: string },
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
        if (databaseFailure(error) === 'unavailable') throw error;
        reporter.count('sweep_failures');
        reporter.problem(`${what}: one row could not be handled`, error, { id });
      }
    }
    afterId = ids.at(-1) ?? null;
    if (afterId === null) return;
  }
}
