import { z } from 'zod';

/** The six statuses of the provider (protocol-facts 1.4). */
export const PROVIDER_STATUSES = [
  'starting',
  'processing',
  'succeeded',
  'failed',
  'canceled',
  'aborted',
] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

/**
 * Ids are short words. They stand in text columns, in the journal and in paths: control characters would break the
 * first two, and a path of dots would lead to another address.
 */
const predictionId = z.string().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/);

/**
 * A prediction as the provider sends it: what we read is checked, what we do not read is dropped. Webhook
 * bodies leave much of it out (protocol-facts 1.3), so only id and status are required.
 */
export const predictionBody = z.object({
  id: predictionId,
  status: z.enum(PROVIDER_STATUSES),
  output: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
  error: z.unknown().optional(),
  data_removed: z.boolean().optional(),
  webhook: z.string().nullish(),
  input: z.record(z.string(), z.unknown()).nullish(),
});
export type PredictionBody = z.output<typeof predictionBody>;

export const predictionList = z.object({
  next: z.string().nullish(),
  results: z.array(z.unknown()),
});
