import { z } from 'zod';
import type { Locale } from '../../../i18n/languages.ts';
import type { FeedFacts } from '../../../persistence/listings/property-details.ts';
import { FEED_PROFILES } from '../../feeds/profiles/profiles.ts';
import { instant, iso } from '../text.ts';

/** Who lists a home of a feed, and what the feed wants said with it (docs/contract.md#attribution). */
export const attribution = z.object({
  officeName: z.string().nullable(),
  /** The telephone number or mail address that the firm gives. */
  contact: z.string().nullable(),
  agentName: z.string().nullable(),
  agentLicense: z.string().nullable(),
  /** Where the data come from, and what they are worth, in the caller's language. */
  source: z.string(),
  disclaimer: z.string(),
  /** When the feed changed the listing last. */
  updatedAt: instant.nullable(),
  /** False where `address` is empty because it may not be shown. */
  showsAddress: z.boolean(),
});

/** Null for a listing that was made here. */
export function toAttribution(feed: FeedFacts | null, locale: Locale): z.output<typeof attribution> | null {
  if (feed === null) return null;
  const { profile, updatedAt, ...facts } = feed;
  const texts = FEED_PROFILES.get(profile)?.attribution;
  return {
    ...facts,
    source: texts?.source[locale] ?? '',
    disclaimer: texts?.disclaimer[locale] ?? '',
    updatedAt: iso(updatedAt),
  };
}
