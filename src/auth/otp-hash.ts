import { createHmac, hkdfSync, randomInt } from 'node:crypto';

const DIGITS = 6;

/** A one-time code of six digits. */
export function randomOtp(): string {
  return randomInt(10 ** DIGITS)
    .toString()
    .padStart(DIGITS, '0');
}

/**
 * How a one-time code is stored: HMAC-SHA256 under a key derived from AUTH_SECRET. A plain hash of six digits is
 * reversed with a million tries; this one cannot be tried without the secret. The same code gives the same hash,
 * because verification compares hashes.
 */
export function createOtpHasher(authSecret: string): (otp: string) => string {
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'proscenium one-time codes v1', 32));
  return (otp) => createHmac('sha256', key).update(otp).digest('base64url');
}
