import type { Pool } from 'pg';
import { shownFeeds } from '../../persistence/feeds/shown-feeds.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { FEED_PROFILES } from '../feeds/profiles/profiles.ts';
import type { FeedNotice } from './renderer.ts';

/** How long pages show an earlier time, besides their own freshness. */
const KNOWN_FOR_MS = 5_000;

/**
 * What the profiles of the feeds want said on every page that shows listings (docs/contract.md#attribution). The answer is
 * that of the last question; a page never waits for one. When the database does not answer, the last answer holds and the
 * next page asks again.
 */
export function createFeedNotices({
  pool,
  clock,
}: {
  pool: Pool;
  clock: Clock;
}): () => readonly FeedNotice[] {
  let notices: readonly FeedNotice[] = [];
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async (): Promise<void> => {
    notices = await readNotices(pool).catch(() => notices);
  };
  const current = (): readonly FeedNotice[] => {
    if (clock.now() - askedAt >= KNOWN_FOR_MS) {
      askedAt = clock.now();
      void ask();
    }
    return notices;
  };
  current();
  return current;
}

async function readNotices(pool: Pool): Promise<FeedNotice[]> {
  return (await shownFeeds(pool)).flatMap(({ profile, seenAt }) => {
    const texts = FEED_PROFILES.get(profile)?.attribution;
    if (texts === undefined) return [];
    const { en, es } = texts.disclaimer;
    return [
      {
        words: { en: `${texts.source.en} ${en}`, es: `${texts.source.es} ${es}` },
        updatedAt: seenAt === null ? null : new Date(seenAt).toISOString(),
      },
    ];
  });
}
