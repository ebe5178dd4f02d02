import { createHmac } from 'node:crypto';
import type { JobAggregate } from '../../persistence/actors/actor-store.ts';
import type { CreateAnswer, GetAnswer, Provider } from '../../supervisors/ports.ts';
import { createPredictionCalls, type PredictionCallOptions } from './prediction-calls.ts';
import { viewOf } from './prediction-view.ts';

/**
 * Pictures from the provider's predictions API, as the runtime's `Provider` port: what is sent for a staging
 * attempt and what its predictions mean. Source: docs/contract.md#purchases, docs/provider.md#the-picture-model.
 */
export interface ProviderClientOptions extends PredictionCallOptions {
  webhookBaseUrl: string;
  /** Keys the audit id of a user, so that the provider never learns ours. */
  userHashSecret: string;
  /** A URL from which the provider may read the input for two hours, naming the attempt in its query. */
  presignInput(objectKey: string, attemptId: string): Promise<string>;
}

export function createProviderClient(options: ProviderClientOptions): Provider {
  const calls = createPredictionCalls(options);
  return {
    async create({ attemptId, aggregate, mayBuy }): Promise<CreateAnswer> {
      const input = await createInput(options, attemptId, aggregate).catch((error) => {
        options.reporter.problem('the input of a purchase could not be made', error, { attemptId });
        return null;
      });
      if (input === null) return { kind: 'refused', errorCode: 'PROVIDER_INVALID_INPUT', retryAfterMs: null };
      const webhook = callbackUrl(options.webhookBaseUrl, attemptId);
      const answer = await calls.create({
        model: aggregate.job.details.providerModel,
        body: { input, webhook, webhook_events_filter: ['completed'] },
        subject: { attemptId },
        mayBuy,
      });
      return answer.kind === 'created' ? { kind: 'created', prediction: viewOf(answer.body) } : answer;
    },

    async get(predictionId, signal): Promise<GetAnswer> {
      const answer = await calls.get(predictionId, signal);
      return answer.kind === 'found' ? { kind: 'found', prediction: viewOf(answer.body) } : answer;
    },

    cancel: (predictionId, signal) => calls.cancel(predictionId, signal),
  };
}

/** The callback URL carries the attempt's id, so a callback alone can tell which purchase it speaks of. */
function callbackUrl(webhookBaseUrl: string, attemptId: string): string {
  return `${webhookBaseUrl}/api/webhooks/provider/staging/${attemptId}`;
}

async function createInput(options: ProviderClientOptions, attemptId: string, { job }: JobAggregate) {
  const { details } = job;
  if (details.providerInputKey === null) throw new Error(`job ${job.id} has no provider input`);
  return {
    prompt: details.prompt,
    input_images: [await options.presignInput(details.providerInputKey, attemptId)],
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
