import type { Pool } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import type { Reader } from '../database/reader.ts';

/**
 * The rates of a feed over all workers (`feed_requests`). In no interval of a window's length does the feed get more
 * requests than the window allows, however long each is on its way: a request counts from its place until a window after
 * its end, and the next one is sent after its place. All times are the database's. A worker that dies leaves a request
 * that counts until it would have been given up, with the most bytes that it could have got.
 */
interface RateWindow {
  readonly ms: number;
  readonly most: number;
}

export interface FeedRates {
  /** Whose limits they are, such as the name of the credentials: feeds that share them share the rate. */
  readonly account: string;
  readonly requests: readonly RateWindow[];
  /** Of answers; `each` is the most that one can have. */
  readonly bytes: (RateWindow & { readonly each: number }) | null;
  /** When a request without an end is given up, in milliseconds. */
  readonly holdMs: number;
}

export type RequestPlace = { readonly place: string } | { readonly waitMs: number };

const SHORTEST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 86_400_000;
/** Rows of no window any more; more are removed than a request adds. */
const REMOVED_AT_ONCE = 20;

/** One decision at a time for an account. */
const ALONE = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 170))';

const TAKE = `
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  requests AS MATERIALIZED (
    SELECT w.most, (
      SELECT count(*) FROM feed_requests r, clock
      WHERE r.account = $1 AND r.until > clock.at - w.ms * interval '1 millisecond'
    ) AS used
    FROM unnest($2::bigint[], $3::bigint[]) AS w (ms, most)
  ), received AS MATERIALIZED (
    SELECT coalesce(sum(r.bytes), 0) AS bytes FROM feed_requests r, clock
    WHERE $5::bigint IS NOT NULL AND r.account = $1 AND r.until > clock.at - $4 * interval '1 millisecond'
  )
  INSERT INTO feed_requests (account, until, "isOpen", bytes)
  SELECT $1, clock.at + $7 * interval '1 millisecond', true, coalesce($6::bigint, 0)
  FROM clock, received
  WHERE NOT EXISTS (SELECT FROM requests WHERE used >= most)
    AND ($5::bigint IS NULL OR received.bytes + $6::bigint <= $5::bigint)
  RETURNING id::text AS place`;

/** A request with an end in the far future (the clock was set back) counts as ended now. */
const FORGET_FUTURE = `
  UPDATE feed_requests SET until = clock_timestamp(), "isOpen" = false
  WHERE account = $1 AND until > clock_timestamp() + ($2 + 1000) * interval '1 millisecond'`;

/** When the oldest requests that are too many leave their windows; an open one may end at any time. */
const NEXT = `
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  counted AS (
    SELECT w.ms, CASE WHEN r."isOpen" THEN clock.at ELSE r.until END AS until,
      row_number() OVER (PARTITION BY w.ms ORDER BY r."isOpen", r.until DESC) AS number, w.most
    FROM unnest($2::bigint[], $3::bigint[]) AS w (ms, most), clock, feed_requests r
    WHERE r.account = $1 AND r.until > clock.at - w.ms * interval '1 millisecond'
  ), first AS (
    SELECT min(r.until) AS until FROM feed_requests r, clock
    WHERE $5::bigint IS NOT NULL AND r.account = $1 AND r.until > clock.at - $4 * interval '1 millisecond'
  )
  SELECT greatest(
    (SELECT max(extract(epoch FROM until - clock.at) * 1000 + ms) FROM counted WHERE number >= most),
    (SELECT extract(epoch FROM first.until - clock.at) * 1000 + $4 FROM first
     WHERE (SELECT bool_and(number < most) FROM counted))
  )::float8 AS "waitMs" FROM clock`;

const REMOVE_OLD = `
  DELETE FROM feed_requests WHERE id IN (
    SELECT id FROM feed_requests WHERE until < clock_timestamp() - interval '25 hours'
    ORDER BY until LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED)`;

/** A place for one request, or how long to wait for the next one. The place is committed before the request is sent. */
export function takeRequestPlace(pool: Pool, rates: FeedRates): Promise<RequestPlace> {
  const { account, requests, bytes, holdMs } = rates;
  const windows = [account, requests.map(({ ms }) => ms), requests.map(({ most }) => most)];
  const limits = [...windows, bytes?.ms ?? 0, bytes?.most ?? null];
  return inTransaction(pool, async (client) => {
    await client.query(ALONE, [account]);
    await client.query(REMOVE_OLD);
    const taken = await client.query<{ place: string }>(TAKE, [...limits, bytes?.each ?? null, holdMs]);
    if (taken.rows[0]) return taken.rows[0];
    await client.query(FORGET_FUTURE, [account, holdMs]);
    const { rows } = await client.query<{ waitMs: number | null }>(NEXT, limits);
    const waitMs = Math.ceil(rows[0]?.waitMs ?? SHORTEST_WAIT_MS);
    return { waitMs: Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS) };
  });
}

/** The request has ended. One that was given up, or ended twice, changes nothing. */
export async function releaseRequestPlace(pool: Pool, place: string, bytes: number): Promise<void> {
  await pool.query(
    `UPDATE feed_requests SET until = clock_timestamp(), "isOpen" = false, bytes = $2
     WHERE id = $1 AND "isOpen" AND until > clock_timestamp()`,
    [place, bytes],
  );
}

/** What all workers received in the last hour of the account that sent the most; requests on their way do not count. */
export async function mostBytesInHour(pool: Reader): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT coalesce(max(of_account.bytes), 0)::float8 AS bytes FROM (
       SELECT sum(bytes) AS bytes FROM feed_requests
       WHERE until > clock_timestamp() - interval '1 hour' AND NOT "isOpen" GROUP BY account) of_account`,
  );
  return rows[0]?.bytes ?? 0;
}
