/**
 * Standard Webhooks verification over the raw bytes of a request (docs/provider.md#signatures,
 * docs/contract.md#callbacks). Holds only decoded secrets and a clock: it reaches no database, so nothing unsigned can
 * touch one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookRejection } from '../telemetry/metrics.ts';

/** Key sizes the Standard Webhooks specification allows, in bytes. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;
const SECRET_PREFIX = 'whsec_';
/** Digits only: `parseInt` would also take "1.5", "12abc" and " 12". Fifteen digits stay exact in a number. */
const UNIX_SECONDS = /^(0|[1-9]\d{0,14})$/;

export type WebhookVerdict = 'ok' | Exclude<WebhookRejection, 'bad-body' | 'unknown-attempt'>;

/** The three headers exactly as received. */
export interface WebhookHead {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
}

/** With the body's bytes exactly as received. */
export interface ReceivedWebhook extends WebhookHead {
  body: Buffer;
}

export interface WebhookVerifier {
  /** What the headers alone say, before there is a body: `ok` means that a body may be looked at. */
  verifyHead(head: WebhookHead): WebhookVerdict;
  verify(webhook: ReceivedWebhook): WebhookVerdict;
}

export interface WebhookVerifierSettings {
  /** One secret, or several during a rotation; any of them may have signed. */
  secrets: readonly string[];
  /** How far the timestamp may be from now, either way, both ends included. */
  toleranceSeconds: number;
  clock: { now(): number };
}

/**
 * @throws RangeError when there is no secret, or one is not base64 of 24 to 64 bytes; the message never shows it.
 */
export function createWebhookVerifier(settings: WebhookVerifierSettings): WebhookVerifier {
  const { clock, toleranceSeconds } = settings;
  if (settings.secrets.length === 0) throw new RangeError('at least one webhook secret is needed');
  const keys = settings.secrets.map(decodeSecret);
  const verifyHead = ({ id, timestamp, signature }: WebhookHead): WebhookVerdict => {
    if (!id || !timestamp || !signature) return 'missing-header';
    if (!UNIX_SECONDS.test(timestamp)) return 'bad-timestamp';
    const age = Math.floor(clock.now() / 1000) - Number(timestamp);
    return Math.abs(age) > toleranceSeconds ? 'outside-window' : 'ok';
  };
  return {
    verifyHead,
    verify({ body, ...head }) {
      const verdict = verifyHead(head);
      if (verdict !== 'ok') return verdict;
      const { id = '', timestamp = '', signature = '' } = head;
      // The dot separates the signed parts: an id with one could move text between id, timestamp and body.
      if (id.includes('.')) return 'bad-signature';
      const offered = signature.split(' ');
      const valid = keys.map((key) => `v1,${webhookSignature(key, { id, timestamp, body })}`);
      return anyMatches(offered, valid) ? 'ok' : 'bad-signature';
    },
  };
}

/** The base64 HMAC-SHA256 of `{id}.{timestamp}.{body}`, without the `v1,` in front. */
export function webhookSignature(
  key: Buffer,
  signed: { id: string; timestamp: string; body: Buffer },
): string {
  return createHmac('sha256', key)
    .update(`${signed.id}.${signed.timestamp}.`)
    .update(signed.body)
    .digest('base64');
}

function decodeSecret(secret: string, index: number): Buffer {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const digits = text.replace(/={1,2}$/, '');
  const padded = text.length > digits.length;
  // Buffer.from skips illegal characters in silence and would yield another key.
  const legal =
    /^[A-Za-z0-9+/]+$/.test(digits) && digits.length % 4 !== 1 && (!padded || text.length % 4 === 0);
  if (!legal) throw new RangeError(`webhook secret ${index + 1} is not base64`);
  const key = Buffer.from(digits, 'base64');
  if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) {
    throw new RangeError(
      `webhook secret ${index + 1} must be ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes long`,
    );
  }
  return key;
}

/** Compares every pair, so the time taken does not tell which secret or entry came close. */
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
