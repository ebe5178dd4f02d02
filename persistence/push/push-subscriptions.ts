import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';

/**
 * Where the browsers of people get push notices (0165). A session has at most one, and an endpoint belongs to one session:
 * who signs in on a browser takes it over, so that it never shows what is another person's.
 */
export interface PushSubscription {
  readonly endpoint: string;
  /** The browser's public key: 65 bytes of P-256, base64url. */
  readonly p256dh: string;
  /** 16 bytes that only the browser and this platform know, base64url. */
  readonly auth: string;
}

interface NewSubscription extends PushSubscription {
  readonly sessionId: string;
  readonly userId: string;
  /** The public key that the browser was given. */
  readonly serverKey: string;
  /** Now. */
  readonly at: number;
}

/** A person has at most so many; a new one ends the oldest. */
export const MAX_SUBSCRIPTIONS_PER_PERSON = 10;

/** The address in the session's place; what it had before is removed. False when the session has ended. */
export function subscribe(pool: Pool, subscription: NewSubscription): Promise<boolean> {
  const { sessionId, userId, endpoint, p256dh, auth, serverKey, at } = subscription;
  return inTransaction(pool, async (client) => {
    // One at a time for each person, so that the oldest are known.
    await client.query('SELECT FROM "user" WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    // One at a time for each address, too: the row that is in the way may not be committed yet.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 165))', [endpoint]);
    await client.query('DELETE FROM push_subscriptions WHERE endpoint = $1 AND "sessionId" <> $2', [
      endpoint,
      sessionId,
    ]);
    const { rowCount } = await client.query(
      `INSERT INTO push_subscriptions ("sessionId", "userId", endpoint, p256dh, auth, "serverKey", "createdAt")
       SELECT id, "userId", $3, $4, $5, $6, $7 FROM session WHERE id = $1 AND "userId" = $2 FOR KEY SHARE
       ON CONFLICT ("sessionId") DO UPDATE SET endpoint = excluded.endpoint, p256dh = excluded.p256dh,
         auth = excluded.auth, "serverKey" = excluded."serverKey", "createdAt" = excluded."createdAt"`,
      [sessionId, userId, endpoint, p256dh, auth, serverKey, toDate(at)],
    );
    await client.query(END_OLDEST, [userId, MAX_SUBSCRIPTIONS_PER_PERSON]);
    return rowCount === 1;
  });
}

const END_OLDEST = `
  DELETE FROM push_subscriptions WHERE "sessionId" IN (
    SELECT "sessionId" FROM push_subscriptions WHERE "userId" = $1
    ORDER BY "createdAt" DESC, "sessionId" OFFSET $2)`;

/** Removes an address of the person; nothing happens where there is none. */
export async function unsubscribe(
  db: Pool | PoolClient,
  { userId, endpoint }: { readonly userId: string; readonly endpoint: string },
): Promise<void> {
  await db.query('DELETE FROM push_subscriptions WHERE "userId" = $1 AND endpoint = $2', [userId, endpoint]);
}

/** The address at which the browser of a session gets notices; null when it gets none. */
export async function endpointOf(
  pool: Pool,
  { sessionId, serverKey }: { readonly sessionId: string; readonly serverKey: string },
): Promise<string | null> {
  const { rows } = await pool.query<{ endpoint: string }>(
    'SELECT endpoint FROM push_subscriptions WHERE "sessionId" = $1 AND "serverKey" = $2',
    [sessionId, serverKey],
  );
  return rows[0]?.endpoint ?? null;
}

/** Removes what a push service no longer knows, unless the browser has another address meanwhile. */
export async function removeDead(
  pool: Pool,
  { sessionId, endpoint }: { readonly sessionId: string; readonly endpoint: string },
): Promise<void> {
  await pool.query('DELETE FROM push_subscriptions WHERE "sessionId" = $1 AND endpoint = $2', [
    sessionId,
    endpoint,
  ]);
}

/** A subscription that may be sent something now. */
export interface LiveSubscription extends PushSubscription {
  readonly userId: string;
}

/** Null for a session that has ended, or a browser that was given another key. */
export async function liveSubscription(
  pool: Pool,
  { sessionId, serverKey }: { readonly sessionId: string; readonly serverKey: string },
): Promise<LiveSubscription | null> {
  const { rows } = await pool.query<LiveSubscription>(
    `SELECT p."userId", p.endpoint, p.p256dh, p.auth FROM push_subscriptions p JOIN session s ON s.id = p."sessionId"
     WHERE p."sessionId" = $1 AND p."serverKey" = $2 AND s."expiresAt" > now()`,
    [sessionId, serverKey],
  );
  return rows[0] ?? null;
}

const HOUR_MS = 3_600_000;

/** Counts a send that is about to begin. False when the browser has had `limit` in this hour (UTC). */
export async function takeSendOfHour(
  pool: Pool,
  { sessionId, at, limit }: { readonly sessionId: string; readonly at: number; readonly limit: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE push_subscriptions SET hour = $2, sent = CASE WHEN hour = $2 THEN sent + 1 ELSE 1 END
     WHERE "sessionId" = $1 AND (hour <> $2 OR sent < $3)`,
    [sessionId, toDate(at - (at % HOUR_MS)), limit],
  );
  return rowCount === 1;
}
