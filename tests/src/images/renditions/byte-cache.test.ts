import { expect, test } from 'vitest';
import { createByteCache } from '../../../../src/images/renditions/byte-cache.ts';

const bytes = (length: number) => Buffer.alloc(length, 1);

test('never exceeds its limit, and evicts the least recently used entry', () => {
  const cache = createByteCache({ maxBytes: 100, maxEntryBytes: 60 });
  cache.put('a', bytes(40));
  cache.put('b', bytes(40));
  expect(cache.get('a')?.length).toBe(40);
  cache.put('c', bytes(40));
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toBeDefined();
  expect(cache.size).toBe(80);
});

test('an entry that is too large is not stored, and the entry it replaces is removed', () => {
  const cache = createByteCache({ maxBytes: 100, maxEntryBytes: 60 });
  cache.put('a', bytes(10));
  cache.put('a', bytes(61));
  expect([cache.get('a'), cache.size]).toEqual([undefined, 0]);
});

test('storing an entry again counts once', () => {
  const cache = createByteCache({ maxBytes: 100, maxEntryBytes: 60 });
  for (let times = 0; times < 5; times += 1) cache.put('a', bytes(50));
  expect(cache.size).toBe(50);
});
