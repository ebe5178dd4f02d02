import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { signWebhook } from '../../simulator/webhook-signature.ts';
import { seedJobRows } from '../job-rows.ts';
import { requestBytes } from '../load/request-bytes.ts';

/** Requests as the provider sends them when a prediction has ended. */
export interface Callback {
  readonly attemptId: string;
  readonly predictionId: string;
}

/** As long as a real prediction's body: it repeats the input. */
const INPUT = { prompt: 'Stage this living room. '.repeat(40), quality: 'medium', aspect_ratio: '1:1' };

/** Attempts in progress, with predictions that the provider is working on. */
export async function seedAttempts(pool: Pool, count: number): Promise<Callback[]> {
  await seedJobRows(pool, { count, attempt: 'RUNNING', heldBy: randomUUID() });
  await pool.query('TRUNCATE ai_provider_webhook_receipts');
  const { rows } = await pool.query<Callback>(
    'SELECT id AS "attemptId", "providerPredictionId" AS "predictionId" FROM ai_provider_attempts',
  );
  return rows;
}

/** A signed callback with a unique id. */
export function signedCallback(secret: string, { attemptId, predictionId }: Callback): string {
  return callbackBytes(attemptId, predictionId, (delivery) => signWebhook(secret, delivery));
}

/** The same callbacks, signed with a wrong secret. */
export function forgedCallback({ attemptId, predictionId }: Callback): string {
  const forged = `v1,${Buffer.alloc(32, 7).toString('base64')}`;
  return callbackBytes(attemptId, predictionId, () => forged);
}

type Sign = (delivery: { id: string; timestamp: number; body: Buffer }) => string;

function callbackBytes(attemptId: string, predictionId: string, sign: Sign): string {
  const body = JSON.stringify({ id: predictionId, status: 'succeeded', input: INPUT, output: null });
  const delivery = {
    id: `msg_${randomUUID()}`,
    timestamp: Math.floor(Date.now() / 1_000),
    body: Buffer.from(body),
  };
  return requestBytes({
    method: 'POST',
    path: pathOf(attemptId),
    headers: {
      'content-type': 'application/json',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(delivery.timestamp),
      'webhook-signature': sign(delivery),
    },
    body,
  });
}

function pathOf(attemptId: string): string {
  return `/api/webhooks/provider/staging/${attemptId}`;
}
