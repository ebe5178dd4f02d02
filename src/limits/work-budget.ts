import { LRUCache } from 'lru-cache';
import type { Timers } from '../../supervisors/ports.ts';
import { PublicError } from '../errors/errors.ts';

export interface WorkBudgetOptions {
  /** Milliseconds of work a minute for each client; 0 means no limit. */
  readonly perMinuteMs: number;
  readonly timers: Timers;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonicMs?: () => number;
}

interface Account {
  /** Milliseconds of work left; below 0 after work that took longer than was left. */
  left: number;
  at: number;
}

const MINUTE_MS = 60_000;
/** A client that has used its share waits for at most this long before it is refused. */
export const PATIENCE_MS = 2_000;
/** What work is taken to cost until it is done, so that a client cannot begin everything at once. */
const EXPECTED_MS = 20;
/** About 100 bytes each. Those seen least recently are forgotten, which gives them a whole share again. */
const MOST_CLIENTS = 20_000;

/**
 * A budget of work for each client, which refills evenly and holds at most the share of one minute. The price of work is
 * known when it is done, so a client may overdraw, and then waits until it has paid. Counted in this process alone.
 */
export function createWorkBudget({
  perMinuteMs,
  timers,
  monotonicMs = () => performance.now(),
}: WorkBudgetOptions) {
  const accounts = new LRUCache<string, Account>({ max: MOST_CLIENTS });
  const accountOf = (client: string): Account => {
    const at = monotonicMs();
    const account = accounts.get(client) ?? { left: perMinuteMs, at };
    account.left = Math.min(perMinuteMs, account.left + ((at - account.at) * perMinuteMs) / MINUTE_MS);
    account.at = at;
    accounts.set(client, account);
    return account;
  };
  const charge = (client: string, ms: number): void => {
    if (perMinuteMs > 0) accountOf(client).left -= ms;
  };
  return {
    /** For work that was begun without `begin`. */
    charge,
    /**
     * Waits until the client has something left.
     * @returns call it with the milliseconds that the work took, once, whether it succeeded or not
     * @throws PublicError RATE_LIMITED when that takes longer than two seconds; the signal's reason
     */
    async begin(client: string, signal: AbortSignal): Promise<(tookMs: number) => void> {
      if (perMinuteMs === 0) return () => {};
      const until = monotonicMs() + PATIENCE_MS;
      for (;;) {
        const { left } = accountOf(client);
        if (left > 0) break;
        const wait = (-left * MINUTE_MS) / perMinuteMs + 1;
        if (monotonicMs() + wait > until) {
          const retryAfterSeconds = Math.ceil(wait / 1_000);
          throw new PublicError('RATE_LIMITED', { retryAfterSeconds });
        }
        await timers.sleep(wait, signal);
        signal.throwIfAborted();
      }
      charge(client, EXPECTED_MS);
      return (tookMs) => charge(client, tookMs - EXPECTED_MS);
    },
  };
}

export type WorkBudget = ReturnType<typeof createWorkBudget>;
