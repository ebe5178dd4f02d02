import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { VAPID_PUBLIC } from '../../config/vapid.ts';

/** Shapes of push notices (docs/contract.md#push-notices). */
const endpoint = z
  .string()
  .max(1000)
  .refine((value) => URL.canParse(value) && /^[\x21-\x7e]+$/.test(value), {
    message: 'Give the address that the browser has named.',
  });

/** A point of the curve: with any other 65 bytes nothing could be encrypted. */
function isPoint(value: string): boolean {
  try {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    pair.computeSecret(Buffer.from(value, 'base64url'));
    return true;
  } catch {
    return false;
  }
}

export const pushKeyOutput = z.object({
  /** The key that browsers are given; null where this installation sends no push notices. */
  publicKey: z.string().nullable(),
  /** The address at which the browser of this session gets them; null when it gets none. */
  endpoint: z.string().nullable(),
});
export const subscribeInput = z.strictObject({
  endpoint,
  /** The browser's public key and its secret, base64url without padding. */
  p256dh: z.string().regex(VAPID_PUBLIC).refine(isPoint, { message: 'Give the key of the browser.' }),
  auth: z.string().regex(/^[\w-]{22}$/),
});
export const subscribeOutput = z.object({ endpoint: z.string() });
export const unsubscribeInput = z.strictObject({ endpoint });
export const unsubscribeOutput = z.object({ endpoint: z.string() });
