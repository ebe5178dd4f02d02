import { z } from 'zod';

/** The shape of `home.getPlaces` (docs/contract.md#the-first-screen). */

export const MOST_PLACES = 12;

const place = z.object({
  /** As of a suggestion: `search.list` takes it as `filters.placeId`. */
  id: z.string(),
  label: z.string(),
  /** Homes on the market. */
  count: z.int(),
});
export type PlaceWithCount = z.output<typeof place>;

export const placesOutput = z.object({
  /** The city with the most homes where the site's map begins; null where there is none within 100 km. */
  here: place.nullable(),
  /** Cities and postal codes, the one with the most homes first. */
  places: z.array(place).max(MOST_PLACES),
});
