import type { Pool } from 'pg';
import { followFeedAges } from '../../persistence/feeds/stale-feeds.ts';
import { turnEvery } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { FEED_PROFILES } from '../feeds/profiles/profiles.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Hides the listings of feeds before the last look is older than their profile allows, and shows them again once the feed
 * was seen (docs/contract.md#display-rules). It begins early, because hiding all of them takes a while. One worker does it
 * for all.
 */
type FeedAgeParts = Pick<WorkerParts, 'clock' | 'inTurn' | 'reporter' | 'timers'> & {
  database: { pool: Pool };
  timings: { offersMs: number };
};

const PAGE = 500;
const HOUR_MS = 3_600_000;
/** A feed that answers is seen more often than this. */
const EARLY_MS = 900_000;

export function createFeedAges(parts: FeedAgeParts): Sweeper {
  const { clock, database, inTurn, timings } = parts;
  // As often as offers end: an age is hours.
  const intervalMs = timings.offersMs;
  const turn = { name: 'feed-ages', everyMs: turnEvery(intervalMs) };
  return createSweeper({
    ...parts,
    name: 'feed-ages',
    intervalMs,
    async sweep(signal) {
      await inTurn(turn, async ({ prolong }) => {
        const at = clock.now();
        const ages = [...FEED_PROFILES.values()].map(({ name, display }) => ({
          profile: name,
          before: at - display.mostHours * HOUR_MS + EARLY_MS,
        }));
        while (!signal.aborted) {
          const changed = await followFeedAges(database.pool, { ages, limit: PAGE });
          if (changed < PAGE || !(await prolong())) return;
        }
      });
    },
  });
}
