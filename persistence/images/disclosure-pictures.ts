import type { Pool } from 'pg';
import { alteredLabel, type MediaAlteration } from '../../machines/disclosure/alterations.ts';
import type { PictureFacts } from '../../machines/disclosure/evaluate.ts';
import type { Place } from '../../machines/disclosure/profiles.ts';
import type { Pad } from '../../machines/framing.ts';
import { type CanonicalRoomType, DISCLOSURE_LABEL } from '../../machines/vocabulary.ts';
import {
  GALLERY_ORDER,
  hasPublicPage,
  isPublicPicture,
  ORIGINAL_JOIN,
} from '../database/listing-visibility.ts';
import { padColumn, type StoredSize } from '../database/staged-frame.ts';
import { stagedStyleJoin } from '../database/staged-style.ts';
import { mayAct } from '../listings/agent-access.ts';

/** A public picture of a listing, with what disclosure and export need. */
export interface DisclosurePicture extends PictureFacts {
  /** Staged here. */
  readonly isStaged: boolean;
  readonly objectKey: string;
  readonly roomType: CanonicalRoomType | null;
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
  `EXISTS (SELECT FROM drift_comparisons d WHERE d."stagedImageId" = ${image}.id AND cardinality(d.flags) > 0)`;

interface PictureRow extends StoredSize {
  imageId: string;
  originalImageId: string | null;
  isStyled: boolean;
  alteration: MediaAlteration | null;
  objectKey: string;
  roomType: CanonicalRoomType | null;
  hasProvenanceRecord: boolean;
  isDriftFlagged: boolean;
}
interface ListingRow extends Omit<DisclosureListing, 'pictures'> {
  pictures: PictureRow[];
}

const PICTURES = `
  SELECT i.id AS "imageId", coalesce(i."styledFromId", i."alteredFromId") AS "originalImageId", i."isStyled",
    i.alteration, i."objectKey",
    coalesce(i."roomType", o."roomType") AS "roomType", i."outputWidth" AS width, i."outputHeight" AS height,
    ${hasProvenanceRecord('i')} AS "hasProvenanceRecord", ${isDriftFlagged('i')} AS "isDriftFlagged",
    ${padColumn('staged_by')}
  FROM property_images i ${ORIGINAL_JOIN} ${stagedStyleJoin('i')}
  WHERE i."propertyId" = p.id AND ${isPublicPicture('i')}
  ${GALLERY_ORDER} LIMIT ${MOST_PICTURES}`;

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
       (SELECT coalesce(jsonb_agg(to_jsonb(picture)), '[]'::jsonb) FROM (${PICTURES}) picture) AS pictures
     FROM properties p
     WHERE p.id = coalesce($1::uuid, (SELECT "propertyId" FROM property_images WHERE id = $3::uuid))
       AND ${mayAct('p', '$2')}`,
    [propertyId, agentId, imageId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const pictures = row.pictures.map(pictureOf);
  if (imageId === null) return { ...row, pictures };
  const picture = pictures.find((one) => one.imageId === imageId);
  if (picture === undefined) return null;
  const photoId = picture.originalImageId ?? imageId;
  const isStaged = picture.originalImageId !== null;
  return {
    ...row,
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
