import type { Pool } from 'pg';
import { toDate, toMillis } from '../database/instants.ts';
import { hasPublicPage, isOffered, publicPhoto } from '../database/listing-visibility.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { AlertCadence, AlertChannel, StandardStatus } from '../entities/values.ts';
import { answersFor } from '../listings/agent-access.ts';
import { criteriaSql } from '../search/criteria-sql.ts';
import { lastChangeJoin } from '../search/price-cuts.ts';
import type { Criteria } from '../search/search-index.ts';
import type { AlertItem, AlertKind } from './alert-writes.ts';

/**
 * What an alert says at the time of sending, whichever way it is sent: what no longer holds is left out, and so are homes that
 * the person acts for.
 */
export interface DueAlert {
  userId: string;
  /** Null for saved homes. */
  search: { id: string; name: string; filters: unknown } | null;
  cadence: AlertCadence;
  channels: AlertChannel[];
  items: AlertItem[];
  more: number;
}

/** Null for an alert of a person who is suspended or deleted, and for one that is there no more. */
export async function readAlert(pool: Pool, alertId: string): Promise<DueAlert | null> {
  const { rows } = await pool.query<
    Omit<DueAlert, 'search'> & { searchId: string | null; name: string; filters: unknown }
  >(
    `SELECT a."userId", a."searchId", a.items, a.more, s.name, s.filters,
       coalesce(s.cadence, h.cadence, 'INSTANT') AS cadence, coalesce(s.channels, h.channels, '{MAIL,PUSH}') AS channels
     FROM alerts a JOIN "user" u ON u.id = a."userId" LEFT JOIN saved_searches s ON s.id = a."searchId"
       LEFT JOIN alert_settings h ON h."userId" = a."userId" AND a."searchId" IS NULL
     WHERE a.id = $1 AND u.email IS NOT NULL AND u."suspendedAt" IS NULL`,
    [alertId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { searchId, name, filters, ...alert } = row;
  return { ...alert, search: searchId === null ? null : { id: searchId, name, filters } };
}

/** The alert that a push notice is about: of a search, or of the person's saved homes; null when it is there no more. */
export async function alertOfNotice(
  pool: Pool,
  { userId, subjectId, at }: { userId: string; subjectId: string; at: number },
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM alerts
     WHERE "userId" = $1 AND "searchId" IS NOT DISTINCT FROM nullif($2::uuid, $1::uuid) AND "createdAt" = $3 LIMIT 1`,
    [userId, subjectId, toDate(at)],
  );
  return rows[0]?.id ?? null;
}

/** A home of an alert as it is now, and the event that the alert names. */
export interface AlertHome {
  propertyId: string;
  kind: AlertKind;
  address: string;
  unitNumber: string | null;
  city: string;
  timeZone: string | null;
  photoId: string | null;
  /** The firm that lists a home of a feed, and the feed's profile. */
  listedBy: string | null;
  feedProfile: string | null;
  price: number;
  currency: string;
  beds: number | null;
  baths: number | null;
  /** What the last change of the price took off; less than 0 for a raise. */
  loweredBy: number | null;
  /** Of the next open house that the alert is about. */
  openHouseAt: number | null;
}

/** Which event of a home an alert names: the first of these that holds. */
const PRIORITY: readonly AlertKind[] = ['SOLD', 'PENDING', 'NEW', 'BACK', 'PRICE', 'OPEN_HOUSE'];

interface HomeRow extends Omit<AlertHome, 'kind' | 'openHouseAt'> {
  kinds: AlertKind[];
  status: StandardStatus;
  isOffered: boolean;
  openHouseAt: Date | null;
}

/** @param criteria of the search, with its place; null for saved homes */
export async function homesOfAlert(
  pool: Pool,
  { userId, items }: Pick<DueAlert, 'userId' | 'items'>,
  { criteria, at }: { criteria: Criteria | null; at: number },
): Promise<AlertHome[]> {
  const values = new SqlValues();
  const given = values.add(JSON.stringify(items), 'jsonb');
  const ids = values.add(
    items.map(({ propertyId }) => propertyId),
    'uuid[]',
  );
  const matches =
    criteria === null
      ? ''
      : `AND p.id IN (SELECT "propertyId" FROM search_listings
           WHERE "propertyId" = ANY (${ids}) AND ${criteriaSql(criteria, values)})`;
  const { rows } = await pool.query<HomeRow>(
    `SELECT p.id AS "propertyId", i.kinds, p.address, p."unitNumber", p.city, p."propertyTimeZoneName" AS "timeZone",
       ${publicPhoto('p')} AS "photoId", p."listOfficeName" AS "listedBy",
       (SELECT f.profile FROM feeds f WHERE f.id = p."feedId") AS "feedProfile", p."listPrice"::float8 AS price, p.currency, p."bedroomsTotal" AS beds,
       p."bathroomsTotal"::float8 AS baths, p."standardStatus" AS status, ${isOffered('p')} AS "isOffered",
       change."loweredBy"::float8 AS "loweredBy",
       (SELECT min(o."startsAt") FROM open_houses o WHERE o.id = ANY (i."openHouseIds") AND o."canceledAt" IS NULL
          AND o."endsAt" > ${values.add(toDate(at), 'timestamptz')}) AS "openHouseAt"
     FROM jsonb_array_elements(${given}) WITH ORDINALITY AS n (item, place)
       CROSS JOIN LATERAL jsonb_to_record(n.item) AS i ("propertyId" uuid, kinds text[], "openHouseIds" uuid[])
       JOIN properties p ON p.id = i."propertyId" ${lastChangeJoin('p')}
     WHERE p.id = ANY (${ids}) AND ${hasPublicPage('p')} AND NOT ${answersFor('p', values.add(userId, 'uuid'))} ${matches}
     ORDER BY n.place`,
    values.list,
  );
  return rows.flatMap(({ kinds, status, isOffered: isOnMarket, openHouseAt, ...home }) => {
    const ofSearch = criteria !== null;
    const holds = (kind: AlertKind) =>
      kinds.includes(kind) && stillHolds(kind, { ...home, status, isOnMarket, openHouseAt, ofSearch });
    const kind = PRIORITY.find(holds);
    if (kind === undefined) return [];
    return [{ ...home, kind, openHouseAt: openHouseAt === null ? null : toMillis(openHouseAt) }];
  });
}

/** A price that went down and back is no cut; a home that came and went is not new. */
function stillHolds(
  kind: AlertKind,
  home: Pick<HomeRow, 'loweredBy' | 'status' | 'openHouseAt'> & { isOnMarket: boolean; ofSearch: boolean },
): boolean {
  const { loweredBy, status, isOnMarket, openHouseAt, ofSearch } = home;
  switch (kind) {
    case 'SOLD':
      return status === 'Closed';
    case 'PENDING':
      return status === 'Pending' || status === 'Active Under Contract';
    case 'PRICE':
      return isOnMarket && loweredBy !== null && (ofSearch ? loweredBy > 0 : loweredBy !== 0);
    case 'OPEN_HOUSE':
      return isOnMarket && openHouseAt !== null;
    default:
      return isOnMarket;
  }
}
