import { z } from 'zod';
import { LIVING_AREA_UNITS } from '../../../i18n/areas.ts';
import { ON_MARKET_STATUSES } from '../../../persistence/database/listing-visibility.ts';
import { MOST_SIMILAR } from '../../../persistence/listings/property-details.ts';
import { MOST_NAMES } from '../../../persistence/search/place-names.ts';
import type { Pin } from '../../../persistence/search/search-grid.ts';
import { type GeoBox, SEARCH_SORTS, SEARCH_STATUSES } from '../../../persistence/search/search-index.ts';
import { instant, line, pageLimit, searchText, uuid } from '../text.ts';
import { FEATURE_KEYS } from './feature-keys.ts';
import { currency, latitude, longitude } from './listing-fields.ts';
import { PICTURE_CHOICES, pictureChoice } from './picture-choice.ts';
import {
  crossesItself,
  holdsNoPole,
  isLargeArea,
  MOST_CORNERS,
  MOST_DRAWN_CORNERS,
  simplified,
} from './polygon.ts';
import { pricePill } from './price-pill.ts';
import { propertyCard } from './property-card.ts';

/** The shapes of search. List, map and saved searches take the same filters. */

const position = z.strictObject({ latitude, longitude });

/** Both ends are included; either may be absent. */
function range<S extends z.ZodType<number>>(value: S) {
  return z
    .strictObject({ min: value.optional(), max: value.optional() })
    .refine(
      ({ min, max }) => min === undefined || max === undefined || (min as number) <= (max as number),
      'The minimum is greater than the maximum.',
    );
}
const amount = z.number().min(0).max(1e12);
const count = z.int().min(0).max(1000);

const north = 'The south is north of the north.';
const box = z
  .strictObject({ west: longitude, south: latitude, east: longitude, north: latitude })
  .refine((given) => given.south <= given.north, { message: north, path: ['south'] });
const circle = z.strictObject({
  latitude,
  longitude,
  /** At most half the earth's circumference. */
  radiusMeters: z.number().positive().max(20_040_000),
});
/** People draw by hand; what is searched has few corners. */
export const polygon = z
  .array(position)
  .min(3)
  .max(MOST_DRAWN_CORNERS)
  .refine(holdsNoPole, 'A polygon around a pole is not supported. Use a box or a circle.')
  .refine((corners) => !crossesItself(corners), 'The outline crosses itself. Draw one that does not.')
  .refine((corners) => !isLargeArea(corners), 'The area is too large. Draw a smaller one, or use a box.')
  .transform(simplified)
  .refine(({ length }) => length <= MOST_CORNERS, 'The polygon has too many corners. Draw a simpler one.');

const location = z
  .strictObject({ box: box.optional(), circle: circle.optional(), polygon: polygon.optional() })
  .refine(
    (given) => Object.values(given).filter((area) => area !== undefined).length === 1,
    'Give exactly one of box, circle and polygon.',
  );

const LONGEST_PERIOD_MS = 31 * 24 * 60 * 60_000;
const isPeriod = (length: number): boolean => length > 0 && length <= LONGEST_PERIOD_MS;

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** A listing must match all filters; without filters, everything on the market matches. */
export const searchFilters = z.strictObject({
  /** In units of `currency`. Only listings in this currency match. */
  price: range(amount).optional(),
  /** Without one, that of the site where `price` is given, and any where it is not. */
  currency: currency.optional(),
  beds: range(count).optional(),
  baths: range(z.number().min(0).max(1000)).optional(),
  /**
   * In `areaUnits`, like `lotSize`; without it, in the site's. Listings are converted (a square foot is 0.09290304 square
   * metres).
   */
  livingArea: range(amount).optional(),
  lotSize: range(amount).optional(),
  areaUnits: z.enum(LIVING_AREA_UNITS).optional(),
  yearBuilt: range(z.int().min(0).max(3000)).optional(),
  /** Places in the garage; a home without the figure has none. */
  garage: z.strictObject({ min: count }).optional(),
  /**
   * The association's fee as the amount of a month, in `currency`. A home without a fee has 0. As with a price, only listings in
   * one currency match.
   */
  maxMonthlyFee: amount.optional(),
  /** A listing's type, or what it is a kind of, must be one of them. */
  propertyTypes: z.array(line(60)).max(20).transform(unique).optional(),
  /** A listing must have all of them. */
  features: z.array(z.enum(FEATURE_KEYS)).max(FEATURE_KEYS.length).transform(unique).optional(),
  statuses: z
    .array(z.enum(SEARCH_STATUSES))
    .min(1)
    .max(SEARCH_STATUSES.length)
    .transform(unique)
    .default([...ON_MARKET_STATUSES]),
  location: location.optional(),
  /** The id of a suggestion (`search.suggestLocations`), in addition to any `location`. */
  placeId: line(200).optional(),
  /** Whole words of the description and the address, in any order; case and accents do not matter. All must be there. */
  words: searchText(100)
    .min(1)
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'Type at least one letter or number.')
    .optional(),
  /** Only listings with a photo that the public may see. */
  onlyWithPhotos: z.boolean().default(false),
  /** Homes with an open house for a while between these instants, which are at most 31 days apart. */
  openHouse: z
    .strictObject({ from: instant, to: instant })
    .refine(({ from, to }) => isPeriod(Date.parse(to) - Date.parse(from)), {
      message: 'Give a period of at most 31 days.',
      path: ['to'],
    })
    .optional(),
  /** Homes sold on one of so many days up to today (UTC). `statuses` is then `Closed`, whatever it says. */
  soldWithinDays: z.int().min(1).max(1095).optional(),
  /** Counted as on the card. */
  maxDaysOnMarket: z.int().min(0).max(100_000).optional(),
  /** Only listings whose price is below their first price. */
  priceReduced: z.boolean().default(false),
  /** Which pictures the cards show. The same listings match, so totals, maps and counts are the same. */
  pictures: pictureChoice,
});
export type SearchFilters = z.output<typeof searchFilters>;
const filters = searchFilters.prefault({});

/** Filters as they come back from a saved search: those that a call let in. */
export const storedFilters = z.object({
  ...searchFilters.shape,
  location: z
    .object({ box: box.optional(), circle: circle.optional(), polygon: z.array(position).optional() })
    .optional(),
  propertyTypes: z.array(z.string()).optional(),
  features: z.array(z.enum(FEATURE_KEYS)).optional(),
  statuses: z.array(z.enum(SEARCH_STATUSES)),
  onlyWithPhotos: z.boolean(),
  priceReduced: z.boolean(),
  pictures: z.enum(PICTURE_CHOICES),
});

export const searchListInput = z
  .strictObject({
    filters,
    sort: z.enum(SEARCH_SORTS).default('RELEVANCE'),
    /** The reference point of DISTANCE; by default the center of `filters.location.circle`. */
    near: position.optional(),
    /** The `nextCursor` of the previous page with the same sort. */
    cursor: z.string().nullish(),
    limit: pageLimit,
  })
  .refine(
    (input) => input.sort !== 'DISTANCE' || (input.near ?? input.filters.location?.circle) !== undefined,
    { message: 'DISTANCE needs a point to measure from.', path: ['near'] },
  );
export const searchListOutput = z.object({
  items: z.array(propertyCard),
  nextCursor: z.string().nullable(),
  /** The number of all matching listings, on every page. */
  total: z.int(),
});

/** What a map shows. */
const mapView = {
  /** West, south, east, north; west is greater than east across the antimeridian. */
  bbox: z
    .tuple([longitude, latitude, longitude, latitude])
    .refine(([, south, , top]) => south <= top, { message: north, path: [1] }),
  /** For tiles of 512 pixels. */
  zoom: z.int().min(0).max(24),
};
export const searchMapInput = z.strictObject({ filters, ...mapView });
export const searchMapOutput = z.object({
  clusters: z.array(
    z.object({
      id: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      count: z.int(),
      minPrice: z.number(),
      maxPrice: z.number(),
      /** Null for homes in several currencies. */
      currency: z.string().nullable(),
      /** The first zoom at which it splits; 17 when it never does: its listings are then shown as a list. */
      expansionZoom: z.int(),
    }),
  ),
  pins: z.array(
    z.object({
      propertyId: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      price: z.number(),
      currency: z.string(),
      pill: z.string(),
    }),
  ),
  total: z.int(),
});

export const placeNamesInput = z.strictObject(mapView);
export const placeNamesOutput = z.object({
  /** The largest first. */
  places: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(['city', 'neighborhood']),
        name: z.string(),
        latitude: z.number(),
        longitude: z.number(),
      }),
    )
    .max(MOST_NAMES),
});

export const featureCountsInput = z.strictObject({ filters }).prefault({});
export const featureCountsOutput = z.object({
  /** The number of matching listings. */
  total: z.int(),
  /** False: more listings match than were counted, so every number is a least number. */
  isWhole: z.boolean(),
  /** Of each feature: how many of the matching listings have it. All features, in the order of the catalog. */
  counts: z.array(z.object({ key: z.enum(FEATURE_KEYS), count: z.int() })),
});

export const filterCatalogOutput = z.object({
  featureGroups: z.array(z.object({ group: z.string(), keys: z.array(z.enum(FEATURE_KEYS)) })),
  /** The types of listings on the market, of each the most exact one; in alphabetical order. */
  propertyTypes: z.array(z.string()),
  sorts: z.array(z.enum(SEARCH_SORTS)),
  /** Of filters that name none. */
  currency: z.string(),
  areaUnits: z.enum(LIVING_AREA_UNITS),
});

export const featuredInput = z
  .strictObject({ limit: z.int().min(1).max(50).default(20), pictures: pictureChoice })
  .prefault({});
export const nearbyInput = z.strictObject({
  latitude,
  longitude,
  limit: z.int().min(1).max(50).default(20),
  pictures: pictureChoice,
});
export const cardsOutput = z.object({ items: z.array(propertyCard) });

export const similarInput = z.strictObject({
  propertyId: uuid,
  limit: z.int().min(1).max(MOST_SIMILAR).default(6),
  pictures: pictureChoice,
});
/** Best first. */
export const similarOutput = z.object({ items: z.array(propertyCard) });

export function toBox([west, south, east, top]: z.output<typeof searchMapInput>['bbox']): GeoBox {
  return { west, south, east, north: top };
}

export function toPin({ propertyId, latitude, longitude, listPrice, currency }: Pin) {
  return {
    propertyId,
    latitude,
    longitude,
    price: listPrice,
    currency,
    pill: pricePill(listPrice, currency),
  };
}
