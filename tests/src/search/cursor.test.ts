import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SEARCH_SORTS, type SearchSort } from '../../../persistence/search/search-index.ts';
import { keysOfSort } from '../../../persistence/search/search-sorts.ts';
import { decodeCursor, encodeCursor } from '../../../src/search/cursor.ts';

const origin = { latitude: 47.6, longitude: -122.3 };
const propertyId = randomUUID();
const place = (sort: SearchSort, value: number | null = 3) => ({
  propertyId,
  keys: keysOfSort(sort).map(({ nullable }) => (nullable ? value : 3)),
});
const written = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');

describe.each(SEARCH_SORTS)('a cursor of %s', (sort) => {
  test.each([0, 1_767_225_600_123, null])('is decoded as it was encoded, at %s', (value) => {
    const key = sort === 'BEDS_DESC' && value !== null ? value % 1000 : value;
    const text = encodeCursor(sort, place(sort, key), origin);
    expect(text).toMatch(/^[\w-]+$/);
    expect(decodeCursor(text, sort, origin)).toEqual(place(sort, key));
  });

  test('is rejected with any other sort', () => {
    const text = encodeCursor(sort, place(sort), origin);
    for (const other of SEARCH_SORTS.filter((name) => name !== sort))
      expect(decodeCursor(text, other, origin)).toBeNull();
  });

  test('is rejected with any character removed or added', () => {
    const text = encodeCursor(sort, place(sort), origin);
    expect(decodeCursor(text.slice(0, -4), sort, origin)).toBeNull();
    expect(decodeCursor(text.slice(1), sort, origin)).toBeNull();
    expect(decodeCursor(`${text}=`, sort, origin)).toBeNull();
  });
});

test('a price keeps its cents, an area all its digits', () => {
  const keys = [1_234_567.89];
  const text = encodeCursor('PRICE_ASC', { keys, propertyId }, null);
  expect(decodeCursor(text, 'PRICE_ASC', null)?.keys).toEqual(keys);
  const area = [1 / 3];
  const other = encodeCursor('LOT_DESC', { keys: area, propertyId }, null);
  expect(decodeCursor(other, 'LOT_DESC', null)?.keys).toEqual(area);
});

test('DISTANCE from another point rejects the cursor', () => {
  const text = encodeCursor('DISTANCE', place('DISTANCE'), origin);
  expect(decodeCursor(text, 'DISTANCE', { ...origin, latitude: 47.7 })).toBeNull();
});

test.each([
  ['nothing', ''],
  ['an id', propertyId],
  ['no JSON', 'abc'],
  ['a number', written(7)],
  ['no keys', written({ sort: 'NEWEST', id: propertyId })],
  ['too many keys', written({ sort: 'NEWEST', keys: [1, 2], id: propertyId })],
  ['a key in words', written({ sort: 'NEWEST', keys: ['1'], id: propertyId })],
  ['an instant beyond the calendar', written({ sort: 'NEWEST', keys: [9e15], id: propertyId })],
  ['half a millisecond', written({ sort: 'NEWEST', keys: [1.5], id: propertyId })],
  ['no id', written({ sort: 'NEWEST', keys: [1], id: 'x' })],
  ['something more', written({ sort: 'NEWEST', keys: [1], id: propertyId, limit: 9 })],
])('%s is rejected', (_, text) => {
  expect(decodeCursor(text, 'NEWEST', null)).toBeNull();
});

test.each([[1.5], [2 ** 31]])('%d bedrooms are rejected', (beds) => {
  expect(
    decodeCursor(written({ sort: 'BEDS_DESC', keys: [beds], id: propertyId }), 'BEDS_DESC', null),
  ).toBeNull();
});

test('a sort key that every listing has must not be null', () => {
  expect(
    decodeCursor(written({ sort: 'PRICE_ASC', keys: [null], id: propertyId }), 'PRICE_ASC', null),
  ).toBeNull();
});
