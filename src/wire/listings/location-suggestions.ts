import { z } from 'zod';
import {
  SUGGESTION_KINDS,
  type Suggestion,
  type SuggestionKind,
} from '../../../persistence/search/location-suggestions.ts';
import { searchText } from '../text.ts';
import { latitude, longitude } from './listing-fields.ts';

/** docs/contract.md#search. */
export const MAX_SUGGESTIONS_PER_KIND = 10;
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
  label: z.string(),
  /** [west, south, east, north]; null for a point, or when the extent is unknown. */
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});

export const suggestLocationsOutput = z.object({
  /** Only kinds with results, always in the order of the enum. */
  groups: z.array(
    z.object({ kind: z.enum(SUGGESTION_KINDS), items: z.array(item).max(MAX_SUGGESTIONS_PER_KIND) }),
  ),
});

/** Suggestions by kind, in their original order within each kind. */
export function toGroups(suggestions: readonly Suggestion[]): z.output<typeof suggestLocationsOutput> {
  const ofKind = (wanted: SuggestionKind) =>
    suggestions.filter(({ kind }) => kind === wanted).map(({ kind, ...rest }) => rest);
  const groups = SUGGESTION_KINDS.map((kind) => ({ kind, items: ofKind(kind) }));
  return { groups: groups.filter(({ items }) => items.length > 0) };
}
