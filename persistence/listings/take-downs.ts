import type { Pool } from 'pg';
import { OPEN_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type ActTrail, actCount, type Page, recordAct } from '../console/operator-acts.ts';
import { oneOf } from '../database/sql-values.ts';
import type { HidingReason, StandardStatus } from '../entities/values.ts';

/** A listing as operators see it. Taking it down hides it, whatever its status, and changes nothing else of it. */
export interface ListingForOperators {
  propertyId: string;
  ownerAgentId: string;
  standardStatus: StandardStatus;
  hiddenFor: HidingReason[];
  /** How many acts of operators there were about it. */
  version: number;
  photos: number;
  stagedPictures: number;
  openTours: number;
}

const LISTING = `
  SELECT p.id AS "propertyId", p."ownerAgentId", p."standardStatus", p."hiddenFor",
    ${actCount('propertyId', 'p.id')} AS version,
    (SELECT count(*)::int FROM property_images i WHERE i."propertyId" = p.id AND NOT i."isStyled") AS photos,
    (SELECT count(*)::int FROM property_images i WHERE i."propertyId" = p.id AND i."isStyled") AS "stagedPictures",
    (SELECT count(*)::int FROM tours t WHERE t."propertyId" = p.id AND t.status IN ${oneOf(OPEN_TOUR_STATUSES)})
      AS "openTours"
  FROM properties p`;

export async function listingForOperators(
  pool: Pool,
  propertyId: string,
): Promise<ListingForOperators | null> {
  const { rows } = await pool.query<ListingForOperators>(`${LISTING} WHERE p.id = $1`, [propertyId]);
  return rows[0] ?? null;
}

/** The newest listings of an owner. */
export async function listingsOfOwner(
  pool: Pool,
  ownerId: string,
  limit: number,
): Promise<ListingForOperators[]> {
  const { rows } = await pool.query<ListingForOperators>(
    `${LISTING} WHERE p."ownerAgentId" = $1 ORDER BY p."createdAt" DESC, p.id LIMIT $2`,
    [ownerId, limit],
  );
  return rows;
}

/** False when the listing is taken down already. */
export function takeDownListing(pool: Pool, propertyId: string, trail: ActTrail): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE properties SET "hiddenFor" = "hiddenFor" || '{TAKEN_DOWN}'
       WHERE id = $1 AND NOT 'TAKEN_DOWN' = ANY ("hiddenFor")`,
      [propertyId],
    );
    if (rowCount !== 1) return false;
    await recordAct(client, { act: 'take-down-listing', propertyId }, trail);
    return true;
  });
}

/** False when the listing is not taken down. It stays hidden while its owner is suspended. */
export function restoreListing(pool: Pool, propertyId: string, trail: ActTrail): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE properties SET "hiddenFor" = array_remove("hiddenFor", 'TAKEN_DOWN')
       WHERE id = $1 AND 'TAKEN_DOWN' = ANY ("hiddenFor")`,
      [propertyId],
    );
    if (rowCount !== 1) return false;
    await recordAct(client, { act: 'restore-listing', propertyId }, trail);
    return true;
  });
}

/** The open tours of a listing that was taken down. */
export async function openToursOfListing(
  pool: Pool,
  propertyId: string,
  { afterId, limit }: Page,
): Promise<{ id: string }[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM tours WHERE "propertyId" = $1 AND status IN ${oneOf(OPEN_TOUR_STATUSES)}
       AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [propertyId, afterId, limit],
  );
  return rows;
}

/** A page of listings that were taken down and still have open tours. */
export async function takenDownWithTours(pool: Pool, { afterId, limit }: Page): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT p.id FROM properties p
     WHERE p."hiddenFor" <> '{}' AND 'TAKEN_DOWN' = ANY (p."hiddenFor") AND ($1::uuid IS NULL OR p.id > $1)
       AND EXISTS (SELECT FROM tours t WHERE t."propertyId" = p.id AND t.status IN ${oneOf(OPEN_TOUR_STATUSES)})
     ORDER BY p.id LIMIT $2`,
    [afterId, limit],
  );
  return rows.map(({ id }) => id);
}
