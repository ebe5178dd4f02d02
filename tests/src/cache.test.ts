import { expect, test } from 'vitest';
import { createCache } from '../../src/cache.ts';
import { PublicError } from '../../src/errors/errors.ts';

const text = (length: number) => ({ text: 'x'.repeat(length) });

function open({ maxAgeMs = 1_000, maxEntrySize = 60 } = {}) {
  const clock = { at: 5_000, now: () => clock.at };
  const sizeOf = (value: { text: string }): number => value.text.length;
  return { clock, cache: createCache({ clock, maxAgeMs, maxSize: 100, maxEntrySize, sizeOf }) };
}

test('the sum of the sizes has a bound, and the least recently used value goes first', () => {
  const { cache } = open();
  cache.set('a', text(40));
  cache.set('b', text(40));
  expect(cache.get('a')).toBeDefined();
  cache.set('c', text(40));
  expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
  expect(cache.size).toBe(80);
});

test('a value that is too large is not cached, and the value that it replaces is removed', () => {
  const { cache } = open();
  cache.set('a', text(10));
  cache.set('a', text(61));
  expect([cache.get('a'), cache.size]).toEqual([undefined, 0]);
});

test('a value that is cached again counts once', () => {
  const { cache } = open();
  for (let times = 0; times < 5; times += 1) cache.set('a', text(50));
  expect(cache.size).toBe(50);
});

test('a value has an end, however often it is read, and a clock that was set back ends it too', () => {
  const { cache, clock } = open();
  cache.set('a', text(1));
  clock.at += 999;
  expect(cache.get('a')).toBeDefined();
  clock.at += 1;
  expect(cache.get('a')).toBeUndefined();
  cache.set('a', text(1));
  clock.at -= 1;
  expect(cache.get('a')).toBeUndefined();
  cache.set('a', text(1), clock.at - 1_000);
  expect(cache.get('a')).toBeUndefined();
});

test('concurrent callers share one load, and the age counts from its start', async () => {
  const { cache, clock } = open();
  const { promise, resolve } = Promise.withResolvers<{ text: string }>();
  let loads = 0;
  const load = () => {
    loads += 1;
    return loads === 1 ? promise : Promise.resolve(text(loads));
  };
  const both = [cache.load('a', load), cache.load('a', load)];
  clock.at += 600;
  resolve(text(1));
  const [one, other] = await Promise.all(both);
  expect([loads, one === other, (await cache.load('a', load)) === one]).toEqual([1, true, true]);
  clock.at += 400;
  expect(await cache.load('a', load)).toEqual(text(2));
});

test('a load that is refused to its own caller fails for no one else', async () => {
  const { cache } = open();
  const refused = new PublicError('RATE_LIMITED');
  let loads = 0;
  const load = (error: Error | null, key = 'a') =>
    cache.load(key, async () => {
      loads += 1;
      await Promise.resolve();
      if (error !== null) throw error;
      return { text: 'loaded' };
    });
  const asked = [load(refused), load(refused), load(null), load(refused), load(null)];
  const answers = await Promise.allSettled(asked);
  expect(answers.map((one) => one.status)).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(loads).toBe(3);
  const broken = [load(new Error('broken'), 'b'), load(null, 'b')];
  expect((await Promise.allSettled(broken)).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  expect(loads).toBe(4);
});

test('a caller does not join a load that began too long ago, and its late result is not cached', async () => {
  const { cache, clock } = open();
  const slow = Promise.withResolvers<{ text: string }>();
  const first = cache.load('a', () => slow.promise);
  clock.at += 1_000;
  expect(await cache.load('a', async () => text(2))).toEqual(text(2));
  slow.resolve(text(1));
  expect(await first).toEqual(text(1));
  expect(cache.get('a')).toEqual(text(2));
});

test('neither a failure nor a refused value is cached', async () => {
  const { cache } = open();
  const failing = () => Promise.reject(new Error('no connection'));
  const both = await Promise.allSettled([cache.load('a', failing), cache.load('a', failing)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await cache.load(
    'a',
    async () => text(1),
    () => false,
  );
  expect(cache.get('a')).toBeUndefined();
});
