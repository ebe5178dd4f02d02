import { beforeEach, expect, test } from 'vitest';
import { unlistedCounts, unlistedRecords } from '../../../../persistence/feeds/feed-queries.ts';
import type { FeedKey } from '../../../../src/feeds/reading/feed-reading.ts';
import { writePage } from '../../../../src/feeds/writing/write-page.ts';
import { useStoreDatabase } from '../../../support/database/store-database.ts';
import { emptySource, feedPorts, home, startedFeed } from '../../../support/worlds/feed-world.ts';

/** What other records of a feed say of its listings (docs/feeds-in.md#people-offices-and-open-houses). */
const database = useStoreDatabase();
const DAY = '2099-05-04';
let feedId: string;
beforeEach(async () => {
  await database.clear();
  feedId = await startedFeed(feedPorts(database.pool, emptySource(), { now: () => Date.now() }), Date.now());
});

type Body = Record<string, unknown>;
const house = (key: string, ListingKey: string, hours: readonly [number, number], more: Body = {}): Body => ({
  OpenHouseKey: key,
  ListingKey,
  OpenHouseStartTime: `${DAY}T${String(hours[0]).padStart(2, '0')}:00:00Z`,
  OpenHouseEndTime: `${DAY}T${String(hours[1]).padStart(2, '0')}:00:00Z`,
  OpenHouseStatus: 'Active',
  OpenHouseType: 'Public',
  ...more,
});
async function write(bodies: readonly Body[], gone: readonly FeedKey[] = []): Promise<void> {
  const { rows } = await database.pool.query<{ version: number; pages: number }>(
    'select version, pages::int as pages from feeds where id = $1',
    [feedId],
  );
  const [seen] = rows;
  if (seen === undefined) throw new Error('no feed');
  const records = bodies.map((body) => {
    const related = ['OpenHouse', 'Member', 'Office'].find((name) => `${name}Key` in body);
    return {
      resource: related ?? 'Property',
      key: String(body[`${related ?? 'Listing'}Key`]),
      body,
      modifiedAt: null,
    };
  });
  const terms = {
    mapping: { optIn: false, use: null },
    mediaPermissions: ['Public'],
    standard: (_field: string, value: string) => value,
    currency: 'USD',
    isNews: true,
    isLook: true,
    listBegan: null,
    lookEveryMs: 60_000,
  };
  const page = { records, gone, cursor: {} as never, done: false };
  expect(await writePage(database.pool, { id: feedId, ...seen }, page, terms, () => null)).not.toBeNull();
}
const ahead = async () =>
  (
    await database.pool.query<{ said: string }>(
      `select concat_ws(' ', p."originatingSystemKey", o."feedKey", to_char(o."startsAt" at time zone 'UTC', 'HH24'),
         to_char(o."endsAt" at time zone 'UTC', 'HH24'), o.remarks) as said
       from open_houses o join properties p on p.id = o."propertyId" where o."canceledAt" is null order by 1`,
    )
  ).rows.map(({ said }) => said);
const [, listing] = home('k1');
const [, other] = home('k2');

test('are those of the records, whether the listing or the open house came first', async () => {
  await write([house('a', 'k1', [10, 12])]);
  expect(await ahead()).toEqual([]);
  await write([listing, other]);
  expect(await ahead()).toEqual(['k1 a 10 12']);
  await write([house('b', 'k2', [14, 16], { OpenHouseRemarks: 'Ring twice.' })]);
  expect(await ahead()).toEqual(['k1 a 10 12', 'k2 b 14 16 Ring twice.']);
});

test('two exchange their times, one moves to another listing, one is canceled, and one leaves', async () => {
  await write([listing, other]);
  await write([house('a', 'k1', [10, 12]), house('b', 'k1', [14, 16]), house('c', 'k1', [18, 20])]);
  await write([house('a', 'k1', [14, 16]), house('b', 'k1', [10, 12]), house('c', 'k2', [18, 20])]);
  expect(await ahead()).toEqual(['k1 a 14 16', 'k1 b 10 12', 'k2 c 18 20']);
  await write([house('a', 'k1', [14, 16], { OpenHouseStatus: 'Canceled' })]);
  await write([], [{ resource: 'OpenHouse', key: 'c' }]);
  expect(await ahead()).toEqual(['k1 b 10 12']);
  // The calendars of those who saved them hear of it.
  const { rows } = await database.pool.query(
    'select "feedKey" as key, version from open_houses where "canceledAt" is not null order by 1',
  );
  expect(rows).toMatchObject([{ key: 'a' }, { key: 'c' }]);
  await write([house('a', 'k1', [14, 16])]);
  expect(await ahead()).toEqual(['k1 a 14 16', 'k1 b 10 12']);
});

test('those that are not public, or can be none, are not shown; of two at one time the first one is', async () => {
  await write([listing]);
  await write([
    house('broker', 'k1', [8, 9], { OpenHouseType: 'Broker' }),
    house('ended', 'k1', [8, 9], { OpenHouseStatus: 'Ended' }),
    house('long', 'k1', [9, 22]),
    house('past', 'k1', [8, 9], {
      OpenHouseStartTime: '2020-01-01T08:00:00Z',
      OpenHouseEndTime: '2020-01-01T09:00:00Z',
    }),
    house('without', 'k1', [8, 9], { OpenHouseEndTime: null }),
    house('first', 'k1', [10, 12]),
    house('second', 'k1', [11, 13]),
  ]);
  expect(await ahead()).toEqual(['k1 first 10 12']);
});

test('remarks that name a hidden address are not shown, also when it is hidden later', async () => {
  const named = { OpenHouseRemarks: `Come to ${listing.UnparsedAddress}` };
  await write([listing, house('a', 'k1', [10, 12], named)]);
  expect(await ahead()).toEqual([`k1 a 10 12 Come to ${listing.UnparsedAddress}`]);
  await write([{ ...listing, InternetAddressDisplayYN: false }]);
  expect(await ahead()).toEqual(['k1 a 10 12']);
});

test('the same records again change nothing', async () => {
  const page = [listing, house('a', 'k1', [10, 12])];
  await write(page);
  const rows = async () => (await database.pool.query('select * from open_houses')).rows;
  const before = await rows();
  await write([
    { ...listing, Extra: 1 },
    { ...house('a', 'k1', [10, 12]), Extra: 1 },
  ]);
  expect(await rows()).toEqual(before);
});

test('an agent and an office that a listing names by their keys alone are named as their records say', async () => {
  const { ListOfficeName: _named, ...unnamed } = listing;
  const keys = { ListAgentKey: 'm1', ListOfficeKey: 'o1' };
  await write([
    { MemberKey: 'm1', MemberFullName: 'Lena Lister', MemberStateLicense: 'WA-4711' },
    { OfficeKey: 'o1', OfficeName: 'Bay Realty', OfficePhone: '206-555-0100' },
  ]);
  await write([
    { ...unnamed, ...keys },
    { ...other, ...keys, AttributionContact: 'me@harbor.example' },
  ]);
  const { rows } = await database.pool.query(
    `select "listAgentName" as agent, "listAgentLicense" as license, "listOfficeName" as office, "attributionContact" as contact
     from properties where "feedId" = $1 order by "originatingSystemKey"`,
    [feedId],
  );
  const agent = { agent: 'Lena Lister', license: 'WA-4711' };
  expect(rows).toEqual([
    { ...agent, office: 'Bay Realty', contact: '206-555-0100' },
    // What the record says itself counts.
    { ...agent, office: 'Harbor Realty', contact: 'me@harbor.example' },
  ]);
});

test('people and offices leave by a list that names others of them, and stay when it names none', async () => {
  const members = ['m1', 'm2'].map((key) => ({ MemberKey: key }));
  await write([...members, { OfficeKey: 'o1', OfficeName: 'Bay Realty' }]);
  const listBegan = Date.now() + 60_000;
  const list = { feedId, listBegan, resources: ['Member', 'Office'] };
  const leaving = async () => [
    (await unlistedCounts(database.pool, list)).others,
    await unlistedRecords(database.pool, { ...list, limit: 10 }),
  ];
  expect(await leaving()).toEqual([0, []]);
  await database.pool.query(`update feed_records set "listedAt" = $1 where key = 'm1'`, [
    new Date(listBegan),
  ]);
  expect(await leaving()).toEqual([1, [{ resource: 'Member', key: 'm2' }]]);
});
