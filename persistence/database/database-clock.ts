import type { Pool } from 'pg';

/**
 * The database's clock, estimated by this process: the only clock for leases, waits, turns, heartbeats and events, so
 * that workers with different clocks agree. Query results that include the database's time calibrate it; in between, the
 * process's monotonic clock advances it. Always true: `now()` is never ahead of the database, and is behind by less than
 * `MAX_ANSWER_MS`. So a lease is never taken too early, and its holder gives it up in time.
 */
export interface DatabaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Runs a query and calibrates the clock by its result. Rejects as `ask` does.
   * @param ask `now`: the database's time while it answered, in Unix milliseconds
   */
  learn<Answer extends { now: number }>(ask: () => Promise<Answer>): Promise<Answer>;
  /** False until the first result that arrived within `MAX_ANSWER_MS`. */
  isKnown(): boolean;
  /** How far the machine's clock is at least ahead of the database's. Milliseconds; negative when it is behind. */
  skewMs(): number;
  /** Whether the machine's clock is off by more than `MAX_SKEW_MS`, in either direction. */
  isSkewed(): boolean;
}

/** The database's time in Unix milliseconds, as an expression. */
export const DATABASE_TIME = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

/** A slower result is ignored. Less than the margin by which a holder gives up its lease before the end. */
const MAX_ANSWER_MS = 2_000;
/** Tries at the start of a process, before it gives up. */
const FIRST_TRIES = 10;

/** A worker whose clock is off by more buys nothing and is not ready. */
const MAX_SKEW_MS = 2_000;

/** Only the time, for a process without another regular query. */
export async function readDatabaseTime(pool: Pool): Promise<{ now: number }> {
  const { rows } = await pool.query<{ now: number }>(`SELECT ${DATABASE_TIME} AS now`);
  return rows[0] ?? { now: Number.NaN };
}

/** Asks for the time until an answer is quick enough. @throws Error after ten tries, and as the driver does */
export async function learnFirst(clock: DatabaseClock, pool: Pool): Promise<void> {
  for (let tries = 0; tries < FIRST_TRIES && !clock.isKnown(); tries += 1)
    await clock.learn(() => readDatabaseTime(pool));
  if (!clock.isKnown()) throw new Error(`the database takes more than ${MAX_ANSWER_MS} ms to tell its time`);
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
  /** Between which the database's time minus `monotonic()` lies. */
  let known: { least: number; greatest: number } | null = null;
  const now = (): number => (known === null ? machine() : Math.floor(monotonic() + known.least));
  const skewMs = (): number => {
    const least = machine() - monotonic() - (known?.greatest ?? 0);
    const greatest = machine() - monotonic() - (known?.least ?? 0);
    if (known === null || (least <= 0 && greatest >= 0)) return 0;
    return Math.round(least > 0 ? least : greatest);
  };
  const clock: DatabaseClock = {
    now,
    async learn(ask) {
      const askedAt = monotonic();
      const answer = await ask();
      const answeredAt = monotonic();
      if (answeredAt - askedAt > MAX_ANSWER_MS) return answer;
      const seen = { least: answer.now - answeredAt, greatest: answer.now - askedAt };
      const agrees = known !== null && seen.least <= known.greatest && seen.greatest >= known.least;
      known =
        known !== null && agrees
          ? { least: Math.max(seen.least, known.least), greatest: Math.min(seen.greatest, known.greatest) }
          : seen;
      onLearned?.(clock);
      return answer;
    },
    skewMs,
    isKnown: () => known !== null,
    isSkewed: () => Math.abs(skewMs()) > MAX_SKEW_MS,
  };
  return clock;
}
