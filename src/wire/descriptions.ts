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

/** Between two sends the row remembers why it waits; to the agent a job that is not over has not failed. */
export function toDescriptionJob({
  status,
  text,
  errorCode,
}: DescriptionJobView): z.output<typeof descriptionJobOutput> {
  return { status, text, errorCode: status === 'FAILED' ? errorCode : null };
}
