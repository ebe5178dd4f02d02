import type { BenchEnvironment } from '../load/bench-environment.ts';
import { requestBytes } from '../load/request-bytes.ts';

/** As a browser asks for a page. */
export const PAGE_HEADERS = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };

export const pageOf = (id: string): string => `/properties/${id}`;

export const requestOfPage = (id: string): string =>
  requestBytes({ method: 'GET', path: pageOf(id), headers: PAGE_HEADERS });

/** Homes on the market, by their ids: neighbors in this order have nothing in common. */
export async function publicListings({ pool }: BenchEnvironment, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT "propertyId" AS id FROM search_listings WHERE "onMarket" ORDER BY 1 LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}
