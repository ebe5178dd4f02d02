import { z } from 'zod';
import { ALTERATION_SOURCES, MEDIA_ALTERATIONS } from '../../machines/disclosure/alterations.ts';
import { PHOTO_SUBJECTS } from '../../machines/disclosure/photo-subject.ts';
import { CANONICAL_ROOM_TYPES, PHOTO_STATES, REVIEW_STATUSES } from '../../machines/vocabulary.ts';
import type { PropertyImageView } from '../../persistence/images/image-queries.ts';
import { instant, iso, uuid, viewOf } from './text.ts';

/** The address of an image; the image proxy decides whether it may be seen (docs/contract.md#showing-pictures). */
export function imageUrl(publicBaseUrl: string, imageId: string): string {
  return `${publicBaseUrl}/api/images/${imageId}`;
}

/** The address of a staged picture's provenance page, which never changes (docs/contract.md#disclosure). */
export function provenanceUrl(publicBaseUrl: string, stagedImageId: string): string {
  return `${publicBaseUrl}/provenance/${stagedImageId}`;
}

/** What a photo or picture shows, in RESO's words; null where no one has said it. */
export const imageOfField = z.enum(PHOTO_SUBJECTS).nullable();

/** A room is one of the things that `imageOf` can say. */
function saysOnce<T extends { roomType?: string | null; imageOf?: string | null }>({
  value,
  issues,
}: z.core.ParsePayload<T>): void {
  if ((value.roomType ?? null) === null || value.imageOf === undefined) return;
  const message = 'Give roomType or imageOf, not both.';
  issues.push({ code: 'custom', input: value, path: ['imageOf'], message });
}

/** Text fields of `POST /api/property-images`; an empty field counts as absent, as forms send it. */
export const uploadFields = z
  .strictObject({
    propertyId: uuid,
    roomType: z
      .enum(CANONICAL_ROOM_TYPES)
      .or(z.literal('').transform(() => null))
      .nullable()
      .default(null),
    imageOf: z
      .enum(PHOTO_SUBJECTS)
      .or(z.literal('').transform(() => undefined))
      .optional(),
  })
  .check(saysOnce);

/** Body of `PATCH /api/property-images/{id}`; absent fields stay unchanged. */
export const imagePatch = z
  .strictObject({
    isMain: z.boolean(),
    /** Position among the listing's originals from 0; a larger number means the end. */
    position: z.int().min(0),
    roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
    imageOf: imageOfField,
    /** The answer to the question whether it is a true photo. */
    isTruePhoto: z.literal(true),
  })
  .partial()
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    message: 'Nothing to change: give isMain, position, roomType, imageOf or isTruePhoto.',
  })
  .check(saysOnce);
export type ImagePatch = z.output<typeof imagePatch>;

/**
 * How a photo was altered before it came here, whose word that is, and the photo without the alteration; null for unaltered
 * ones and staged pictures.
 */
export const alterationFields = {
  alteration: z.enum(MEDIA_ALTERATIONS).nullable(),
  alterationBy: z.enum(ALTERATION_SOURCES).nullable(),
  alteredFromId: z.string().nullable(),
};

/** Input of `properties.declareAltered`: without `originalImageId` no photo is named as the unaltered one. */
export const declareAlteredInput = z
  .strictObject({
    imageId: uuid,
    /** Null takes the declaration back. */
    kind: z.enum(MEDIA_ALTERATIONS).nullable(),
    originalImageId: uuid.nullish(),
  })
  .refine(({ kind, originalImageId }) => kind !== null || (originalImageId ?? null) === null, {
    path: ['originalImageId'],
    message: 'An unaltered photo has no other original.',
  });
export const declareAlteredOutput = z.object({ imageId: z.string(), ...alterationFields });

/** What the camera or program of a photo has signed in its C2PA manifests; null for a photo without them. */
export const credentialsField = z
  .object({ generator: z.string().nullable(), signer: z.string().nullable() })
  .nullable();

/** The answer to uploads and changes (docs/contract.md#photos). */
export const imageOutput = z.object({
  imageId: z.string(),
  propertyId: z.string(),
  url: z.string(),
  position: z.int(),
  isMain: z.boolean(),
  isStyled: z.boolean(),
  ...alterationFields,
  roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  imageOf: imageOfField,
  reviewStatus: z.enum(REVIEW_STATUSES).nullable(),
  photoState: z.enum(PHOTO_STATES).exclude(['SUSPECT']).nullable(),
  stagedImageId: z.string().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  format: z.string().nullable(),
  credentials: credentialsField,
  createdAt: instant,
});

export function toImage(image: PropertyImageView, publicBaseUrl: string): z.output<typeof imageOutput> {
  const url = imageUrl(publicBaseUrl, image.imageId);
  return viewOf(imageOutput, { ...image, url, createdAt: iso(image.createdAt) });
}
