import { z } from 'zod';

/** The six statuses of the provider (docs/provider.md#replicates-predictions-api). */
export const PROVIDER_STATUSES = [
  'starting',
  'processing',
  'succeeded',
  'failed',
  'canceled',
  'aborted',
] as const;

/**
 * Ids are short words. They are used in text columns, in the journal and in paths: control characters would break
 * the first two, and a path of dots would lead to another address.
 */
const predictionId = z.string().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/);

/** Fields by which a prediction is recognized as ours; unreadable ones are left out. */
const names = {
  webhook: z.string().nullish().catch(undefined),
  input: z.record(z.string(), z.unknown()).nullish().catch(undefined),
};

/**
 * A prediction as the provider sends it: fields that we use are validated, others are dropped. Webhook bodies omit
 * many fields (docs/provider.md#replicates-predictions-api), so only id and status are required.
 */
export const predictionBody = z.object({
  id: predictionId,
  status: z.enum(PROVIDER_STATUSES),
  output: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
  error: z.unknown().optional(),
  data_removed: z.boolean().optional(),
  ...names,
});
export type PredictionBody = z.output<typeof predictionBody>;

/** A prediction with only a valid id, because its status or another field is unknown. */
interface UnreadPrediction extends Pick<PredictionBody, 'id' | 'webhook' | 'input'> {
  status: null;
  /** The provider's status text, for people; `unreadable` when it is not a word. */
  statusText: string;
}
export type ReadPrediction = PredictionBody | UnreadPrediction;

const identified = z.object({ id: predictionId, status: z.unknown(), ...names });
const statusLabel = z
  .string()
  .regex(/^[\w-]{1,40}$/)
  .catch('unreadable');

/**
 * Reads the id separately: a prediction with an unknown status is still a purchase, and not over yet. Null when
 * there is no usable id.
 */
export function readPrediction(value: unknown): ReadPrediction | null {
  const whole = predictionBody.safeParse(value);
  if (whole.success) return whole.data;
  const known = identified.safeParse(value);
  if (!known.success) return null;
  const { id, status, webhook, input } = known.data;
  return { id, status: null, statusText: statusLabel.parse(status), webhook, input };
}

export const predictionList = z.object({
  next: z.string().nullish(),
  results: z.array(z.unknown()),
});
