import { z } from 'zod';
import type { Translator } from '../../../i18n/translator.ts';
import { isVirtualStaging } from '../../../machines/disclosure/alterations.ts';
import { CANONICAL_ROOM_TYPES, DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import type { DetailImage, PropertyDetail } from '../../../persistence/listings/property-details.ts';
import { alterationFields, credentialsField, imageUrl, provenanceUrl } from '../images.ts';
import { stagedStyleFields, toStagedStyle } from '../staged-style.ts';
import { instant, iso, uuid, viewOf } from '../text.ts';
import { agentCard } from './agent-card.ts';
import { attribution, toAttribution } from './attribution.ts';
import { FEATURE_GROUPS } from './feature-keys.ts';
import { marketDays } from './market-days.ts';
import { aheadOf, openHouseAhead } from './open-houses.ts';
import { chosenPictures, type PictureChoice, pictureChoice } from './picture-choice.ts';
import {
  buildingFields,
  costFields,
  coverOf,
  labelOf,
  newsOf,
  propertyCard,
  publicImage,
  saleFields,
  showingFields,
} from './property-card.ts';

export const propertyInput = z.strictObject({ propertyId: uuid });
export const detailInput = propertyInput.extend({ pictures: pictureChoice });

/**
 * What must be shown with a staged picture (docs/contract.md#disclosure, the strictest profile, which fits every
 * market): the label on it, the link with it, the original next to it.
 */
const disclosure = z.object({
  label: z.string(),
  linkText: z.string(),
  originalImageId: z.string(),
  originalUrl: z.string(),
});

const detailImage = publicImage.extend({
  ...stagedStyleFields,
  ...alterationFields,
  /** The label's text in the caller's language; null for unaltered photos. */
  disclosureText: z.string().nullable(),
  /** The photo from which this picture was staged; null for photos. */
  originalImageId: z.string().nullable(),
  altText: z.string(),
  /** `imageOf` in the caller's language. */
  subject: z.string().nullable(),
  /** Null for photos. */
  disclosure: disclosure.nullable(),
  roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  credentials: credentialsField,
});

const facts = z.object({
  propertySubType: z.string().nullable(),
  unitNumber: z.string().nullable(),
  countyOrParish: z.string().nullable(),
  subdivisionName: z.string().nullable(),
  country: z.string(),
  ...buildingFields,
  ...costFields,
  /** `listPrice` divided by `livingArea`, in `currency` per `livingAreaUnits`. */
  pricePerArea: z.number().nullable(),
});

const showing = z.object(showingFields);

/** A listing's page (docs/api.md#propertiesgetdetail). */
export const propertyDetail = propertyCard.extend({
  images: z.array(detailImage),
  description: z.string().nullable(),
  facts,
  showing,
  /** The card's `features` in the catalogue's ten groups and order; groups may be empty. */
  featureGroups: z.array(z.object({ group: z.string(), keys: z.array(z.string()) })),
  /** Null when no agent of this site answers for a feed's listing. */
  agent: agentCard.nullable(),
  /** Null for a listing that was made here. */
  attribution: attribution.nullable(),
  /** Those that are not over, the next one first. */
  openHouses: z.array(openHouseAhead),
  ...saleFields,
  cumulativeDaysOnMarket: z.int().nullable(),
  offMarketAt: instant.nullable(),
  statusChangedAt: instant.nullable(),
});
export type PropertyDetailOutput = z.output<typeof propertyDetail>;

interface ViewContext {
  publicBaseUrl: string;
  /** The end of the count of days on the market. */
  at: number;
  words: Translator;
  pictures: PictureChoice;
}

export function toPropertyDetail(detail: PropertyDetail, given: ViewContext): PropertyDetailOutput {
  const { images, features, listPrice, livingArea, listedAt, offMarketAt, statusChangedAt } = detail;
  const pricePerArea = livingArea ? Math.round((listPrice / livingArea) * 100) / 100 : null;
  const chosen = chosenPictures(
    images.map((image) => toDetailImage(image, given)),
    given.pictures,
  );
  return viewOf(propertyDetail, {
    ...detail,
    ...newsOf(detail, given.at),
    featureGroups: FEATURE_GROUPS.map(({ group, keys }) => ({
      group,
      keys: keys.filter((key) => features.includes(key)),
    })),
    ...chosen,
    imageCount: chosen.images.length,
    coverImageId: coverOf(images),
    description: detail.publicRemarks,
    facts: viewOf(facts, { ...detail, pricePerArea }),
    showing: viewOf(showing, detail),
    attribution: toAttribution(detail.feed, given.words.locale),
    ...marketDays(detail, given.at),
    openHouses: aheadOf(detail.openHouses, given.at),
    listedAt: iso(listedAt),
    offMarketAt: iso(offMarketAt),
    statusChangedAt: iso(statusChangedAt),
  });
}

function toDetailImage(
  image: DetailImage,
  { publicBaseUrl, words }: ViewContext,
): z.output<typeof detailImage> {
  const { imageId, isStyled, originalImageId } = image;
  const subject = subjectOf(image, words);
  const room = subject ?? words.t('room.unknown');
  const [text, alt] = wordsOf(image);
  return viewOf(detailImage, {
    ...image,
    ...toStagedStyle(image, words),
    url: imageUrl(publicBaseUrl, imageId),
    disclosureLabel: labelOf(image),
    provenanceUrl: isStyled ? provenanceUrl(publicBaseUrl, imageId) : null,
    disclosureText: text && words.t(text),
    subject,
    altText: alt === null ? room : words.t(alt, { room }),
    disclosure:
      originalImageId === null
        ? null
        : {
            label: DISCLOSURE_LABEL,
            linkText: words.t('disclosure.viewOriginal'),
            originalImageId,
            originalUrl: imageUrl(publicBaseUrl, originalImageId),
          },
  });
}

/** What a picture shows, in the caller's language. Rooms that can be staged have the words of the staging. */
function subjectOf({ roomType, imageOf }: DetailImage, words: Translator): string | null {
  if (imageOf === null) return null;
  return words.t(roomType === null ? `imageOf.${imageOf}` : `room.${roomType}`);
}

/** The keys of a picture's label and of its alternative text; null for unaltered photos. */
function wordsOf({ isStyled, alteration }: DetailImage): [text: string | null, alt: string | null] {
  if (isStyled) return ['disclosure.text', 'disclosure.altText'];
  if (alteration === null) return [null, null];
  return isVirtualStaging(alteration)
    ? ['disclosure.stagedElsewhere', 'disclosure.stagedElsewhereAlt']
    : ['disclosure.altered', 'disclosure.alteredAlt'];
}
