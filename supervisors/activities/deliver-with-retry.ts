import { databaseFailure } from '../../persistence/database/database-failure.ts';
import { isPassingConflict } from '../actors/retry-policy.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';

const PATIENCE_MS = 10 * 60_000;
const RETRY_MS = 500;

/**
 * Repeats a delivery while the database is away or the rows are locked. For what only this process knows: the answer to
 * a purchase, or an object that may be in the store. Bounded by time, not by the lease: it stays true after another
 * worker has taken over.
 * @throws the database's error when the time is over, and any other error at once
 */
export async function deliverWithRetry<T>(
  { clock, timers, reporter }: { clock: Clock; timers: Timers; reporter: Reporter },
  subject: Record<string, string>,
  deliver: () => Promise<T>,
): Promise<T> {
  const giveUpAt = clock.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await deliver();
    } catch (error) {
      const passes = databaseFailure(error) === 'unavailable' || isPassingConflict(error);
      if (!passes || clock.now() >= giveUpAt) throw error;
      reporter.problem('a fact that only this process knows waits for the database', error, subject);
      await timers.sleep(RETRY_MS);
    }
  }
}
