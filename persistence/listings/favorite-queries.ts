import type { Pool } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import type { Favorite } from '../entities/property.ts';

/** A saved listing with its price and status at that moment. */
export type FavoriteMark = Millis<Omit<Favorite, 'userId'>>;

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

export interface FavoritePage {
  userId: string;
  after: { at: number; id: string } | null;
  limit: number;
}

/** Newest first. */
export async function favoritesOf(
  pool: Pool,
  { userId, after, limit }: FavoritePage,
): Promise<FavoriteMark[]> {
  const { rows } = await pool.query<Omit<Favorite, 'userId'>>(
    `SELECT f."propertyId", f."savedAt", f."priceWhenSaved"::float8 AS "priceWhenSaved", f."statusWhenSaved"
     FROM favorites f JOIN properties p ON p.id = f."propertyId"
     WHERE f."userId" = $1 AND ${hasPublicPage('p')}
       AND ($2::timestamptz IS NULL OR (f."savedAt", f."propertyId") < ($2, $3::uuid))
     ORDER BY f."savedAt" DESC, f."propertyId" DESC LIMIT $4`,
    [userId, toDate(after?.at ?? null), after?.id ?? null, limit],
  );
  return rows.map(withMillis);
}

/** All of them, newest first. */
export async function favoriteIdsOf(pool: Pool, userId: string): Promise<string[]> {
  const { rows } = await pool.query<{ propertyId: string }>(
    `SELECT "propertyId" FROM favorites WHERE "userId" = $1 ORDER BY "savedAt" DESC, "propertyId" DESC`,
    [userId],
  );
  return rows.map(({ propertyId }) => propertyId);
}
