import bridge from './bridge.json' with { type: 'json' };
import generic from './generic.json' with { type: 'json' };
import mlsGrid from './mls-grid.json' with { type: 'json' };
import { type FeedProfile, profileSchema } from './profile-schema.ts';
import spark from './spark.json' with { type: 'json' };
import trestle from './trestle.json' with { type: 'json' };

/** The profiles that ship with the product, by name. A file that breaks the schema stops the process at its start. */
export const FEED_PROFILES: ReadonlyMap<string, FeedProfile> = new Map(
  [mlsGrid, trestle, bridge, spark, generic].map((file) => {
    const profile = profileSchema.parse(file);
    return [profile.name, profile];
  }),
);

/** @throws Error for a name that no profile has */
export function feedProfile(name: string): FeedProfile {
  const profile = FEED_PROFILES.get(name);
  if (profile === undefined)
    throw new Error(`no profile ${name}: choose one of ${[...FEED_PROFILES.keys()].join(', ')}`);
  return profile;
}
