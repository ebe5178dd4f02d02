import { MAX_OPEN_HOUSES } from '../../machines/limits.ts';
import { isOffered } from './listing-visibility.ts';

/** When a home may be visited, in milliseconds. */
export interface OpenHouseTime {
  startsAt: number;
  endsAt: number;
}

/**
 * SQL: the open houses of the listing with this alias that may not be over, as JSON with milliseconds, the first one first:
 * as many as can be ahead, and none while the listing is not on the market.
 */
export const openHousesAhead = (property: string): string => `
  (SELECT coalesce(jsonb_agg(jsonb_build_object('openHouseId', o.id, 'remarks', o.remarks, 'timeZone', ${property}."propertyTimeZoneName",
     'startsAt', (extract(epoch FROM o."startsAt") * 1000)::bigint,
     'endsAt', (extract(epoch FROM o."endsAt") * 1000)::bigint) ORDER BY o."startsAt", o.id), '[]'::jsonb)
   FROM (SELECT * FROM open_houses h WHERE h."propertyId" = ${property}.id AND h."canceledAt" IS NULL
     ORDER BY h."startsAt" DESC LIMIT ${MAX_OPEN_HOUSES}) o WHERE ${isOffered(property)})`;

/** What `openHousesAhead` gives of each. */
export interface OpenHouseAhead extends OpenHouseTime {
  openHouseId: string;
  /** IANA name of the home's zone. */
  timeZone: string;
  remarks: string | null;
}
