import type { Pool, QueryConfig } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { similarProperties } from '../../../persistence/listings/property-details.ts';
import {
  closeTestDatabases,
  type OpenedDatabase,
  openTestDatabase,
} from '../../support/database/legacy-database.ts';
import { seedProperty, seedUser } from '../../support/database/seed.ts';

let database: OpenedDatabase;
beforeAll(async () => {
  database = await openTestDatabase({ migrated: true });
});
afterAll(closeTestDatabases);

test('places nearly at zero degrees stop no other listing, and have neighbors', async () => {
  const { pool } = database;
  const ownerAgentId = await seedUser(pool);
  const seed = (latitude: number, longitude: number) =>
    seedProperty(pool, { ownerAgentId, latitude, longitude });
  const near = await seed(5e-324, -5e-324);
  const nearer = await seed(0, 0);
  // So many that the index has several pages: it then reckons with the places it holds.
  for (let nth = 0; nth < 400; nth += 1) await seed(40 + nth / 1_000, (nth % 2) * 5e-324);
  expect((await similarProperties(pool, { propertyId: near, limit: 1 }))?.[0]?.propertyId).toBe(nearer);
});

test('neighbors are compared in their index alone', async () => {
  const { pool } = database;
  await pool.query('vacuum analyze properties');
  const texts: string[] = [];
  const query = async ({ text }: QueryConfig) => {
    texts.push(text);
    return { rows: [] };
  };
  await similarProperties({ query } as unknown as Pool, { propertyId: '', limit: 6 });
  const { rows } = await pool.query(`explain (generic_plan) ${texts[0]}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Only Scan using properties_neighbours_idx');
});
