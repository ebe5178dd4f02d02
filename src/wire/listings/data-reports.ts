import { z } from 'zod';
import { DATA_SUBJECTS } from '../../../persistence/listings/data-reports.ts';
import { uuid } from '../text.ts';

/** A report of wrong data (docs/contract.md#attribution). */
export const reportDataInput = z.strictObject({
  propertyId: uuid,
  subject: z.enum(DATA_SUBJECTS),
  note: z.string().trim().min(1).max(1000),
});
/** `isKept` is false when the listing has had as many reports as are taken in a day. */
export const reportDataOutput = z.object({ propertyId: z.string(), isKept: z.boolean() });
