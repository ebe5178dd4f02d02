import { createHmac } from 'node:crypto';
import type { JobActor, StagingJobActor } from '../../persistence/actors/rows/job-row.ts';
import type { CreateAnswer, Provider } from '../../supervisors/ports.ts';
import { createPredictionCalls, type PredictionCallOptions } from './prediction-calls.ts';

/**
 * The provider's predictions API as the runtime's `Provider` port: the request for an attempt, and the
 * interpretation of its predictions. Source: docs/contract.md#purchases, docs/provider.md#the-picture-model.
 */
export interface ProviderClientOptions extends PredictionCallOptions {
  webhookBaseUrl: string;
  /** Key for the hash of a user id, so that the provider never gets our ids. */
  userHashSecret: string;
  /** A URL from which the provider can read the input for two hours; its query contains the attempt's id. */
  presignInput(objectKey: string, attemptId: string): Promise<string>;
}

export function createProviderClient(options: ProviderClientOptions): Provider {
  const calls = createPredictionCalls(options);
  return {
    async create({ attemptId, aggregate, mayBuy }): Promise<CreateAnswer> {
      const { job } = aggregate;
      const body = await createBody(options, attemptId, job).catch((error) => {
        options.reporter.problem('the input of a purchase could not be made', error, { attemptId });
        return null;
      });
      if (body === null) return { kind: 'refused', errorCode: 'PROVIDER_INVALID_INPUT', retryAfterMs: null };
      return calls.create({ model: job.details.providerModel, body, subject: { attemptId }, mayBuy });
    },
    get: calls.get,
    cancel: calls.cancel,
  };
}

/**
 * For a text, the input is only the stored prompt, which every text model accepts. There is no webhook, because the
 * callback route is for pictures. After a lost answer, the prediction is found by the job's id, which is in the
 * prompt and therefore in the provider's list.
 */
async function createBody(
  options: ProviderClientOptions,
  attemptId: string,
  job: JobActor,
): Promise<Record<string, unknown>> {
  if (job.kind === 'descriptionJob') return { input: { prompt: job.details.prompt } };
  // Contains the attempt's id, so that the callback alone identifies the purchase.
  const webhook = `${options.webhookBaseUrl}/api/webhooks/provider/staging/${attemptId}`;
  const input = await pictureInput(options, attemptId, job);
  return { input, webhook, webhook_events_filter: ['completed'] };
}

async function pictureInput(options: ProviderClientOptions, attemptId: string, job: StagingJobActor) {
  const { details } = job;
  const { providerInputKey, referenceImageKey, aspectRatio } = details;
  if (providerInputKey === null || aspectRatio === null)
    throw new Error(`job ${job.id} has no provider input`);
  const keys = referenceImageKey === null ? [providerInputKey] : [providerInputKey, referenceImageKey];
  return {
    prompt: details.prompt,
    // The photo to edit comes first: the prompt and our reading of the provider's list depend on it.
    input_images: await Promise.all(keys.map((key) => options.presignInput(key, attemptId))),
    quality: details.quality,
    aspect_ratio: details.aspectRatio,
    output_format: details.outputFormat,
    output_compression: details.outputCompression,
    number_of_images: 1,
    moderation: 'auto',
    user_id: createHmac('sha256', Buffer.from(options.userHashSecret, 'hex'))
      .update(details.requestedByUserId ?? 'nobody')
      .digest('hex'),
  };
}
