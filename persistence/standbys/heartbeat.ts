import { createPool } from '../database/database.ts';
import { BEAT_SPACING_MS, LOOK_PATIENCE, MAX_STALENESS_MS } from './limits.ts';

/**
 * The primary's heartbeat: one numbered row (`standby_heartbeat`) that every process moves when it is older than
 * `BEAT_SPACING_MS`. A standby that shows a beat has everything that was committed before it. When that was is known by
 * this process's own clock, because the primary tells the beat's age: clocks of machines are never compared.
 */
export interface Heartbeat {
  /** Moves the heartbeat if it is due, and learns its age. Rejects as the driver does. */
  beat(): Promise<void>;
  /**
   * What was committed before this instant is on a server that shows this beat of this primary. Monotonic milliseconds;
   * minus infinity when nothing is known: an old beat, or one of another primary.
   */
  completeUntil(seen: { server: string; beat: number }): number;
  close(): Promise<void>;
}

/** `current_server()` keeps the standby of a server that was promoted apart from being taken for one of ours. */
const BEAT = `
  WITH moved AS (
    UPDATE standby_heartbeat SET beat = beat + 1, at = clock_timestamp(), server = current_server()
    WHERE at NOT BETWEEN clock_timestamp() - $1::interval AND clock_timestamp() OR server <> current_server()
    RETURNING server, beat, at),
  present AS (
    SELECT server, beat, at FROM moved
    UNION ALL SELECT server, beat, at FROM standby_heartbeat WHERE NOT EXISTS (SELECT FROM moved))
  SELECT server, beat, extract(epoch FROM clock_timestamp() - at)::float8 * 1000 AS "ageMs" FROM present`;

interface BeatRow {
  server: string;
  beat: number;
  ageMs: number;
}

/** @param now monotonic milliseconds */
export function createHeartbeat(options: {
  primaryUrl: string;
  applicationName: string;
  now(): number;
}): Heartbeat {
  const { primaryUrl: url, applicationName, now } = options;
  // A connection of its own: while all others are busy, standbys must not look stale.
  const pool = createPool({
    url,
    applicationName,
    poolSize: 1,
    patience: LOOK_PATIENCE,
  });
  let server = '';
  /** In order, none older than `MAX_STALENESS_MS`: older ones prove nothing. */
  let known: { beat: number; at: number }[] = [];
  return {
    async beat() {
      const askedAt = now();
      const { rows } = await pool.query<BeatRow>(BEAT, [`${BEAT_SPACING_MS} milliseconds`]);
      const [row] = rows;
      if (row === undefined) throw new Error('standby_heartbeat has no row');
      const kept = row.server === server ? known.filter(({ at }) => at >= askedAt - MAX_STALENESS_MS) : [];
      // Asked before the age was read, so this is never later than the beat was.
      known = [...kept, { beat: row.beat, at: askedAt - Math.max(0, row.ageMs) }];
      server = row.server;
    },
    completeUntil: (seen) =>
      seen.server === server
        ? Math.max(
            Number.NEGATIVE_INFINITY,
            ...known.flatMap(({ beat, at }) => (beat <= seen.beat ? [at] : [])),
          )
        : Number.NEGATIVE_INFINITY,
    close: () => pool.end(),
  };
}
