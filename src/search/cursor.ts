import { z } from 'zod';
import type { Position, SearchSort, SortPosition } from '../../persistence/search/search-index.ts';
import { type KeyKind, keysOfSort } from '../../persistence/search/search-sorts.ts';
import { safelyParsed } from '../wire/safely-parsed.ts';
import { uuid } from '../wire/text.ts';

/**
 * The cursor of `search.list`: the position of the last listing seen, as base64url of JSON. It names its sort, and for
 * DISTANCE the reference point, because a position is meaningless in another order. It is opaque to clients, but a
 * forged one is harmless.
 */
const finite = { min: -1e15, max: 1e15 };
const KEYS: Record<KeyKind, z.ZodType<number>> = {
  number: z.number().min(finite.min).max(finite.max),
  integer: z.int32(),
  // From the year 0 to 9999, in milliseconds.
  instant: z.int().min(-62_000_000_000_000).max(253_402_300_799_999),
};
const origin = z.tuple([z.number(), z.number()]);

export function encodeCursor(sort: SearchSort, place: SortPosition, from: Position | null): string {
  const content = {
    sort,
    keys: place.keys,
    id: place.propertyId,
    ...(sort === 'DISTANCE' && from ? { from: [from.latitude, from.longitude] } : {}),
  };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Null when the text is not a cursor of this order. */
export function decodeCursor(text: string, sort: SearchSort, from: Position | null): SortPosition | null {
  const keys = keysOfSort(sort).map(({ kind, nullable }) => (nullable ? KEYS[kind].nullable() : KEYS[kind]));
  const shape = z.strictObject({
    sort: z.literal(sort),
    keys: z.tuple(keys as [z.ZodType<number | null>]),
    id: uuid,
    ...(sort === 'DISTANCE' ? { from: origin } : {}),
  });
  const read = safelyParsed(shape, contentOf(text));
  if (!read.success || !isSameOrigin(Reflect.get(read.data, 'from'), from)) return null;
  return { keys: read.data.keys, propertyId: read.data.id };
}

function isSameOrigin(given: unknown, from: Position | null): boolean {
  const read = origin.safeParse(given);
  if (!read.success) return true;
  return from !== null && read.data[0] === from.latitude && read.data[1] === from.longitude;
}

function contentOf(text: string): unknown {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
