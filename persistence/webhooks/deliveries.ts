import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { OF_OWNER, type WebhookEvent, type WebhookOwner } from './endpoints.ts';

/** What endpoints were sent, or is on its way to them (0177). Rows are written by triggers, in the change's transaction. */
export const DELIVERY_STATES = ['WAITING', 'DELIVERED', 'FAILED', 'DROPPED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery that its owner requests, to see whether it arrives. */
export const TEST_EVENT = 'webhook.test';
export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

/** Why there was no answer that takes a delivery; a status says the rest. */
export const DELIVERY_PROBLEMS = [
  'STATUS',
  'REDIRECT',
  'TIMEOUT',
  'UNREACHABLE',
  'CERTIFICATE',
  'ADDRESS_REFUSED',
  'INTERNAL',
] as const;
export type DeliveryProblem = (typeof DELIVERY_PROBLEMS)[number];

/** The log of an endpoint is removed by age (docs/contract.md#retention), and beyond this number of ended ones. */
export const DELIVERIES_KEPT_DAYS = 30;
export const MAX_ENDED_DELIVERIES = 1_000;
/** Of one endpoint in an hour: test deliveries, and those that are sent again. */
export const REQUESTED_PER_HOUR = 30;
const HOUR_MS = 3_600_000;

interface DeliveryRow {
  id: string;
  seq: string;
  event: DeliveredEvent;
  propertyId: string | null;
  subjectId: string | null;
  number: number | null;
  createdAt: Date;
  state: DeliveryState;
  attempts: number;
  /** Of the next try; only of one that waits. */
  nextAttemptAt: Date;
  /** Of the last answer; null without one. */
  status: number | null;
  problem: DeliveryProblem | null;
  /** Milliseconds, of the last try. */
  tookMs: number | null;
  endedAt: Date | null;
}
export type WebhookDelivery = Millis<DeliveryRow>;

/** The newest first. */
export async function deliveriesOf(
  pool: Pool,
  page: { owner: WebhookOwner; endpointId: string; before: string | null; limit: number },
): Promise<WebhookDelivery[]> {
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT d.id, d.seq::text AS seq, d.event, d."propertyId", d."subjectId", d.number, d."createdAt", d.state,
       d.attempts, d."nextAttemptAt", d.status, d.problem, d."tookMs", d."endedAt"
     FROM webhook_endpoints e JOIN webhook_deliveries d ON d."endpointId" = e.id
     WHERE ${OF_OWNER} AND e.id = $2 AND ($3::bigint IS NULL OR d.seq < $3) ORDER BY d.seq DESC LIMIT $4`,
    [page.owner, page.endpointId, page.before, page.limit],
  );
  return rows.map(withMillis);
}

/** `off`: nothing is sent to the endpoint. `often`: as many were requested in this hour as may be. */
export type RequestFault = 'missing' | 'off' | 'often';

interface Requested {
  readonly owner: WebhookOwner;
  readonly at: number;
}
/** Writes in the transaction of the request. */
type Keep = (client: PoolClient) => Promise<void>;
const keepNothing: Keep = async () => {};

/** Adds a delivery that says nothing but that it arrives. Null when it was added. */
export function addTest(
  pool: Pool,
  { owner, endpointId, id, at }: Requested & { endpointId: string; id: string },
  keep: Keep = keepNothing,
): Promise<RequestFault | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ state: string }>(
      `SELECT e.state FROM webhook_endpoints e WHERE ${OF_OWNER} AND e.id = $2 FOR NO KEY UPDATE`,
      [owner, endpointId],
    );
    if (rows[0] === undefined) return 'missing';
    if (rows[0].state === 'OFF') return 'off';
    if (!(await countRequest(client, { endpointId, at }))) return 'often';
    await client.query(
      `INSERT INTO webhook_deliveries (id, "endpointId", event, "createdAt", "nextAttemptAt")
       VALUES ($1, $2, '${TEST_EVENT}', $3, $3)`,
      [id, endpointId, toDate(at)],
    );
    await keep(client);
    return null;
  });
}

/**
 * Lets a delivery that has ended go out again: with its id, after what waits. One that waits is tried at once, and keeps
 * its place.
 */
export function resend(
  pool: Pool,
  { owner, deliveryId, at }: Requested & { deliveryId: string },
  keep: Keep = keepNothing,
): Promise<RequestFault | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ endpointId: string; isOff: boolean; state: DeliveryState }>(
      `SELECT e.id AS "endpointId", e.state = 'OFF' AS "isOff", d.state
       FROM webhook_endpoints e JOIN webhook_deliveries d ON d."endpointId" = e.id
       WHERE ${OF_OWNER} AND d.id = $2 FOR NO KEY UPDATE`,
      [owner, deliveryId],
    );
    const [found] = rows;
    if (found === undefined) return 'missing';
    if (found.isOff) return 'off';
    if (!(await countRequest(client, { endpointId: found.endpointId, at }))) return 'often';
    await client.query(found.state === 'WAITING' ? HASTEN : SEND_AGAIN, [deliveryId, toDate(at)]);
    await keep(client);
    return null;
  });
}

/** By hours of UTC. The owner has mended the receiver, so it is called at once. False when the endpoint has had as many as it may. */
async function countRequest(
  client: PoolClient,
  { endpointId, at }: { endpointId: string; at: number },
): Promise<boolean> {
  const { rowCount } = await client.query(COUNT_REQUEST, [
    endpointId,
    toDate(at - (at % HOUR_MS)),
    REQUESTED_PER_HOUR,
    toDate(at),
  ]);
  return rowCount === 1;
}

const COUNT_REQUEST = `
  UPDATE webhook_endpoints SET requested = CASE WHEN "requestedHour" = $2 THEN requested + 1 ELSE 1 END,
    "requestedHour" = $2, "nextAttemptAt" = least("nextAttemptAt", $4)
  WHERE id = $1 AND ("requestedHour" <> $2 OR requested < $3)`;
const HASTEN = `
  UPDATE webhook_deliveries SET "nextAttemptAt" = least("nextAttemptAt", $2) WHERE id = $1 AND state = 'WAITING'`;
const SEND_AGAIN = `
  UPDATE webhook_deliveries SET state = 'WAITING', seq = nextval(pg_get_serial_sequence('webhook_deliveries', 'seq')),
    attempts = 0, "firstAttemptAt" = NULL, "nextAttemptAt" = $2, "endedAt" = NULL
  WHERE id = $1 AND state <> 'WAITING'`;
