/** What the last change of a listing's price has taken off; nulls when its price never changed. */
export interface LastChange {
  changedAt: Date | null;
  /** What the price is lower by; not more than 0 after a raise. */
  loweredBy: number | null;
}

/** Columns of `LastChange`, with `lastChangeJoin`. */
export const LAST_CHANGE_COLUMNS = 'change.at AS "changedAt", change."loweredBy"::float8 AS "loweredBy"';

/**
 * SQL: the price changes of a listing, each with its last row's id and what the price was before it. Changes that follow one
 * another within ten minutes are one: a person who corrects a typing error has not changed the price twice.
 * @param property an id, as SQL
 * @param most how many of the latest rows are read; all by default
 */
export const priceChanges = (property: string, most: number | 'ALL' = 'ALL'): string => `
  (SELECT max(e.id) AS id, max(e.at) AS at, (array_agg(e."previousPrice" ORDER BY e.id))[1] AS "fromPrice"
   FROM (SELECT n.*, sum(n.begins) OVER (ORDER BY n.id) AS run
     FROM (SELECT c.id, c.at, c."previousPrice",
         ((c.at - lag(c.at) OVER (ORDER BY c.id) < interval '10 minutes') IS NOT TRUE)::int AS begins
       FROM (SELECT * FROM property_price_events
         WHERE "propertyId" = ${property} AND event = 'PRICE_CHANGED' ORDER BY id DESC LIMIT ${most}) c) n) e
   GROUP BY e.run)`;

/** Every list reads them for each of its homes, however often a price was changed. */
const MOST_CHANGES = 50;

/**
 * SQL: joins the last price change of the listing with this alias. The present price counts, so that of a corrected change
 * does not.
 */
export const lastChangeJoin = (property: string): string => `
  LEFT JOIN LATERAL (
    SELECT c.at, c."fromPrice" - ${property}."listPrice" AS "loweredBy"
    FROM ${priceChanges(`${property}.id`, MOST_CHANGES)} c ORDER BY c.id DESC LIMIT 1) change ON true`;
