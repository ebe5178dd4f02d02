import { createHash, createHmac, randomBytes } from 'node:crypto';

/** A signing secret in the provider's format: `whsec_` and 24 to 64 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * The `webhook-signature` value of one delivery (Standard Webhooks 1.0.0, docs/provider.md#signatures):
 * `v1,` + base64 HMAC-SHA256 over `{id}.{timestamp}.{raw body}`. The timestamp is in unix seconds.
 */
export function signWebhook(
  secret: string,
  delivery: { id: string; timestamp: number; body: Buffer },
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const head = `${delivery.id}.${delivery.timestamp}.`;
  return `v1,${createHmac('sha256', key).update(head).update(delivery.body).digest('base64')}`;
}

/** The id of one callback: the same for every retry and after a restart, so it needs no storage. */
export function webhookIdOf(predictionId: string, event: string): string {
  const digest = createHash('sha256').update(`${predictionId}:${event}`).digest('base64url');
  return `msg_${digest.replace(/[-_]/g, '0').slice(0, 27)}`;
}
