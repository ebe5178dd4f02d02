import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { countChangedCells } from '../../../persistence/search/cell-counting.ts';
import { countChangedRegions } from '../../../persistence/search/region-counting.ts';

/**
 * Invented listings, distributed like those of King County: most are around towns, dense in the middle and sparse
 * outside; prices are log-normal; most are on the market. The database generates them. The function that triggers
 * call per row is called once for all rows.
 */

/** Name, share of the listings, center, and their distance from it (one standard deviation, degrees). */
const TOWNS = [
  { name: 'Seattle', share: 0.42, latitude: 47.62, longitude: -122.33, spread: 0.055 },
  { name: 'Bellevue', share: 0.12, latitude: 47.61, longitude: -122.19, spread: 0.035 },
  { name: 'Redmond', share: 0.09, latitude: 47.68, longitude: -122.12, spread: 0.035 },
  { name: 'Renton', share: 0.08, latitude: 47.48, longitude: -122.2, spread: 0.035 },
  { name: 'Kent', share: 0.08, latitude: 47.38, longitude: -122.23, spread: 0.04 },
  { name: 'Federal Way', share: 0.08, latitude: 47.31, longitude: -122.33, spread: 0.035 },
  { name: 'Issaquah', share: 0.07, latitude: 47.55, longitude: -122.04, spread: 0.04 },
  { name: 'Auburn', share: 0.06, latitude: 47.3, longitude: -122.2, spread: 0.04 },
] as const;
/** Anywhere in the county. */
const COUNTRYSIDE = { west: -122.5, east: -121.4, south: 47.16, north: 47.78 };
const SEED = 0.42;
/** What descriptions are made of. Each says some of them. */
const DESCRIBED =
  `bright quiet home with a large kitchen and garden near the park close to schools shops transit new roof renovated bath
  open plan high ceilings deck view of lake mountains storage basement light corner lot fenced yard`.split(
    /\s+/,
  );
const SAID = 0.4;

const PROPERTIES = `
  INSERT INTO properties (id, "ownerAgentId", "listPrice", "originalListPrice", "bedroomsTotal", "bathroomsTotal",
    "livingArea", "lotSizeArea", "yearBuilt", "propertyType", "propertySubType", "garageSpaces", "associationFee",
    "associationFeeFrequency", "publicRemarks", "closeDate", "standardStatus", address, city, "stateOrProvince",
    "postalCode", latitude, longitude, features, "listedAt", "searchVersion")
  SELECT gen_random_uuid(), $2, price, price * 1.03, 1 + floor(random() * 6), 1 + floor(random() * 8) / 4,
    round(exp(random_normal(7.55, 0.42))::numeric), round(exp(random_normal(8.98, 0.9))::numeric),
    1900 + floor(random() * 125), (ARRAY['Residential', 'Residential', 'Residential', 'Residential Lease', 'Land'])
      [1 + floor(random() * 5)],
    (ARRAY['Single Family Residence', 'Single Family Residence', 'Condominium', 'Townhouse'])[1 + floor(random() * 4)],
    floor(random() * 4), fee, CASE WHEN fee IS NOT NULL THEN 'Monthly' END,
    -- Of each home others: the condition names its row.
    (SELECT string_agg(word, ' ') FROM unnest($8::text[]) AS word WHERE number > 0 AND random() < ${SAID}),
    CASE WHEN status = 'Closed' THEN current_date - floor(random() * 300)::int END, status,
    number || ' Bench Street', coalesce(($7::text[])[town], 'Carnation'), 'WA', '98' || lpad((number % 200)::text, 3, '0'),
    CASE WHEN town <= ${TOWNS.length} THEN ($4::float8[])[town] + random_normal(0, 1) * ($6::float8[])[town]
      ELSE ${COUNTRYSIDE.south} + random() * ${COUNTRYSIDE.north - COUNTRYSIDE.south} END,
    CASE WHEN town <= ${TOWNS.length} THEN ($5::float8[])[town] + random_normal(0, 1) * ($6::float8[])[town]
      ELSE ${COUNTRYSIDE.west} + random() * ${COUNTRYSIDE.east - COUNTRYSIDE.west} END,
    (ARRAY['{FIREPLACE,GARAGE}', '{DECK}', '{WATERFRONT,GARAGE}', '{}'])[1 + floor(random() * 4)]::text[],
    now() - random() * interval '300 days', 1
  FROM (SELECT number, width_bucket(random(), $3::float8[]) + 1 AS town,
      round(exp(random_normal(13.05, 0.52))::numeric, -2) AS price,
      CASE WHEN random() < 0.3 THEN round((100 + random() * 500)::numeric) END AS fee,
      (ARRAY['Active', 'Active', 'Active', 'Active', 'Active', 'Coming Soon', 'Pending', 'Active Under Contract',
        'Closed', 'Closed'])[1 + floor(random() * 10)] AS status
    FROM generate_series(1, $1::int) AS number OFFSET 0) made`;

/** As the triggers would have noted them. */
const CHANGED_CELLS = `
  INSERT INTO search_cell_changes (x, y) SELECT DISTINCT "cellX" >> 3, "cellY" >> 3
  FROM search_listings WHERE "onMarket" AND "cellX" IS NOT NULL`;
const CHANGED_REGIONS =
  'INSERT INTO listing_region_changes ("regionText") SELECT DISTINCT "regionText" FROM listing_addresses';
const CHANGES = 20_000;
const COUNTED = 'search_cells, search_cell_changes, listing_regions, listing_region_changes';

/** Replaces the existing listings with `count` new ones. */
export async function seedListings(pool: Pool, count: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `TRUNCATE properties, search_listings, search_words, listing_addresses, ${COUNTED} CASCADE`,
    );
    // Triggers and foreign keys are disabled for these rows.
    await client.query(`SET session_replication_role = replica`);
    await client.query(`SELECT setseed(${SEED})`);
    const shares = TOWNS.map((_, index) =>
      TOWNS.slice(0, index + 1).reduce((sum, { share }) => sum + share, 0),
    );
    const columns = (['latitude', 'longitude', 'spread', 'name'] as const).map((name) =>
      TOWNS.map((town) => town[name]),
    );
    await client.query(PROPERTIES, [count, await seedAgent(client), shares, ...columns, DESCRIBED]);
    await fill(client, 'search_listings', 'search_listing_of');
    await client.query('INSERT INTO search_words SELECT id, search_words_of(p) FROM properties p');
    await fill(client, 'listing_addresses', 'listing_address_of');
    await client.query(`RESET session_replication_role`);
    await client.query(CHANGED_CELLS);
    while ((await countChangedCells(pool, CHANGES)) > 0);
    await client.query(CHANGED_REGIONS);
    await countChangedRegions(pool, CHANGES);
    await client.query(
      `VACUUM (ANALYZE) properties, search_listings, search_words, listing_addresses, ${COUNTED}`,
    );
    await client.query('CHECKPOINT');
  } finally {
    client.release();
  }
}

async function seedAgent(client: PoolClient): Promise<string> {
  const id = randomUUID();
  await client.query(
    `INSERT INTO "user" (id, name, email, "emailVerified", role, "createdAt", "updatedAt")
     VALUES ($1, 'Ada Agent', $2, true, 'agent', now(), now())`,
    [id, `${id}@example.com`],
  );
  return id;
}

/** A sorted build of an index takes a tenth of the time that a million insertions take. */
async function fill(client: PoolClient, table: string, rowsOfListing: string): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = $1 AND indexname NOT LIKE '%_pkey'`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${client.escapeIdentifier(name)}`);
  await client.query(`INSERT INTO ${table} SELECT made.* FROM properties p, ${rowsOfListing}(p) made`);
  for (const { definition } of rows) await client.query(definition);
}
