import pg, { type Pool, type PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';

/**
 * Where programs of agents and operators learn of changes (0177, docs/contract.md#webhooks-out). The owner of an endpoint
 * is an agent, or null: the operators. Every query for an owner has the owner in its WHERE, so another's endpoint and an
 * unknown id are the same.
 */
export const WEBHOOK_EVENTS = [
  'listing.changed',
  'message.received',
  'picture.approved',
  'tour.confirmed',
  'tour.requested',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const WEBHOOK_STATES = ['ACTIVE', 'OFF'] as const;
/** Why an endpoint is off. `GONE`: it answered 410. `SECRET_LOST`: AUTH_SECRET is another one now. */
export const WEBHOOK_OFF_REASONS = [
  'OWNER',
  'FAILING',
  'GONE',
  'TOO_MUCH_WAITS',
  'SECRET_LOST',
  'SUSPENDED',
] as const;
export type WebhookOffReason = (typeof WEBHOOK_OFF_REASONS)[number];

/** So many endpoints has one owner at most. */
export const MAX_ENDPOINTS = { agent: 5, operators: 20 };
/** How long the former secret signs as well. */
export const ROTATION_MS = 24 * 3_600_000;

export type WebhookOwner = string | null;

interface EndpointRow {
  id: string;
  url: string;
  events: WebhookEvent[];
  state: (typeof WEBHOOK_STATES)[number];
  offReason: WebhookOffReason | null;
  offAt: Date | null;
  createdAt: Date;
  /** The last answer that took a delivery. */
  deliveredAt: Date | null;
  /** Until then the former secret signs, too. */
  formerUntil: Date | null;
  waiting: number;
}
export type WebhookEndpoint = Millis<EndpointRow>;

/** A page shows no more. */
const MOST_COUNTED = 1_000;

/** SQL: the endpoints `e` of the owner in `$1`. */
export const OF_OWNER = '($1::uuid IS NULL AND e."userId" IS NULL OR e."userId" = $1::uuid)';
const SELECT = `
  SELECT e.id, e.url, e.events, e.state, e."offReason", e."offAt", e."createdAt", e."deliveredAt", e."formerUntil",
    (SELECT count(*)::int FROM (SELECT FROM webhook_deliveries d
      WHERE d."endpointId" = e.id AND d.state = 'WAITING' LIMIT ${MOST_COUNTED}) w) AS waiting
  FROM webhook_endpoints e WHERE ${OF_OWNER}`;

/** In the order of their making; at most `MAX_ENDPOINTS`. */
export async function endpointsOf(pool: Pool, owner: WebhookOwner): Promise<WebhookEndpoint[]> {
  const { rows } = await pool.query<EndpointRow>(`${SELECT} ORDER BY e."createdAt", e.id`, [owner]);
  return rows.map(withMillis);
}

interface OfOwner {
  readonly owner: WebhookOwner;
  readonly endpointId: string;
}

export async function endpointOf(
  db: Pool | PoolClient,
  { owner, endpointId }: OfOwner,
): Promise<WebhookEndpoint | null> {
  const { rows } = await db.query<EndpointRow>(`${SELECT} AND e.id = $2`, [owner, endpointId]);
  return rows[0] === undefined ? null : withMillis(rows[0]);
}

export interface NewEndpoint extends OfOwner {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly sealedSecret: string;
  readonly at: number;
}

/** Why an endpoint was not made or changed: `known` has this address already, `full` as many as an owner may have. */
export type EndpointFault = 'missing' | 'known' | 'full';

export function addEndpoint(pool: Pool, endpoint: NewEndpoint): Promise<EndpointFault | null> {
  const { endpointId, owner, url, events, sealedSecret, at } = endpoint;
  const limit = owner === null ? MAX_ENDPOINTS.operators : MAX_ENDPOINTS.agent;
  return knowing(
    inTransaction(pool, async (client) => {
      // One at a time for each owner, so that the count holds.
      await client.query(
        owner === null
          ? 'SELECT pg_advisory_xact_lock(177)'
          : 'SELECT FROM "user" WHERE id = $1 FOR NO KEY UPDATE',
        owner === null ? [] : [owner],
      );
      const { rowCount } = await client.query(
        `INSERT INTO webhook_endpoints (id, "userId", url, events, secret, "createdAt")
         SELECT $2, $1::uuid, $3, $4, $5, $6
         WHERE (SELECT count(*) FROM webhook_endpoints e WHERE ${OF_OWNER}) < $7`,
        [owner, endpointId, url, events, sealedSecret, toDate(at), limit],
      );
      return rowCount === 1 ? null : 'full';
    }),
  );
}

/** The address is that of another endpoint of the owner. */
async function knowing(work: Promise<EndpointFault | null>): Promise<EndpointFault | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'webhook_endpoints_once') return 'known';
    throw error;
  }
}

export interface EndpointChange extends OfOwner {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  readonly isOn?: boolean | undefined;
  readonly at: number;
}

/** Undefined fields stay. Turning it off drops what waits; while it is off, nothing is noted for it. */
export function changeEndpoint(pool: Pool, change: EndpointChange): Promise<EndpointFault | null> {
  const { owner, endpointId, url, events, isOn, at } = change;
  return knowing(
    inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE webhook_endpoints e SET url = coalesce($3, e.url), events = coalesce($4, e.events),
           failures = CASE WHEN $3 <> e.url OR $5 THEN 0 ELSE e.failures END,
           "nextAttemptAt" = CASE WHEN $3 <> e.url OR $5 THEN 'epoch' ELSE e."nextAttemptAt" END
         WHERE ${OF_OWNER} AND e.id = $2`,
        [owner, endpointId, url ?? null, events ?? null, isOn ?? false],
      );
      if (rowCount === 0) return 'missing';
      if (isOn === true) await client.query(TURN_ON, [endpointId]);
      if (isOn === false) await turnOff(client, { endpointId, reason: 'OWNER', at });
      return null;
    }),
  );
}

const TURN_ON = `
  UPDATE webhook_endpoints SET state = 'ACTIVE', "offReason" = NULL, "offAt" = NULL WHERE id = $1 AND state = 'OFF'`;

/**
 * Turns an endpoint off and ends what waits for it. An agent gets a mail, except for what the agent has done. False when it is off
 * already.
 */
export async function turnOff(
  client: PoolClient,
  { endpointId, reason, at }: { endpointId: string; reason: WebhookOffReason; at: number },
): Promise<boolean> {
  const { rows } = await client.query<{ userId: string | null }>(
    `UPDATE webhook_endpoints SET state = 'OFF', "offReason" = $2, "offAt" = $3 WHERE id = $1 AND state = 'ACTIVE'
     RETURNING "userId"`,
    [endpointId, reason, toDate(at)],
  );
  await client.query(
    `UPDATE webhook_deliveries SET state = $2, "endedAt" = $3 WHERE "endpointId" = $1 AND state = 'WAITING'`,
    [endpointId, reason === 'OWNER' ? 'DROPPED' : 'FAILED', toDate(at)],
  );
  const [off] = rows;
  if (off === undefined) return false;
  if (off.userId !== null && reason !== 'OWNER')
    await client.query(
      `INSERT INTO webhook_mails ("endpointId", "nextAttemptAt") VALUES ($1, $2)
       ON CONFLICT ("endpointId") DO UPDATE SET "nextAttemptAt" = excluded."nextAttemptAt", attempts = 0`,
      [endpointId, toDate(at)],
    );
  return true;
}

/** Removes an endpoint with its deliveries; nothing happens where there is none. */
export async function removeEndpoint(pool: Pool, { owner, endpointId }: OfOwner): Promise<boolean> {
  const { rowCount } = await pool.query(`DELETE FROM webhook_endpoints e WHERE ${OF_OWNER} AND e.id = $2`, [
    owner,
    endpointId,
  ]);
  return rowCount === 1;
}

/**
 * Gives an endpoint a new secret. The one before signs as well for `ROTATION_MS`; of two rotations in that time the first
 * secret ends at once. @returns until when the former one signs; null for an unknown endpoint
 */
export async function rotateSecret(
  pool: Pool,
  { owner, endpointId, sealedSecret, at }: OfOwner & { readonly sealedSecret: string; readonly at: number },
): Promise<number | null> {
  const formerUntil = at + ROTATION_MS;
  const { rowCount } = await pool.query(
    `UPDATE webhook_endpoints e SET "formerSecret" = secret, "formerUntil" = $4, secret = $3
     WHERE ${OF_OWNER} AND e.id = $2`,
    [owner, endpointId, sealedSecret, toDate(formerUntil)],
  );
  return rowCount === 1 ? formerUntil : null;
}
