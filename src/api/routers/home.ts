import {
  cardsOutput,
  featuredInput,
  nearbyInput,
  searchFilters,
  toCriteria,
} from '../../wire/listings/search.ts';
import { publicProcedure, router } from '../base.ts';
import type { Services } from '../services.ts';

/** Metres: about an hour's drive. */
const NEARBY = 100_000;

/** `home.*`: the first screen, for any caller. */
export function homeRouter({ publicReads, clock, settings: { site } }: Services) {
  const onMarket = () => toCriteria(searchFilters.parse({}), { at: clock.now(), site });
  return router({
    /** The order of RELEVANCE: listings with photos first, then available ones, then the newest. */
    getFeatured: publicProcedure
      .input(featuredInput)
      .output(cardsOutput)
      .query(async ({ ctx, input: { limit, pictures } }) => {
        const { searchIndex, cards } = await publicReads(ctx);
        return {
          items: await cards.of(await searchIndex.featured({ criteria: onMarket(), limit }), pictures),
        };
      }),
    /** Nearest first, within 100 km. */
    getNearby: publicProcedure
      .input(nearbyInput)
      .output(cardsOutput)
      .query(async ({ ctx, input: { limit, pictures, ...origin } }) => {
        const { searchIndex, cards } = await publicReads(ctx);
        const criteria = { ...onMarket(), areas: [{ circle: { ...origin, radiusMeters: NEARBY } }] };
        return { items: await cards.of(await searchIndex.nearest({ criteria, origin, limit }), pictures) };
      }),
  });
}
