import { areaIn, type LivingAreaUnits } from '../../../../../i18n/areas.ts';
import type { Text } from '../../../words/text.ts';
import { chipsOf, chipText } from '../chips.ts';
import { type SearchState, searchInput, sortsFor, withoutCursor } from '../search-state.ts';
import type { SavedSearch, SearchToSave } from './saved-searches.ts';

type Filters = SearchToSave['filters'];

const DAYS_OF_MONTH = 30;
const METERS_PER_DEGREE = 111_320;

/** What of a search is saved: not how its pictures are shown, and no dates of open houses, which pass. */
export function toSave(state: SearchState, placeId: string | null): Pick<SearchToSave, 'filters' | 'sort'> {
  const { filters, sort } = searchInput(state, placeId);
  const { openHouseDays, ...lasting } = filters;
  return { filters: lasting as Filters, sort };
}

/** The search of an address that shows what was saved, also where another app has saved it in other units. */
export function stateOf({ filters, sort, placeName }: SavedSearch, areaUnits: LivingAreaUnits): SearchState {
  const { price, beds, baths, livingArea, lotSize, yearBuilt, garage, location } = filters;
  const area = (value: number | undefined): number | undefined =>
    value === undefined || filters.areaUnits === undefined
      ? value
      : Math.round(areaIn(areaUnits, value, filters.areaUnits));
  const state = {
    q: placeName ?? undefined,
    place: filters.placeId,
    minPrice: price?.min,
    maxPrice: price?.max,
    beds: beds?.min,
    baths: baths?.min,
    minArea: area(livingArea?.min),
    maxArea: area(livingArea?.max),
    minLot: area(lotSize?.min),
    builtFrom: yearBuilt?.min,
    garage: garage?.min,
    maxFee: filters.maxMonthlyFee,
    days: filters.maxDaysOnMarket,
    sold:
      filters.soldWithinDays === undefined ? undefined : Math.ceil(filters.soldWithinDays / DAYS_OF_MONTH),
    type: filters.propertyTypes?.length ? filters.propertyTypes : undefined,
    feature: filters.features?.length ? filters.features : undefined,
    words: filters.words,
    reduced: filters.priceReduced ? true : undefined,
    photos: filters.onlyWithPhotos ? true : undefined,
    area: location?.polygon,
    box: boxOf(location),
  } as SearchState;
  const known = Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
  return sort === sortsFor(known)[0] ? known : { ...known, sort };
}

/** West, south, east, north; around a circle, which the site does not draw. */
function boxOf(location: SavedSearch['filters']['location']): SearchState['box'] {
  if (location?.box !== undefined) {
    const { west, south, east, north } = location.box;
    return [west, south, east, north];
  }
  if (location?.circle === undefined) return undefined;
  const { latitude, longitude, radiusMeters } = location.circle;
  const high = radiusMeters / METERS_PER_DEGREE;
  const wide = high / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
  return [
    Math.max(-180, longitude - wide),
    Math.max(-90, latitude - high),
    Math.min(180, longitude + wide),
    Math.min(90, latitude + high),
  ];
}

/** Whether two searches find the same homes, whatever their order. */
export function findsSame(one: Filters, other: Filters): boolean {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, inner: unknown) => (isTexts(inner) ? [...inner].sort() : inner));
  return text(one) === text(other);
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The filters in words, such as `Oakland, CA · Up to $900,000 · 3+ beds`; '' without any. */
export const filtersInWords = (state: SearchState, words: Text, currency: string): string =>
  chipsOf(withoutPictures(state))
    .map((chip) => chipText(chip, words, currency))
    .join(' · ');

/** Neither is part of what is saved. */
function withoutPictures({ pictures, open, ...state }: SearchState): SearchState {
  return withoutCursor(state);
}
