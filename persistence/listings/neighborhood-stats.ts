import type { Pool } from 'pg';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';

/**
 * Figures of a listing's neighbourhood from our own listings and their price history: the listings with its postal
 * code, or in its city when it has none, for sale or for rent as it is, in its currency (prices) and its units
 * (price per area). The way goes from the region's listings (properties_postal_region_idx,
 * properties_city_region_idx) to their sales (property_price_events_sales_idx), so it costs the region, never
 * the table.
 */
export interface Measure {
  value: number | null;
  /** How many rows the value was computed from. */
  n: number;
}
/** A figure of the period and of the equally long one before it. */
interface PeriodMeasure extends Measure {
  before: Measure;
}

export interface NeighborhoodStats {
  region: { type: 'POSTAL_CODE' | 'CITY'; name: string; country: string };
  isLease: boolean;
  currency: string;
  areaUnits: string;
  /** The twelve months up to the newest recorded sale; null when there is none. */
  sales: { from: number; to: number } | null;
  /** The twelve months up to now. */
  newListingsSince: number;
  figures: {
    medianSalePrice: PeriodMeasure;
    medianPricePerArea: PeriodMeasure;
    homesSold: PeriodMeasure;
    medianDaysOnMarket: PeriodMeasure;
    saleToListRatio: PeriodMeasure;
    newListings: PeriodMeasure;
    medianListPrice: Measure;
    activeInventory: Measure;
    shareWithPriceCut: Measure;
  };
}

/**
 * Sales after which people had forgotten the listing say nothing about the market
 * (docs/contract.md#neighbourhood-figures).
 */
const LONGEST_MARKET_DAYS = 365;

const SUBJECT = `
  subject AS (
    SELECT s.*, property_is_lease(s) AS lease FROM properties s WHERE s.id = $1 AND ${hasPublicPage('s')}),
  region AS (
    SELECT p.id, p."listPrice", p."originalListPrice", p.currency, p."standardStatus"
    FROM subject s JOIN properties p ON p.country = s.country AND p."postalCode" = s."postalCode"
    WHERE property_is_lease(p) = s.lease AND ${hasPublicPage('p')}
    UNION ALL
    SELECT p.id, p."listPrice", p."originalListPrice", p.currency, p."standardStatus"
    FROM subject s JOIN properties p ON p.country = s.country AND lower(p.city) = lower(s.city)
      AND p."stateOrProvince" IS NOT DISTINCT FROM s."stateOrProvince"
    WHERE s."postalCode" IS NULL AND property_is_lease(p) = s.lease AND ${hasPublicPage('p')})`;

/** A calendar year before, counted in UTC whatever the session's time zone. */
const yearBefore = (instant: string) =>
  `((${instant} AT TIME ZONE 'UTC' - interval '1 year') AT TIME ZONE 'UTC')`;

// A corrected sale counts with what its last correction says. OFFSET 0 keeps the planner on the way by the region:
// left alone it reads every sale there is, as long as that looks cheap. Doubles, because medians are sorts.
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

/** The aggregates over rows that `filter` picks, for the period and for the one before. */
const PERIODS = { now: 'at > b.first', before: 'at > b.earlier AND at <= b.first' };

function salesMeasures(period: keyof typeof PERIODS): string {
  const json = (value: string, n: string) => `jsonb_build_object('value', ${value}, 'n', ${n})`;
  const known = (column: string, more = '') =>
    `FILTER (WHERE ${PERIODS[period]} AND ${column} IS NOT NULL${more})`;
  const medianOf = (column: string, digits = 2, more = '') =>
    json(
      `round((percentile_cont(0.5) WITHIN GROUP (ORDER BY ${column}) ${known(column, more)})::numeric, ${digits})`,
      `count(*) ${known(column, more)}`,
    );
  const recent = ` AND "daysOnMarket" <= ${LONGEST_MARKET_DAYS}`;
  const ratio = '(price / nullif(asked, 0))';
  const sold = `count(*) FILTER (WHERE ${PERIODS[period]})`;
  return `jsonb_build_object(
    'medianSalePrice', ${medianOf('price')},
    'medianPricePerArea', ${medianOf('per_area')},
    'homesSold', ${json(sold, sold)},
    'medianDaysOnMarket', ${medianOf('"daysOnMarket"', 1, recent)},
    'saleToListRatio', ${medianOf(ratio, 4)})`;
}

const STATS = `
  WITH ${SUBJECT}, ${SALES},
  listed AS (
    SELECT e.at FROM region r JOIN LATERAL (
      SELECT o.at FROM property_price_events o
      WHERE o."propertyId" = r.id AND o.event IN ('LISTED', 'LISTED_FOR_RENT', 'RELISTED') AND o.at <= $2::timestamptz
      OFFSET 0) e ON true)
  SELECT s."postalCode", s.city, s.country, s.lease AS "isLease", s.currency, s."livingAreaUnits" AS "areaUnits",
    b.newest AS "salesTo", b.first AS "salesFrom", b.listed_first AS "newListingsSince",
    (SELECT ${salesMeasures('now')} FROM sales) AS now,
    (SELECT ${salesMeasures('before')} FROM sales) AS before,
    (SELECT count(*)::int FROM listed WHERE at > b.listed_first) AS "newListings",
    (SELECT count(*)::int FROM listed WHERE at > b.listed_earlier AND at <= b.listed_first) AS "newListingsBefore",
    inventory.*
  FROM subject s, bounds b, LATERAL (
    SELECT count(*)::int AS "activeInventory",
      round((percentile_cont(0.5) WITHIN GROUP (ORDER BY r."listPrice"::float8))::numeric, 2)::float8 AS "medianListPrice",
      round(avg((r."listPrice" < r."originalListPrice")::int), 4)::float8 AS "shareWithPriceCut"
    FROM region r WHERE r."standardStatus" = 'Active' AND r.currency = s.currency) inventory`;

type SalesFigure =
  | 'medianSalePrice'
  | 'medianPricePerArea'
  | 'homesSold'
  | 'medianDaysOnMarket'
  | 'saleToListRatio';
interface StatsRow {
  postalCode: string | null;
  city: string;
  country: string;
  isLease: boolean;
  currency: string;
  areaUnits: string;
  salesTo: Instant | null;
  salesFrom: Instant | null;
  newListingsSince: Instant;
  now: Record<SalesFigure, Measure>;
  before: Record<SalesFigure, Measure>;
  newListings: number;
  newListingsBefore: number;
  activeInventory: number;
  medianListPrice: number | null;
  shareWithPriceCut: number | null;
}

/** Every figure with its sample, whatever its size; null when the listing has no public page. */
export async function neighborhoodStats(
  pool: Pool,
  { propertyId, at }: { propertyId: string; at: number },
): Promise<NeighborhoodStats | null> {
  const { rows } = await pool.query<StatsRow>(STATS, [propertyId, toDate(at)]);
  return rows[0] === undefined ? null : fromRow(rows[0]);
}

function fromRow(row: StatsRow): NeighborhoodStats {
  const period = (figure: SalesFigure): PeriodMeasure => ({ ...row.now[figure], before: row.before[figure] });
  const count = (value: number): Measure => ({ value, n: value });
  const { salesFrom, salesTo, activeInventory: n } = row;
  return {
    region:
      row.postalCode === null
        ? { type: 'CITY', name: row.city, country: row.country }
        : { type: 'POSTAL_CODE', name: row.postalCode, country: row.country },
    isLease: row.isLease,
    currency: row.currency,
    areaUnits: row.areaUnits,
    sales:
      salesFrom === null || salesTo === null ? null : { from: toMillis(salesFrom), to: toMillis(salesTo) },
    newListingsSince: toMillis(row.newListingsSince),
    figures: {
      medianSalePrice: period('medianSalePrice'),
      medianPricePerArea: period('medianPricePerArea'),
      homesSold: period('homesSold'),
      medianDaysOnMarket: period('medianDaysOnMarket'),
      saleToListRatio: period('saleToListRatio'),
      newListings: { ...count(row.newListings), before: count(row.newListingsBefore) },
      medianListPrice: { value: row.medianListPrice, n },
      activeInventory: count(n),
      shareWithPriceCut: { value: row.shareWithPriceCut, n },
    },
  };
}
