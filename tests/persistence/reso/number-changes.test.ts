import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeBatch } from '../../../persistence/actors/retention.ts';
import { numberChanges } from '../../../persistence/reso/number-changes.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import {
  seedApproval,
  seedOpenHouse,
  seedOriginal,
  seedProperty,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { seedFeed } from '../../support/worlds/feed-listing.ts';

/** Changes get their numbers after their commits (docs/feeds.md#the-order-of-changes). */
let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 60 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => settle());

async function settle(): Promise<void> {
  for (;;) {
    const { numbered, isMore } = await numberChanges(pool);
    if (numbered === 0 && !isMore) return;
  }
}
interface Published {
  resource: string;
  key: string;
  seq: string;
  modifiedAt: Date;
  goneAt: Date | null;
}
const published = async (key: string): Promise<Published | null> =>
  (await pool.query<Published>('select * from published_records where key = $1', [key])).rows[0] ?? null;
/** The records with a new number after `act`, as `Resource name` by the given names. */
async function changedBy(names: Record<string, string>, act: () => Promise<unknown>): Promise<string[]> {
  await settle();
  const { rows: before } = await pool.query<{ last: string }>(
    'select "lastSeq" as last from listing_change_cursor',
  );
  await act();
  await settle();
  const { rows } = await pool.query<Published>(
    'select * from published_records where seq > $1 order by seq',
    [before[0]?.last],
  );
  const nameOf = (key: string) => Object.entries(names).find(([, id]) => id === key)?.[0] ?? 'other';
  return rows.map(
    ({ resource, key, goneAt }) => `${resource} ${nameOf(key)}${goneAt === null ? '' : ' gone'}`,
  );
}
const update = (id: string, columns: string, values: unknown[] = []) =>
  pool.query(`update properties set ${columns} where id = $1`, [id, ...values]);

describe('what gets a number', () => {
  test('a listing with its agent, office, pictures and open houses when it becomes public', async () => {
    const agent = await seedUser(pool, { officeName: 'North Office' });
    const home = await seedProperty(pool, { ownerAgentId: agent, standardStatus: 'Incomplete' });
    const { imageId: photo } = await seedOriginal(pool, { propertyId: home });
    const house = await seedOpenHouse(pool, { propertyId: home });
    await settle();
    expect(await published(home)).toBeNull();
    expect(
      await changedBy({ home, agent, photo, house }, () => update(home, `"standardStatus" = 'Active'`)),
    ).toEqual(['Office other', 'Member agent', 'OpenHouse house', 'Media photo', 'Property home']);
    expect(
      await changedBy({ home, agent, photo, house }, () => update(home, `"standardStatus" = 'Incomplete'`)),
    ).toEqual([
      'Office other gone',
      'Member agent gone',
      'OpenHouse house gone',
      'Media photo gone',
      'Property home gone',
    ]);
  });

  test.each([
    ['a price', `"listPrice" = 7`, ['Property home']],
    ['an address that is no longer shown', `"showAddress" = false`, ['Property home']],
    ['a version of the search', `"searchVersion" = 99`, []],
  ])('%s', async (_what, columns, expected) => {
    const home = await seedProperty(pool, { standardStatus: 'Active' });
    expect(await changedBy({ home }, () => update(home, columns))).toEqual(expected);
  });

  test('a picture when it is approved, withdrawn, and deleted with its photo', async () => {
    const home = await seedProperty(pool, { standardStatus: 'Active' });
    const { imageId: photo } = await seedOriginal(pool, { propertyId: home });
    const names = { home, photo, staged: '' };
    const set = (columns: string) =>
      pool.query(`update property_images set ${columns} where id = $1`, [names.staged]);
    expect(
      await changedBy(names, async () => {
        names.staged = await seedVariant(pool, { propertyId: home, imageId: photo });
      }),
    ).toEqual([]);
    expect(await changedBy(names, () => seedApproval(pool, names.staged))).toEqual([
      'Media staged',
      'Property home',
    ]);
    const withdrawn = `"withdrawnAt" = now(), "withdrawnBy" = 'AGENT', withdrawals = 1`;
    expect(await changedBy(names, () => set(withdrawn))).toEqual(['Media staged gone', 'Property home']);
    expect(await changedBy(names, () => set(`"withdrawnAt" = null, "withdrawnBy" = null`))).toEqual([
      'Media staged',
      'Property home',
    ]);
    const remove = () => pool.query('delete from property_images where id = $1', [photo]);
    expect(await changedBy(names, remove)).toEqual([
      'Media photo gone',
      'Media staged gone',
      'Property home',
    ]);
  });

  test('an agent with all listings when the name changes, and both offices', async () => {
    const agent = await seedUser(pool, { officeName: 'Old' });
    const home = await seedProperty(pool, { ownerAgentId: agent, standardStatus: 'Active' });
    const rename = () =>
      pool.query(`update "user" set "officeName" = 'New', name = 'N' where id = $1`, [agent]);
    expect((await changedBy({ agent, home }, rename)).toSorted()).toEqual([
      'Member agent',
      'Office other',
      'Office other gone',
      'Property home',
    ]);
  });

  test('never one of the sample, of a feed, or a draft', async () => {
    const { feedId } = await seedFeed(pool);
    const names: Record<string, string> = {};
    const act = async () => {
      names.sample = await seedProperty(pool, {
        standardStatus: 'Active',
        originatingSystemName: 'Sample',
        originatingSystemKey: '1',
      });
      names.fed = await seedProperty(pool, { standardStatus: 'Active', feedId });
      names.draft = await seedProperty(pool, { standardStatus: 'Incomplete' });
    };
    expect(await changedBy(names, act)).toEqual([]);
    expect((await pool.query('select from listing_changes')).rowCount).toBe(0);
  });

  test('a listing from before there were changes', async () => {
    const home = await seedProperty(pool, { standardStatus: 'Active' });
    await settle();
    await pool.query('delete from published_records');
    await pool.query('update listing_change_cursor set "isFilled" = false, "filledTo" = null');
    await settle();
    expect(await published(home)).not.toBeNull();
  });
});

describe('the order', () => {
  test('a transaction that commits late has a later number and time than those that a consumer has seen', async () => {
    const [late, early] = [
      await seedProperty(pool, { standardStatus: 'Active' }),
      await seedProperty(pool, { standardStatus: 'Active' }),
    ];
    await settle();
    const connection = await pool.connect();
    await connection.query('begin');
    await connection.query('update properties set "listPrice" = 1 where id = $1', [late]);
    await update(early, '"listPrice" = 2');
    await settle();
    const seen = await published(early);
    const before = await published(late);
    expect(Number(before?.seq)).toBeLessThan(Number(seen?.seq));
    await connection.query('commit');
    connection.release();
    await settle();
    const after = await published(late);
    expect(Number(after?.seq)).toBeGreaterThan(Number(seen?.seq));
    expect(after?.modifiedAt.getTime()).toBeGreaterThan(
      seen?.modifiedAt.getTime() ?? Number.POSITIVE_INFINITY,
    );
  });

  test('no two records of a resource have the same millisecond, whatever changes at once', async () => {
    await pool.query(
      `insert into properties (id, "ownerAgentId", "listPrice", address, city)
       select gen_random_uuid(), $1, 1, 'x', 'y' from generate_series(1, 1500)`,
      [await seedUser(pool)],
    );
    await settle();
    const { rows } = await pool.query<{ all: number; times: number }>(
      `select count(*)::int as all, count(distinct "modifiedAt")::int as times
       from published_records where resource = 'Property'`,
    );
    expect(rows[0]?.all).toBeGreaterThan(1_500);
    expect(rows[0]?.times).toBe(rows[0]?.all);
  });

  test('what becomes private is numbered before all that waits', async () => {
    const home = await seedProperty(pool, { standardStatus: 'Active' });
    await settle();
    await pool.query(
      `insert into properties (id, "ownerAgentId", "listPrice", address, city)
       select gen_random_uuid(), $1, 1, 'x', 'y' from generate_series(1, 5000)`,
      [await seedUser(pool)],
    );
    await update(home, `"standardStatus" = 'Delete'`);
    const { isMore } = await numberChanges(pool);
    expect(isMore).toBe(true);
    expect((await published(home))?.goneAt).not.toBeNull();
  });

  test('a record that is gone is kept ninety days', async () => {
    const home = await seedProperty(pool, { standardStatus: 'Active' });
    await settle();
    await update(home, `"standardStatus" = 'Delete'`);
    await settle();
    const goneAt = (await published(home))?.goneAt?.getTime() ?? 0;
    await removeBatch(pool, { what: 'goneRecords', before: goneAt, limit: 10_000 });
    expect(await published(home)).not.toBeNull();
    await removeBatch(pool, { what: 'goneRecords', before: goneAt + 1, limit: 10_000 });
    expect(await published(home)).toBeNull();
  });
});
