import {
  descriptionJobForAgent,
  type ListingFacts,
  requestDescription,
  TooManyDescriptions,
} from '../../../persistence/jobs/description-requests.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { renderDescriptionPrompt } from '../../prompts/description-prompt.ts';
import {
  descriptionJobInput,
  descriptionJobOutput,
  requestDescriptionInput,
  requestDescriptionOutput,
  toDescriptionJob,
} from '../../wire/descriptions.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';

function refused(error: unknown): never {
  if (!(error instanceof TooManyDescriptions)) throw error;
  throw new PublicError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(error.waitMs / 1000) });
}

/**
 * `ai.requestDescription`, `ai.getDescriptionJob`, for the listing's agents. The text is a draft: the agent writes
 * it to the listing with `properties.update`.
 */
export function descriptionProcedures(services: Services) {
  const { pool, tracer, clock, chance, descriptions, logger, settings } = services;
  /** Not awaited: the job is durable, and the dispatcher enqueues jobs that are missing in the queue. */
  const enqueue = (aiJobId: string) =>
    void descriptions.enqueue([aiJobId]).catch((error: unknown) => {
      logger.warn({ err: error, jobId: aiJobId }, 'a queue entry could not be made; the dispatcher will');
    });
  return {
    requestDescription: agentProcedure
      .meta({ errors: ['DESCRIPTION_UNAVAILABLE', 'NOT_FOUND'] })
      .input(requestDescriptionInput)
      .output(requestDescriptionOutput)
      .mutation(async ({ ctx, input: { propertyId, locale } }) => {
        // The flag covers all paid predictions, and a description is one (docs/contract.md#the-flag).
        if (!settings.stagingEnabled) throw new PublicError('DESCRIPTION_UNAVAILABLE');
        const jobId = chance.id();
        const requested = await tracer.span({ name: 'submit description job' }, async (span) => {
          const asked = {
            aiJobId: jobId,
            propertyId,
            agentId: ctx.user.id,
            locale,
            providerModel: settings.textModel,
            render: (facts: ListingFacts) => renderDescriptionPrompt({ jobId, facts, locale }),
            traceparent: tracer.context(),
            at: clock.now(),
          };
          const answer = await requestDescription(pool, asked, ctx.keepAnswer).catch(refused);
          span.note({ 'proscenium.job.id': answer?.aiJobId ?? null });
          return answer;
        });
        const { aiJobId, disposition } = found(requested);
        if (disposition === 'ENQUEUED') enqueue(aiJobId);
        return { aiJobId, disposition };
      }),
    getDescriptionJob: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(descriptionJobInput)
      .output(descriptionJobOutput)
      .query(async ({ ctx, input: { aiJobId } }) => {
        return toDescriptionJob(found(await descriptionJobForAgent(pool, { aiJobId, agentId: ctx.user.id })));
      }),
  };
}
