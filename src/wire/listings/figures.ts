import { z } from 'zod';
import { uuid } from '../text.ts';

export const countViewInput = z.strictObject({ propertyId: uuid });
export const countViewOutput = z.object({ propertyId: z.string() });

/** How many days up to today, as the home's clocks show it. */
const FIGURE_DAYS = [7, 30, 90] as const;
export const figuresInput = z.strictObject({ propertyId: uuid, days: z.literal(FIGURE_DAYS).default(30) });
/** One entry a day, the latest last. */
export const figuresOutput = z.object({
  days: z.array(
    z.object({
      day: z.iso.date(),
      views: z.number(),
      saves: z.number(),
      tours: z.number(),
      questions: z.number(),
    }),
  ),
});
