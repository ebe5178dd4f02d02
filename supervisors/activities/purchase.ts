import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { Delivery } from '../actors/messages.ts';
import type { Timers } from '../ports.ts';

/**
 * The first half of buying at most once, shared by every purchase: the claim that must be proven before the POST. The
 * other half, not losing the answer, is `deliver-with-retry.ts`. Source: ARCHITECTURE.md#buying-at-most-once.
 */
const PROOF_RETRY_MS = 500;

/** True only when this call saw, or can prove by its token, that its own SEND_CLAIMED was committed. */
export async function claimOnce(
  { timers }: { timers: Timers },
  signal: AbortSignal,
  claiming: { token: string; claim(): Promise<Delivery>; lastToken(): Promise<string | null> },
): Promise<boolean> {
  try {
    const claimed = await claiming.claim();
    return claimed.outcome === 'applied';
  } catch (error) {
    if (databaseFailure(error) !== 'unavailable') throw error;
    // The commit may have succeeded although its answer was lost.
    while (!signal.aborted) {
      try {
        return (await claiming.lastToken()) === claiming.token;
      } catch (again) {
        if (databaseFailure(again) !== 'unavailable') throw again;
        await timers.sleep(PROOF_RETRY_MS, signal);
      }
    }
    return false;
  }
}
