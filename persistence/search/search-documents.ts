import type { Pool } from 'pg';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import {
  GALLERY_ORDER,
  hasPublicPage,
  isOffered,
  isPublicPicture,
  ON_MARKET_STATUSES,
} from '../database/listing-visibility.ts';
import type { StandardStatus } from '../entities/property.ts';

/**
 * What the search documents are rebuilt from. A property is dirty from the transaction that changed it until a
 * rebuild of that very version is confirmed; triggers set the mark, so no writer can forget it.
 */
export interface SearchSource {
  propertyId: string;
  version: number;
  listing: ListingRow;
  images: PublicImage[];
}
interface ListingRow {
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
  offMarketAt: number | null;
}
interface PublicImage {
  imageId: string;
  isStyled: boolean;
  isMain: boolean;
}

/** Listings that people can still ask for; only these have a document. */
export function hasDocument(status: StandardStatus): boolean {
  return ON_MARKET_STATUSES.some((known) => known === status);
}
const HAS_DOCUMENT = isOffered('p');

/** Originals in order, each followed by its approved variants; nothing private, whatever its other columns. */
const IMAGES = `
  SELECT i.id AS "imageId", i."isStyled", i."isMain"
  FROM property_images i LEFT JOIN property_images o ON o.id = i."styledFromId"
  WHERE i."propertyId" = p.id AND ${isPublicPicture('i')}
  ${GALLERY_ORDER}`;

/** One statement: listing and pictures are of one instant, so that a document never mixes two versions. */
const SOURCES = `
  SELECT p.id AS "propertyId", p."searchVersion" AS version, p."searchDirtyAt" IS NOT NULL AS "isDirty",
    p."listPrice"::text AS "listPrice", p.currency, p."bedroomsTotal", p."bathroomsTotal"::text AS "bathroomsTotal",
    p."livingArea"::text AS "livingArea", p."livingAreaUnits", p.address, p.city, p."stateOrProvince", p."postalCode",
    p.latitude, p.longitude, p."propertyType", p."standardStatus", p.features, p."listedAt", p."offMarketAt",
    ARRAY(SELECT to_jsonb(image) FROM (${IMAGES}) image) AS images
  FROM properties p`;

type SourceRow = Stored<ListingRow, 'listedAt' | 'offMarketAt'> &
  Omit<SourceRead, 'listing' | 'version'> & { version: number | string };
/** A source as it was read; while it is dirty its document may be of an older version. */
export type SourceRead = SearchSource & { isDirty: boolean };

function fromRow({ propertyId, version, isDirty, images, ...row }: SourceRow): SourceRead {
  return { propertyId, version: Number(version), isDirty, listing: withMillis(row), images };
}

/** Null when the property is gone; its source is null when it is to have no document. */
export async function readSearchSource(
  pool: Pool,
  propertyId: string,
): Promise<{ version: number; source: SearchSource | null } | null> {
  const [row] = (await pool.query<SourceRow>(`${SOURCES} WHERE p.id = $1`, [propertyId])).rows;
  if (!row) return null;
  const source = fromRow(row);
  return { version: source.version, source: hasDocument(source.listing.standardStatus) ? source : null };
}

/** The listings among these that the public may see, on the market or not, in no order. */
export async function readPublicSources(pool: Pool, propertyIds: readonly string[]): Promise<SearchSource[]> {
  const sql = `${SOURCES} WHERE p.id = ANY ($1::uuid[]) AND ${hasPublicPage('p')}`;
  return (await pool.query<SourceRow>(sql, [propertyIds])).rows.map(fromRow);
}

/** What a reader needs in order to trust a document: the version that it must be of. */
export interface DocumentState {
  propertyId: string;
  version: number;
  hasDocument: boolean;
}

/** One per listing among these that the public may see, in no order. */
export async function readDocumentStates(
  pool: Pool,
  propertyIds: readonly string[],
): Promise<DocumentState[]> {
  const { rows } = await pool.query<DocumentState>(
    `SELECT p.id AS "propertyId", p."searchVersion" AS version, ${HAS_DOCUMENT} AS "hasDocument"
     FROM properties p WHERE p.id = ANY ($1::uuid[]) AND ${hasPublicPage('p')}`,
    [propertyIds],
  );
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

/** A page of the listings that are to have a document, by id. */
export async function readDocumentSources(
  pool: Pool,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<SourceRead[]> {
  const sql = `${SOURCES} WHERE ($1::uuid IS NULL OR p.id > $1) AND ${HAS_DOCUMENT} ORDER BY p.id LIMIT $2`;
  return (await pool.query<SourceRow>(sql, [afterId, limit])).rows.map(fromRow);
}

/** A page of all listings by id, with or without a document. */
export async function readSources(
  pool: Pool,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<SearchSource[]> {
  const sql = `${SOURCES} WHERE ($1::uuid IS NULL OR p.id > $1) ORDER BY p.id LIMIT $2`;
  return (await pool.query<SourceRow>(sql, [afterId, limit])).rows.map(fromRow);
}

/** The present versions of these listings; one that is gone has none. */
export async function readVersions(pool: Pool, propertyIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: string; version: number | string }>(
    `SELECT id, "searchVersion" AS version FROM properties WHERE id = ANY ($1::uuid[])`,
    [propertyIds],
  );
  return new Map(rows.map(({ id, version }) => [id, Number(version)]));
}

/** Those of these ids that are to have a document. */
export async function idsWithDocument(pool: Pool, propertyIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT p.id FROM properties p WHERE p.id = ANY ($1::uuid[]) AND ${HAS_DOCUMENT}`,
    [propertyIds],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface DocumentCounts {
  /** How many documents there are to be. */
  expected: number;
  /** How many rebuilds and removals of single documents are still due. */
  owed: number;
  /** Whether the rebuild of all documents is under way. */
  isRebuilding: boolean;
}

export async function countDocuments(pool: Pool): Promise<DocumentCounts> {
  const { rows } = await pool.query<DocumentCounts>(
    `SELECT (SELECT count(*)::int FROM search_listings WHERE "onMarket") AS expected,
       (SELECT count(*)::int FROM properties WHERE "searchDirtyAt" IS NOT NULL)
         + (SELECT count(*)::int FROM search_tombstones) AS owed,
       EXISTS (SELECT FROM search_epoch WHERE "finishedAt" IS NULL) AS "isRebuilding"`,
  );
  return rows[0] ?? { expected: 0, owed: 0, isRebuilding: false };
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

export async function searchTombstones(pool: Pool, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ propertyId: string }>(
    `SELECT "propertyId" FROM search_tombstones ORDER BY "deletedAt" LIMIT $1`,
    [limit],
  );
  return rows.map(({ propertyId }) => propertyId);
}

/** While all documents are rebuilt it stays: a worker that dies may have written the document once more. */
export async function buryTombstone(pool: Pool, propertyId: string): Promise<void> {
  await pool.query(
    `DELETE FROM search_tombstones
     WHERE "propertyId" = $1 AND NOT EXISTS (SELECT FROM search_epoch WHERE "finishedAt" IS NULL)`,
    [propertyId],
  );
}
