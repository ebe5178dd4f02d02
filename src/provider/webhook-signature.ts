/**
 * Standard Webhooks verification over the raw bytes of a request (docs/provider.md#signatures,
 * docs/contract.md#callbacks). Holds only keys and a clock. It has no access to the database, so unsigned requests
 * never reach one.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../supervisors/ports.ts';
import { webhookKey } from '../config/fields.ts';
import type { WebhookRejection } from '../telemetry/metrics.ts';

/** Digits only: `parseInt` would also take "1.5", "12abc" and " 12". Fifteen digits stay exact in a number. */
const UNIX_SECONDS = /^(0|[1-9]\d{0,14})$/;

export type WebhookVerdict = 'ok' | Exclude<WebhookRejection, 'bad-body' | 'unknown-attempt'>;

/** The three headers exactly as received. */
export interface WebhookHead {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
}

/** The headers with the body's bytes exactly as received. */
export interface ReceivedWebhook extends WebhookHead {
  body: Buffer;
}

export type WebhookVerifier = ReturnType<typeof createWebhookVerifier>;

/**
 * @param secrets one, or several during a rotation; any of them may have signed
 * @param toleranceSeconds how far the timestamp may be from now, either way, both ends included
 * @throws RangeError when there is no secret, or one is not base64 of 24 to 64 bytes; the message never shows it.
 */
export function createWebhookVerifier({
  secrets,
  toleranceSeconds,
  clock,
}: {
  secrets: readonly string[];
  toleranceSeconds: number;
  clock: Pick<Clock, 'now'>;
}) {
  if (secrets.length === 0) throw new RangeError('at least one webhook secret is needed');
  const keys = secrets.map((secret, index) => {
    const key = webhookKey(secret);
    if (key === null) throw new RangeError(`webhook secret ${index + 1} is not base64 of 24 to 64 bytes`);
    return createSecretKey(key);
  });
  /** The verdict on the headers alone, before the body is read: `ok` means that the body may be read. */
  const verifyHead = ({ id, timestamp, signature }: WebhookHead): WebhookVerdict => {
    if (!id || !timestamp || !signature) return 'missing-header';
    if (!UNIX_SECONDS.test(timestamp)) return 'bad-timestamp';
    const age = Math.floor(clock.now() / 1000) - Number(timestamp);
    return Math.abs(age) > toleranceSeconds ? 'outside-window' : 'ok';
  };
  return {
    verifyHead,
    verify({ body, ...head }: ReceivedWebhook): WebhookVerdict {
      const verdict = verifyHead(head);
      if (verdict !== 'ok') return verdict;
      const { id = '', timestamp = '', signature = '' } = head;
      // A dot separates the signed parts: an id with a dot could move text between id, timestamp and body.
      if (id.includes('.')) return 'bad-signature';
      const offered = signature.split(' ');
      const valid = keys.map((key) => `v1,${webhookSignature(key, { id, timestamp, body })}`);
      return anyMatches(offered, valid) ? 'ok' : 'bad-signature';
    },
  };
}

/** The base64 HMAC-SHA256 of `{id}.{timestamp}.{body}`, without the `v1,` in front. */
export function webhookSignature(
  key: KeyObject | Buffer,
  signed: { id: string; timestamp: string; body: Buffer },
): string {
  return createHmac('sha256', key)
    .update(`${signed.id}.${signed.timestamp}.`)
    .update(signed.body)
    .digest('base64');
}

/** Compares every pair, so the time reveals nothing about which secret or entry nearly matched. */
function anyMatches(offered: readonly string[], valid: readonly string[]): boolean {
  let matches = 0;
  for (const entry of offered) {
    for (const expected of valid) {
      const [a, b] = [Buffer.from(entry), Buffer.from(expected)];
      if (a.length === b.length && timingSafeEqual(a, b)) matches += 1;
    }
  }
  return matches > 0;
}
