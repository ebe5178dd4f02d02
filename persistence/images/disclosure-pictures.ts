import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { alteredLabel, type MediaAlteration } from '../../machines/disclosure/alterations.ts';
import type { Confirmation, PictureFacts } from '../../machines/disclosure/evaluate.ts';
import type { PhotoSubject } from '../../machines/disclosure/photo-subject.ts';
import type { Confirmable, Market } from '../../machines/disclosure/profile.ts';
import type { Place } from '../../machines/disclosure/profiles.ts';
import type { Pad } from '../../machines/framing.ts';
import { type CanonicalRoomType, DISCLOSURE_LABEL } from '../../machines/vocabulary.ts';
import { toDate } from '../database/instants.ts';
import {
  GALLERY_ORDER,
  hasPublicPage,
  isPublicPicture,
  ORIGINAL_JOIN,
} from '../database/listing-visibility.ts';
import { PICTURE_IMAGE_OF, PICTURE_ROOM } from '../database/photo-subject.ts';
import { padColumn, type StoredSize } from '../database/staged-frame.ts';
import { stagedStyleJoin } from '../database/staged-style.ts';
import { flagsInUse } from '../database/stored-drift.ts';
import { mayAct } from '../listings/agent-access.ts';

/** A public picture of a listing, with what disclosure and export need. */
export interface DisclosurePicture extends PictureFacts {
  /** Staged here. */
  readonly isStaged: boolean;
  readonly objectKey: string;
  readonly roomType: CanonicalRoomType | null;
  readonly imageOf: PhotoSubject | null;
  /** Of the stored picture; null for pictures of old releases. */
  readonly format: string | null;
  /** Which part of a staged picture is shown (docs/contract.md#framing). */
  readonly pad: Pad | null;
  /** Pixels of the stored picture; null for pictures of old releases. */
  readonly storedPixels: number | null;
}

export interface DisclosureListing extends Place {
  readonly propertyId: string;
  readonly hasPublicPage: boolean;
  /** In the order of the gallery: each photo, then those staged of it. */
  readonly pictures: readonly DisclosurePicture[];
  /** Names the altered pictures that the public sees, with their photos and labels: SHA-256, hex. */
  readonly alteredPictures: string;
  /** Those about exactly these altered pictures. */
  readonly confirmations: readonly Confirmation[];
}

/** What the check and the export are asked about. */
export type DisclosureSubject = { readonly propertyId: string } | { readonly imageId: string };

/** Far more than a listing has. */
const MOST_PICTURES = 3_000;

/** SQL. Pictures that were approved by an old release have none until their hashes were computed. */
const hasProvenanceRecord = (image: string): string =>
  `EXISTS (SELECT FROM provenance_records r WHERE r."stagedImageId" = ${image}.id)`;

/** SQL. False while there is no comparison. */
const isDriftFlagged = (image: string): string =>
  `EXISTS (SELECT FROM drift_comparisons d WHERE d."stagedImageId" = ${image}.id AND cardinality(${flagsInUse('d')}) > 0)`;

interface PictureRow extends StoredSize {
  imageId: string;
  originalImageId: string | null;
  isStyled: boolean;
  alteration: MediaAlteration | null;
  objectKey: string;
  roomType: CanonicalRoomType | null;
  imageOf: PhotoSubject | null;
  format: string | null;
  hasProvenanceRecord: boolean;
  isDriftFlagged: boolean;
}
interface ListingRow extends Omit<DisclosureListing, 'pictures' | 'alteredPictures'> {
  pictures: PictureRow[];
  confirmations: (Confirmation & { pictures: string })[];
}

const PICTURES = `
  SELECT i.id AS "imageId", coalesce(i."styledFromId", i."alteredFromId") AS "originalImageId", i."isStyled",
    i.alteration, i."objectKey", i."outputFormat" AS format,
    ${PICTURE_ROOM}, ${PICTURE_IMAGE_OF}, i."outputWidth" AS width, i."outputHeight" AS height,
    ${hasProvenanceRecord('i')} AS "hasProvenanceRecord", ${isDriftFlagged('i')} AS "isDriftFlagged",
    ${padColumn('staged_by')}
  FROM property_images i ${ORIGINAL_JOIN} ${stagedStyleJoin('i')}
  WHERE i."propertyId" = p.id AND ${isPublicPicture('i')}
  ${GALLERY_ORDER} LIMIT ${MOST_PICTURES}`;

/** All of a listing; a profile has at most one of each. */
const CONFIRMATIONS = `
  SELECT coalesce(jsonb_agg(jsonb_build_object('market', c.market, 'requirement', c.requirement, 'pictures', c.pictures,
    'confirmedAt', (extract(epoch FROM c.at) * 1000)::bigint)), '[]'::jsonb)
  FROM disclosure_confirmations c WHERE c."propertyId" = p.id`;

/**
 * The listing with its public pictures, from one snapshot, for one of its agents. A picture stands for its listing, of
 * which only it, its photo and those staged of it are read. Null for an unknown id, for someone else's listing, and
 * for a picture that is not approved.
 */
export async function readDisclosureListing(
  pool: Pool,
  { subject, agentId }: { subject: DisclosureSubject; agentId: string },
): Promise<DisclosureListing | null> {
  const imageId = 'imageId' in subject ? subject.imageId : null;
  const propertyId = 'propertyId' in subject ? subject.propertyId : null;
  const { rows } = await pool.query<ListingRow>(
    `SELECT p.id AS "propertyId", p.country, p."stateOrProvince", ${hasPublicPage('p')} AS "hasPublicPage",
       (SELECT coalesce(jsonb_agg(to_jsonb(picture)), '[]'::jsonb) FROM (${PICTURES}) picture) AS pictures,
       (${CONFIRMATIONS}) AS confirmations
     FROM properties p
     WHERE p.id = coalesce($1::uuid, (SELECT "propertyId" FROM property_images WHERE id = $3::uuid))
       AND ${mayAct('p', '$2')}`,
    [propertyId, agentId, imageId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const pictures = row.pictures.map(pictureOf);
  const alteredPictures = nameOfAltered(pictures);
  const confirmations = row.confirmations
    .filter((one) => one.pictures === alteredPictures)
    .map(({ pictures: _, ...confirmation }) => confirmation);
  const listing = { ...row, pictures, alteredPictures, confirmations };
  if (imageId === null) return listing;
  const picture = pictures.find((one) => one.imageId === imageId);
  if (picture === undefined) return null;
  const photoId = picture.originalImageId ?? imageId;
  const isStaged = picture.originalImageId !== null;
  return {
    ...listing,
    pictures: pictures.filter(
      (one) =>
        one.imageId === imageId || one.imageId === photoId || (!isStaged && one.originalImageId === photoId),
    ),
  };
}

function pictureOf({ width, height, isStyled, alteration, ...row }: PictureRow): DisclosurePicture {
  return {
    ...row,
    storedPixels: width === null || height === null ? null : width * height,
    isStaged: isStyled,
    isAltered: isStyled || alteration !== null,
    // Every surface shows it; every file that is made of a staged picture is marked; the pixels are never.
    label: isStyled ? DISCLOSURE_LABEL : alteration && alteredLabel(alteration),
    hasMachineReadableMark: isStyled,
    hasBurnedInMark: false,
  };
}

/** What is said about a set of pictures holds for no other set; their order is the market's. */
function nameOfAltered(pictures: readonly DisclosurePicture[]): string {
  const altered = pictures
    .filter(({ isAltered }) => isAltered)
    .map(({ imageId, originalImageId, label }) => JSON.stringify([imageId, originalImageId, label]));
  return createHash('sha256').update(altered.toSorted().join('\n')).digest('hex');
}

export interface NewConfirmations {
  readonly propertyId: string;
  readonly agentId: string;
  readonly market: Market;
  readonly requirements: readonly Confirmable[];
  /** `DisclosureListing.alteredPictures` as the agent saw them. */
  readonly pictures: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Stores an agent's confirmations. One about the same pictures stays as it is, so that a repeat changes neither who
 * nor when; one about other pictures is replaced. @returns false when the listing is gone or not the agent's
 */
export async function confirmDisclosure(
  pool: Pool,
  { propertyId, agentId, market, requirements, pictures, at }: NewConfirmations,
): Promise<boolean> {
  const { rows } = await pool.query<{ isAllowed: boolean }>(
    `WITH listing AS (SELECT p.id FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')}),
     stored AS (
       INSERT INTO disclosure_confirmations AS c ("propertyId", market, requirement, pictures, "agentId", at)
       SELECT id, $3, requirement, $5, $2::uuid, $6 FROM listing, unnest($4::text[]) requirement ORDER BY requirement
       ON CONFLICT ("propertyId", market, requirement) DO UPDATE
         SET pictures = excluded.pictures, "agentId" = excluded."agentId", at = excluded.at
         WHERE c.pictures <> excluded.pictures)
     SELECT EXISTS (SELECT FROM listing) AS "isAllowed"`,
    [propertyId, agentId, market, requirements, pictures, toDate(at)],
  );
  return rows[0]?.isAllowed === true;
}
