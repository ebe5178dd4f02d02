import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STANDARD_STATUSES } from '../../../persistence/entities/values.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { Rows } from '../../support/database/schema-rows.ts';

/** What the triggers of 0077 write for many new listings at once. */
let pool: Pool;
beforeAll(async () => {
  ({ pool } = await openTestDatabase({ migrated: true }));
});
afterAll(closeTestDatabases);

/** A listing in every status: for sale and for rent, at its first price and at another, with and without an area. */
async function insertAll(owner: string, { together }: { together: boolean }): Promise<string[]> {
  const insert = (which: string) =>
    `insert into properties ("ownerAgentId", "standardStatus", "listPrice", "originalListPrice", "propertyType",
       "livingArea", "closePrice", "closeDate", address, city, latitude, longitude, "createdAt", "updatedAt", "listedAt")
     select $1, status, price, original, kind, area, case when status = 'Closed' then price end,
       case when status = 'Closed' then date '2026-01-09' end, 'Pine Street ' || nr, 'Seattle', 47.6, -122.3,
       timestamptz '2026-01-05', timestamptz '2026-01-05', timestamptz '2026-01-01' + nr * interval '1 minute'
     from (select row_number() over ()::int as nr, * from unnest($2::text[]) with ordinality as s(status, place),
         unnest(array[500000, 400000]) as price, unnest(array[null, 500000]) as original,
         unnest(array['Residential', 'Residential Lease']) as kind, unnest(array[null, 100]) as area) given
     where ${which} order by nr returning id`;
  const values = [owner, STANDARD_STATUSES];
  if (together) {
    const { rows } = await pool.query(insert('true'), values);
    return rows.map(({ id }) => id);
  }
  const ids: string[] = [];
  for (let nr = 1; ; nr++) {
    const { rows } = await pool.query(insert('nr = $3'), [...values, nr]);
    if (rows.length === 0) return ids;
    ids.push(rows[0].id);
  }
}

/** The rows that follow from each listing, without ids and without when they were written. */
async function followed(ids: readonly string[]) {
  const of = async (table: string, dropped: string[]) => {
    const { rows } = await pool.query(
      `select array(select to_jsonb(t) - $2::text[] from ${table} t where t."propertyId" = given.id
         order by to_jsonb(t) -> 'id') as found
       from unnest($1::uuid[]) with ordinality as given(id, nr) order by given.nr`,
      [ids, ['propertyId', 'id', ...dropped]],
    );
    return rows.map(({ found }) => found);
  };
  return {
    history: await of('property_price_events', ['correctsId']),
    search: await of('search_listings', []),
    addresses: await of('listing_addresses', []),
  };
}

test('listings inserted together get the history, search rows and addresses that each gets alone', async () => {
  const owner = await new Rows(pool).user({ role: 'agent' });
  const alone = await followed(await insertAll(owner, { together: false }));
  const together = await followed(await insertAll(owner, { together: true }));
  expect(together).toEqual(alone);
  expect(together.history.flat().map(({ event }) => event)).toEqual(
    expect.arrayContaining(['LISTED', 'LISTED_FOR_RENT', 'COMING_SOON', 'PRICE_CHANGED', 'SOLD', 'PENDING']),
  );
  const withoutPage = ['Incomplete', 'Delete'];
  const offered = STANDARD_STATUSES.filter((status) => !withoutPage.includes(status));
  expect(together.addresses.flat()).toHaveLength(
    (together.addresses.length / STANDARD_STATUSES.length) * offered.length,
  );
});

test('a listing that refuses its owner takes the whole statement with it', async () => {
  const rows = new Rows(pool);
  const owner = await rows.user({ role: 'agent' });
  const gone = '00000000-0000-4000-8000-00000000dead';
  await expect(
    pool.query(
      `insert into properties ("ownerAgentId", "listPrice", address, city)
       select owner, 1, 'Nowhere', 'Nowhere' from unnest($1::uuid[]) as owner`,
      [[owner, gone]],
    ),
  ).rejects.toThrow();
  const { rows: left } = await pool.query(`select from listing_addresses where city = 'Nowhere'`);
  expect(left).toEqual([]);
});
