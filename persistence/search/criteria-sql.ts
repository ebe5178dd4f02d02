import { toDate } from '../database/instants.ts';
import { ON_MARKET_STATUSES } from '../database/listing-visibility.ts';
import type { SqlValues } from '../database/sql-values.ts';
import { areaSql, type GridOf, hasManyTiles, STRIPES, TILES } from './area-sql.ts';
import { placeSql } from './place-criteria.ts';
import type { Criteria, Range } from './search-index.ts';

const DAY_MS = 86_400_000;

/**
 * The criteria as conditions on `search_listings`, each in the form of the index that can serve it.
 * @param orAnywhere true where an index of what is asked may find fewer listings than the area has: it has columns in
 * another form, so the condition stands in both
 */
export function criteriaSql(criteria: Criteria, values: SqlValues, orAnywhere = false): string {
  const isAnywhere = orAnywhere || !isLocal(criteria);
  const range = (column: string, asked: Range | null, type: 'int' | 'float8') =>
    asked !== null && rangeSql(column, asked, (number) => values.add(number, type));
  const ofIndexes = (column: string, ...asked: [Range | null, 'int' | 'float8']) => [
    isLocal(criteria) && range(column, ...asked),
    isAnywhere && range(`coalesce(${column}, -1)`, ...asked),
  ];
  const conditions = [
    statusSql(criteria, values),
    range('"listPrice"', criteria.listPrice, 'float8'),
    ...ofIndexes('"bedroomsTotal"', criteria.bedroomsTotal, 'int'),
    ...ofIndexes('"bathroomsTotal"', criteria.bathroomsTotal, 'float8'),
    ...ofIndexes('"livingArea"', criteria.livingArea, 'float8'),
    ...ofIndexes('"lotSize"', criteria.lotSize, 'float8'),
    ...ofIndexes('"yearBuilt"', criteria.yearBuilt, 'int'),
    criteria.currency !== null && `currency = ${values.add(criteria.currency, 'text')}`,
    criteria.leastGarage !== null && `"garageSpaces" >= ${values.add(criteria.leastGarage, 'int')}`,
    criteria.maxMonthlyFee !== null &&
      `coalesce("monthlyFee", 0) <= ${values.add(criteria.maxMonthlyFee, 'float8')}`,
    criteria.propertyTypes.length > 0 && typesSql(criteria, values),
    criteria.features.length > 0 && featuresSql(criteria, values),
    criteria.priceReduced && '"priceReduced"',
    criteria.withPhotos && 'rank >= 2',
    criteria.words !== null && wordsSql(criteria.words, values),
    criteria.openHouse !== null && openHouseSql(criteria.openHouse, values),
    soldSql(criteria, values),
    isLocal(criteria) && daysOnMarketSql('"listedAt"', criteria, values),
    isAnywhere && daysOnMarketSql(`coalesce("listedAt", '-infinity')`, criteria, values),
    criteria.place !== null && placeSql(criteria.place, values),
    ...criteria.areas.map((area) => areaSql(area, gridsOf(criteria), values)),
  ];
  return conditions.filter((condition) => typeof condition === 'string').join('\n  AND ');
}

/**
 * A range as a condition on a column. An unknown value is null in the indexes of areas and -1 in the index of the column. No
 * range holds either, because none goes below 0.
 * @param bind adds a number to the statement's values and returns its place
 */
export function rangeSql(column: string, { min, max }: Range, bind: (number: number) => string): string {
  const from = `${column} >= ${bind(min ?? 0)}`;
  return max === null ? from : `${from} AND ${column} <= ${bind(max)}`;
}

/** Whether an index finds where the listings lie; most hold what filters compare. */
const isLocal = ({ areas, place }: Criteria): boolean => areas.length > 0 || place !== null;

/**
 * Of local listings, bits are compared. Without a place, the index of features finds rare ones anywhere. The planner reckons
 * the bits of the asked features once. Some of them are never more than all; written as equality, the planner would expect
 * one listing in two hundred, and sort what it can count.
 */
function featuresSql(criteria: Criteria, values: SqlValues): string {
  const asked = values.add(criteria.features, 'text[]');
  if (!isLocal(criteria)) return `features @> ${asked}`;
  return `("featureBits" & search_feature_bits(${asked})) >= search_feature_bits(${asked})`;
}

function typesSql({ propertyTypes }: Criteria, values: SqlValues): string {
  const asked = values.add(propertyTypes, 'text[]');
  return `("propertyType" = ANY (${asked}) OR "propertySubType" = ANY (${asked}))`;
}

/** Of a query without words nothing would be left; the edge takes none. */
function wordsSql(words: string, values: SqlValues): string {
  return `"propertyId" IN (SELECT w."propertyId" FROM search_words w
    WHERE w.words @@ plainto_tsquery('simple', search_text(${values.add(words, 'text')})))`;
}

/** Few homes have one ahead, and an index holds those. */
function openHouseSql({ from, to }: NonNullable<Criteria['openHouse']>, values: SqlValues): string {
  const [begin, end] = [from, to].map((at) => values.add(toDate(at), 'timestamptz'));
  return `"propertyId" IN (SELECT o."propertyId" FROM open_houses o
    WHERE o."canceledAt" IS NULL AND o."endsAt" > ${begin} AND o."startsAt" < ${end})`;
}

/** In the form of the index of sales, which no index of areas has as a key. */
function soldSql({ soldWithinDays, at }: Criteria, values: SqlValues): string | false {
  if (soldWithinDays === null) return false;
  const today = at - (at % DAY_MS);
  const from = values.add(toDate(today - soldWithinDays * DAY_MS), 'timestamptz');
  return `coalesce("soldAt", '-infinity') >= ${from}`;
}

const isOnMarket = ({ statuses }: Criteria) => !statuses.includes('Closed');

/**
 * The condition on "onMarket" that all requested listings meet, with which each sort's index begins; null when there is
 * none.
 */
export function marketSideSql(criteria: Criteria): '"onMarket"' | 'NOT "onMarket"' | null {
  if (isOnMarket(criteria)) return '"onMarket"';
  return criteria.statuses.length === 1 ? 'NOT "onMarket"' : null;
}

/** True without filters: everything on the market, in any areas. */
export function isWholeMarket(criteria: Criteria): boolean {
  return isOnMarket(criteria) && isWholeSide(criteria) && filtersOnly([], criteria);
}

/** What the index of tiles (0083) holds in addition to an area. */
const IN_TILES = [
  'listPrice',
  'currency',
  'bedroomsTotal',
  'bathroomsTotal',
  'propertyTypes',
  'features',
] as const satisfies readonly (keyof Criteria)[];

/** Of the index that finds a box: that of tiles (0083) for wide boxes, where it has the filters; that of a city (0086). */
export function gridsOf(criteria: Criteria): GridOf {
  if (criteria.place?.of === 'city') return () => TILES;
  const hasFilters =
    marketSideSql(criteria) !== null && isWholeSide(criteria) && filtersOnly(IN_TILES, criteria);
  return hasFilters ? (box) => (hasManyTiles(box) ? TILES : STRIPES) : () => STRIPES;
}

function filtersOnly(
  by: readonly string[],
  { statuses: _, areas: _areas, at: _at, ...filters }: Criteria,
): boolean {
  return Object.entries(filters).every(
    ([name, filter]) =>
      by.includes(name) ||
      filter === null ||
      filter === false ||
      (Array.isArray(filter) && filter.length === 0),
  );
}

/** Every status of the market's side that is asked for. */
const isWholeSide = (criteria: Criteria): boolean =>
  !isOnMarket(criteria) || criteria.statuses.length === ON_MARKET_STATUSES.length;

function statusSql(criteria: Criteria, values: SqlValues): string {
  const { statuses } = criteria;
  const side = marketSideSql(criteria);
  const named = () => `"standardStatus" = ANY (${values.add(statuses, 'text[]')})`;
  if (side === null) return named();
  return isWholeSide(criteria) ? side : `${side} AND ${named()}`;
}

/** The same count as on a card: whole days since the listing, up to now or to the day it left the market. */
function daysOnMarketSql(listedAt: string, criteria: Criteria, values: SqlValues): string | false {
  const { maxDaysOnMarket, at } = criteria;
  if (maxDaysOnMarket === null) return false;
  const span = (maxDaysOnMarket + 1) * DAY_MS;
  if (isOnMarket(criteria)) return `${listedAt} > ${values.add(toDate(at - span), 'timestamptz')}`;
  const until = `least("offMarketAt", ${values.add(toDate(at), 'timestamptz')})`;
  return `extract(epoch from ${until} - ${listedAt}) * 1000 < ${values.add(span, 'float8')}`;
}
