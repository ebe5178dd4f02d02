import type { Pool } from 'pg';
import { asOnlyCounter } from './only-counter.ts';

/**
 * The cities and postal codes of the listings with a public page (`listing_regions`). A region is all addresses with the
 * same city, state and postal code. It is counted again from them after one has changed. Always true after a commit: a
 * region without a row in `listing_region_changes` has the rows that its addresses say. A crash leaves everything as it was.
 */

/** The rows of regions, from `listing_addresses a`. */
export const REGION_ROWS = `
  SELECT a."regionText", a.city, a."stateOrProvince", a."postalCode", a.country, count(*)::int AS listings,
    count(a.latitude)::int AS placed, min(a.longitude) AS west, min(a.latitude) AS south, max(a.longitude) AS east,
    max(a.latitude) AS north, sum(a.latitude) AS latitudes, sum(a.longitude) AS longitudes,
    search_text(a.city) AS "cityText", search_text(a."postalCode") AS "codeText"`;
export const ONE_REGION = 'GROUP BY a."regionText", a.city, a."stateOrProvince", a."postalCode", a.country';

/** All changes of the regions that changed first. */
const TAKE_CHANGES = `
  DELETE FROM listing_region_changes WHERE "regionText" IN
    (SELECT "regionText" FROM listing_region_changes ORDER BY id LIMIT $1)
  RETURNING "regionText"`;
const REMOVE = 'DELETE FROM listing_regions WHERE "regionText" = ANY ($1::text[])';
const COUNT = `INSERT INTO listing_regions ${REGION_ROWS}
  FROM listing_addresses a WHERE a."regionText" = ANY ($1::text[]) ${ONE_REGION}`;

/**
 * Counts the regions that have changed. Each statement also sees what was committed after the one before it: that is
 * counted now, and once more when its own note is taken.
 * @param limit of the changes from which the regions are taken
 */
export async function countChangedRegions(pool: Pool, limit: number): Promise<void> {
  await asOnlyCounter(pool, 'regions', async (client) => {
    const { rows } = await client.query<{ regionText: string }>(TAKE_CHANGES, [limit]);
    const regions = [...new Set(rows.map(({ regionText }) => regionText))];
    await client.query(REMOVE, [regions]);
    await client.query(COUNT, [regions]);
  });
}
