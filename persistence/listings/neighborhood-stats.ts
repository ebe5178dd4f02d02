import { toDate, toMillis } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import { prepared } from '../database/prepared.ts';
import type { Reader } from '../database/reader.ts';
import { isSampleListing } from '../sample/sample-town.ts';

/**
 * Figures of a listing's neighborhood, from our own listings and their price history. They cover the listings with its
 * postal code, or in its city when it has none. These have the same offer (for sale or for rent), the same currency
 * (for prices) and the same units (for prices per area). The query goes from the region's listings
 * (properties_postal_region_idx, properties_city_region_idx) to their sales (property_price_events_sales_idx), so its
 * cost depends on the region and not on the table. Homes of the sample are left out.
 */
export interface Measure {
  value: number | null;
  /** How many rows the value was computed from. */
  n: number;
}
/** A figure of the period and of the equally long period before it. */
interface PeriodMeasure extends Measure {
  before: Measure;
}

type PeriodFigure =
  | 'medianSalePrice'
  | 'medianPricePerArea'
  | 'homesSold'
  | 'medianDaysOnMarket'
  | 'saleToListRatio'
  | 'newListings';
type PresentFigure = 'medianListPrice' | 'activeInventory' | 'shareWithPriceCut';

/** What two listings have in common whose neighborhoods have the same figures. */
export interface Neighborhood {
  country: string;
  postalCode: string | null;
  /** Of a listing without a postal code. */
  city: string | null;
  stateOrProvince: string | null;
  isLease: boolean;
  currency: string;
  areaUnits: string;
}
interface Figures {
  region: { type: 'POSTAL_CODE' | 'CITY'; name: string; country: string };
  isLease: boolean;
  currency: string;
  areaUnits: string;
  figures: Record<PeriodFigure, PeriodMeasure> & Record<PresentFigure, Measure>;
}
export interface NeighborhoodStats extends Figures {
  /** The twelve months up to the newest recorded sale; null when there is none. */
  sales: { from: number; to: number } | null;
  /** Start of the twelve months up to now. */
  newListingsSince: number;
  /** When they were computed. */
  at: number;
  /** Listings of the region. */
  total: number;
}

/**
 * Sales after a longer time on the market are left out, because they say nothing about it
 * (docs/contract.md#neighborhood-figures).
 */
const LONGEST_MARKET_DAYS = 365;

const NEIGHBORHOOD = `
  SELECT s.country, s."postalCode", CASE WHEN s."postalCode" IS NULL THEN s.city END AS city,
    CASE WHEN s."postalCode" IS NULL THEN s."stateOrProvince" END AS "stateOrProvince",
    property_is_lease(s) AS "isLease", s.currency, s."livingAreaUnits" AS "areaUnits", s."showValuation"
  FROM properties s WHERE s.id = $1 AND ${hasPublicPage('s')}`;

const SUBJECT = `
  subject AS (
    SELECT $1::bpchar AS country, $3::text AS "postalCode", $4::text AS city, $5::text AS "stateOrProvince",
      $6::boolean AS lease, $7::bpchar AS currency, $8::text AS "livingAreaUnits"),
  region AS (
    SELECT p.id, p."listPrice", p."originalListPrice", p.currency, p."standardStatus"
    FROM subject s JOIN properties p ON p.country = s.country AND p."postalCode" = s."postalCode"
    WHERE property_is_lease(p) = s.lease AND ${hasPublicPage('p')} AND NOT ${isSampleListing('p')}
    UNION ALL
    SELECT p.id, p."listPrice", p."originalListPrice", p.currency, p."standardStatus"
    FROM subject s JOIN properties p ON p.country = s.country AND lower(p.city) = lower(s.city)
      AND p."stateOrProvince" IS NOT DISTINCT FROM s."stateOrProvince"
    WHERE s."postalCode" IS NULL AND property_is_lease(p) = s.lease AND ${hasPublicPage('p')}
      AND NOT ${isSampleListing('p')})`;

/** One calendar year earlier, in UTC whatever the session's time zone. */
const yearBefore = (instant: string) =>
  `((${instant} AT TIME ZONE 'UTC' - interval '1 year') AT TIME ZONE 'UTC')`;

// A corrected sale counts with its last correction. OFFSET 0 keeps the plan that begins with the region: without it the
// planner reads all sales while that looks cheap. The values are doubles because medians sort them.
const SALES = `
  sales AS (
    SELECT e.at, e."daysOnMarket",
      CASE WHEN e.currency = s.currency THEN CASE WHEN c.id IS NULL THEN e.price ELSE c.price END END::float8 AS price,
      CASE WHEN e.currency = s.currency THEN e."previousPrice" END::float8 AS asked,
      CASE WHEN e.currency = s.currency AND e."areaUnits" = s."livingAreaUnits"
        THEN CASE WHEN c.id IS NULL THEN e."pricePerArea" ELSE c."pricePerArea" END END::float8 AS per_area
    FROM subject s CROSS JOIN region r
      JOIN LATERAL (
        SELECT * FROM property_price_events o
        WHERE o."propertyId" = r.id AND o.event IN ('SOLD', 'RENTED') AND o.at <= $2::timestamptz
          AND o.event = (CASE WHEN s.lease THEN 'RENTED' ELSE 'SOLD' END)::property_price_event
        OFFSET 0) e ON true
      LEFT JOIN LATERAL (
        SELECT f.id, f.price, f."pricePerArea" FROM property_price_events f
        WHERE f."correctsId" = e.id ORDER BY f.id DESC LIMIT 1) c ON true),
  bounds AS (
    SELECT newest, ${yearBefore('newest')} AS first, ${yearBefore(yearBefore('newest'))} AS earlier,
      ${yearBefore('$2::timestamptz')} AS listed_first,
      ${yearBefore(yearBefore('$2::timestamptz'))} AS listed_earlier
    FROM (SELECT max(at) AS newest FROM sales) m)`;

const fields = (value: string, n: string) => `'value', ${value}, 'n', ${n}`;
/** SQL: a measure of the period from `first` on, and of the previous period, from `earlier` on. */
function periodMeasure(first: string, earlier: string, fieldsOf: (period: string) => string): string {
  const before = fieldsOf(`at > ${earlier} AND at <= ${first}`);
  return `jsonb_build_object(${fieldsOf(`at > ${first}`)}, 'before', jsonb_build_object(${before}))`;
}
const countOf = (first: string, earlier: string) =>
  periodMeasure(first, earlier, (period) => {
    const count = `count(*) FILTER (WHERE ${period})`;
    return fields(count, count);
  });
const medianOfSales = (column: string, { digits = 2, and = '' } = {}) =>
  periodMeasure('b.first', 'b.earlier', (period) => {
    const known = `FILTER (WHERE ${period} AND ${column} IS NOT NULL${and})`;
    const median = `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${column}) ${known}`;
    return fields(`round((${median})::numeric, ${digits})`, `count(*) ${known}`);
  });
const RECENT = ` AND "daysOnMarket" <= ${LONGEST_MARKET_DAYS}`;

const STATS = `
  WITH ${SUBJECT}, ${SALES},
  listed AS (
    SELECT e.at FROM region r JOIN LATERAL (
      SELECT o.at FROM property_price_events o
      WHERE o."propertyId" = r.id AND o.event IN ('LISTED', 'LISTED_FOR_RENT', 'RELISTED') AND o.at <= $2::timestamptz
      OFFSET 0) e ON true),
  inventory AS (
    SELECT count(*) AS n,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY r."listPrice"::float8) AS price,
      avg((r."listPrice" < r."originalListPrice")::int) AS cut
    FROM subject s JOIN region r ON r."standardStatus" = 'Active' AND r.currency = s.currency)
  SELECT jsonb_build_object('type', CASE WHEN s."postalCode" IS NULL THEN 'CITY' ELSE 'POSTAL_CODE' END,
      'name', coalesce(s."postalCode", s.city), 'country', s.country) AS region,
    s.lease AS "isLease", s.currency, s."livingAreaUnits" AS "areaUnits",
    (SELECT count(*)::int FROM region) AS total, b.newest AS "salesTo", b.first AS "salesFrom", b.listed_first AS "newListingsSince",
    (SELECT jsonb_build_object(
        'medianSalePrice', ${medianOfSales('price')},
        'medianPricePerArea', ${medianOfSales('per_area')},
        'homesSold', ${countOf('b.first', 'b.earlier')},
        'medianDaysOnMarket', ${medianOfSales('"daysOnMarket"', { digits: 1, and: RECENT })},
        'saleToListRatio', ${medianOfSales('(price / nullif(asked, 0))', { digits: 4 })}) FROM sales)
      || jsonb_build_object(
        'newListings', (SELECT ${countOf('b.listed_first', 'b.listed_earlier')} FROM listed),
        'medianListPrice', jsonb_build_object(${fields('round(i.price::numeric, 2)', 'i.n')}),
        'activeInventory', jsonb_build_object(${fields('i.n', 'i.n')}),
        'shareWithPriceCut', jsonb_build_object(${fields('round(i.cut, 4)', 'i.n')})) AS figures
  FROM subject s, bounds b, inventory i`;

interface StatsRow extends Figures {
  total: number;
  salesTo: Date | null;
  salesFrom: Date | null;
  newListingsSince: Date;
}

/** The neighborhood of a listing, and whether values may be said with it; null when it has no public page. */
export async function readNeighborhood(
  pool: Reader,
  propertyId: string,
): Promise<(Neighborhood & { showValuation: boolean }) | null> {
  const { rows } = await pool.query<Neighborhood & { showValuation: boolean }>(
    prepared(NEIGHBORHOOD, [propertyId]),
  );
  return rows[0] ?? null;
}

/** Every figure with the size of its sample, however small. */
export async function neighborhoodStats(
  pool: Reader,
  { of, at }: { of: Neighborhood; at: number },
): Promise<NeighborhoodStats> {
  const { country, postalCode, city, stateOrProvince, isLease, currency, areaUnits } = of;
  const values = [country, toDate(at), postalCode, city, stateOrProvince, isLease, currency, areaUnits];
  // Of a small neighborhood, parsing and planning take four fifths of the time.
  const { rows } = await pool.query<StatsRow>(prepared(STATS, values));
  if (rows[0] === undefined) throw new Error('the figures have no row');
  const { salesFrom, salesTo, newListingsSince, ...figures } = rows[0];
  const sales = salesFrom && salesTo && { from: toMillis(salesFrom), to: toMillis(salesTo) };
  return { ...figures, sales, newListingsSince: toMillis(newListingsSince), at };
}

const NONE: Measure = { value: null, n: 0 };

/** The figures without those of prices, for a listing whose seller wants no values with it. */
export function withoutValues(stats: NeighborhoodStats): NeighborhoodStats {
  const none = { ...NONE, before: NONE };
  return {
    ...stats,
    figures: {
      ...stats.figures,
      medianSalePrice: none,
      medianPricePerArea: none,
      saleToListRatio: none,
      medianListPrice: NONE,
      shareWithPriceCut: NONE,
    },
  };
}
