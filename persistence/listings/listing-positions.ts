import { hasPublicPage } from '../database/listing-visibility.ts';
import type { Reader } from '../database/reader.ts';
import type { Position } from '../search/search-index.ts';

/** The public positions of these listings, by id. One without a public page, or without a position, is left out. */
export async function publicPositions(
  reader: Reader,
  propertyIds: readonly string[],
): Promise<ReadonlyMap<string, Position>> {
  const { rows } = await reader.query<Position & { id: string }>(
    `SELECT p.id, p.latitude, p.longitude FROM properties p
     WHERE p.id = ANY($1) AND ${hasPublicPage('p')} AND p.latitude IS NOT NULL AND p.longitude IS NOT NULL`,
    [propertyIds],
  );
  return new Map(rows.map(({ id, ...position }) => [id, position]));
}
