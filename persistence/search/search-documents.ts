import type { Pool, QueryConfig } from 'pg';
import type { MediaAlteration } from '../../machines/disclosure/alterations.ts';
import type { PhotoSubject } from '../../machines/disclosure/photo-subject.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import {
  GALLERY_ORDER,
  hasPublicPage,
  isOffered,
  isPublicPicture,
  ORIGINAL_JOIN,
} from '../database/listing-visibility.ts';
import { type OpenHouseAhead, openHousesAhead } from '../database/open-houses-ahead.ts';
import { PICTURE_IMAGE_OF } from '../database/photo-subject.ts';
import { prepared } from '../database/prepared.ts';
import type { Reader } from '../database/reader.ts';
import type { Property } from '../entities/property.ts';
import { LAST_CHANGE_COLUMNS, type LastChange, lastChangeJoin } from './price-cuts.ts';

/**
 * The sources of the search documents. A property is dirty from the transaction that changed it until a rebuild of that
 * very version is confirmed. Triggers set the mark, so that no writer can forget it.
 */
export interface SearchSource {
  propertyId: string;
  version: number;
  /** Only listings on the market have one. */
  hasDocument: boolean;
  listing: Millis<ListingColumns>;
  images: PublicImage[];
}
type ListingColumns = Pick<
  Property,
  | 'listPrice'
  | 'currency'
  | 'bedroomsTotal'
  | 'bathroomsTotal'
  | 'livingArea'
  | 'livingAreaUnits'
  | 'address'
  | 'unitNumber'
  | 'city'
  | 'stateOrProvince'
  | 'postalCode'
  | 'latitude'
  | 'longitude'
  | 'propertyType'
  | 'standardStatus'
  | 'features'
  | 'listedAt'
  | 'offMarketAt'
>;
interface PublicImage {
  imageId: string;
  isStyled: boolean;
  isMain: boolean;
  alteration: MediaAlteration | null;
  imageOf: PhotoSubject | null;
}

/** What a card says that no document holds: it is read for each answer. */
interface FreshColumns extends LastChange, Pick<Property, 'closePrice' | 'closeDate'> {
  /** The firm that lists a home of a feed. */
  listedBy: string | null;
  openHouses: OpenHouseAhead[];
}
export type FreshFacts = Millis<FreshColumns>;
const FRESH_COLUMNS = `p."closePrice"::float8 AS "closePrice", p."closeDate"::text AS "closeDate",
  p."listOfficeName" AS "listedBy", ${openHousesAhead('p')} AS "openHouses", ${LAST_CHANGE_COLUMNS}`;

/** Only listings on the market have a document. */
const HAS_DOCUMENT = isOffered('p');

/** Originals in order, each followed by its approved variants. Nothing private, whatever its other columns. */
const IMAGES = `
  SELECT i.id AS "imageId", i."isStyled", i."isMain", i.alteration, ${PICTURE_IMAGE_OF}
  FROM property_images i ${ORIGINAL_JOIN}
  WHERE i."propertyId" = p.id AND ${isPublicPicture('i')}
  ${GALLERY_ORDER}`;

/** One statement, so that listing and pictures have one snapshot and a document never mixes two versions. */
const SOURCES = `
  SELECT p.id AS "propertyId", p."searchVersion"::float8 AS version, p."searchDirtyAt" IS NOT NULL AS "isDirty",
    ${HAS_DOCUMENT} AS "hasDocument",
    p."listPrice"::float8 AS "listPrice", p.currency, p."bedroomsTotal", p."bathroomsTotal"::float8 AS "bathroomsTotal",
    p."livingArea"::float8 AS "livingArea", p."livingAreaUnits", p.address, p."unitNumber", p.city, p."stateOrProvince",
    p."postalCode", p.latitude, p.longitude, p."propertyType", p."standardStatus", p.features, p."listedAt", p."offMarketAt",
    ARRAY(SELECT to_jsonb(image) FROM (${IMAGES}) image) AS images
  FROM properties p`;

/** A source as it was read. While it is dirty, its document may have an older version. */
export type SourceRead = SearchSource & { isDirty: boolean };
type SourceRow = ListingColumns & Omit<SourceRead, 'listing'>;

/** `which`: the end of the statement, from WHERE on. */
const readSourcesWhere = (pool: Reader, which: string, values: unknown[]): Promise<SourceRead[]> =>
  readSourcesBy(pool, { text: `${SOURCES} WHERE ${which}`, values });

async function readSourcesBy(pool: Reader, query: QueryConfig): Promise<SourceRead[]> {
  const { rows } = await pool.query<SourceRow>(query);
  return rows.map(toSource);
}

function toSource({ propertyId, version, isDirty, hasDocument, images, ...row }: SourceRow): SourceRead {
  return { propertyId, version, isDirty, hasDocument, listing: withMillis(row), images };
}

/**
 * The sources of listings that a statement finds: as many questions as for their ids alone.
 * @param found a constant statement whose one row has the `ids`, of public listings; without a row the answer is null
 */
export async function readSourcesFound(
  pool: Reader,
  found: string,
  values: unknown[],
): Promise<FreshSource[] | null> {
  const { rows } = await pool.query<(SourceRow & FreshColumns) | { propertyId: null }>(
    prepared(
      `SELECT source.*, ${FRESH_COLUMNS} FROM (${found}) found
       LEFT JOIN LATERAL unnest(found.ids) WITH ORDINALITY AS place (id, nth) ON true
       LEFT JOIN LATERAL (${SOURCES} WHERE p.id = place.id) source ON true
       LEFT JOIN properties p ON p.id = place.id ${lastChangeJoin('p')}
       ORDER BY place.nth`,
      values,
    ),
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) => {
    if (row.propertyId === null) return [];
    const { closePrice, closeDate, listedBy, openHouses, changedAt, loweredBy, ...source } = row;
    const fresh = withMillis({ closePrice, closeDate, listedBy, openHouses, changedAt, loweredBy });
    return [{ ...toSource(source), fresh }];
  });
}
export type FreshSource = SearchSource & { fresh: FreshFacts };

/** The given listings that are public, on the market or not, in no order. */
export function readPublicSources(pool: Reader, propertyIds: readonly string[]): Promise<SearchSource[]> {
  return readSourcesBy(pool, prepared(PUBLIC_SOURCES, [propertyIds]));
}
const PUBLIC_SOURCES = `${SOURCES} WHERE p.id = ANY ($1::uuid[]) AND ${hasPublicPage('p')}`;

/** The version that a document must have, so that a reader can trust it, and what no document holds. */
export interface DocumentState {
  propertyId: string;
  version: number;
  hasDocument: boolean;
  fresh: FreshFacts;
}

/** One for each given listing that is public, in no order. */
export async function readDocumentStates(
  pool: Reader,
  propertyIds: readonly string[],
): Promise<DocumentState[]> {
  const { rows } = await pool.query<Omit<DocumentState, 'fresh'> & FreshColumns>(
    prepared(DOCUMENT_STATES, [propertyIds]),
  );
  return rows.map(({ propertyId, version, hasDocument, ...fresh }) => ({
    propertyId,
    version,
    hasDocument,
    fresh: withMillis(fresh),
  }));
}
const DOCUMENT_STATES = `
  SELECT p.id AS "propertyId", p."searchVersion"::float8 AS version, ${HAS_DOCUMENT} AS "hasDocument",
    ${FRESH_COLUMNS}
  FROM properties p ${lastChangeJoin('p')} WHERE p.id = ANY ($1::uuid[]) AND ${hasPublicPage('p')}`;

interface Page {
  afterId: string | null;
  limit: number;
}

/** A page of the listings that need a document, by id. */
export function readDocumentSources(pool: Pool, { afterId, limit }: Page): Promise<SourceRead[]> {
  const which = `($1::uuid IS NULL OR p.id > $1) AND ${HAS_DOCUMENT} ORDER BY p.id LIMIT $2`;
  return readSourcesWhere(pool, which, [afterId, limit]);
}

/** The given listings, in no order; deleted ones are left out. */
export function readSourcesOf(pool: Pool, propertyIds: readonly string[]): Promise<SearchSource[]> {
  return readSourcesWhere(pool, 'p.id = ANY ($1::uuid[])', [propertyIds]);
}

/** A page of all listings by id, with or without a document. */
export function readSources(pool: Pool, { afterId, limit }: Page): Promise<SearchSource[]> {
  return readSourcesWhere(pool, '($1::uuid IS NULL OR p.id > $1) ORDER BY p.id LIMIT $2', [afterId, limit]);
}

/** The present versions of these listings; a deleted listing has none. */
export async function readVersions(pool: Pool, propertyIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: string; version: number }>(
    `SELECT id, "searchVersion"::float8 AS version FROM properties WHERE id = ANY ($1::uuid[])`,
    [propertyIds],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The given ids that need a document. */
export async function idsWithDocument(pool: Pool, propertyIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT p.id FROM properties p WHERE p.id = ANY ($1::uuid[]) AND ${HAS_DOCUMENT}`,
    [propertyIds],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface DocumentCounts {
  /** How many documents there should be. */
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

/**
 * Confirms rebuilds of these versions and returns the ids that are clean now. The others have changed since, or another
 * transaction is changing them: this never waits for a row, so it takes part in no deadlock.
 */
export async function confirmIndexed(
  pool: Pool,
  { written, at }: { written: readonly Pick<SearchSource, 'propertyId' | 'version'>[]; at: number },
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH clean AS (
       SELECT p.id FROM properties p JOIN unnest($1::uuid[], $2::bigint[]) AS w(id, version)
         ON p.id = w.id AND p."searchVersion" = w.version
       FOR NO KEY UPDATE OF p SKIP LOCKED)
     UPDATE properties p SET "searchDirtyAt" = NULL, "searchIndexedAt" = $3 FROM clean WHERE p.id = clean.id
     RETURNING p.id`,
    [written.map(({ propertyId }) => propertyId), written.map(({ version }) => version), toDate(at)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A place among the dirty properties, which are walked in the order of their changes. */
export interface DirtyMark {
  id: string;
  /** PostgreSQL's own text: a Date would lose the microseconds. */
  dirtyAt: string;
}

export async function dirtyProperties(
  pool: Pool,
  { after, limit }: { after: DirtyMark | null; limit: number },
): Promise<DirtyMark[]> {
  const { rows } = await pool.query<DirtyMark>(
    `SELECT id, "searchDirtyAt"::text AS "dirtyAt" FROM properties
     WHERE "searchDirtyAt" IS NOT NULL AND ($1::timestamptz IS NULL OR ("searchDirtyAt", id) > ($1, $2::uuid))
     ORDER BY "searchDirtyAt", id LIMIT $3`,
    [after?.dirtyAt ?? null, after?.id ?? null, limit],
  );
  return rows;
}

/** Which of its work the search has to do. */
export interface DueSearchWork {
  /** A property is dirty or has left a tombstone. */
  documents: boolean;
  cells: boolean;
  regions: boolean;
}

export async function dueSearchWork(pool: Pool): Promise<DueSearchWork> {
  const { rows } = await pool.query<DueSearchWork>(
    `SELECT EXISTS (SELECT FROM properties WHERE "searchDirtyAt" IS NOT NULL)
         OR EXISTS (SELECT FROM search_tombstones) AS documents,
       EXISTS (SELECT FROM search_cell_changes) AS cells, EXISTS (SELECT FROM listing_region_changes) AS regions`,
  );
  if (rows[0] === undefined) throw new Error('a SELECT without FROM gives one row');
  return rows[0];
}

export async function searchTombstones(pool: Pool, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ propertyId: string }>(
    `SELECT "propertyId" FROM search_tombstones ORDER BY "deletedAt" LIMIT $1`,
    [limit],
  );
  return rows.map(({ propertyId }) => propertyId);
}

/**
 * While all documents are rebuilt the tombstone stays, because a worker that dies may have written the document again.
 */
export async function buryTombstone(pool: Pool, propertyId: string): Promise<void> {
  await pool.query(
    `DELETE FROM search_tombstones
     WHERE "propertyId" = $1 AND NOT EXISTS (SELECT FROM search_epoch WHERE "finishedAt" IS NULL)`,
    [propertyId],
  );
}
