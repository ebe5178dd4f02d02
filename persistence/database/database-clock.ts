import type { Pool } from 'pg';

/**
 * The database's clock as this process knows it: the one clock of leases, waits, turns, heartbeats and events, so that
 * workers whose own clocks differ agree. Each answer of the database that names its time is compared with the monotonic
 * clock of the process; between two answers that clock goes on. Always true: `now()` is never ahead of the database, and
 * is behind by less than the answer took. A lease is therefore never taken too early.
 */
export interface DatabaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Asks the database something, and learns the time from its answer. Rejects as `ask` does.
   * @param ask `now`: the database's time while it answered, in Unix milliseconds
   */
  learn<Answer extends { now: number }>(ask: () => Promise<Answer>): Promise<Answer>;
  /** How far the machine's clock is ahead of the database's. Milliseconds; negative when it is behind. */
  skewMs(): number;
  /** Whether the machine's clock is too wrong for what this process signs, waits for and is told by others. */
  isSkewed(): boolean;
}

/** The database's time in Unix milliseconds, as an expression. */
export const DATABASE_TIME = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

/** A worker whose clock is off by more buys nothing and is not ready. */
export const MAX_SKEW_MS = 2_000;

/** The time alone, for a process that asks the database nothing else regularly. */
export async function readDatabaseTime(pool: Pool): Promise<{ now: number }> {
  const { rows } = await pool.query<{ now: number }>(`SELECT ${DATABASE_TIME} AS now`);
  return rows[0] ?? { now: Number.NaN };
}

/**
 * @param monotonic milliseconds that no one sets
 * @param machine the machine's own clock, Unix milliseconds; `now()` until the first answer
 * @param onLearned called after each answer
 */
export function createDatabaseClock({
  monotonic,
  machine,
  onLearned,
}: {
  monotonic(): number;
  machine(): number;
  onLearned?(clock: DatabaseClock): void;
}): DatabaseClock {
  /** The database's time minus `monotonic()`; at most what it really is. */
  let offset: number | null = null;
  const now = (): number => (offset === null ? machine() : Math.floor(monotonic() + offset));
  const skewMs = (): number => machine() - now();
  const clock: DatabaseClock = {
    now,
    async learn(ask) {
      const askedAt = monotonic();
      const answer = await ask();
      const [least, greatest] = [answer.now - monotonic(), answer.now - askedAt];
      // What is known stays while the answer agrees: the time of a slow answer is less certain.
      if (offset === null || offset < least || offset > greatest) offset = least;
      onLearned?.(clock);
      return answer;
    },
    skewMs,
    isSkewed: () => Math.abs(skewMs()) > MAX_SKEW_MS,
  };
  return clock;
}
