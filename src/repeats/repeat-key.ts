import { createHash } from 'node:crypto';
import { PublicError } from '../errors/errors.ts';
import type { RequestHeaders } from '../http/request-headers.ts';

const HEADER = 'idempotency-key';
const KEY = /^[ -~]{1,255}$/;
const SAY = 'The Idempotency-Key must be 1 to 255 printable ASCII characters, and sent once.';

/** The key that a call came with; null without one. @throws PublicError INVALID_INPUT */
export function repeatKeyOf(headers: RequestHeaders): string | null {
  const key = headers.get(HEADER);
  if (key === undefined) return null;
  if (headers.isRepeated(HEADER) || !KEY.test(key)) throw new PublicError('INVALID_INPUT', { message: SAY });
  return key;
}

/** Alike for inputs that are the same JSON, in whatever order their fields came. @throws PublicError INVALID_INPUT */
export function inputHash(input: unknown): string {
  return createHash('sha256').update(canonical(input)).digest('hex');
}

/** Of a file's bytes, to stand for it in an input. */
export const fileHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function canonical(input: unknown): string {
  try {
    return JSON.stringify(input, sorted) ?? '';
  } catch (cause) {
    // What JSON cannot hold is no input of any procedure.
    throw new PublicError('INVALID_INPUT', { cause });
  }
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
