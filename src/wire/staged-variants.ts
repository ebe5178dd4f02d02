import { z } from 'zod';
import type { Translator } from '../../i18n/translator.ts';
import { MAX_APPROVALS } from '../../machines/limits.ts';
import {
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  DISCLOSURE_LABEL,
  REVIEW_STATUSES,
  WITHDRAWERS,
} from '../../machines/vocabulary.ts';
import type { StagedVariantView } from '../../persistence/jobs/staging-queries.ts';
import { drift, toDrift } from './drift.ts';
import { imageUrl, provenanceUrl } from './images.ts';
import { stagedStyleFields, toStagedStyle } from './staged-style.ts';
import { instant, iso, paragraphs, uuid, viewOf } from './text.ts';

/** For one property or for one original, not both. */
export const listVariantsInput = z
  .strictObject({ propertyId: uuid.optional(), originalImageId: uuid.optional() })
  .transform(({ propertyId, originalImageId }, { issues }) => {
    if (propertyId !== undefined && originalImageId === undefined)
      return { of: 'property', id: propertyId } as const;
    if (originalImageId !== undefined && propertyId === undefined)
      return { of: 'original', id: originalImageId } as const;
    const message = 'Give exactly one of propertyId and originalImageId.';
    issues.push({ code: 'custom', input: { propertyId, originalImageId }, message });
    return z.NEVER;
  });
export const stagedVariant = z.object({
  imageId: z.string(),
  styledFromId: z.string(),
  canonicalStyle: z.enum(CANONICAL_STYLES).nullable(),
  ...stagedStyleFields,
  roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  reviewStatus: z.enum(REVIEW_STATUSES),
  /** When it was hidden from the public again; null unless it is withdrawn. */
  withdrawnAt: instant.nullable(),
  withdrawnBy: z.enum(WITHDRAWERS).nullable(),
  /** The address of its provenance page; null until it is approved. */
  provenanceUrl: z.string().nullable(),
  url: z.string(),
  originalUrl: z.string(),
  disclosureLabel: z.string(),
  /** The label's text in the caller's language. */
  disclosureText: z.string(),
  /** The size of the picture at its address: that of the photo's frame, when it has its photo's shape. */
  outputWidth: z.int().nullable(),
  outputHeight: z.int().nullable(),
  /** Null until the picture was compared with its photo. */
  drift: drift.nullable(),
  createdAt: instant,
});
export const listVariantsOutput = z.object({ items: z.array(stagedVariant) });

export const variantInput = z.strictObject({ imageId: uuid });
export const variantsInput = z.strictObject({ imageIds: z.array(uuid).min(1).max(MAX_APPROVALS) });
export const rejectInput = z.strictObject({ imageId: uuid, reason: paragraphs(1000).nullish() });
export const approveOutput = z.object({
  imageId: z.string(),
  reviewStatus: z.enum(REVIEW_STATUSES),
  reviewedByUserId: z.string().nullable(),
  reviewedAt: instant.nullable(),
});
/** The review, or `errorCode` with the other fields null. */
export const approvalResult = z.object({
  imageId: z.string(),
  reviewStatus: z.enum(REVIEW_STATUSES).nullable(),
  reviewedByUserId: z.string().nullable(),
  reviewedAt: instant.nullable(),
  errorCode: z.string().nullable(),
});
export type ApprovalResult = z.output<typeof approvalResult>;
export const approveManyOutput = z.object({ results: z.array(approvalResult) });
/** An approved picture, and whether the public is kept from it. */
export const withdrawalOutput = z.object({
  imageId: z.string(),
  withdrawnAt: instant.nullable(),
  withdrawnBy: z.enum(WITHDRAWERS).nullable(),
});
export const rejectOutput = z.object({ imageId: z.string(), rejected: z.literal(true) });

export function toVariant(
  variant: StagedVariantView,
  { publicBaseUrl, words }: { publicBaseUrl: string; words: Translator },
): z.output<typeof stagedVariant> {
  return viewOf(stagedVariant, {
    ...variant,
    ...toStagedStyle(variant, words),
    url: imageUrl(publicBaseUrl, variant.imageId),
    originalUrl: imageUrl(publicBaseUrl, variant.styledFromId),
    provenanceUrl: variant.reviewStatus === 'APPROVED' ? provenanceUrl(publicBaseUrl, variant.imageId) : null,
    withdrawnAt: iso(variant.withdrawnAt),
    disclosureLabel: DISCLOSURE_LABEL,
    disclosureText: words.t('disclosure.text'),
    outputWidth: variant.width,
    outputHeight: variant.height,
    drift: toDrift(variant, { publicBaseUrl, words }),
    createdAt: iso(variant.createdAt),
  });
}

export function toReview(variant: StagedVariantView): z.output<typeof approveOutput> {
  return viewOf(approveOutput, { ...variant, reviewedAt: iso(variant.reviewedAt) });
}

export function toWithdrawal(variant: StagedVariantView): z.output<typeof withdrawalOutput> {
  return viewOf(withdrawalOutput, { ...variant, withdrawnAt: iso(variant.withdrawnAt) });
}

/** The result for a picture that is not approved, and stays as it is. */
export function toRefusedApproval(imageId: string, errorCode: string): ApprovalResult {
  return { imageId, reviewStatus: null, reviewedByUserId: null, reviewedAt: null, errorCode };
}
