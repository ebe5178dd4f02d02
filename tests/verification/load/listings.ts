import type pg from 'pg';

/** Degrees; the county around Seattle. */
export const MARKET = { west: -122.5, south: 47.2, east: -121.7, north: 47.8 };

/** Writes `count` listings of one owner, spread over `MARKET`, so that searches have something to look through. */
export async function fillMarket(pool: pg.Pool, count: number, ownerAgentId: string): Promise<void> {
  await pool.query(
    `insert into properties (id, "ownerAgentId", "listPrice", "originalListPrice", currency, "bedroomsTotal",
       "bathroomsTotal", "livingArea", address, city, "stateOrProvince", "postalCode", latitude, longitude,
       "propertyType", "standardStatus", features, "listedAt")
     select gen_random_uuid(), $1, price, price, 'USD', 1 + number % 5, 1 + number % 3, 600 + number % 3000,
       number || ' Load Street', 'Seattle', 'WA', '98101', $2 + random() * ($3::float8 - $2::float8),
       $4 + random() * ($5::float8 - $4::float8), 'Residential', 'Active', '{FIREPLACE}',
       now() - number * interval '1 minute'
     from generate_series(1, $6::int) as number, lateral (select 200000 + 500 * (number % 4000) as price) as priced`,
    [ownerAgentId, MARKET.south, MARKET.north, MARKET.west, MARKET.east, count],
  );
  await pool.query('analyze');
}
