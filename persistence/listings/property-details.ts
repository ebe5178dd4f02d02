import type { AlterationSource, MediaAlteration } from '../../machines/disclosure/alterations.ts';
import type { PhotoSubject } from '../../machines/disclosure/photo-subject.ts';
import type { CanonicalRoomType } from '../../machines/vocabulary.ts';
import { answeringAgent } from '../database/answering-agent.ts';
import { type Millis, withMillis } from '../database/instants.ts';
import {
  GALLERY_ORDER,
  hasPublicPage,
  isNotAmongHidden,
  isPublicPicture,
  ORIGINAL_JOIN,
} from '../database/listing-visibility.ts';
import { type OpenHouseAhead, openHousesAhead } from '../database/open-houses-ahead.ts';
import { credentialsColumn, type PhotoCredentials } from '../database/photo-credentials.ts';
import { PICTURE_IMAGE_OF, PICTURE_ROOM } from '../database/photo-subject.ts';
import { prepared } from '../database/prepared.ts';
import type { Reader } from '../database/reader.ts';
import { framedSizeOf, padColumn, type StoredSize } from '../database/staged-frame.ts';
import { type StagedStyle, stagedStyleColumns, stagedStyleJoin } from '../database/staged-style.ts';
import { LAST_CHANGE_COLUMNS, type LastChange, lastChangeJoin } from '../search/price-cuts.ts';
import { type FreshSource, readSourcesFound } from '../search/search-documents.ts';
import { mayAct } from './agent-access.ts';
import { type Listing, listingColumns } from './listing-columns.ts';
import { MARKET_TIME_COLUMNS, type MarketTimeRow } from './property-queries.ts';

/** A public picture. */
export interface DetailImage extends StagedStyle {
  imageId: string;
  isStyled: boolean;
  isMain: boolean;
  alteration: MediaAlteration | null;
  alterationBy: AlterationSource | null;
  /** The photo without the alteration. */
  alteredFromId: string | null;
  /** The original of a staged variant; null for originals. */
  originalImageId: string | null;
  roomType: CanonicalRoomType | null;
  imageOf: PhotoSubject | null;
  /** The size at which it is shown. */
  width: number | null;
  height: number | null;
  credentials: PhotoCredentials | null;
}

/** An agent as customers see them (docs/contract.md#listings). */
export interface AgentCard {
  agentId: string;
  fullName: string;
  photoUrl: string | null;
  licenseNumber: string | null;
  officeName: string | null;
  phone: string | null;
  /** Null unless the agent chose to show it. */
  email: string | null;
}

/** What a feed's listing has of its feed. */
export interface FeedFacts {
  profile: string;
  officeName: string | null;
  contact: string | null;
  agentName: string | null;
  agentLicense: string | null;
  updatedAt: number | null;
  showsAddress: boolean;
}

interface DetailRow extends Listing, MarketTimeRow, LastChange {
  propertyId: string;
  /** Null when no agent here answers for a feed's listing. */
  agent: AgentCard | null;
  /** Null for a listing that was made here. */
  feed: FeedFacts | null;
  listedBy: string | null;
  images: (DetailImage & StoredSize)[];
  openHouses: OpenHouseAhead[];
}
export type PropertyDetail = Omit<Millis<DetailRow>, 'images'> & { images: DetailImage[] };

const AGENT_CARD = `CASE WHEN a.id IS NOT NULL THEN jsonb_build_object('agentId', a.id, 'fullName', a.name, 'photoUrl', a.image,
  'licenseNumber', a."licenseNumber", 'officeName', a."officeName", 'phone', a.phone,
  'email', CASE WHEN a."emailPublic" THEN a.email END) END`;

/** Originals in order, each followed by its approved variants. Nothing private, for any caller. */
const IMAGES = `
  SELECT i.id AS "imageId", i."isStyled", i."isMain", i.alteration, i."alterationBy", i."alteredFromId", i."styledFromId" AS "originalImageId",
    ${PICTURE_ROOM}, ${PICTURE_IMAGE_OF}, i."outputWidth" AS width, i."outputHeight" AS height,
    ${credentialsColumn('i')}, ${stagedStyleColumns('i')}, ${padColumn('staged_by')}
  FROM property_images i ${ORIGINAL_JOIN} ${stagedStyleJoin('i')}
  WHERE i."propertyId" = p.id AND ${isPublicPicture('i')}
  ${GALLERY_ORDER}`;

const FEED_FACTS = `(SELECT jsonb_build_object('profile', f.profile, 'officeName', p."listOfficeName",
    'contact', p."attributionContact", 'agentName', p."listAgentName", 'agentLicense', p."listAgentLicense",
    'updatedAt', (extract(epoch FROM p."feedUpdatedAt") * 1000)::bigint, 'showsAddress', p."showAddress")
  FROM feeds f WHERE f.id = p."feedId")`;

const DETAIL = `
  SELECT p.id AS "propertyId", ${listingColumns('p')}, ${MARKET_TIME_COLUMNS}, ${LAST_CHANGE_COLUMNS},
    ${AGENT_CARD} AS agent, ${FEED_FACTS} AS feed, p."listOfficeName" AS "listedBy",
    (SELECT coalesce(jsonb_agg(to_jsonb(picture)), '[]'::jsonb) FROM (${IMAGES}) picture) AS images,
    ${openHousesAhead('p')} AS "openHouses"
  FROM properties p LEFT JOIN "user" a ON a.id = ${answeringAgent('p')} ${lastChangeJoin('p')}
  WHERE p.id = $1
    AND (${hasPublicPage('p')} OR ((p."standardStatus" = 'Incomplete' OR p."hiddenFor" = '{AWAITS_APPROVAL}') AND ${mayAct('p', '$2')}))`;

/**
 * The listing with its pictures and agent, from one snapshot. Null when it is not public; its own agents also see it as
 * a draft, and before the owner's approval. A private listing and an unknown id give the same empty result.
 */
export async function readPropertyDetail(
  pool: Reader,
  { propertyId, viewerId }: { propertyId: string; viewerId: string | null },
): Promise<PropertyDetail | null> {
  const { rows } = await pool.query<DetailRow>(prepared(DETAIL, [propertyId, viewerId]));
  const [row] = rows;
  return row === undefined ? null : { ...withMillis(row), images: row.images.map(framedSizeOf) };
}

/** The agent who answers for the listing, null for none; the whole is null when the listing has no public page. */
export async function readAgentCard(
  pool: Reader,
  propertyId: string,
): Promise<{ agent: AgentCard | null } | null> {
  const { rows } = await pool.query<{ agent: AgentCard | null }>(
    `SELECT ${AGENT_CARD} AS agent FROM properties p LEFT JOIN "user" a ON a.id = ${answeringAgent('p')}
     WHERE p.id = $1 AND ${hasPublicPage('p')}`,
    [propertyId],
  );
  return rows[0] ?? null;
}

/** On the market, and not sold yet; the condition of properties_neighbours_idx. */
const isStillOffered = (property: string): string =>
  `${property}."standardStatus" IN ('Active', 'Active Under Contract', 'Coming Soon')`;

/** Of so many neighbors the most similar are chosen, so that the cost does not grow with a city. */
const NEIGHBOURS = 200;
/** The most that can be asked for. */
export const MOST_SIMILAR = 20;

/**
 * Degrees east of 360° west and north of the south pole, for the index. A difference of two of them is 0 or large enough
 * to be squared: PostgreSQL refuses to reckon with the smallest numbers. The sine of the second is the cosine of the
 * latitude.
 */
const placeOf = (property: string): string => `point(${property}.longitude + 360, ${property}.latitude + 90)`;

// A listing without a place has no neighbors: it is compared with its whole city.
const CANDIDATES = `
  SELECT near.* FROM (
    SELECT * FROM properties p WHERE ${isStillOffered('p')}
    ORDER BY ${placeOf('p')} <-> ${placeOf('s')} LIMIT ${NEIGHBOURS}) near
  WHERE ${placeOf('s')} IS NOT NULL
  UNION ALL
  SELECT p.* FROM properties p
  WHERE ${placeOf('s')} IS NULL AND p.country = s.country AND lower(p.city) = lower(s.city)
    AND ${isStillOffered('p')}`;

// Cut to $2 at the end: with `LIMIT $2` among many listings, PostgreSQL planned it again each time, which took as long as
// the answer.
const SIMILAR = `
  SELECT (ARRAY(
     SELECT p.id FROM (${CANDIDATES}) p
     WHERE p.country = s.country AND lower(p.city) = lower(s.city)
       AND p."stateOrProvince" IS NOT DISTINCT FROM s."stateOrProvince" AND p.id <> s.id
       AND p.currency = s.currency
       AND coalesce(p."propertyType" LIKE '% Lease', false) = property_is_lease(s)
       AND p."listPrice" BETWEEN s."listPrice" / 2 AND s."listPrice" * 2
       AND ${isNotAmongHidden('p')}
     ORDER BY
       -- Each part is about 1 where people stop calling two homes alike.
       abs(p."listPrice" - s."listPrice") / greatest(s."listPrice", 1) / 0.25
       + coalesce(abs(p."bedroomsTotal" - s."bedroomsTotal"), 1)
       + coalesce(abs(p."livingArea" - s."livingArea") / greatest(s."livingArea", 1) / 0.3, 1)
       + CASE WHEN p."propertyType" IS DISTINCT FROM s."propertyType" THEN 2 ELSE 0 END
       + CASE WHEN p."propertySubType" IS DISTINCT FROM s."propertySubType" THEN 1 ELSE 0 END
       -- Degrees will do at the size of a city; 0.03 is about three kilometres.
       + coalesce(sqrt((${placeOf('p')} - ${placeOf('s')})[1] ^ 2
           + ((${placeOf('p')} - ${placeOf('s')})[0] * sin(radians((${placeOf('s')})[1]))) ^ 2) / 0.03, 2),
       p.id
     LIMIT ${MOST_SIMILAR}))[1:$2] AS ids
   FROM properties s WHERE s.id = $1 AND ${hasPublicPage('s')}`;

/**
 * Listings similar to this one, best first: the same offer (for sale or for rent), in its city, at between half and
 * double its price, nearest in price, size and place, of its 200 nearest neighbors, whose figures
 * properties_neighbours_idx holds. Null when it has no public page.
 */
export const similarProperties = (
  pool: Reader,
  { propertyId, limit }: { propertyId: string; limit: number },
): Promise<FreshSource[] | null> => readSourcesFound(pool, SIMILAR, [propertyId, limit]);
