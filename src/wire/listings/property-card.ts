import { z } from 'zod';
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { STANDARD_STATUSES } from '../../../persistence/entities/property.ts';
import type { SearchSource } from '../../../persistence/search/search-documents.ts';
import { imageUrl } from '../images.ts';
import { instant, iso } from '../text.ts';

/** A public picture; `disclosureLabel` is null for originals only. */
export const publicImage = z.object({
  imageId: z.string(),
  url: z.string(),
  isStyled: z.boolean(),
  disclosureLabel: z.string().nullable(),
});

/** A listing as lists, maps and favorites show it (docs/api.md#search). */
export const propertyCard = z.object({
  propertyId: z.string(),
  /** In units of `currency`, at most two decimals. */
  listPrice: z.number(),
  currency: z.string(),
  bedroomsTotal: z.int().nullable(),
  bathroomsTotal: z.number().nullable(),
  livingArea: z.number().nullable(),
  livingAreaUnits: z.string(),
  address: z.string(),
  city: z.string(),
  stateOrProvince: z.string().nullable(),
  postalCode: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  propertyType: z.string().nullable(),
  standardStatus: z.enum(STANDARD_STATUSES),
  images: z.array(publicImage),
  coverImageId: z.string().nullable(),
  features: z.array(z.string()),
  daysOnMarket: z.int().nullable(),
  listedAt: instant.nullable(),
});
export type PropertyCard = z.output<typeof propertyCard>;

const DAY_MS = 86_400_000;

/** Whole days of the present listing period: up to `at`, or until the listing left the market. */
export function daysOnMarket(
  { listedAt, offMarketAt }: { listedAt: number | null; offMarketAt: number | null },
  at: number,
): number | null {
  if (listedAt === null) return null;
  return Math.max(0, Math.floor((Math.min(at, offMarketAt ?? at) - listedAt) / DAY_MS));
}

/** The card of a listing as it is in the database; `at` is the instant that `daysOnMarket` is counted to. */
export function toPropertyCard(
  { propertyId, listing, images }: SearchSource,
  { publicBaseUrl, at }: { publicBaseUrl: string; at: number },
): PropertyCard {
  const { listPrice, bathroomsTotal, livingArea, listedAt, offMarketAt, standardStatus, features, ...plain } =
    listing;
  const cover = images.find(({ isMain }) => isMain) ?? images.find(({ isStyled }) => !isStyled);
  return {
    propertyId,
    ...plain,
    listPrice: Number(listPrice),
    bathroomsTotal: bathroomsTotal === null ? null : Number(bathroomsTotal),
    livingArea: livingArea === null ? null : Number(livingArea),
    standardStatus,
    features: [...features],
    images: images.map(({ imageId, isStyled }) => ({
      imageId,
      url: imageUrl(publicBaseUrl, imageId),
      isStyled,
      disclosureLabel: isStyled ? DISCLOSURE_LABEL : null,
    })),
    coverImageId: cover?.imageId ?? null,
    daysOnMarket: daysOnMarket({ listedAt, offMarketAt }, at),
    listedAt: iso(listedAt),
  };
}
