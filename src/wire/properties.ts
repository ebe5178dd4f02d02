import { z } from 'zod';
import { STANDARD_STATUSES } from '../../persistence/entities/property.ts';
import type { OwnProperty } from '../../persistence/property-queries.ts';
import { FEATURE_KEYS } from './feature-keys.ts';
import { instant, iso, line, paging, paragraphs, uuid } from './text.ts';

/** Numbers with the digits that the column holds, so that nothing is rounded in silence. */
function amount(digits: number, scale: number) {
  const max = 10 ** (digits - scale);
  const factor = 10 ** scale;
  return z
    .number()
    .min(0)
    .lt(max)
    .refine((value) => Math.abs(Math.round(value * factor) / factor - value) < 1e-9, {
      message: `At most ${scale} decimals.`,
    });
}

const features = z
  .array(z.enum(FEATURE_KEYS))
  .max(FEATURE_KEYS.length)
  .transform((keys) => FEATURE_KEYS.filter((key) => keys.includes(key)));

const required = {
  listPrice: amount(14, 2),
  address: line(300),
  city: line(120),
};
const currency = z.string().regex(/^[A-Z]{3}$/, 'Three capital letters (ISO 4217).');
const country = z.string().regex(/^[A-Z]{2}$/, 'Two capital letters (ISO 3166).');
const livingAreaUnits = z.enum(['Square Feet', 'Square Meters']);
const standardStatus = z.enum(STANDARD_STATUSES);
const optional = {
  bedroomsTotal: z.int().min(0).max(1000).nullable(),
  bathroomsTotal: amount(4, 2).nullable(),
  livingArea: amount(12, 2).nullable(),
  lotSizeArea: amount(14, 2).nullable(),
  yearBuilt: z.int().min(1000).max(3000).nullable(),
  propertyType: line(60).nullable(),
  stateOrProvince: line(60).nullable(),
  postalCode: line(20).nullable(),
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  publicRemarks: paragraphs(10_000).nullable(),
};
const orNull = {
  bedroomsTotal: optional.bedroomsTotal.default(null),
  bathroomsTotal: optional.bathroomsTotal.default(null),
  livingArea: optional.livingArea.default(null),
  lotSizeArea: optional.lotSizeArea.default(null),
  yearBuilt: optional.yearBuilt.default(null),
  propertyType: optional.propertyType.default(null),
  stateOrProvince: optional.stateOrProvince.default(null),
  postalCode: optional.postalCode.default(null),
  latitude: optional.latitude.default(null),
  longitude: optional.longitude.default(null),
  publicRemarks: optional.publicRemarks.default(null),
};

/** Listing fields with the PropertyCard's names (decisions.md section 4, domain.md section 5). */
export const createPropertyInput = z.object({
  ...required,
  ...orNull,
  currency: currency.default('USD'),
  country: country.default('US'),
  livingAreaUnits: livingAreaUnits.default('Square Feet'),
  standardStatus: standardStatus.default('Active'),
  features: features.default([]),
  assignedAgentIds: z.array(uuid).max(20).default([]),
});
export const createPropertyOutput = z.object({ propertyId: z.string() });

export const updatePropertyInput = z.object({
  propertyId: uuid,
  ...z.object({ ...required, ...optional, currency, country, livingAreaUnits, features }).partial().shape,
});
export const setStatusInput = z.object({ propertyId: uuid, standardStatus });
export const setStatusOutput = z.object({ propertyId: z.string(), standardStatus });

export const listMineInput = z.object(paging);
export const ownProperty = z.object({
  propertyId: z.string(),
  ownerAgentId: z.string(),
  listPrice: z.number(),
  currency: z.string(),
  bedroomsTotal: z.int().nullable(),
  bathroomsTotal: z.number().nullable(),
  livingArea: z.number().nullable(),
  livingAreaUnits: z.string(),
  lotSizeArea: z.number().nullable(),
  yearBuilt: z.int().nullable(),
  propertyType: z.string().nullable(),
  standardStatus,
  address: z.string(),
  city: z.string(),
  stateOrProvince: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  publicRemarks: z.string().nullable(),
  features: z.array(z.string()),
  coverImageId: z.string().nullable(),
  imageCount: z.int(),
  pendingReviewCount: z.int(),
  listedAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
});
export const listMineOutput = z.object({ items: z.array(ownProperty), nextCursor: z.string().nullable() });

export function toOwnProperty(property: OwnProperty): z.output<typeof ownProperty> {
  const { listedAt, createdAt, updatedAt, features, ...plain } = property;
  return {
    ...plain,
    features: [...features],
    listedAt: iso(listedAt),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}
