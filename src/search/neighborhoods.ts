import type { Reader } from '../../persistence/database/reader.ts';
import {
  type NeighborhoodStats,
  neighborhoodStats,
  readNeighborhood,
  withoutValues,
} from '../../persistence/listings/neighborhood-stats.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';

/** Reads them from one server for one caller. */
export type Neighborhoods = ReturnType<ReturnType<typeof createNeighborhoods>>;

/** Medians of twelve months change little in a minute. An answer takes about two kilobytes. */
const LIMITS = { maxAgeMs: 60_000, maxSize: 2_000, sizeOf: () => 1 };
const MANY = 500;

/**
 * The figures of neighborhoods. Those of large ones, which read thousands of listings, are cached for a minute.
 * @returns reads them from one server for one caller; all of them share the cache
 */
export function createNeighborhoods(clock: Clock) {
  const cache = createCache<NeighborhoodStats>({ clock, ...LIMITS });
  return (reader: Reader) => ({
    /** Null when the listing has no public page. */
    async statsFor(propertyId: string): Promise<NeighborhoodStats | null> {
      const found = await readNeighborhood(reader, propertyId);
      if (found === null) return null;
      const { showValuation, ...of } = found;
      const load = () => neighborhoodStats(reader, { of, at: clock.now() });
      const stats = await cache.load(JSON.stringify(of), load, ({ total }) => total >= MANY);
      return showValuation ? stats : withoutValues(stats);
    },
  });
}
