import { createTranslator } from '../../../i18n/translator.ts';
import { stagedVariantForAgent, stagedVariants } from '../../../persistence/jobs/staging-queries.ts';
import { PublicError } from '../../errors/errors.ts';
import {
  approveOutput,
  listVariantsInput,
  listVariantsOutput,
  rejectInput,
  rejectOutput,
  toReview,
  toVariant,
  variantInput,
} from '../../wire/staged-variants.ts';
import { agentProcedure } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** `ai.listStagedVariants`, `ai.approveStagedVariant`, `ai.rejectStagedVariant`. */
export function stagedVariantProcedures(services: Services) {
  const { pool, actorSystem, clock, search, logger, settings } = services;
  const find = async (imageId: string, agentId: string) => {
    const variant = await stagedVariantForAgent(pool, { imageId, agentId });
    if (variant === null) throw new PublicError('NOT_FOUND');
    return variant;
  };
  const note = (
    event: string,
    { imageId, aiJobId }: { imageId: string; aiJobId: string | null },
    userId: string,
  ) => logger.info({ event, imageId, jobId: aiJobId, userId }, event);

  return {
    listStagedVariants: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listVariantsInput)
      .output(listVariantsOutput)
      .query(async ({ ctx, input }) => {
        const variants = await stagedVariants(pool, { ...input, agentId: ctx.user.id });
        if (variants === null) throw new PublicError('NOT_FOUND');
        const words = createTranslator(localeOf(ctx), 'agent');
        const { publicBaseUrl } = settings;
        return { items: variants.map((variant) => toVariant(variant, { publicBaseUrl, words })) };
      }),
    /** Approving an approved variant is a success that changes nothing. */
    approveStagedVariant: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(variantInput)
      .output(approveOutput)
      .mutation(async ({ ctx, input: { imageId } }) => {
        const userId = ctx.user.id;
        const variant = await find(imageId, userId);
        const at = clock.now();
        const answer = await actorSystem.deliver(
          { to: 'imageReview', id: imageId, event: { type: 'APPROVE', at, byUserId: userId } },
          { by: `user:${userId}` },
        );
        if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
        if (answer.outcome !== 'applied') return toReview(await find(imageId, userId));
        search.propertyChanged(variant.propertyId);
        note('ai_room_staging.variant_approved', variant, userId);
        return toReview({ ...variant, reviewStatus: 'APPROVED', reviewedByUserId: userId, reviewedAt: at });
      }),
    rejectStagedVariant: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'NOT_PENDING_REVIEW'] })
      .input(rejectInput)
      .output(rejectOutput)
      .mutation(async ({ ctx, input: { imageId, reason = null } }) => {
        const userId = ctx.user.id;
        const variant = await find(imageId, userId);
        const at = clock.now();
        const answer = await actorSystem.deliver(
          { to: 'imageReview', id: imageId, event: { type: 'REJECT', at, byUserId: userId, reason } },
          { by: `user:${userId}` },
        );
        if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
        if (answer.outcome !== 'applied') throw new PublicError('NOT_PENDING_REVIEW');
        search.propertyChanged(variant.propertyId);
        note('ai_room_staging.variant_rejected', variant, userId);
        return { imageId: variant.imageId, rejected: true } as const;
      }),
  };
}
