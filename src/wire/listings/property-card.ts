import { z } from 'zod';
import { alteredLabel, type MediaAlteration } from '../../../machines/disclosure/alterations.ts';
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { ON_MARKET_STATUSES } from '../../../persistence/database/listing-visibility.ts';
import { STANDARD_STATUSES, type StandardStatus } from '../../../persistence/entities/values.ts';
import type { FreshFacts, SearchSource } from '../../../persistence/search/search-documents.ts';
import { imageOfField, imageUrl, provenanceUrl } from '../images.ts';
import { instant, iso, viewOf } from '../text.ts';
import { daysOnMarket } from './market-days.ts';
import { chosenPictures, hiddenStaged, type PictureChoice } from './picture-choice.ts';

/** Enough to swipe through; the listing's page has all. */
const MOST_CARD_IMAGES = 5;

/** A picture as search documents keep it. */
const indexedImage = z.object({
  imageId: z.string(),
  url: z.string(),
  isStyled: z.boolean(),
  disclosureLabel: z.string().nullable(),
  imageOf: imageOfField,
});

/** A public picture; `disclosureLabel` is null for unaltered photos only. */
export const publicImage = indexedImage.extend({
  /** The page that says how a staged picture was made (docs/contract.md#disclosure); null for all others. */
  provenanceUrl: z.string().nullable(),
});

/** Groups of fields for the card, the listing's page and the list of an agent's own listings. */
export const livingFields = {
  bedroomsTotal: z.int().nullable(),
  bathroomsTotal: z.number().nullable(),
  livingArea: z.number().nullable(),
  livingAreaUnits: z.string(),
};
export const saleFields = {
  originalListPrice: z.number().nullable(),
  closePrice: z.number().nullable(),
  closeDate: z.string().nullable(),
};
export const buildingFields = {
  lotSizeArea: z.number().nullable(),
  lotSizeUnits: z.string(),
  yearBuilt: z.int().nullable(),
  yearBuiltEffective: z.int().nullable(),
  stories: z.number().nullable(),
  roomsTotal: z.int().nullable(),
  garageSpaces: z.int().nullable(),
  parkingTotal: z.int().nullable(),
};
export const costFields = {
  associationFee: z.number().nullable(),
  associationFeeFrequency: z.string().nullable(),
  taxAnnualAmount: z.number().nullable(),
  taxYear: z.int().nullable(),
};
/** Local times in `propertyTimeZoneName`; no days means every day. */
export const showingFields = {
  propertyTimeZoneName: z.string(),
  showingAdvanceNotice: z.int(),
  showingStartTime: z.string().nullable(),
  showingEndTime: z.string().nullable(),
  showingDays: z.array(z.string()),
  autoConfirmTours: z.boolean(),
};

/** What a search document keeps of a listing (docs/contract.md#search-documents). */
export const indexedCard = z.object({
  propertyId: z.string(),
  /** In units of `currency`, at most two decimals. */
  listPrice: z.number(),
  currency: z.string(),
  ...livingFields,
  address: z.string(),
  unitNumber: z.string().nullable(),
  city: z.string(),
  stateOrProvince: z.string().nullable(),
  postalCode: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  propertyType: z.string().nullable(),
  standardStatus: z.enum(STANDARD_STATUSES),
  images: z.array(indexedImage),
  coverImageId: z.string().nullable(),
  features: z.array(z.string()),
  daysOnMarket: z.int().nullable(),
  listedAt: instant.nullable(),
});
export type IndexedCard = z.output<typeof indexedCard>;

/** What a card says of the present; computed for each answer. */
const newsFields = {
  /** On the market, and listed in the last three days. */
  isNew: z.boolean(),
  /**
   * The last change of the price, when it was a cut and not longer ago than 30 days, of a home on the market: by how much, in
   * `currency`, and when.
   */
  priceChange: z.object({ amount: z.number().positive(), at: instant }).nullable(),
  /** The next one, or the one that is under way. */
  openHouse: z.object({ startsAt: instant, endsAt: instant, timeZone: z.string() }).nullable(),
};

/** A listing in lists, maps and favorites (docs/api.md#search). */
export const propertyCard = indexedCard.extend({
  /** At most five of `imageCount`: the cover, then the others as the choice orders them. */
  images: z.array(publicImage).max(MOST_CARD_IMAGES),
  /** How many pictures the listing shows with this choice. */
  imageCount: z.int(),
  ...hiddenStaged,
  closePrice: z.number().nullable(),
  closeDate: z.string().nullable(),
  /** The firm that lists a home of a feed; null for homes of this site. */
  listedBy: z.string().nullable(),
  ...newsFields,
});
export type PropertyCard = z.output<typeof propertyCard>;

type Alterable = { isStyled: boolean; alteration: MediaAlteration | null };

/** The label that is shown with a picture; null for an unaltered photo. */
export function labelOf({ isStyled, alteration }: Alterable): string | null {
  if (isStyled) return DISCLOSURE_LABEL;
  return alteration === null ? null : alteredLabel(alteration);
}

/** The photo for lists: the main picture, otherwise the first unaltered photo. */
export function coverOf(
  images: readonly ({ imageId: string; isMain: boolean } & Alterable)[],
): string | null {
  const cover = images.find(({ isMain }) => isMain) ?? images.find((image) => labelOf(image) === null);
  return cover?.imageId ?? null;
}

/** The card of a listing from its database row; `at` is the end of the count of `daysOnMarket`. */
export function toIndexedCard(
  { propertyId, listing, images }: SearchSource,
  { publicBaseUrl, at }: { publicBaseUrl: string; at: number },
): IndexedCard {
  return viewOf(indexedCard, {
    ...listing,
    propertyId,
    images: images.map((image) => ({
      imageId: image.imageId,
      url: imageUrl(publicBaseUrl, image.imageId),
      isStyled: image.isStyled,
      disclosureLabel: labelOf(image),
      imageOf: image.imageOf,
    })),
    coverImageId: coverOf(images),
    daysOnMarket: daysOnMarket(listing, at),
    listedAt: iso(listing.listedAt),
  });
}

/** The card as it is answered: with the pictures that were chosen, the pages that say how they were made, and its news. */
export function toPropertyCard(
  card: IndexedCard,
  given: { publicBaseUrl: string; pictures: PictureChoice; fresh: FreshFacts; at: number },
): PropertyCard {
  const { closePrice, closeDate, listedBy } = given.fresh;
  const chosen = chosenPictures(
    card.images.map((image) => ({
      ...image,
      provenanceUrl: image.isStyled ? provenanceUrl(given.publicBaseUrl, image.imageId) : null,
    })),
    given.pictures,
  );
  const isCover = ({ imageId }: { imageId: string }) => imageId === card.coverImageId;
  const coverFirst = [...chosen.images.filter(isCover), ...chosen.images.filter((image) => !isCover(image))];
  const listedAt = card.listedAt === null ? null : Date.parse(card.listedAt);
  return {
    ...card,
    ...chosen,
    images: coverFirst.slice(0, MOST_CARD_IMAGES),
    imageCount: coverFirst.length,
    closePrice,
    closeDate,
    listedBy,
    ...newsOf({ ...card, ...given.fresh, listedAt }, given.at),
  };
}

const DAY_MS = 86_400_000;
const NEW_MS = 3 * DAY_MS;
const CUT_MS = 30 * DAY_MS;

/** What is new about a listing at an instant. */
export function newsOf(
  {
    standardStatus,
    listedAt,
    changedAt,
    loweredBy,
    openHouses,
  }: Pick<FreshFacts, 'changedAt' | 'loweredBy' | 'openHouses'> & {
    standardStatus: StandardStatus;
    listedAt: number | null;
  },
  at: number,
): Pick<PropertyCard, 'isNew' | 'priceChange' | 'openHouse'> {
  const isOffered = ON_MARKET_STATUSES.some((status) => status === standardStatus);
  // A change of an earlier period on the market says nothing about this one.
  const isCut =
    isOffered &&
    loweredBy !== null &&
    loweredBy > 0 &&
    changedAt !== null &&
    changedAt >= Math.max(listedAt ?? 0, at - CUT_MS);
  const next = openHouses.find(({ endsAt }) => endsAt > at);
  return {
    isNew: isOffered && listedAt !== null && at - listedAt < NEW_MS,
    priceChange: isCut ? { amount: loweredBy, at: iso(changedAt) } : null,
    openHouse:
      next === undefined
        ? null
        : { startsAt: iso(next.startsAt), endsAt: iso(next.endsAt), timeZone: next.timeZone },
  };
}
