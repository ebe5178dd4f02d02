import { createHmac, randomUUID } from 'node:crypto';
import { WEBHOOK_SECRET } from '../http/api-host.ts';

const KEY = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');

/** A provider's callback, signed by Standard Webhooks at `at` (milliseconds). */
export function signedPrediction(prediction: object, at: number) {
  const body = JSON.stringify(prediction);
  const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(at / 1_000))];
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
}
