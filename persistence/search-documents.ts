import type { Pool } from 'pg';
import { DISCLOSURE_LABEL } from '../machines/vocabulary.ts';
import type { StandardStatus } from './entities/property.ts';
import { type Instant, toDate, toMillis } from './instants.ts';

/**
 * What the search index is rebuilt from. A property is dirty from the transaction that changed it until a
 * rebuild of that very version is confirmed; triggers set the mark, so no writer can forget it.
 */
export interface SearchSource {
  propertyId: string;
  version: number;
  listing: ListingRow;
  images: PublicImage[];
}
export interface ListingRow {
  listPrice: string;
  currency: string;
  bedroomsTotal: number | null;
  bathroomsTotal: string | null;
  livingArea: string | null;
  livingAreaUnits: string;
  address: string;
  city: string;
  stateOrProvince: string | null;
  postalCode: string | null;
  latitude: number | null;
  longitude: number | null;
  propertyType: string | null;
  standardStatus: StandardStatus;
  features: string[];
  listedAt: number | null;
}
export interface PublicImage {
  imageId: string;
  isStyled: boolean;
  isMain: boolean;
  disclosureLabel: string | null;
}

/** Listings that people can still ask for; only these have a document. */
const SEARCHABLE = `('Active', 'Active Under Contract', 'Coming Soon', 'Pending')`;

/** Null when the property has no document: gone, or off the market. */
const READ_LISTING = `
  SELECT "searchVersion", "listPrice"::text, currency, "bedroomsTotal", "bathroomsTotal"::text,
    "livingArea"::text, "livingAreaUnits", address, city, "stateOrProvince", "postalCode", latitude, longitude,
    "propertyType", "standardStatus", features, "listedAt", "standardStatus" IN ${SEARCHABLE} AS searchable
  FROM properties WHERE id = $1`;

/** Originals in order, each followed by its approved variants; nothing private, whatever its other columns. */
const READ_IMAGES = `
  SELECT i.id AS "imageId", i."isStyled", i."isMain"
  FROM property_images i LEFT JOIN property_images o ON o.id = i."styledFromId"
  WHERE i."propertyId" = $1 AND (NOT i."isStyled" OR i."reviewStatus" = 'APPROVED')
  ORDER BY coalesce(o."isMain", i."isMain") DESC, coalesce(o.position, i.position),
    coalesce(o."createdAt", i."createdAt"), coalesce(o.id, i.id), i."isStyled", i."createdAt", i.id`;

export async function readSearchSource(
  pool: Pool,
  propertyId: string,
): Promise<{ version: number; source: SearchSource | null } | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that cannot even roll back is not given to the next one.
  const noteBroken = (error: Error) => {
    broken = error;
  };
  try {
    // Listing and pictures of one instant, so that a document never mixes two versions.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [row] = (
      await client.query<
        Omit<ListingRow, 'listedAt'> & {
          searchVersion: number;
          searchable: boolean;
          listedAt: Instant | null;
        }
      >(READ_LISTING, [propertyId])
    ).rows;
    const images = (await client.query<Omit<PublicImage, 'disclosureLabel'>>(READ_IMAGES, [propertyId])).rows;
    await client.query('COMMIT');
    if (!row) return null;
    const { searchVersion, searchable, listedAt, ...listing } = row;
    const version = Number(searchVersion);
    if (!searchable) return { version, source: null };
    return {
      version,
      source: {
        propertyId,
        version,
        listing: { ...listing, listedAt: toMillis(listedAt) },
        images: images.map((image) => ({
          ...image,
          disclosureLabel: image.isStyled ? DISCLOSURE_LABEL : null,
        })),
      },
    };
  } catch (error) {
    await client.query('ROLLBACK').catch(noteBroken);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Confirms a rebuild; false when the property has changed since and must be rebuilt again. */
export async function confirmIndexed(
  pool: Pool,
  request: { propertyId: string; version: number; at: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE properties SET "searchDirtyAt" = NULL, "searchIndexedAt" = $3 WHERE id = $1 AND "searchVersion" = $2`,
    [request.propertyId, request.version, toDate(request.at)],
  );
  return rowCount === 1;
}

export async function dirtyProperties(
  pool: Pool,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM properties WHERE "searchDirtyAt" IS NOT NULL AND ($1::uuid IS NULL OR id > $1)
     ORDER BY id LIMIT $2`,
    [afterId, limit],
  );
  return rows.map(({ id }) => id);
}

/** After the store lost its documents: every property is rebuilt. */
export async function markAllDirty(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE properties SET "searchDirtyAt" = now() WHERE "searchDirtyAt" IS NULL`,
  );
  return rowCount ?? 0;
}

export async function searchTombstones(pool: Pool, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ propertyId: string }>(
    `SELECT "propertyId" FROM search_tombstones ORDER BY "deletedAt" LIMIT $1`,
    [limit],
  );
  return rows.map(({ propertyId }) => propertyId);
}

export async function buryTombstone(pool: Pool, propertyId: string): Promise<void> {
  await pool.query(`DELETE FROM search_tombstones WHERE "propertyId" = $1`, [propertyId]);
}
