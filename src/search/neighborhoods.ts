import type { Reader } from '../../persistence/database/reader.ts';
import {
  type NeighborhoodStats,
  neighborhoodStats,
  readNeighborhood,
} from '../../persistence/listings/neighborhood-stats.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createKept } from '../kept.ts';

/** Medians of twelve months change little in a minute. An answer takes about two kilobytes. */
const LIMITS = { freshMs: 60_000, many: 500, size: 2_000 };

/** The figures of neighbourhoods. Those of large ones, which read thousands of listings, are kept for a minute. */
export function createNeighborhoods(reader: Reader, clock: Clock) {
  const kept = createKept<NeighborhoodStats>(clock, LIMITS, () => 1);
  return {
    /** Null when the listing has no public page. */
    async statsFor(propertyId: string): Promise<NeighborhoodStats | null> {
      const of = await readNeighborhood(reader, propertyId);
      if (of === null) return null;
      return kept.ask(JSON.stringify(of), () => neighborhoodStats(reader, { of, at: clock.now() }));
    },
  };
}
