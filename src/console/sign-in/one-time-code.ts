import { createHmac, timingSafeEqual } from 'node:crypto';

/** One-time codes by time (RFC 6238, SHA-1, six digits, 30 seconds), as every authenticator app makes them. */
export const STEP_SECONDS = 30;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** The code of a step (RFC 4226). */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step whose code this is: the present one, or one before or after it. Null for a wrong code. */
export function stepOf(secret: Buffer, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const present = Math.floor(now / 1000 / STEP_SECONDS);
  const given = Buffer.from(code);
  const right = [present, present - 1, present + 1].filter((step) =>
    timingSafeEqual(Buffer.from(codeOf(secret, step)), given),
  );
  return right[0] ?? null;
}

export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(BITS, '0'), 2)])
    .join('');
}

/** Null for a text that is not base32. */
export function fromBase32(text: string): Buffer | null {
  if (!/^[A-Z2-7]+$/.test(text)) return null;
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(BITS, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
