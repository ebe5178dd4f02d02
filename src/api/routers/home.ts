import { largestCityNear, largestPlaces, type OwnPlace } from '../../../persistence/search/largest-places.ts';
import type { Criteria, Position } from '../../../persistence/search/search-index.ts';
import { createCache } from '../../cache.ts';
import { toCriteria } from '../../search/criteria.ts';
import { MOST_PLACES, type PlaceWithCount, placesOutput } from '../../wire/listings/first-screen.ts';
import { cardsOutput, featuredInput, nearbyInput, searchFilters } from '../../wire/listings/search.ts';
import { noInput } from '../../wire/text.ts';
import { publicProcedure, router } from '../base.ts';
import type { PublicReads, Services } from '../services.ts';

/** Meters: about an hour's drive. */
const NEARBY = 100_000;
/** More than are shown: the counters that choose them count sold homes too. */
const CANDIDATES = 2 * MOST_PLACES;
const PLACES_MAX_AGE_MS = 60_000;

/** `home.*`: the first screen, for any caller. */
export function homeRouter({ publicReads, clock, settings: { site } }: Services) {
  const onMarket = () => toCriteria(searchFilters.parse({}), { at: clock.now(), site });
  const places = createCache<{ here: PlaceWithCount | null; places: PlaceWithCount[] }>({
    clock,
    maxAgeMs: PLACES_MAX_AGE_MS,
    maxSize: 1,
    sizeOf: () => 1,
  });
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
    /** Where homes are. Kept for a minute by each process. */
    getPlaces: publicProcedure
      .input(noInput)
      .output(placesOutput)
      .query(async ({ ctx }) => {
        const reads = await publicReads(ctx);
        return places.load('places', () => readPlaces(reads, { onMarket, near: site.mapPlace }));
      }),
  });
}

interface PlaceReads {
  readonly onMarket: () => Criteria;
  /** The city of `here` is looked for around it. */
  readonly near: Position;
}

async function readPlaces({ reader, searchIndex }: PublicReads, { onMarket, near }: PlaceReads) {
  const counted = async ({ id, label, criterion }: OwnPlace): Promise<PlaceWithCount> => ({
    id,
    label,
    count: await searchIndex.count({ ...onMarket(), place: criterion }),
  });
  const here = await largestCityNear(reader, { ...near, km: NEARBY / 1000 });
  const largest: PlaceWithCount[] = [];
  // One after another: a first screen takes no more of the database than a search does.
  for (const candidate of await largestPlaces(reader, CANDIDATES)) largest.push(await counted(candidate));
  return {
    here: here === null ? null : await counted(here),
    places: largest
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count)
      .slice(0, MOST_PLACES),
  };
}
