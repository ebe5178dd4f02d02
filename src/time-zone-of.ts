import zoneAt from '@photostructure/tz-lookup';

/** A position in degrees; null and undefined for one that is not known. */
interface MaybePosition {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}

/** The IANA name of the time zone at a position, such as `America/Los_Angeles`; undefined without a position. */
export const timeZoneOf = ({ latitude, longitude }: MaybePosition): string | undefined =>
  latitude == null || longitude == null ? undefined : zoneAt(latitude, longitude);
