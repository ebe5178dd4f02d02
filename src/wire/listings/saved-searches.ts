import { z } from 'zod';
import type { AlertSettings } from '../../../persistence/alerts/alert-settings.ts';
import type { SavedSearch } from '../../../persistence/alerts/saved-searches.ts';
import { ALERT_CADENCES, ALERT_CHANNELS } from '../../../persistence/entities/values.ts';
import { SEARCH_SORTS } from '../../../persistence/search/search-index.ts';
import { instant, iso, plainLine, uuid } from '../text.ts';
import { type SearchFilters, searchFilters, storedFilters } from './search.ts';

/** Saved searches and the alerts about them and about saved homes (docs/contract.md#saved-searches). */

const cadence = z.enum(ALERT_CADENCES);
const channels = z
  .array(z.enum(ALERT_CHANNELS))
  .min(1)
  .max(ALERT_CHANNELS.length)
  .transform((given) => [...new Set(given)]);
const name = plainLine(80);

export const saveSearchInput = z
  .strictObject({
    /** Without one, the name of the place. */
    name: name.optional(),
    /** Those of `search.list`. */
    filters: searchFilters,
    sort: z.enum(SEARCH_SORTS).default('RELEVANCE'),
    cadence,
    channels,
  })
  .refine(({ sort, filters }) => sort !== 'DISTANCE' || filters.location?.circle !== undefined, {
    message: 'DISTANCE needs a circle to measure from.',
    path: ['sort'],
  });

export const savedSearch = z.object({
  id: z.string(),
  name: z.string(),
  filters: storedFilters,
  /** What `filters.placeId` is called, as suggestions call it; null without one, and where it is not known. */
  placeName: z.string().nullable(),
  sort: z.enum(SEARCH_SORTS),
  cadence,
  channels: z.array(z.enum(ALERT_CHANNELS)),
  createdAt: instant,
  /** Homes with an event since `searches.markSeen`, up to 99. */
  newHomes: z.int(),
});
export const savedSearchesOutput = z.object({ items: z.array(savedSearch) });

export const updateSearchInput = z.strictObject({
  id: uuid,
  name: name.optional(),
  cadence: cadence.optional(),
  channels: channels.optional(),
});
export const searchIdInput = z.strictObject({ id: uuid });
export const searchIdOutput = z.object({ id: z.string() });

/** A stored search; its filters are those that `saveSearchInput` let in. */
export function toSavedSearch(
  { createdAt, ...search }: SavedSearch<SearchFilters>,
  known: { readonly newHomes: number; readonly placeName: string | null },
) {
  return { ...search, createdAt: iso(createdAt), ...known };
}

/** Of alerts about saved homes: price, under contract, sold. */
export const alertSettings = z.object({ cadence, channels: z.array(z.enum(ALERT_CHANNELS)) });
export const updateAlertSettingsInput = z.strictObject({
  cadence: cadence.optional(),
  channels: channels.optional(),
});
export const toAlertSettings = ({ cadence, channels }: AlertSettings) => ({ cadence, channels });

export const unsubscribeInput = z.strictObject({
  /** Of the address in a mail. */
  token: z.string().max(200),
  /** Ends all alerts by mail, not only those that the mail is about. */
  all: z.boolean().default(false),
});
export const unsubscribeOutput = z.object({
  /** The search whose mails have ended; null for all alerts, and for those about saved homes. */
  name: z.string().nullable(),
  about: z.enum(['SEARCH', 'SAVED_HOMES', 'ALL']),
});
