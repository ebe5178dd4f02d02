import { z } from 'zod';
import type { Suggestion } from '../../../persistence/search/location-suggestions.ts';
import { MOST_COUNTED } from '../../../persistence/search/place-counting.ts';
import { SUGGESTION_KINDS } from '../../../persistence/search/suggestion-words.ts';
import { searchText } from '../text.ts';
import { latitude, longitude } from './listing-fields.ts';

/** docs/contract.md#search. */
export const MAX_SUGGESTIONS = 8;
const MIN_CHARACTERS = 2;

/** The shapes of `search.suggestLocations` (docs/contract.md#search). */
export const suggestLocationsInput = z
  .strictObject({
    /** The text typed so far. */
    text: searchText(200)
      .min(MIN_CHARACTERS)
      .refine((text) => [...text].length >= MIN_CHARACTERS, 'Type at least two characters.'),
    /** With `longitude`: nearby results are preferred. */
    latitude: latitude.nullish(),
    longitude: longitude.nullish(),
  })
  .refine(({ latitude, longitude }) => ((latitude ?? null) === null) === ((longitude ?? null) === null), {
    message: 'Send latitude and longitude together.',
    path: ['longitude'],
  });

const item = z.object({
  /** For an address the property's id; for a place a permanent name, such as `city:us:wa:seattle`. */
  id: z.string(),
  /** Names a place with what it lies in: `Ballard, Seattle, WA`. */
  label: z.string(),
  /** Of a place: its homes on the market, as a search of it counts them. From 50,000 on there may be more. Null for an address. */
  count: z.int().max(MOST_COUNTED).nullable(),
  /** [west, south, east, north]; null for a point, or when the extent is unknown. */
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});

export const suggestLocationsOutput = z.object({
  /** Only kinds with results, at most eight in all; the kind of the best one comes first, as does the best of each kind. */
  groups: z.array(z.object({ kind: z.enum(SUGGESTION_KINDS), items: z.array(item).max(MAX_SUGGESTIONS) })),
});

/** Suggestions by kind, each kind where its best one is. */
export function toGroups(suggestions: readonly Suggestion[]): z.output<typeof suggestLocationsOutput> {
  const groups = Map.groupBy(suggestions, ({ kind }) => kind);
  return {
    groups: [...groups].map(([kind, items]) => ({ kind, items: items.map(({ kind: _, ...rest }) => rest) })),
  };
}
