import { databaseFailure } from '../../persistence/database-failure.ts';
import type { Delivery } from '../messages.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';

/**
 * The two halves of buying at most once that every purchase shares: the claim that must be proven before the POST,
 * and the answer that must not be forgotten after it. Source: architecture.md section 4.
 */
const DELIVERY_PATIENCE_MS = 10 * 60_000;
const DELIVERY_RETRY_MS = 500;

/**
 * True only when this call saw, or can prove by its token, that its own SEND_CLAIMED was committed, and may still
 * act on it.
 */
export async function claimOnce(
  { timers }: { timers: Timers },
  signal: AbortSignal,
  claiming: { token: string; claim(): Promise<Delivery>; lastToken(): Promise<string | null> },
): Promise<boolean> {
  try {
    const claimed = await claiming.claim();
    return claimed.outcome === 'applied' && !signal.aborted;
  } catch (error) {
    if (databaseFailure(error) !== 'unavailable') throw error;
    // The commit may have happened without its answer reaching us.
    while (!signal.aborted) {
      try {
        return (await claiming.lastToken()) === claiming.token && !signal.aborted;
      } catch (again) {
        if (databaseFailure(again) !== 'unavailable') throw again;
        await timers.sleep(DELIVERY_RETRY_MS, signal);
      }
    }
    return false;
  }
}

/**
 * Delivers the answer of a purchase again and again while the database is away. Bounded by patience, not by the
 * lease: others may have taken over, the fact is still a fact.
 */
export async function untilHeard(
  { clock, timers, reporter }: { clock: Clock; timers: Timers; reporter: Reporter },
  subject: Record<string, string>,
  deliver: () => Promise<unknown>,
): Promise<void> {
  const giveUpAt = clock.now() + DELIVERY_PATIENCE_MS;
  for (;;) {
    try {
      await deliver();
      return;
    } catch (error) {
      if (databaseFailure(error) !== 'unavailable' || clock.now() >= giveUpAt) throw error;
      reporter.problem('the answer to a purchase waits for the database', error, subject);
      await timers.sleep(DELIVERY_RETRY_MS);
    }
  }
}
