import { z } from 'zod';
import { COMMUTE_MODES } from '../../machines/vocabulary.ts';
import { latitude, longitude } from './listings/listing-fields.ts';
import { MOST_CORNERS } from './listings/polygon.ts';
import { uuid } from './text.ts';

/** The shapes of `commute.*` (docs/contract.md#travel-times). */

/** Listings of one question: more than a page has in view. */
export const MOST_COMMUTES = 50;
const COMMUTE_MINUTES = { min: 5, max: 90 } as const;

const position = z.strictObject({ latitude, longitude });
const mode = z.enum(COMMUTE_MODES);

export const commuteTimesInput = z.strictObject({
  propertyIds: z.array(uuid).min(1).max(MOST_COMMUTES),
  to: position,
  mode,
});
export const commuteTimesOutput = z.object({
  /** The ways of travel that can be asked for; none without a router. */
  modes: z.array(mode),
  /** In the order of the question; null where there is nothing to show. */
  minutes: z.array(z.int().nullable()),
});

export const commuteAreaInput = z.strictObject({
  to: position,
  mode,
  minutes: z.int().min(COMMUTE_MINUTES.min).max(COMMUTE_MINUTES.max),
});
export const commuteAreaOutput = z.object({
  /** For `location.polygon` of a search; null where there is nothing to show. */
  polygon: z.array(z.object({ latitude, longitude })).max(MOST_CORNERS).nullable(),
});
