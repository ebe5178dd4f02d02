import {
  cardsOutput,
  featuredInput,
  nearbyInput,
  searchFilters,
  toCriteria,
} from '../../wire/listings/search.ts';
import { publicProcedure, router } from '../base.ts';
import type { Services } from '../services.ts';

/** Metres: an hour's drive. What is farther away is not nearby. */
const NEARBY = 100_000;

/** `home.*`: what the first screen shows to anyone. */
export function homeRouter({ searchIndex, cards, clock }: Services) {
  const onMarket = () => toCriteria(searchFilters.parse({}), clock.now());
  return router({
    /** The order of RELEVANCE: with photos first, among them what is still to be had, then the newest. */
    getFeatured: publicProcedure
      .input(featuredInput)
      .output(cardsOutput)
      .query(async ({ input: { limit } }) => ({
        items: await cards.of(await searchIndex.featured({ criteria: onMarket(), limit })),
      })),
    /** Nearest first, within 100 km. */
    getNearby: publicProcedure
      .input(nearbyInput)
      .output(cardsOutput)
      .query(async ({ input: { limit, ...origin } }) => {
        const criteria = { ...onMarket(), areas: [{ circle: { ...origin, radiusMeters: NEARBY } }] };
        return { items: await cards.of(await searchIndex.nearest({ criteria, origin, limit })) };
      }),
  });
}
