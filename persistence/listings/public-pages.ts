import { hasPublicPage } from '../database/listing-visibility.ts';
import type { Reader } from '../database/reader.ts';

/** Ids of listings with a public page, from `first` to `last`, in order. Reads by the primary key. */
export async function publicPagesBetween(
  pool: Reader,
  { first, last, limit }: { readonly first: string; readonly last: string; readonly limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT p.id FROM properties p WHERE p.id BETWEEN $1 AND $2 AND ${hasPublicPage('p')} ORDER BY p.id LIMIT $3`,
    [first, last, limit],
  );
  return rows.map(({ id }) => id);
}
