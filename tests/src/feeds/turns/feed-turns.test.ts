import { beforeEach, describe, expect, test } from 'vitest';
import {
  FEED_LISTINGS_AGAINST_THEIR_RULE,
  LISTINGS_UNLIKE_THEIR_RECORDS,
} from '../../../../persistence/feeds/feed-invariant-sql.ts';
import { readFeed } from '../../../../persistence/feeds/feed-queries.ts';
import { FeedError, type FeedPage, NoPlaceError } from '../../../../src/feeds/reading/feed-reading.ts';
import { stepFeed } from '../../../../src/feeds/turns/feed-step.ts';
import { useStoreDatabase } from '../../../support/database/store-database.ts';
import {
  emptySource,
  feedPorts,
  home,
  type Source,
  settle,
  startedFeed,
} from '../../../support/worlds/feed-world.ts';

/** Listings out of a feed (docs/contract.md#feeds): none lost, none kept that left, no event that did not happen. */
const database = useStoreDatabase();
const raise = (why: string): never => {
  throw new Error(why);
};
let source: Source;
let now: number;
let ports: ReturnType<typeof feedPorts>;
let id: string;
const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await database.pool.query<T>(sql, values)).rows;
const listings = () =>
  rows<{ key: string; status: string; price: number; hidden: string[] }>(
    `select "originatingSystemKey" as key, "standardStatus" as status, "listPrice"::float8 as price, "hiddenFor" as hidden
     from properties where "feedId" = $1 order by 1`,
    [id],
  );
const shown = async () =>
  (await listings()).filter(({ status }) => status !== 'Delete').map(({ key }) => key);
const history = (key: string) =>
  rows<{ event: string; at: Date; price: number; source: string }>(
    `select e.event, e.at, e.price::float8 as price, e.source from property_price_events e
       join properties p on p.id = e."propertyId" where p."feedId" = $1 and p."originatingSystemKey" = $2 order by e.id`,
    [id, key],
  );
const breaches = async () => [
  ...(await rows(LISTINGS_UNLIKE_THEIR_RECORDS)),
  ...(await rows(FEED_LISTINGS_AGAINST_THEIR_RULE)),
];
const later = async (ms: number) => {
  now += ms;
  await settle(ports, id);
};
/** What has a time in the past for the database's clock, too. */
const nextLook = async () => {
  await database.pool.query(`update feeds set "nextLookAt" = null where id = $1`, [id]);
  await settle(ports, id);
};
const reconcile = async () => {
  await ports.actorSystem.deliver(
    { to: 'feed', id, event: { type: 'RECONCILE_ASKED', at: Date.now() } },
    { by: 'operator:ann' },
  );
  await settle(ports, id);
};

beforeEach(async () => {
  await database.clear();
  source = emptySource();
  now = Date.now();
  ports = feedPorts(database.pool, source, { now: () => now });
  id = await startedFeed(ports, now);
});
const load = async (count: number) => {
  source.records = new Map(
    Array.from({ length: count }, (_, index) => home(`k${String(index).padStart(3, '0')}`)),
  );
  await settle(ports, id);
};

test('a first load makes each listing once, with the history that its record dates', async () => {
  source.records = new Map([
    home('a'),
    home('b', {
      ListPrice: 450_000,
      MajorChangeType: 'Price Change',
      MajorChangeTimestamp: '2026-01-20T10:00:00Z',
      PreviousListPrice: 500_000,
    }),
    home('c', { StandardStatus: 'Pending', StatusChangeTimestamp: '2026-01-22T10:00:00Z' }),
    home('d', { ListPrice: null, OriginalListPrice: null }),
  ]);
  await settle(ports, id);
  expect(await listings()).toEqual([
    { key: 'a', status: 'Active', price: 500_000, hidden: [] },
    { key: 'b', status: 'Active', price: 450_000, hidden: [] },
    { key: 'c', status: 'Pending', price: 500_000, hidden: [] },
  ]);
  expect(await history('b')).toMatchObject([
    { event: 'LISTED', price: 500_000, at: new Date('2026-01-05T12:00:00Z'), source: 'import' },
    { event: 'PRICE_CHANGED', price: 450_000, at: new Date('2026-01-20T10:00:00Z'), source: 'import' },
  ]);
  expect((await history('c')).map(({ event }) => event)).toEqual(['LISTED', 'PENDING']);
  expect(await rows('select from alert_events')).toEqual([]);
  expect(
    await rows(
      `select state, unmapped -> '@refused' as why from feed_records where "feedId" = $1 and key = 'd'`,
      [id],
    ),
  ).toEqual([{ state: 'REFUSED', why: ['ListPrice'] }]);
  expect(await rows('select from search_listings')).toHaveLength(3);
  expect(await breaches()).toEqual([]);
});

test('a mass update and a second look add no event and write no listing', async () => {
  await load(5);
  const before = await rows(`select id, "updatedAt", xmin::text from properties order by id`);
  for (const record of source.records.values()) {
    record.ModificationTimestamp = '2026-03-01T00:00:00.000Z';
    record.MajorChangeType = 'Price Change';
    record.MajorChangeTimestamp = '2026-03-01T00:00:00Z';
    record.PreviousListPrice = 510_000;
  }
  await nextLook();
  expect(await rows(`select id, "updatedAt", xmin::text from properties order by id`)).toEqual(before);
  expect(await history('k001')).toMatchObject([{ event: 'LISTED' }]);
  await database.pool.query(`update feeds set cursor = null where id = $1`, [id]);
  await nextLook();
  expect(await history('k001')).toMatchObject([{ event: 'LISTED' }]);
  expect(await breaches()).toEqual([]);
});

test('a change of price and status is dated by its record, and is news', async () => {
  await load(2);
  Object.assign(source.records.get('k001') ?? {}, {
    ListPrice: 480_000,
    PriceChangeTimestamp: '2026-02-10T09:00:00Z',
    StandardStatus: 'Active Under Contract',
    StatusChangeTimestamp: '2026-02-11T09:00:00Z',
  });
  await nextLook();
  expect(await history('k001')).toMatchObject([
    { event: 'LISTED' },
    { event: 'PRICE_CHANGED', price: 480_000, at: new Date('2026-02-10T09:00:00Z') },
    { event: 'UNDER_CONTRACT', at: new Date('2026-02-11T09:00:00Z') },
  ]);
  expect(await rows('select kind, "isCut" from alert_events order by id')).toEqual([
    { kind: 'PRICE', isCut: true },
    { kind: 'PENDING', isCut: false },
  ]);
  expect(await breaches()).toEqual([]);
});

test('the seller forbids the listing or its address', async () => {
  source.records = new Map([
    home('a', { InternetEntireListingDisplayYN: false }),
    home('b', { InternetAddressDisplayYN: false }),
  ]);
  await settle(ports, id);
  expect(await listings()).toMatchObject([{ hidden: ['FEED_RULE'] }, { hidden: [] }]);
  expect(await rows(`select "showAddress" from properties where "originatingSystemKey" = 'b'`)).toEqual([
    { showAddress: false },
  ]);
  source.records = new Map([home('a'), home('b')]);
  await nextLook();
  expect(await listings()).toMatchObject([{ hidden: [] }, { hidden: [] }]);
  expect(await breaches()).toEqual([]);
});

describe('a list of all keys', () => {
  test('one listing in twenty that is not named leaves, and comes back with its record', async () => {
    await load(20);
    const [gone] = [...source.records];
    source.records.delete('k000');
    await reconcile();
    expect(await shown()).toHaveLength(19);
    expect(await rows('select from search_listings')).toHaveLength(19);
    expect(await breaches()).toEqual([]);
    if (gone) source.records.set(...gone);
    await reconcile();
    expect(await shown()).toHaveLength(20);
    expect((await history('k000')).map(({ event }) => event)).toEqual(['LISTED']);
    expect(await breaches()).toEqual([]);
  });

  test('more wait for a decision, and a refusal keeps them', async () => {
    await load(20);
    source.records.delete('k000');
    source.records.delete('k001');
    await reconcile();
    expect(await shown()).toHaveLength(20);
    expect((await readFeed(database.pool, id))?.actor.context).toMatchObject({
      heldDeletions: 2,
      heldListings: 20,
    });
    const decide = (type: 'DELETIONS_ACCEPTED' | 'DELETIONS_REFUSED') =>
      ports.actorSystem.deliver({ to: 'feed', id, event: { type, at: now } }, { by: 'operator:ann' });
    await decide('DELETIONS_REFUSED');
    await settle(ports, id);
    expect(await shown()).toHaveLength(20);
    await reconcile();
    await decide('DELETIONS_ACCEPTED');
    await settle(ports, id);
    expect(await shown()).toHaveLength(18);
    expect(await breaches()).toEqual([]);
  });

  const listOf = ({ keys }: FeedPage) => keys ?? raise('the page has no list');
  const LISTS: [string, (page: FeedPage) => FeedPage][] = [
    [
      'is shorter than its count',
      (page) => ({ ...page, keys: { ...listOf(page), complete: page.done ? false : null } }),
    ],
    [
      'answers empty',
      (page) => ({
        ...page,
        done: true,
        cursor: { ...page.cursor, done: true },
        keys: { ...listOf(page), keys: [], complete: true },
      }),
    ],
  ];
  test.each(LISTS)('that %s removes nothing', async (_what, change) => {
    await load(7);
    source.changeList = change;
    await reconcile();
    expect(await shown()).toHaveLength(7);
  });

  test('what it names and is not here is read', async () => {
    await load(4);
    await database.pool.query(`delete from feed_records where key = 'k001'`);
    await database.pool.query(`delete from properties where "originatingSystemKey" = 'k001'`);
    await reconcile();
    expect(await shown()).toHaveLength(4);
    expect(await breaches()).toEqual([]);
  });
});

test('failures wait longer each time; refused credentials end in FAILED until an operator starts again', async () => {
  await load(1);
  const state = async () => (await readFeed(database.pool, id))?.actor;
  source.failure = new FeedError('UNREACHABLE', 'no answer');
  await nextLook();
  expect(await state()).toMatchObject({ state: 'WAITING', context: { failures: 1, dueAt: now + 5_000 } });
  await later(5_000);
  expect(await state()).toMatchObject({ context: { failures: 2, dueAt: now + 10_000 } });
  source.failure = new FeedError('UNAUTHORIZED', 'refused');
  await later(10_000);
  expect(await state()).toMatchObject({ state: 'FAILED', context: { lastError: 'UNAUTHORIZED' } });
  await later(10_000);
  expect(await state()).toMatchObject({ state: 'FAILED' });
  source.failure = null;
  await ports.actorSystem.deliver(
    { to: 'feed', id, event: { type: 'START_ASKED', at: now } },
    { by: 'operator:ann' },
  );
  await later(0);
  expect(await state()).toMatchObject({ state: 'REPLICATING', context: { failures: 0 } });
});

test('two workers that read one page write it once', async () => {
  source.records = new Map([home('a'), home('b'), home('c'), home('d')]);
  const signal = new AbortController().signal;
  for (let turn = 0; turn < 6; turn++)
    await Promise.all([stepFeed(ports, id, signal), stepFeed(ports, id, signal)]);
  await settle(ports, id);
  expect(await shown()).toHaveLength(4);
  const feed = await readFeed(database.pool, id);
  expect(feed?.pages).toBe(2);
  expect(await breaches()).toEqual([]);
});

test('the user of a feed gets no session', async () => {
  const userId = (await readFeed(database.pool, id))?.actor.details.userId;
  await expect(
    database.pool.query(
      `insert into session (id, "userId", token, "expiresAt", "createdAt", "updatedAt") values (gen_random_uuid(), $1, 'x', now(), now(), now())`,
      [userId],
    ),
  ).rejects.toMatchObject({ code: 'PA002' });
});

test('a pause that the source asks for is kept by every worker; a wait for a place of our own rate is none', async () => {
  const stateNow = async () => (await readFeed(database.pool, id))?.actor;
  source.records = new Map([home('k1')]);
  source.failure = new NoPlaceError(7_000);
  await settle(ports, id);
  expect((await stateNow())?.state).toBe('REPLICATING');
  source.failure = new FeedError('RATE_LIMITED', 'the feed asks for a pause', 7_000);
  await settle(ports, id);
  const waiting = await stateNow();
  expect(waiting?.state).toBe('WAITING');
  expect(waiting?.context.dueAt).toBe(now + 7_000);
  source.failure = null;
  const { requests } = source;
  await later(6_999);
  expect(source.requests).toBe(requests);
  await later(1);
  expect(await shown()).toEqual(['k1']);
});
