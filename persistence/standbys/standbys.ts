import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { createPool } from '../database/database.ts';
import { databaseFailure } from '../database/database-failure.ts';
import type { Reader } from '../database/reader.ts';
import type { Heartbeat } from './heartbeat.ts';
import { LOOK_PATIENCE, MAX_STALENESS_MS, PAUSE_MS, READ_PATIENCE } from './limits.ts';

/**
 * A standby, read in place of the primary. Always true: a statement is given to it only while it certainly has all that
 * was committed `MAX_STALENESS_MS` ago on our primary, and whatever it cannot answer in time the primary answers. Both
 * rest on what an earlier look saw, because a statement that looks at the log and at rows may see them at two moments.
 * It keeps nothing beyond its connections; after a failure nothing is known until the next look.
 */
export interface Standby {
  /** Host and port. */
  readonly name: string;
  /** Statements go to the standby while it is usable, to the primary otherwise and after each failure. */
  readonly reader: Reader;
  /**
   * True when it may be read, and has the log up to this position.
   * @param position null when any will do
   */
  isUsable(position: bigint | null): boolean;
  /** Asks how far it has come; never rejects. One call at a time. */
  look(): Promise<void>;
  /** How old what it shows may be: milliseconds, infinity when unknown. */
  staleness(): number;
  close(): Promise<void>;
}

/** What a look found. */
export type StandbySight = 'standby' | 'unreachable' | 'promoted';

export interface StandbyOptions {
  url: string;
  applicationName: string;
  primary: Reader;
  heartbeat: Pick<Heartbeat, 'completeUntil'>;
  /** Monotonic milliseconds. */
  now(): number;
  /** Called when a look finds something else than the one before. */
  onSight(name: string, sight: StandbySight, error?: unknown): void;
  /** Called for each statement that the standby was given and the primary must answer. */
  onFailedRead(): void;
}

const LOOK = `
  SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn()::text AS position, server, beat
  FROM standby_heartbeat`;

interface LookRow {
  isStandby: boolean;
  position: string | null;
  server: string;
  beat: number;
}

export function createStandby(options: StandbyOptions): Standby {
  const { url, applicationName, primary, heartbeat, now } = options;
  const name = new URL(url).host;
  const reads = createPool({ url, applicationName, patience: READ_PATIENCE });
  const looks = createPool({
    url,
    applicationName,
    poolSize: 1,
    patience: LOOK_PATIENCE,
  });
  let completeUntil = Number.NEGATIVE_INFINITY;
  let reached: bigint | null = null;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let sight: StandbySight | null = null;
  /** A look that was under way when the standby failed proves nothing: it may have come back with less. */
  let failures = 0;
  const fail = () => {
    failures += 1;
    completeUntil = Number.NEGATIVE_INFINITY;
    pausedUntil = now() + PAUSE_MS;
  };
  const see = (seen: StandbySight, error?: unknown) => {
    if (seen === sight) return;
    sight = seen;
    options.onSight(name, seen, error);
  };
  reads.on('error', fail);
  looks.on('error', fail);
  const isUsable = (position: bigint | null): boolean =>
    now() - completeUntil <= MAX_STALENESS_MS &&
    now() >= pausedUntil &&
    (position === null || (reached !== null && reached >= position));
  return {
    name,
    isUsable,
    reader: {
      async query<R extends QueryResultRow>(
        statement: string | QueryConfig,
        values?: unknown[],
      ): Promise<QueryResult<R>> {
        if (isUsable(null)) {
          try {
            return await reads.query<R>(statement, values);
          } catch (error) {
            // Replay cancels a statement that is in its way; that says nothing about the next one.
            if (databaseFailure(error) === 'unavailable') fail();
            options.onFailedRead();
          }
        }
        return primary.query<R>(statement, values);
      },
    },
    async look() {
      if (now() < pausedUntil) return;
      const before = failures;
      try {
        const { rows } = await looks.query<LookRow>(LOOK);
        const [row] = rows;
        if (before !== failures) return;
        reached = row?.position ? logPosition(row.position) : null;
        const isOurs = row?.isStandby === true;
        completeUntil = isOurs ? heartbeat.completeUntil(row) : Number.NEGATIVE_INFINITY;
        see(isOurs ? 'standby' : 'promoted');
      } catch (error) {
        fail();
        see('unreachable', error);
      }
    },
    staleness: () => now() - completeUntil,
    async close() {
      await Promise.all([reads.end(), looks.end()]);
    },
  };
}

/** A position in the write-ahead log, as PostgreSQL writes it: two hexadecimal numbers. */
export function logPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
