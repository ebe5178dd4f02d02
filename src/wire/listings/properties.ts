import { z } from 'zod';
import type { SiteUnits } from '../../../i18n/languages.ts';
import { HIDING_REASONS } from '../../../persistence/entities/values.ts';
import type { OriginalView } from '../../../persistence/images/image-queries.ts';
import { FIRST_STATUSES, movesFrom } from '../../../persistence/listings/listing-moves.ts';
import type { OwnProperty } from '../../../persistence/listings/property-queries.ts';
import { missingForPublication, PUBLICATION_NEEDS } from '../../../persistence/listings/publication.ts';
import { imageOutput, toImage } from '../images.ts';
import { instant, iso, line, pageOutput, paging, uuid, viewOf } from '../text.ts';
import {
  calendarDay,
  defaultedFields,
  money,
  nullableFields,
  requiredFields,
  standardStatus,
  wholePosition,
} from './listing-fields.ts';
import { marketDays } from './market-days.ts';
import { buildingFields, costFields, livingFields, saleFields, showingFields } from './property-card.ts';

type NullableFields = typeof nullableFields;
const orNull = Object.fromEntries(
  Object.entries(nullableFields).map(([name, field]) => [name, (field as z.ZodNullable).default(null)]),
) as { [K in keyof NullableFields]: z.ZodDefault<NullableFields[K]> };

/** Listing fields with the PropertyCard's names (docs/contract.md#listings). */
export const createPropertyInput = z
  .strictObject({
    ...requiredFields,
    ...orNull,
    // Without a value, those of the site.
    currency: defaultedFields.currency.optional(),
    country: defaultedFields.country.optional(),
    livingAreaUnits: defaultedFields.livingAreaUnits.optional(),
    lotSizeUnits: defaultedFields.lotSizeUnits.optional(),
    features: defaultedFields.features.default([]),
    /** Without a value, that of the position; UTC without a position. */
    propertyTimeZoneName: defaultedFields.propertyTimeZoneName.optional(),
    showingAdvanceNotice: defaultedFields.showingAdvanceNotice.default(0),
    showingDays: defaultedFields.showingDays.default([]),
    autoConfirmTours: defaultedFields.autoConfirmTours.default(false),
    standardStatus: z.enum(FIRST_STATUSES).default('Active'),
    assignedAgentIds: z.array(uuid).max(20).default([]),
  })
  .check(wholePosition);
type UnitFields = 'currency' | 'country' | 'livingAreaUnits' | 'lotSizeUnits';

/** A new listing with the site's units where it names none. */
export function withUnitsOf<T extends Pick<z.output<typeof createPropertyInput>, UnitFields>>(
  { currency, country, areaUnits }: SiteUnits,
  given: T,
) {
  return {
    ...given,
    currency: given.currency ?? currency,
    country: given.country ?? country,
    livingAreaUnits: given.livingAreaUnits ?? areaUnits,
    lotSizeUnits: given.lotSizeUnits ?? areaUnits,
  };
}

export const createPropertyOutput = z.object({ propertyId: z.string() });

export const updatePropertyInput = z
  .strictObject({
    propertyId: uuid,
    ...z.object({ ...requiredFields, ...nullableFields, ...defaultedFields }).partial().shape,
    /** The corrected price of a sale; needs `priceCorrection`. Null: not disclosed. */
    closePrice: money.nullable().optional(),
    /** Why the previous price was wrong. The change becomes a visible CORRECTION in the history. */
    priceCorrection: z.strictObject({ reason: line(300) }).optional(),
  })
  .check(wholePosition)
  .check(({ value, issues }) => {
    const { closePrice, listPrice, priceCorrection } = value;
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message });
    if (closePrice !== undefined && priceCorrection === undefined)
      refuse('closePrice', 'It is set with the status Closed; later it changes only with priceCorrection.');
    if (priceCorrection !== undefined && listPrice === undefined && closePrice === undefined)
      refuse('priceCorrection', 'Send the right listPrice or closePrice with it.');
  });

export const setStatusInput = z
  .strictObject({
    propertyId: uuid,
    standardStatus,
    /** For Closed: the price paid; null when it is not disclosed. */
    closePrice: money.nullable().optional(),
    /** For Closed: the day of the sale. */
    closeDate: calendarDay.optional(),
  })
  .check(({ value, issues }) => {
    const isClosed = value.standardStatus === 'Closed';
    for (const field of ['closePrice', 'closeDate'] as const) {
      if ((value[field] !== undefined) === isClosed) continue;
      const message = isClosed ? 'A Closed listing says it.' : 'Only for the status Closed.';
      issues.push({ code: 'custom', input: value, path: [field], message });
    }
  });
export const setStatusOutput = z.object({ propertyId: z.string(), standardStatus });

export const listMineInput = z.strictObject(paging);
export const ownProperty = z.object({
  propertyId: z.string(),
  ownerAgentId: z.string(),
  listPrice: z.number(),
  currency: z.string(),
  ...saleFields,
  ...livingFields,
  ...buildingFields,
  propertyType: z.string().nullable(),
  propertySubType: z.string().nullable(),
  standardStatus,
  address: z.string(),
  unitNumber: z.string().nullable(),
  city: z.string(),
  countyOrParish: z.string().nullable(),
  subdivisionName: z.string().nullable(),
  stateOrProvince: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  publicRemarks: z.string().nullable(),
  features: z.array(z.string()),
  ...costFields,
  ...showingFields,
  originatingSystemName: z.string().nullable(),
  originatingSystemKey: z.string().nullable(),
  coverImageId: z.string().nullable(),
  imageCount: z.int(),
  pendingReviewCount: z.int(),
  /** Customers' reports about its pictures that wait for an answer. */
  openReportCount: z.int(),
  /** Why the public sees nothing of it, whatever its status. */
  hiddenFor: z.array(z.enum(HIDING_REASONS)),
  /** It comes from a feed: it is changed where it was entered. */
  isOfFeed: z.boolean(),
  daysOnMarket: z.int().nullable(),
  cumulativeDaysOnMarket: z.int().nullable(),
  listedAt: instant.nullable(),
  offMarketAt: instant.nullable(),
  statusChangedAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
});
export const listMineOutput = pageOutput(ownProperty);

export const getMineInput = z.strictObject({ propertyId: uuid });
export const getMineOutput = ownProperty.extend({
  /** The statuses that `properties.setStatus` would take now. */
  nextStatuses: z.array(standardStatus),
  /** What buyers would miss. Nothing is refused for it. */
  missing: z.array(z.enum(PUBLICATION_NEEDS)),
  /**
   * The originals in their order; `stagingRefusal` is the error that staging the photo would be refused with, `sameAsId`
   * the first photo of the listing that is the same picture, null for that one itself.
   */
  photos: z.array(
    imageOutput.extend({ stagingRefusal: z.string().nullable(), sameAsId: z.string().nullable() }),
  ),
});

export function toWorkspace(
  property: OwnProperty,
  photos: readonly { readonly photo: OriginalView; readonly stagingRefusal: string | null }[],
  { at, publicBaseUrl }: { at: number; publicBaseUrl: string },
): z.output<typeof getMineOutput> {
  return {
    ...toOwnProperty(property, at),
    nextStatuses: [...movesFrom(property.standardStatus)],
    missing: missingForPublication(property),
    photos: photos.map(({ photo, stagingRefusal }) => ({
      ...toImage(photo, publicBaseUrl),
      stagingRefusal,
      sameAsId: photo.sameAsId,
    })),
  };
}

/** `at` is the end of the count of days on the market. */
export function toOwnProperty(property: OwnProperty, at: number): z.output<typeof ownProperty> {
  return viewOf(ownProperty, {
    ...property,
    ...marketDays(property, at),
    listedAt: iso(property.listedAt),
    offMarketAt: iso(property.offMarketAt),
    statusChangedAt: iso(property.statusChangedAt),
    createdAt: iso(property.createdAt),
    updatedAt: iso(property.updatedAt),
  });
}
