import type { Clock } from '../../supervisors/ports.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Between two lines about refusals for the same reason; the metric counts every one. */
const QUIET_MS = 10_000;

/**
 * Logs rejected callbacks at a bounded rate, so that a client cannot flood the log: the first rejection for a reason is
 * logged at once, and those that follow within ten seconds only as a number in the next line (`refusedBefore`). A line
 * for each of thousands of forged callbacks a second would cost too much processor time and hide other lines.
 */
export function createRefusalLog({ logger, clock }: { logger: Logger; clock: Clock }) {
  const told = new Map<string, { at: number; refusedSince: number }>();
  return {
    /** @param reason from a closed set, since it is kept as long as the process lives */
    note(reason: string, requestId: string): void {
      const now = clock.now();
      const last = told.get(reason);
      if (last !== undefined && now - last.at < QUIET_MS) {
        last.refusedSince += 1;
        return;
      }
      told.set(reason, { at: now, refusedSince: 0 });
      const fields = { requestId, reason, refusedBefore: last?.refusedSince ?? 0 };
      logger.warn(fields, 'provider callback refused');
    },
  };
}

export type RefusalLog = ReturnType<typeof createRefusalLog>;
