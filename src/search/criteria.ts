import { areaIn } from '../../i18n/areas.ts';
import type { SiteUnits } from '../../i18n/languages.ts';
import type { Reader } from '../../persistence/database/reader.ts';
import { placeCriterion } from '../../persistence/search/place-criteria.ts';
import type { Area, Criteria } from '../../persistence/search/search-index.ts';
import { type SearchFilters, searchFilters } from '../wire/listings/search.ts';

/** What filters are read with. */
export interface SearchTerms {
  /** The present time. */
  readonly at: number;
  /** Its units are those of a filter that names none. */
  readonly site: Omit<SiteUnits, 'country'>;
}

/** The filters as the index takes them: areas in square feet, `at` as the present time. */
export function toCriteria(given: SearchFilters, { at, site }: SearchTerms): Criteria {
  const units = given.areaUnits ?? site.areaUnits;
  const toSquareFeet = (value: number) => areaIn('Square Feet', value, units);
  return {
    statuses: given.soldWithinDays === undefined ? given.statuses : ['Closed'],
    listPrice: toRange(given.price),
    currency: given.currency ?? (isAboutMoney(given) ? site.currency : null),
    bedroomsTotal: toRange(given.beds),
    bathroomsTotal: toRange(given.baths),
    livingArea: toRange(given.livingArea, toSquareFeet),
    lotSize: toRange(given.lotSize, toSquareFeet),
    yearBuilt: toRange(given.yearBuilt),
    leastGarage: given.garage?.min ?? null,
    maxMonthlyFee: given.maxMonthlyFee ?? null,
    propertyTypes: given.propertyTypes ?? [],
    features: given.features ?? [],
    areas: given.location === undefined ? [] : [toArea(given.location)],
    place: null,
    words: given.words ?? null,
    withPhotos: given.onlyWithPhotos,
    openHouse: given.openHouse === undefined ? null : toPeriod(given.openHouse),
    soldWithinDays: given.soldWithinDays ?? null,
    maxDaysOnMarket: given.maxDaysOnMarket ?? null,
    priceReduced: given.priceReduced,
    at,
  };
}

const toPeriod = ({ from, to }: NonNullable<SearchFilters['openHouse']>) => ({
  from: Date.parse(from),
  to: Date.parse(to),
});

/** Amounts are compared in one currency. */
const isAboutMoney = ({ price, maxMonthlyFee }: SearchFilters): boolean =>
  price !== undefined || maxMonthlyFee !== undefined;

function toRange(
  given: { min?: number | undefined; max?: number | undefined } | undefined,
  convert = (value: number) => value,
) {
  if (given === undefined || (given.min === undefined && given.max === undefined)) return null;
  const end = (value: number | undefined) => (value === undefined ? null : convert(value));
  return { min: end(given.min), max: end(given.max) };
}

function toArea({ box, circle, polygon }: NonNullable<SearchFilters['location']>): Area {
  if (box) return { box };
  if (circle) return { circle };
  return { polygon: polygon ?? [] };
}

/** The filters as the index takes them, with the named location resolved; null when no place has its id. */
export async function criteriaOf(
  reader: Reader,
  filters: SearchFilters,
  terms: SearchTerms,
): Promise<Criteria | null> {
  const criteria = toCriteria(filters, terms);
  if (filters.placeId === undefined) return criteria;
  const place = await placeCriterion(reader, filters.placeId);
  if (place === null) return null;
  if (place.of !== 'box') return { ...criteria, place };
  return { ...criteria, areas: [...criteria.areas, { box: place.box }] };
}

/** Of the filters of a saved search. One whose place is there no more finds nothing. */
export async function storedCriteria(
  reader: Reader,
  filters: unknown,
  terms: SearchTerms,
): Promise<Criteria> {
  const parsed = searchFilters.parse(filters);
  return (
    (await criteriaOf(reader, parsed, terms)) ?? { ...toCriteria(parsed, terms), place: { of: 'nowhere' } }
  );
}
