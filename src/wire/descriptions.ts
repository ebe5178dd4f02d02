import { z } from 'zod';
import { AI_JOB_STATUSES, DESCRIPTION_LOCALES } from '../../machines/vocabulary.ts';
import type { DescriptionJobView } from '../../persistence/jobs/description-requests.ts';
import { uuid } from './text.ts';

export const requestDescriptionInput = z.strictObject({
  propertyId: uuid,
  locale: z.enum(DESCRIPTION_LOCALES),
});
export const requestDescriptionOutput = z.object({
  aiJobId: z.string(),
  disposition: z.enum(['ENQUEUED', 'EXISTING']),
});

export const descriptionJobInput = z.strictObject({ aiJobId: uuid });
export const descriptionJobOutput = z.object({
  status: z.enum(AI_JOB_STATUSES),
  /** An editable draft; null until the status is SUCCESS. */
  text: z.string().nullable(),
  /** Null unless the status is FAILED. */
  errorCode: z.string().nullable(),
});

/**
 * Between two tries the row stores an error code as the reason for the wait; for the agent, an unfinished job has
 * not failed.
 */
export function toDescriptionJob({
  status,
  text,
  errorCode,
}: DescriptionJobView): z.output<typeof descriptionJobOutput> {
  return { status, text, errorCode: status === 'FAILED' ? errorCode : null };
}
