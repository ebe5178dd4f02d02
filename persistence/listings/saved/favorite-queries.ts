import type { Pool } from 'pg';
import { type Millis, toDate, toMillis, withMillis } from '../../database/instants.ts';
import { hasPublicPage } from '../../database/listing-visibility.ts';
import type { Reader } from '../../database/reader.ts';
import type { Favorite } from '../../entities/property.ts';

/** A saved listing with its price and status at that moment. */
export type FavoriteMark = Millis<Omit<Favorite, 'userId'>> & {
  /** The note as others may see it: none about a home whose seller wants no comments with it. */
  publicNote: string | null;
};
/** With its rank in the list's order. */
export type RankedMark = FavoriteMark & { rank: number };

/** Saves a listing; a repeat changes nothing, so the first price stays. False when the listing is not public. */
export async function addFavorite(
  pool: Pool,
  { userId, propertyId, at }: { userId: string; propertyId: string; at: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `WITH listing AS (
       SELECT id, "listPrice", "standardStatus" FROM properties
       WHERE id = $2 AND ${hasPublicPage('properties')}
     ), saved AS (
       INSERT INTO favorites ("userId", "propertyId", "savedAt", "priceWhenSaved", "statusWhenSaved")
       SELECT $1, id, $3, "listPrice", "standardStatus" FROM listing
       ON CONFLICT DO NOTHING
     )
     SELECT EXISTS (SELECT FROM listing) AS found`,
    [userId, propertyId, toDate(at)],
  );
  return rows[0]?.found === true;
}

export async function removeFavorite(
  pool: Pool,
  { userId, propertyId }: { userId: string; propertyId: string },
): Promise<void> {
  await pool.query(`DELETE FROM favorites WHERE "userId" = $1 AND "propertyId" = $2`, [userId, propertyId]);
}

/** Orders of a list of favorites by the rank that a row has in it; the latest saved first among equals. */
const RANKS = {
  SAVED: '0::numeric',
  PRICE_UP: '-p."listPrice"',
  PRICE_DOWN: 'p."listPrice"',
  /** Those whose price or status is another one than when they were saved. */
  CHANGED: `((p."listPrice", p."standardStatus") IS DISTINCT FROM (f."priceWhenSaved", f."statusWhenSaved"))::integer::numeric`,
} as const;
export type FavoriteSort = keyof typeof RANKS;
export const FAVORITE_SORTS = Object.keys(RANKS) as FavoriteSort[];

export interface FavoritePage {
  userId: string;
  sort: FavoriteSort;
  after: { rank: number; at: number; id: string } | null;
  limit: number;
}

/** A page of the saved homes that have a public page. */
export async function favoritesOf(
  reader: Reader,
  { userId, sort, after, limit }: FavoritePage,
): Promise<RankedMark[]> {
  const rank = RANKS[sort];
  const { rows } = await reader.query<Omit<Favorite, 'userId'> & { publicNote: string | null; rank: number }>(
    `SELECT f."propertyId", f."savedAt", f."priceWhenSaved"::float8 AS "priceWhenSaved", f."statusWhenSaved", f.note,
       CASE WHEN p."showComments" THEN f.note END AS "publicNote", (${rank})::float8 AS rank
     FROM favorites f JOIN properties p ON p.id = f."propertyId"
     WHERE f."userId" = $1 AND ${hasPublicPage('p')}
       AND ($2::timestamptz IS NULL OR (${rank}, f."savedAt", f."propertyId") < ($5::numeric, $2, $3::uuid))
     ORDER BY ${rank} DESC, f."savedAt" DESC, f."propertyId" DESC LIMIT $4`,
    [userId, toDate(after?.at ?? null), after?.id ?? null, limit, after?.rank ?? null],
  );
  return rows.map(withMillis);
}

/** Where a home is in the order of saving; null when it is not in the list. */
export async function savedPosition(
  reader: Reader,
  { userId, propertyId }: { userId: string; propertyId: string },
): Promise<FavoritePage['after']> {
  const { rows } = await reader.query<Pick<Favorite, 'savedAt'>>(
    `SELECT f."savedAt" FROM favorites f JOIN properties p ON p.id = f."propertyId"
     WHERE f."userId" = $1 AND f."propertyId" = $2 AND ${hasPublicPage('p')}`,
    [userId, propertyId],
  );
  const [row] = rows;
  return row === undefined ? null : { rank: 0, at: toMillis(row.savedAt), id: propertyId };
}

/** @param note null for none. @returns false when the person has not saved the home, or it has no public page */
export async function setFavoriteNote(
  pool: Pool,
  { userId, propertyId, note }: { userId: string; propertyId: string; note: string | null },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE favorites f SET note = $3 FROM properties p
     WHERE f."userId" = $1 AND f."propertyId" = $2 AND p.id = f."propertyId" AND ${hasPublicPage('p')}`,
    [userId, propertyId, note],
  );
  return rowCount === 1;
}

/** All of them, newest first. */
export async function favoriteIdsOf(pool: Pool, userId: string): Promise<string[]> {
  const { rows } = await pool.query<{ propertyId: string }>(
    `SELECT "propertyId" FROM favorites WHERE "userId" = $1 ORDER BY "savedAt" DESC, "propertyId" DESC`,
    [userId],
  );
  return rows.map(({ propertyId }) => propertyId);
}
