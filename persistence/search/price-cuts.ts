/** What the last change of a listing's price has taken off; nulls when its price never changed. */
export interface LastChange {
  changedAt: Date | null;
  /** What the price is lower by; not more than 0 after a raise. */
  loweredBy: number | null;
}

/** Columns of `LastChange`, with `lastChangeJoin`. */
export const LAST_CHANGE_COLUMNS = 'change.at AS "changedAt", change."loweredBy"::float8 AS "loweredBy"';

/**
 * SQL: joins the last price change of the listing with this alias. Changes within ten minutes are one: a person who corrects
 * a typing error has not cut the price twice. The present price counts, so that of a corrected change does not.
 */
export const lastChangeJoin = (property: string): string => `
  LEFT JOIN LATERAL (
    SELECT e.at, (SELECT f."previousPrice" FROM property_price_events f
        WHERE f."propertyId" = e."propertyId" AND f.event = 'PRICE_CHANGED' AND f.at > e.at - interval '10 minutes'
        ORDER BY f.id LIMIT 1) - ${property}."listPrice" AS "loweredBy"
    FROM property_price_events e WHERE e."propertyId" = ${property}.id AND e.event = 'PRICE_CHANGED'
    ORDER BY e.id DESC LIMIT 1) change ON true`;
