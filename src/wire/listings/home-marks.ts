import { z } from 'zod';
import { uuid } from '../text.ts';
import { pictureChoice } from './picture-choice.ts';

/** As many as are kept of a person (0145). */
const seen = z.array(uuid).max(500);
const hidden = z.array(uuid).max(200);

/** Ids of homes, the latest first. */
export const mergeHomesInput = z.strictObject({
  seen: seen.default([]),
  hidden: hidden.default([]),
  /** Hidden ones that the person wants to see again. */
  restored: hidden.default([]),
});
/** What is kept now, the latest first. */
export const mergeHomesOutput = z.object({ seen: z.array(z.string()), hidden: z.array(z.string()) });

/** A page of a list that a client has by itself, such as the hidden homes. */
export const listCardsInput = z.strictObject({
  propertyIds: z.array(uuid).max(24),
  pictures: pictureChoice,
});
