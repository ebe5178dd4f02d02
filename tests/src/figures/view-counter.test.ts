import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { figuresOf } from '../../../persistence/listings/listing-figures.ts';
import { createViewCounter, type ViewCounter, type Viewer } from '../../../src/figures/view-counter.ts';
import { seedProperty, seedUser } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { sharedStack } from '../../support/platform/stack.ts';

/** docs/contract.md#figures-of-a-listing */
const DAY_MS = 86_400_000;
const AT = Date.UTC(2026, 10, 30, 12);
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';
const clock = { at: AT, now: () => clock.at };
const database = useStoreDatabase();
let redis: Redis;
let deployment: string;
let counter: ViewCounter;
let agentId: string;
beforeAll(async () => {
  redis = new Redis(sharedStack().kvUrl);
  agentId = await seedUser(database.pool);
});
afterAll(async () => {
  await redis.quit();
});
const newCounter = () =>
  createViewCounter({ redis, deployment, pool: database.pool, clock, chance: { id: randomUUID } });
beforeEach(() => {
  clock.at = AT;
  deployment = `-${randomUUID()}`;
  counter = newCounter();
});

const home = (columns: Record<string, unknown> = {}) =>
  seedProperty(database.pool, { ownerAgentId: agentId, ...columns });
const visitor = ({
  network = '203.0.113.7',
  program = PHONE,
  user = null as Viewer['user'],
} = {}): Viewer => ({
  user,
  request: {
    remoteAddress: network,
    headers: { get: (name: string) => (name === 'user-agent' ? program : undefined) },
  },
});
async function viewsOf(propertyId: string): Promise<number[]> {
  await counter.write();
  const figures = await figuresOf(database.pool, { propertyId, agentId, days: 7, at: clock.at });
  return (figures ?? []).map(({ views }) => views);
}

describe('a view of a home', () => {
  test('counts once a day for a visitor, in whichever process, and again on the next day', async () => {
    const [one, other] = [await home(), await home()];
    await counter.count(one, visitor());
    await counter.count(one, visitor());
    const second = newCounter();
    await second.count(one, visitor());
    await second.count(other, visitor());
    await second.write();
    await counter.count(one, visitor({ network: '203.0.113.8' }));
    expect(await viewsOf(one)).toEqual([0, 0, 0, 0, 0, 0, 2]);
    expect(await viewsOf(other)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    clock.at += DAY_MS;
    await counter.count(one, visitor());
    expect(await viewsOf(one)).toEqual([0, 0, 0, 0, 0, 2, 1]);
  });

  test('counts by the account of a person who is signed in, wherever that is', async () => {
    const id = await home();
    const user = { id: randomUUID(), role: 'customer' };
    await counter.count(id, visitor({ user }));
    await counter.count(id, visitor({ user, network: '198.51.100.1', program: 'curl/8' }));
    expect((await viewsOf(id)).at(-1)).toBe(1);
  });

  test.each([
    ['an agent', visitor({ user: { id: randomUUID(), role: 'agent' } })],
    ['a search engine', visitor({ program: 'Mozilla/5.0 (compatible; Googlebot/2.1)' })],
    ['a program without a name', visitor({ program: '' })],
  ])('of %s does not count', async (_, viewer) => {
    const id = await home();
    await counter.count(id, viewer);
    expect((await viewsOf(id)).at(-1)).toBe(0);
  });

  test('of a network counts sixteen times at most, whatever its programs are called', async () => {
    const id = await home();
    for (let version = 0; version < 200; version += 1)
      await counter.count(id, visitor({ program: `${PHONE} ${version}` }));
    expect((await viewsOf(id)).at(-1)).toBe(16);
  });

  test('of a home without a public page does not count, nor of an unknown one', async () => {
    const draft = await home({ standardStatus: 'Incomplete' });
    await counter.count(draft, visitor());
    await counter.count(randomUUID(), visitor());
    expect((await viewsOf(draft)).at(-1)).toBe(0);
  });

  test('belongs to the day that the clocks of the home show', async () => {
    clock.at = Date.UTC(2026, 10, 30, 3);
    const [west, east] = [
      await home({ propertyTimeZoneName: 'America/Los_Angeles' }),
      await home({ propertyTimeZoneName: 'Asia/Tokyo' }),
    ];
    for (const id of [west, east]) await counter.count(id, visitor());
    await counter.write();
    const { rows } = await database.pool.query(
      `select "propertyId" as id, day::text from listing_views where "propertyId" = any ($1::uuid[])`,
      [[west, east]],
    );
    expect(new Map(rows.map(({ id, day }) => [id, day]))).toEqual(
      new Map([
        [west, '2026-11-29'],
        [east, '2026-11-30'],
      ]),
    );
  });

  test('waits for a database that refuses, and is not lost', async () => {
    const id = await home();
    await counter.count(id, visitor());
    await database.pool.query('alter table listing_views rename to elsewhere');
    await expect(counter.write()).rejects.toThrow('listing_views');
    await database.pool.query('alter table elsewhere rename to listing_views');
    expect((await viewsOf(id)).at(-1)).toBe(1);
  });
});

test('Redis keeps no address and no name, in eight megabytes at most, for two days', async () => {
  const id = await home();
  await counter.count(id, visitor());
  const keys = await redis.keys(`views${deployment}:*`);
  expect(keys.sort()).toEqual([`views${deployment}:salt:2026-11-30`, `views${deployment}:set:2026-11-30`]);
  for (const key of keys) {
    expect(await redis.ttl(key)).toBeGreaterThan(172_000);
    expect(await redis.strlen(key)).toBeLessThanOrEqual(2 ** 23);
  }
  expect(await redis.bitcount(keys[1] ?? '')).toBeLessThanOrEqual(4);
});

test('saves and tours count on their days; those of other homes do not', async () => {
  const [id, other] = [await home(), await home()];
  const userId = await seedUser(database.pool, { role: 'customer' });
  for (const propertyId of [id, other])
    await database.pool.query(
      `insert into favorites ("userId", "propertyId", "savedAt", "priceWhenSaved", "statusWhenSaved")
       values ($1, $2, $3, 1, 'Active')`,
      [userId, propertyId, new Date(AT - 2 * DAY_MS)],
    );
  const figures = await figuresOf(database.pool, { propertyId: id, agentId, days: 7, at: AT });
  expect(figures?.map(({ saves }) => saves)).toEqual([0, 0, 0, 0, 1, 0, 0]);
  expect(figures?.map(({ day }) => day)).toEqual([24, 25, 26, 27, 28, 29, 30].map((day) => `2026-11-${day}`));
  expect(
    await figuresOf(database.pool, { propertyId: id, agentId: randomUUID(), days: 7, at: AT }),
  ).toBeNull();
});
