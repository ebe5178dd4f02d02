import type { Pool } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import { prepared } from '../database/prepared.ts';
import type { Reader } from '../database/reader.ts';
import type { PropertyPriceEvent } from '../entities/property.ts';
import { priceChanges } from '../search/price-cuts.ts';

/**
 * The price history of listings. The triggers of 0012 append rows, and this file appends sales from before the listing
 * was known. No row is ever changed.
 */
export type PriceEvent = Millis<PriceEventRow>;
interface PriceEventRow
  extends Omit<
    PropertyPriceEvent,
    'id' | 'propertyId' | 'daysOnMarket' | 'correctsId' | 'recordedByUserId' | 'recordedAt'
  > {
  /** The number of the row among the property's own rows, in the order of recording. */
  seq: number;
  correctsSeq: number | null;
}

const HISTORY = `
  WITH numbered AS (
   SELECT e.*, row_number() OVER (ORDER BY e.id)::int AS seq
   FROM property_price_events e WHERE e."propertyId" = $1),
  shown AS (
   SELECT e.*, CASE WHEN c.id IS NULL THEN e."previousPrice" ELSE c."fromPrice" END AS "shownFrom"
   FROM numbered e LEFT JOIN ${priceChanges('$1')} c ON c.id = e.id
   WHERE e.event <> 'PRICE_CHANGED' OR c."fromPrice" IS DISTINCT FROM e.price AND c.id IS NOT NULL)
 SELECT e.seq, e.event, e.at, e.price::float8 AS price, e."shownFrom"::float8 AS "previousPrice",
   CASE WHEN e."shownFrom" IS NOT DISTINCT FROM e."previousPrice" THEN e."changePct"
     ELSE round((e.price - e."shownFrom") / nullif(e."shownFrom", 0) * 100, 2) END::float8 AS "changePct", e.currency, e."pricePerArea"::float8 AS "pricePerArea",
   e."areaUnits", e.source, e."listingKey", e.note,
   (SELECT c.seq FROM numbered c WHERE c.id = e."correctsId") AS "correctsSeq"
 FROM properties p LEFT JOIN shown e
   ON $2::int IS NULL OR (e.at, e.seq) < (SELECT a.at, a.seq FROM numbered a WHERE a.seq = $2)
 WHERE p.id = $1 AND ${hasPublicPage('p')}
 ORDER BY e.at DESC NULLS LAST, e.seq DESC LIMIT $3`;

/**
 * The history of a public listing, newest first, where price changes within ten minutes are one; `afterSeq` is the last row of the previous page. Null when the listing
 * has no public page. The author of a row is not public.
 */
export async function priceHistory(
  pool: Reader,
  { propertyId, afterSeq, limit }: { propertyId: string; afterSeq: number | null; limit: number },
): Promise<PriceEvent[] | null> {
  const { rows } = await pool.query<PriceEventRow>(prepared(HISTORY, [propertyId, afterSeq, limit]));
  if (rows.length === 0) return null;
  // A listing without (further) rows is returned as one empty row.
  return rows.filter(({ seq }) => seq !== null).map(withMillis);
}

/** A sale that another system recorded. */
export interface PastSale {
  propertyId: string;
  at: number;
  price: number;
  /** The sale's key in its source system. */
  listingKey?: string | null;
}

/**
 * Appends past sales and returns how many were new. Idempotent: a sale of the same property and price on the same day
 * (UTC) counts as known, whatever its source. Sales of unknown properties are left out. The price per area uses the
 * listing's current area and currency.
 */
export async function recordPastSales(
  pool: Pick<Pool, 'query'>,
  { sales, at }: { sales: readonly PastSale[]; at: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `INSERT INTO property_price_events ("propertyId", event, at, price, currency, "pricePerArea", "areaUnits",
       source, "listingKey", "recordedAt")
     SELECT p.id, 'SOLD', s.at, s.price, p.currency,
       CASE WHEN p."livingArea" > 0 THEN round(s.price / p."livingArea", 2) END, p."livingAreaUnits",
       'import', s.key, $5
     FROM unnest($1::uuid[], $2::timestamptz[], $3::numeric(14, 2)[], $4::text[]) AS s(id, at, price, key)
       JOIN properties p ON p.id = s.id
     WHERE NOT EXISTS (
       SELECT FROM property_price_events e
       WHERE e."propertyId" = p.id AND e.event = 'SOLD' AND e.price = s.price
         AND (e.at AT TIME ZONE 'UTC')::date = (s.at AT TIME ZONE 'UTC')::date)
     ORDER BY s.at, p.id
     ON CONFLICT ("propertyId", event, at, price) WHERE source = 'import' DO NOTHING`,
    [
      sales.map(({ propertyId }) => propertyId),
      sales.map((sale) => toDate(sale.at)),
      sales.map(({ price }) => price),
      sales.map(({ listingKey }) => listingKey ?? null),
      toDate(at),
    ],
  );
  return rowCount ?? 0;
}
