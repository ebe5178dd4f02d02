import { z } from 'zod';
import { latitude, longitude } from '../wire/listings/listing-fields.ts';
import { type GeocodingService, MOST_ASKED } from './geocoding-service.ts';

/** Degrees come as text. */
const degrees = (bounds: z.ZodNumber) =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/)
    .transform(Number)
    .pipe(bounds);

const places = z
  .array(
    z.object({
      lat: degrees(latitude),
      lon: degrees(longitude),
      address: z.record(z.string(), z.string()).default({}),
    }),
  )
  .max(10 * MOST_ASKED);

/** A settlement has one of these names, by its size. */
const CITIES = ['city', 'town', 'village', 'hamlet', 'municipality'] as const;

/** Nominatim's search, in a copy that the operator runs. */
export const nominatim = (url: string): GeocodingService => ({
  ask: ({ text: q, country }) => ({
    url: `${url}/search?${new URLSearchParams({
      q,
      format: 'jsonv2',
      addressdetails: '1',
      limit: String(MOST_ASKED),
      countrycodes: country.toLowerCase(),
    })}`,
  }),
  read: (answer) =>
    places.parse(answer).map(({ lat, lon, address }) => ({
      latitude: lat,
      longitude: lon,
      street: address.road ?? address.pedestrian,
      number: address.house_number,
      city: CITIES.map((name) => address[name]).find((name) => name !== undefined),
      state: address.state,
      postalCode: address.postcode,
      country: address.country_code?.toUpperCase(),
    })),
});
