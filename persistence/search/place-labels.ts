import type { Reader } from '../database/reader.ts';
import { namedPlace } from './place-criteria.ts';

/** The key of a place as listings have it; null for an id of another kind. */
function keyOf(id: string, kind: 'city' | 'postalCode'): string | null {
  const named = namedPlace(id.toLowerCase());
  return named?.of === kind ? named.key : null;
}

/**
 * What places are called, by their ids, as suggestions call them: imported places, and cities and postal codes of our own
 * listings. Ids of other things have none. One statement.
 */
export async function placeLabels(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; label: string }>(
    `SELECT id, label FROM (
       SELECT asked.id, coalesce(
         (SELECT p.label FROM places p WHERE p.id = asked.id),
         (SELECT concat_ws(', ', h.city, h."stateOrProvince") FROM search_listings s JOIN properties h ON h.id = s."propertyId"
          WHERE s."onMarket" IN (true, false) AND s."cityKey" = asked."cityKey" LIMIT 1),
         (SELECT concat_ws(', ', h."postalCode", h.city, h."stateOrProvince")
          FROM search_listings s JOIN properties h ON h.id = s."propertyId"
          WHERE s."onMarket" IN (true, false) AND s."postalCodeKey" = asked."postalCodeKey" LIMIT 1)) AS label
       FROM unnest($1::text[], $2::text[], $3::text[]) AS asked(id, "cityKey", "postalCodeKey")) named
     WHERE label IS NOT NULL`,
    [ids, ids.map((id) => keyOf(id, 'city')), ids.map((id) => keyOf(id, 'postalCode'))],
  );
  return new Map(rows.map(({ id, label }) => [id, label]));
}
