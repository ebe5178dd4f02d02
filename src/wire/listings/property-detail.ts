import { z } from 'zod';
import type { Translator } from '../../../i18n/translator.ts';
import { CANONICAL_ROOM_TYPES, DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import type { DetailImage, PropertyDetail } from '../../../persistence/listings/property-details.ts';
import { imageUrl } from '../images.ts';
import { stagedStyleFields, toStagedStyle } from '../staged-style.ts';
import { instant, iso, uuid } from '../text.ts';
import { agentCard, toAgentCard } from './agent-card.ts';
import { FEATURE_GROUPS } from './feature-keys.ts';
import { marketDays } from './market-days.ts';
import { propertyCard, publicImage } from './property-card.ts';

export const propertyInput = z.strictObject({ propertyId: uuid });

/**
 * What has to be shown with a staged picture (docs/contract.md#disclosure, the strictest profile that fits every
 * market): the label on it, the link beside it, the original next to it.
 */
const disclosure = z.object({
  label: z.string(),
  linkText: z.string(),
  originalImageId: z.string(),
  originalUrl: z.string(),
});

const detailImage = publicImage.extend({
  ...stagedStyleFields,
  /** The label's words in the language of the caller; null for photos. */
  disclosureText: z.string().nullable(),
  /** The photo that this picture was staged from; null for photos. */
  originalImageId: z.string().nullable(),
  altText: z.string(),
  /** Null for photos. */
  disclosure: disclosure.nullable(),
  roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
});

const facts = z.object({
  propertySubType: z.string().nullable(),
  unitNumber: z.string().nullable(),
  countyOrParish: z.string().nullable(),
  subdivisionName: z.string().nullable(),
  country: z.string(),
  lotSizeArea: z.number().nullable(),
  lotSizeUnits: z.string(),
  yearBuilt: z.int().nullable(),
  yearBuiltEffective: z.int().nullable(),
  stories: z.number().nullable(),
  roomsTotal: z.int().nullable(),
  garageSpaces: z.int().nullable(),
  parkingTotal: z.int().nullable(),
  associationFee: z.number().nullable(),
  associationFeeFrequency: z.string().nullable(),
  taxAnnualAmount: z.number().nullable(),
  taxYear: z.int().nullable(),
  /** `listPrice` by `livingArea`, in `currency` per `livingAreaUnits`. */
  pricePerArea: z.number().nullable(),
});

/** Wall times are those of `propertyTimeZoneName`; no days means every day. */
const showing = z.object({
  propertyTimeZoneName: z.string(),
  showingAdvanceNotice: z.int(),
  showingStartTime: z.string().nullable(),
  showingEndTime: z.string().nullable(),
  showingDays: z.array(z.string()),
  autoConfirmTours: z.boolean(),
});

/** A listing's page (docs/api.md#propertiesgetdetail). */
export const propertyDetail = propertyCard.extend({
  images: z.array(detailImage),
  description: z.string().nullable(),
  facts,
  showing,
  /** The card's `features` in the ten groups of the catalogue, in its order; groups may be empty. */
  featureGroups: z.array(z.object({ group: z.string(), keys: z.array(z.string()) })),
  agent: agentCard,
  originalListPrice: z.number().nullable(),
  closePrice: z.number().nullable(),
  closeDate: z.string().nullable(),
  cumulativeDaysOnMarket: z.int().nullable(),
  offMarketAt: instant.nullable(),
  statusChangedAt: instant.nullable(),
});
export type PropertyDetailOutput = z.output<typeof propertyDetail>;

interface ViewContext {
  publicBaseUrl: string;
  /** The instant that the days on the market are counted to. */
  at: number;
  words: Translator;
}

export function toPropertyDetail(detail: PropertyDetail, given: ViewContext): PropertyDetailOutput {
  const { images, agent, features, listedAt, offMarketAt, statusChangedAt } = detail;
  const cover = images.find(({ isMain }) => isMain) ?? images.find(({ isStyled }) => !isStyled);
  return {
    ...headOf(detail),
    features: [...features],
    featureGroups: FEATURE_GROUPS.map(({ group, keys }) => ({
      group,
      keys: keys.filter((key) => features.includes(key)),
    })),
    images: images.map((image) => toDetailImage(image, given)),
    coverImageId: cover?.imageId ?? null,
    description: detail.publicRemarks,
    facts: factsOf(detail),
    showing: showingOf(detail),
    agent: toAgentCard(agent),
    ...marketDays(detail, given.at),
    listedAt: iso(listedAt),
    offMarketAt: iso(offMarketAt),
    statusChangedAt: iso(statusChangedAt),
  };
}

function toDetailImage(
  image: DetailImage,
  { publicBaseUrl, words }: ViewContext,
): z.output<typeof detailImage> {
  const { imageId, isStyled, originalImageId, roomType, width, height } = image;
  const room = words.t(roomType === null ? 'room.unknown' : `room.${roomType}`);
  return {
    imageId,
    url: imageUrl(publicBaseUrl, imageId),
    isStyled,
    ...toStagedStyle(image, words),
    disclosureLabel: isStyled ? DISCLOSURE_LABEL : null,
    disclosureText: isStyled ? words.t('disclosure.text') : null,
    originalImageId,
    altText: isStyled ? words.t('disclosure.altText', { room }) : room,
    disclosure:
      originalImageId === null
        ? null
        : {
            label: DISCLOSURE_LABEL,
            linkText: words.t('disclosure.viewOriginal'),
            originalImageId,
            originalUrl: imageUrl(publicBaseUrl, originalImageId),
          },
    roomType,
    width,
    height,
  };
}

function headOf(detail: PropertyDetail) {
  const { propertyId, listPrice, currency, bedroomsTotal, bathroomsTotal, livingArea, livingAreaUnits } =
    detail;
  const { address, city, stateOrProvince, postalCode, latitude, longitude } = detail;
  const { propertyType, standardStatus, originalListPrice, closePrice, closeDate } = detail;
  return {
    propertyId,
    listPrice,
    currency,
    bedroomsTotal,
    bathroomsTotal,
    livingArea,
    livingAreaUnits,
    address,
    city,
    stateOrProvince,
    postalCode,
    latitude,
    longitude,
    propertyType,
    standardStatus,
    originalListPrice,
    closePrice,
    closeDate,
  };
}

function factsOf(detail: PropertyDetail): z.output<typeof facts> {
  const { propertySubType, unitNumber, countyOrParish, subdivisionName, country } = detail;
  const { lotSizeArea, lotSizeUnits, yearBuilt, yearBuiltEffective, stories, roomsTotal } = detail;
  const { garageSpaces, parkingTotal, associationFee, associationFeeFrequency } = detail;
  const { taxAnnualAmount, taxYear, listPrice, livingArea } = detail;
  return {
    propertySubType,
    unitNumber,
    countyOrParish,
    subdivisionName,
    country,
    lotSizeArea,
    lotSizeUnits,
    yearBuilt,
    yearBuiltEffective,
    stories,
    roomsTotal,
    garageSpaces,
    parkingTotal,
    associationFee,
    associationFeeFrequency,
    taxAnnualAmount,
    taxYear,
    pricePerArea: livingArea ? Math.round((listPrice / livingArea) * 100) / 100 : null,
  };
}

function showingOf(detail: PropertyDetail): z.output<typeof showing> {
  const { propertyTimeZoneName, showingAdvanceNotice, showingStartTime, showingEndTime } = detail;
  const { showingDays, autoConfirmTours } = detail;
  return {
    propertyTimeZoneName,
    showingAdvanceNotice,
    showingStartTime,
    showingEndTime,
    autoConfirmTours,
    showingDays: [...showingDays],
  };
}
