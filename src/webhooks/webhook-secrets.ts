import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets of webhooks as Standard Webhooks has them (`whsec_` and base64), and how they are stored: AES-256-GCM with a key
 * derived from AUTH_SECRET, bound to the endpoint's id. Layout in base64url: version, nonce, tag, data.
 */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const START = 1 + NONCE_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';

export function createWebhookSecrets(authSecret: string) {
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'proscenium webhook secrets v1', 32));
  return {
    /** A new secret, as its owner sees it once. @param bytes random ones, of cryptographic quality */
    make: (bytes: Buffer = randomBytes(SECRET_BYTES)): string => PREFIX + bytes.toString('base64'),
    seal(secret: string, endpointId: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(endpointId));
      const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), data]).toString('base64url');
    },
    /** Null for what another AUTH_SECRET has sealed, or what belongs to another endpoint. */
    open(sealed: string, endpointId: string): string | null {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes[0] !== VERSION || bytes.length < START) return null;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 1 + NONCE_BYTES))
        .setAAD(Buffer.from(endpointId))
        .setAuthTag(bytes.subarray(1 + NONCE_BYTES, START));
      const text = decipher.update(bytes.subarray(START));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** The signature of Standard Webhooks, version 1. @param seconds since 1970 */
export function webhookSignature(
  secret: string,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}
