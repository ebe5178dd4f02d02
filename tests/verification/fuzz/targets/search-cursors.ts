import fc from 'fast-check';
import { expect } from 'vitest';
import { SEARCH_SORTS } from '../../../../persistence/search/search-index.ts';
import { keysOfSort } from '../../../../persistence/search/search-sorts.ts';
import { decodeCursor, encodeCursor } from '../../../../src/search/cursor.ts';
import { keysetCursor, keysetPaging } from '../../../../src/wire/keyset-cursor.ts';
import { defineTarget } from '../target.ts';
import { hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated } from '../values/mutated.ts';
import { toJsonText } from '../values/raw-json.ts';

type FuzzInput =
  | { kind: 'ours'; sort: (typeof SEARCH_SORTS)[number]; numbers: number[]; id: string; at: number }
  | { kind: 'theirs'; sort: (typeof SEARCH_SORTS)[number]; text: string };

const FROM = { latitude: 47.6, longitude: -122.3 };
const sort = fc.constantFrom(...SEARCH_SORTS);
const contentOf = (chosen: (typeof SEARCH_SORTS)[number]) => {
  const length = keysOfSort(chosen).length;
  const key = fc.oneof(fc.integer(), fc.double(), fc.constant(null));
  const place = {
    sort: fc.constant(chosen),
    keys: fc.array(key, { minLength: length, maxLength: length }),
    id: fc.uuid(),
  };
  if (chosen !== 'DISTANCE') return fc.record(place);
  return fc.record({ ...place, from: fc.constantFrom([FROM.latitude, FROM.longitude], [0, 0], null) });
};
const theirs = (chosen: (typeof SEARCH_SORTS)[number]) => {
  const content = contentOf(chosen);
  return fc.record({
    kind: fc.constant('theirs' as const),
    sort: fc.constant(chosen),
    text: fc.oneof(
      fc
        .oneof(content, mutated(content), hostileValue)
        .map((value) => Buffer.from(toJsonText(value)).toString('base64url')),
      hostileText,
    ),
  });
};

/**
 * Cursors of search and of the other lists: ours are read back; others are rejected or name a valid position.
 */
export const searchCursors = defineTarget<unknown, FuzzInput>({
  name: 'search-cursors',
  about: 'cursors of search and of keyset lists',
  runs: 800,
  mustSee: ['round-trip', 'read', 'refused'],
  input: () =>
    fc.oneof(
      fc.record({
        kind: fc.constant('ours' as const),
        sort,
        numbers: fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { minLength: 8, maxLength: 8 }),
        id: fc.uuid(),
        at: fc.integer({ min: 0, max: 253_402_300_799_999 }),
      }),
      sort.chain(theirs),
    ),
  feed(given) {
    const kinds = keysOfSort(given.sort);
    if (given.kind === 'ours') {
      const place = { keys: kinds.map((_, index) => given.numbers[index] ?? 0), propertyId: given.id };
      expect(decodeCursor(encodeCursor(given.sort, place, FROM), given.sort, FROM)).toEqual(place);
      const row = { at: given.at, id: given.id };
      const nextCursor = keysetCursor(row);
      expect(keysetPaging.cursor.parse(nextCursor)).toEqual(row);
      return 'round-trip';
    }
    keysetPaging.cursor.safeParse(given.text);
    const place = decodeCursor(given.text, given.sort, FROM);
    if (place === null) return 'refused';
    expect(place.keys).toHaveLength(kinds.length);
    for (const [index, { nullable }] of kinds.entries()) {
      const key = place.keys[index];
      expect(key === null ? nullable : Number.isFinite(key)).toBe(true);
    }
    expect(place.propertyId).toMatch(/^[0-9a-f-]{36}$/);
    return 'read';
  },
});
