import { beforeEach, expect, test } from 'vitest';
import {
  type FeedRates,
  mostBytesInHour,
  type RequestPlace,
  releaseRequestPlace,
  takeRequestPlace,
} from '../../../persistence/feeds/feed-requests.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
beforeEach(() => database.pool.query('truncate feed_requests'));

const HOUR = 3_600_000;
const rates = (more: Partial<FeedRates> = {}): FeedRates => ({
  account: 'one',
  requests: [
    { ms: 1_000, most: 2 },
    { ms: HOUR, most: 5 },
  ],
  bytes: null,
  holdMs: 65_000,
  ...more,
});
const take = (more?: Partial<FeedRates>): Promise<RequestPlace> =>
  takeRequestPlace(database.pool, rates(more));
const done = async (taken: RequestPlace, bytes = 0) => {
  expect(taken).toEqual({ place: expect.any(String) });
  if ('place' in taken) await releaseRequestPlace(database.pool, taken.place, bytes);
};
/** Moves all times into the past, with the same effect as waiting. */
const letPass = (ms: number) =>
  database.pool.query('update feed_requests set until = until - $1::interval', [`${ms} milliseconds`]);
const rows = async () => (await database.pool.query('select 1 from feed_requests')).rowCount;

test('of twenty workers at once as many get a place as the smallest window has', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => take()));
  expect(taken.filter((one) => 'place' in one)).toHaveLength(2);
  expect(await take({ account: 'another' })).toEqual({ place: expect.any(String) });
});

test('a request counts for a window after its end, and an open one counts as long as it is open', async () => {
  const one = await take();
  await done(await take());
  await letPass(1_000);
  // One is still on its way: it may reach the feed only now.
  await done(await take());
  expect(await take()).toEqual({ waitMs: expect.any(Number) });
  await letPass(1_000);
  await done(one);
  await done(await take());
  expect(await take()).toEqual({ waitMs: expect.any(Number) });
});

test('a refused request returns when the window has room', async () => {
  await done(await take());
  await done(await take());
  await letPass(600);
  const { waitMs } = (await take()) as { waitMs: number };
  expect(waitMs).toBeGreaterThan(100);
  expect(waitMs).toBeLessThanOrEqual(400);
  for (let number = 0; number < 3; number += 1) {
    await letPass(1_000);
    await done(await take());
  }
  const { waitMs: hour } = (await take()) as { waitMs: number };
  expect(hour).toBeGreaterThan(HOUR - 60_000);
  expect(hour).toBeLessThanOrEqual(HOUR);
});

test('a worker that dies leaves a request that counts until it would have been given up', async () => {
  await take();
  await take();
  await letPass(65_000);
  expect(await take()).toEqual({ waitMs: expect.any(Number) });
  await letPass(1_100);
  await done(await take());
});

test('bytes count with the most that an answer can have, until it is there', async () => {
  const bytes = { ms: HOUR, most: 1_000, each: 400 };
  const requests = [{ ms: HOUR, most: 100 }];
  const one = await take({ bytes, requests });
  const two = await take({ bytes, requests });
  const refused = (await take({ bytes, requests })) as { waitMs: number };
  expect(refused.waitMs).toBeGreaterThan(0);
  await done(one, 100);
  await done(two, 100);
  await done(await take({ bytes, requests }), 400);
  await done(await take({ bytes, requests }), 390);
  expect(await take({ bytes, requests })).toEqual({ waitMs: expect.any(Number) });
  await letPass(HOUR);
  await done(await take({ bytes, requests }));
});

test('a clock that was set back stops requests for at most a window', async () => {
  await done(await take());
  await done(await take());
  await letPass(-24 * HOUR);
  expect(await take()).toEqual({ waitMs: expect.any(Number) });
  await letPass(1_000);
  await done(await take());
});

test('rows of no window are removed by the requests that follow, of any account', async () => {
  const many = { account: 'ended', requests: [{ ms: 1_000, most: 100 }] };
  for (let number = 0; number < 30; number += 1) await done(await take(many));
  await letPass(26 * HOUR);
  await done(await take());
  expect(await rows()).toBe(11);
  await letPass(1_000);
  await done(await take());
  expect(await rows()).toBe(2);
});

test('the bytes of an hour are those of the account that sent the most, over all workers', async () => {
  const most = () => mostBytesInHour(database.pool);
  const wide = { requests: [{ ms: 1_000, most: 100 }], bytes: { ms: HOUR, most: 10_000, each: 400 } };
  expect(await most()).toBe(0);
  await done(await take(wide), 300);
  await done(await take(wide), 50);
  await done(await take({ ...wide, account: 'other' }), 340);
  // On its way: it counts when it has ended.
  await take(wide);
  expect(await most()).toBe(350);
  await letPass(HOUR);
  expect(await most()).toBe(0);
});
