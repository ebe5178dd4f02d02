import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { answersFor } from '../listings/agent-access.ts';
import type { DeliveredEvent, DeliveryProblem, DeliveryState } from './deliveries.ts';
import { MAX_ENDED_DELIVERIES } from './deliveries.ts';
import { turnOff, type WebhookOffReason } from './endpoints.ts';

/**
 * The turns of endpoints (docs/contract.md#webhooks-out). Always true: an endpoint has at most one turn at a time
 * (`busyUntil`), and of the deliveries about one listing only the one with the smallest number is sent. A sender that dies
 * in its turn leaves the delivery waiting, and the endpoint to others when its turn has run out.
 */
const TURN_MS = 30_000;
/** Beyond these an endpoint is turned off: it takes less than happens. */
export const MOST_WAITING = { agent: 10_000, operators: 100_000 };

interface TurnRow {
  endpointId: string;
  userId: string | null;
  url: string;
  secret: string;
  formerSecret: string | null;
  formerUntil: Date | null;
  /** The last answer that took a delivery. */
  deliveredAt: Date | null;
  failures: number;
  busyUntil: Date;
  id: string;
  event: DeliveredEvent;
  propertyId: string | null;
  subjectId: string | null;
  number: number | null;
  /** Of the thread that the delivery is about; null for other events. */
  customerId: string | null;
  createdAt: Date;
  /** This one included. */
  attempts: number;
  firstAttemptAt: Date;
}
/** A delivery that is to be sent now, and where. */
export type WebhookTurn = Millis<TurnRow>;

/** Endpoints with something that waits, each found by one step through an index, however much waits. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    (SELECT "endpointId" AS id FROM webhook_deliveries WHERE state = 'WAITING' ORDER BY "endpointId" LIMIT 1)
    UNION ALL
    SELECT (SELECT d."endpointId" FROM webhook_deliveries d
      WHERE d.state = 'WAITING' AND d."endpointId" > w.id ORDER BY d."endpointId" LIMIT 1)
    FROM waiting w WHERE w.id IS NOT NULL)`;
/** SQL: the delivery `d` is the first about its listing that waits. */
const IS_FIRST = `NOT EXISTS (SELECT FROM webhook_deliveries earlier WHERE earlier."endpointId" = d."endpointId"
  AND earlier."propertyId" IS NOT DISTINCT FROM d."propertyId" AND earlier.state = 'WAITING' AND earlier.seq < d.seq)`;
/** SQL: the delivery `d` may be sent at `$1`. */
const IS_DUE = `d.state = 'WAITING' AND d."nextAttemptAt" <= $1 AND ${IS_FIRST}`;
/** SQL: the endpoint `e` may be called at `$1`, and has something to be sent. */
const IS_READY = `e.state = 'ACTIVE' AND e."busyUntil" <= $1 AND e."nextAttemptAt" <= $1
  AND EXISTS (SELECT FROM webhook_deliveries d WHERE d."endpointId" = e.id AND ${IS_DUE})`;

/** The one that was served longest ago, so that none waits for the backlog of another. */
const TAKE_ENDPOINT = `${WAITING}
  UPDATE webhook_endpoints t SET "busyUntil" = $1::timestamptz + interval '${TURN_MS} milliseconds', "servedAt" = $1
  FROM (SELECT e.id FROM webhook_endpoints e WHERE e.id IN (SELECT id FROM waiting) AND ${IS_READY}
    ORDER BY e."servedAt", e.id LIMIT 1 FOR UPDATE OF e SKIP LOCKED) next
  WHERE t.id = next.id
  RETURNING t.id, t."userId"`;

/** An agent learns of the tours that are theirs, and of all else about their listings now. */
const IS_OWNERS = `(e."userId" IS NULL OR d."propertyId" IS NULL
  OR CASE WHEN d.event IN ('tour.requested', 'tour.confirmed')
    THEN EXISTS (SELECT FROM tours t WHERE t.id = d."subjectId" AND t."agentId" = e."userId")
    ELSE EXISTS (SELECT FROM properties p WHERE p.id = d."propertyId" AND ${answersFor('p', 'e."userId"')}) END)`;
const DUE_OF_ENDPOINT = `
  SELECT d.id, ${IS_OWNERS} AS "isOwners" FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d."endpointId"
  WHERE d."endpointId" = $2 AND ${IS_DUE} ORDER BY d.seq LIMIT 1 FOR UPDATE OF d SKIP LOCKED`;
const BEGIN = `
  UPDATE webhook_deliveries d SET attempts = d.attempts + 1, "firstAttemptAt" = coalesce(d."firstAttemptAt", $1)
  FROM webhook_endpoints e WHERE d.id = $2 AND e.id = d."endpointId"
  RETURNING d."endpointId", e."userId", e.url, e.secret, e."formerSecret", e."formerUntil", e."deliveredAt", e.failures,
    e."busyUntil", d.id, d.event, d."propertyId", d."subjectId", d.number, d."createdAt", d.attempts,
    d."firstAttemptAt",
    CASE WHEN d.event = 'message.received'
        THEN (SELECT m."customerId" FROM message_threads m WHERE m.id = d."subjectId")
      WHEN d.event IN ('tour.requested', 'tour.confirmed')
        THEN (SELECT t."customerId" FROM tours t WHERE t.id = d."subjectId") END AS "customerId"`;

/** `idle`: nothing is to be sent now. `none`: the endpoint's turn ended without a delivery; there may be others. */
export type TakenTurn = { kind: 'turn'; turn: WebhookTurn } | { kind: 'none' } | { kind: 'idle' };

/** Begins the turn of one endpoint, with its next delivery. What its owner may see no more is dropped. */
export function takeTurn(pool: Pool, at: number): Promise<TakenTurn> {
  return inTransaction(pool, async (client) => {
    const now = toDate(at);
    const { rows } = await client.query<{ id: string; userId: string | null }>(TAKE_ENDPOINT, [now]);
    const [endpoint] = rows;
    if (endpoint === undefined) return { kind: 'idle' };
    if (await hasTooMuch(client, endpoint)) {
      await turnOff(client, { endpointId: endpoint.id, reason: 'TOO_MUCH_WAITS', at });
      return { kind: 'none' };
    }
    const { rows: due } = await client.query<{ id: string; isOwners: boolean }>(DUE_OF_ENDPOINT, [
      now,
      endpoint.id,
    ]);
    const [delivery] = due;
    if (delivery?.isOwners === true) {
      const { rows: turns } = await client.query<TurnRow>(BEGIN, [now, delivery.id]);
      if (turns[0] !== undefined) return { kind: 'turn', turn: withMillis(turns[0]) };
    }
    if (delivery !== undefined) await client.query(DROP, [delivery.id, now]);
    await client.query(`UPDATE webhook_endpoints SET "busyUntil" = 'epoch' WHERE id = $1`, [endpoint.id]);
    return { kind: 'none' };
  });
}

const DROP = `UPDATE webhook_deliveries SET state = 'DROPPED', "endedAt" = $2 WHERE id = $1 AND state = 'WAITING'`;

async function hasTooMuch(
  client: PoolClient,
  { id, userId }: { id: string; userId: string | null },
): Promise<boolean> {
  const limit = userId === null ? MOST_WAITING.operators : MOST_WAITING.agent;
  const { rowCount } = await client.query(
    `SELECT FROM webhook_deliveries WHERE "endpointId" = $1 AND state = 'WAITING' OFFSET $2 LIMIT 1`,
    [id, limit],
  );
  return rowCount === 1;
}

/** What a turn has come to. */
export interface TurnResult {
  readonly state: Exclude<DeliveryState, 'DROPPED'>;
  /** Of the delivery, and of the endpoint as a whole. */
  readonly nextAttemptAt: number;
  readonly endpointAt: number;
  readonly failures: number;
  readonly status: number | null;
  readonly problem: DeliveryProblem | null;
  readonly tookMs: number | null;
  /** Why the endpoint is off from now on. */
  readonly off: WebhookOffReason | null;
  /** The end of the turn. */
  readonly at: number;
}

/** Ends a turn. One that has run out, or whose delivery was ended by its owner meanwhile, changes no delivery. */
export function endTurn(pool: Pool, turn: WebhookTurn, result: TurnResult): Promise<void> {
  const { endpointId, id, attempts, busyUntil } = turn;
  const { state, at, status, problem, tookMs, off } = result;
  const ended = state === 'WAITING' ? null : toDate(at);
  return inTransaction(pool, async (client) => {
    // The endpoint first, as a turn begins: two senders never wait for each other.
    const { rows } = await client.query<{ sent: string }>(
      `UPDATE webhook_endpoints SET "busyUntil" = 'epoch', "nextAttemptAt" = $3, failures = $4, sent = sent + 1,
         "deliveredAt" = CASE WHEN $5 THEN $6::timestamptz ELSE "deliveredAt" END
       WHERE id = $1 AND "busyUntil" = $2 RETURNING sent::text`,
      [
        endpointId,
        toDate(busyUntil),
        toDate(result.endpointAt),
        result.failures,
        state === 'DELIVERED',
        toDate(at),
      ],
    );
    await client.query(
      `UPDATE webhook_deliveries SET state = $3, status = $4, problem = $5, "tookMs" = $6, "nextAttemptAt" = $7,
         "endedAt" = $8
       WHERE id = $1 AND attempts = $2 AND state = 'WAITING'`,
      [id, attempts, state, status, problem, tookMs, toDate(result.nextAttemptAt), ended],
    );
    if (off !== null) await turnOff(client, { endpointId, reason: off, at });
    if (Number(rows[0]?.sent ?? 1) % MAX_ENDED_DELIVERIES === 0) await client.query(SHORTEN, [endpointId]);
  });
}

/** The log of an endpoint never has more than twice as many. */
const SHORTEN = `
  DELETE FROM webhook_deliveries WHERE "endpointId" = $1 AND state <> 'WAITING' AND seq < (
    SELECT seq FROM webhook_deliveries WHERE "endpointId" = $1 ORDER BY seq DESC OFFSET ${MAX_ENDED_DELIVERIES} LIMIT 1)`;

/** For operators' gauges. */
interface WebhookBacklog {
  /** How long the endpoint that has waited longest for a turn has waited for it. */
  turnSeconds: number;
  /** Endpoints of the operators that were turned off by their answers. */
  operatorsOff: number;
}

export async function readWebhookBacklog(pool: Pool, at: number): Promise<WebhookBacklog> {
  const { rows } = await pool.query<WebhookBacklog>(
    `${WAITING}
     SELECT coalesce(greatest(0, extract(epoch FROM max($1::timestamptz - greatest(e."servedAt", e."nextAttemptAt",
         e."busyUntil", (SELECT min(d."nextAttemptAt") FROM webhook_deliveries d
           WHERE d."endpointId" = e.id AND ${IS_DUE}))))), 0)::float8 AS "turnSeconds",
       (SELECT count(*)::int FROM webhook_endpoints o
         WHERE o."userId" IS NULL AND o.state = 'OFF' AND o."offReason" <> 'OWNER') AS "operatorsOff"
     FROM webhook_endpoints e WHERE e.id IN (SELECT id FROM waiting) AND ${IS_READY}`,
    [toDate(at)],
  );
  return rows[0] ?? { turnSeconds: 0, operatorsOff: 0 };
}
