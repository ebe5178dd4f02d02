import { z } from 'zod';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES, DISCLOSURE_LABEL } from '../../machines/vocabulary.ts';
import { REVIEW_STATUSES } from '../../persistence/entities/property-image.ts';
import type { StagedVariantView } from '../../persistence/staging-queries.ts';
import { imageUrl } from './images.ts';
import { instant, iso, paragraphs, uuid } from './text.ts';

/** Of one property or of one original, not both. */
export const listVariantsInput = z.union([
  z.strictObject({ propertyId: uuid }),
  z.strictObject({ originalImageId: uuid }),
]);
export const stagedVariant = z.object({
  imageId: z.string(),
  styledFromId: z.string(),
  canonicalStyle: z.enum(CANONICAL_STYLES).nullable(),
  roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  reviewStatus: z.enum(REVIEW_STATUSES),
  url: z.string(),
  originalUrl: z.string(),
  disclosureLabel: z.string(),
  outputWidth: z.int().nullable(),
  outputHeight: z.int().nullable(),
  createdAt: instant,
});
export const listVariantsOutput = z.object({ items: z.array(stagedVariant) });

export const variantInput = z.object({ imageId: uuid });
export const rejectInput = z.object({ imageId: uuid, reason: paragraphs(1000).nullish() });
export const approveOutput = z.object({
  imageId: z.string(),
  reviewStatus: z.enum(REVIEW_STATUSES),
  reviewedByUserId: z.string().nullable(),
  reviewedAt: instant.nullable(),
});
export const rejectOutput = z.object({ imageId: z.string(), rejected: z.literal(true) });

export function toVariant(variant: StagedVariantView, publicBaseUrl: string): z.output<typeof stagedVariant> {
  return {
    imageId: variant.imageId,
    styledFromId: variant.styledFromId,
    canonicalStyle: variant.canonicalStyle,
    roomType: variant.roomType,
    reviewStatus: variant.reviewStatus,
    url: imageUrl(publicBaseUrl, variant.imageId),
    originalUrl: imageUrl(publicBaseUrl, variant.styledFromId),
    disclosureLabel: DISCLOSURE_LABEL,
    outputWidth: variant.outputWidth,
    outputHeight: variant.outputHeight,
    createdAt: iso(variant.createdAt),
  };
}

export function toReview(variant: StagedVariantView): z.output<typeof approveOutput> {
  const { imageId, reviewStatus, reviewedByUserId, reviewedAt } = variant;
  return { imageId, reviewStatus, reviewedByUserId, reviewedAt: iso(reviewedAt) };
}
