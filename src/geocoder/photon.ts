import { z } from 'zod';
import { latitude, longitude } from '../wire/listings/listing-fields.ts';
import { type GeocodingService, MOST_ASKED } from './geocoding-service.ts';

const text = z.string().optional();
const collection = z.object({
  features: z
    .array(
      z.object({
        geometry: z.object({ coordinates: z.tuple([longitude, latitude], z.number()) }),
        properties: z.object({
          /** `house`, `street`, `city`, … */
          type: text,
          name: text,
          housenumber: text,
          street: text,
          city: text,
          state: text,
          postcode: text,
          countrycode: text,
        }),
      }),
    )
    .max(10 * MOST_ASKED),
});

/** Photon's search; names are in the language of the place. */
export const photon = (url: string): GeocodingService => ({
  ask: ({ text: q }) => ({
    url: `${url}/api?${new URLSearchParams({ q, limit: String(MOST_ASKED), lang: 'default' })}`,
  }),
  read: (answer) =>
    collection
      .parse(answer)
      .features.map(({ geometry: { coordinates }, properties: { type, name, ...known } }) => ({
        latitude: coordinates[1],
        longitude: coordinates[0],
        street: known.street ?? (type === 'street' ? name : undefined),
        number: known.housenumber,
        city: known.city ?? (type === 'city' ? name : undefined),
        state: known.state,
        postalCode: known.postcode,
        country: known.countrycode?.toUpperCase(),
      })),
});
