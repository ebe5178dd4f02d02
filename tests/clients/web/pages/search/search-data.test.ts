import { expect, test } from 'vitest';
import { bestPlace } from '../../../../../clients/web/pages/search/search-data.ts';

type Kind = 'city' | 'neighborhood' | 'address';
const group = (kind: Kind, ...counts: (number | null)[]) => ({
  kind,
  items: counts.map((count, index) => ({
    id: `${kind}${index}`,
    label: kind,
    count,
    bbox: null,
    latitude: null,
    longitude: null,
  })),
});

test.each([
  ['the first of the first kind', [group('neighborhood', 3, 1), group('city', 2)], 'neighborhood0'],
  ['a place behind addresses, if it has homes', [group('address', null, null), group('city', 2)], 'city0'],
  ['a place without homes where nothing is better', [group('city', 0), group('address', null)], 'city0'],
  ['none where several addresses are better', [group('address', null, null), group('city', 0)], null],
  ['the only address', [group('address', null)], 'address0'],
  ['none of several addresses', [group('address', null, null)], null],
  ['none of nothing', [], null],
])('the place that a typed text stands for is %s', (_, groups, id) => {
  expect(bestPlace({ groups })?.id ?? null).toBe(id);
});
