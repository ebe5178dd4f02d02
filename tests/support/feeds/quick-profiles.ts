import { type FeedProfile, profileSchema } from '../../../src/feeds/profiles/profile-schema.ts';
import { feedProfile } from '../../../src/feeds/profiles/profiles.ts';

/** For tests with whole workers: many small pages, rates that are felt within a minute, and short pauses. */
export const QUICK_FEED_TIMINGS = {
  feedTurnsMs: 200,
  feedHoldMs: 2_000,
  feedLookMs: 1_000,
  feedReconcileMs: 1_500,
};
const PAGE = { size: 15, most: 30, keys: 14, inList: 5 };
const RATES = { second: 8, minute: 240, pauseMs: 1_500 };
const MEDIA = { minute: 100, hour: 2_000 };

/** The profile of that name, made quick. */
export function quickProfile(name: string): FeedProfile {
  const profile = feedProfile(name);
  return profileSchema.parse({
    ...profile,
    replication: { ...profile.replication, overlapMinutes: 2 },
    page: { ...profile.page, ...PAGE },
    rates: { ...profile.rates, ...RATES },
    media: { ...profile.media, ...MEDIA },
  });
}
