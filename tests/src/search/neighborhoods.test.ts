import { expect, test } from 'vitest';
import { createNeighborhoods } from '../../../src/search/neighborhoods.ts';
import { seedProperty, seedUser } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { createManualTime } from '../../support/manual-time.ts';

const database = useStoreDatabase();
const FRESH_MS = 60_000;
/** From so many listings on, the figures are kept. */
const MANY = 500;

test('the figures of a large neighborhood are kept for a minute, for all its listings; of a small one they are not', async () => {
  const { pool } = database;
  const ownerAgentId = await seedUser(pool);
  const seed = (postalCode: string) => seedProperty(pool, { ownerAgentId, postalCode });
  const [small, first, second] = [await seed('20001'), await seed('10001'), await seed('10001')];
  const more = (postalCode: string, count: number) =>
    pool.query(
      `insert into properties (id, "ownerAgentId", "listPrice", "standardStatus", address, city, "postalCode", country,
         "listedAt", "createdAt", "updatedAt")
       select gen_random_uuid(), $1, 250000, 'Active', n || ' Street', 'Springfield', $2, 'US', now(), now(), now()
       from generate_series(1, $3) n`,
      [ownerAgentId, postalCode, count],
    );
  await more('10001', MANY - 2);

  const time = createManualTime();
  const neighborhoods = createNeighborhoods(time)(pool);
  const count = async (id: string) => (await neighborhoods.statsFor(id))?.total;
  expect([await count(small), await count(first)]).toEqual([1, MANY]);
  await more('20001', 1);
  await more('10001', 1);
  expect([await count(small), await count(second)]).toEqual([2, MANY]);
  time.advance(FRESH_MS);
  expect(await count(second)).toBe(MANY + 1);
});
