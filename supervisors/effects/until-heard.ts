import { databaseFailure } from '../../persistence/database/database-failure.ts';
import { isPassingConflict } from '../actors/retry-policy.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';

const PATIENCE_MS = 10 * 60_000;
const RETRY_MS = 500;

/**
 * Delivers again and again, while the database is away or others hold the rows, a fact that only this process knows:
 * what a purchase was answered, what may lie in the store. Bounded by patience, not by the lease: others may have taken
 * over, the fact is still a fact.
 * @throws the database's error when patience is over, and any other error at once
 */
export async function untilHeard(
  { clock, timers, reporter }: { clock: Clock; timers: Timers; reporter: Reporter },
  subject: Record<string, string>,
  deliver: () => Promise<unknown>,
): Promise<void> {
  const giveUpAt = clock.now() + PATIENCE_MS;
  for (;;) {
    try {
      await deliver();
      return;
    } catch (error) {
      const passes = databaseFailure(error) === 'unavailable' || isPassingConflict(error);
      if (!passes || clock.now() >= giveUpAt) throw error;
      reporter.problem('a fact that only this process knows waits for the database', error, subject);
      await timers.sleep(RETRY_MS);
    }
  }
}
