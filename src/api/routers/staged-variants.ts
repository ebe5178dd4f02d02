import { createTranslator } from '../../../i18n/translator.ts';
import type { ImageReviewEvent } from '../../../machines/image-review.ts';
import { stagedVariantForAgent, stagedVariants } from '../../../persistence/jobs/staging-queries.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import {
  type ApprovalResult,
  approveManyOutput,
  approveOutput,
  listVariantsInput,
  listVariantsOutput,
  rejectInput,
  rejectOutput,
  toRefusedApproval,
  toReview,
  toVariant,
  variantInput,
  variantsInput,
} from '../../wire/staged-variants.ts';
import { agentProcedure } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** `ai.listStagedVariants`, `ai.approveStagedVariant`, `ai.approveStagedVariants`, `ai.rejectStagedVariant`. */
export function stagedVariantProcedures(services: Services) {
  const { pool, actorSystem, clock, search, logger, settings } = services;
  /** Sends the decision; `applied` is false when the variant had been decided before. */
  const decide = async (
    imageId: string,
    event: Extract<ImageReviewEvent, { byUserId: string }>,
    note: string,
  ) => {
    const userId = event.byUserId;
    const variant = found(await stagedVariantForAgent(pool, { imageId, agentId: userId }));
    const answer = await actorSystem.deliver(
      { to: 'imageReview', id: imageId, event },
      { by: `user:${userId}` },
    );
    if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
    const applied = answer.outcome === 'applied';
    if (applied) {
      search.propertyChanged(variant.propertyId);
      logger.info({ event: note, imageId, jobId: variant.aiJobId, userId }, note);
    }
    return { variant, applied };
  };
  /** Approving an approved variant is a success that changes nothing. */
  const approve = async (imageId: string, byUserId: string) => {
    const at = clock.now();
    const approval = { type: 'APPROVE', at, byUserId } as const;
    const { variant, applied } = await decide(imageId, approval, 'ai_room_staging.variant_approved');
    if (applied)
      return toReview({ ...variant, reviewStatus: 'APPROVED', reviewedByUserId: byUserId, reviewedAt: at });
    return toReview(found(await stagedVariantForAgent(pool, { imageId, agentId: byUserId })));
  };

  return {
    listStagedVariants: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listVariantsInput)
      .output(listVariantsOutput)
      .query(async ({ ctx, input }) => {
        const variants = found(await stagedVariants(pool, { ...input, agentId: ctx.user.id }));
        const words = createTranslator(localeOf(ctx), 'agent');
        return { items: variants.map((variant) => toVariant(variant, { ...settings, words })) };
      }),
    approveStagedVariant: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(variantInput)
      .output(approveOutput)
      .mutation(({ ctx, input: { imageId } }) => approve(imageId, ctx.user.id)),
    /**
     * Each picture is decided by itself, one after the other: a refused one holds up none of the others. After a
     * failure of ours those before it stay approved, and the same call may be sent again.
     */
    approveStagedVariants: agentProcedure
      .input(variantsInput)
      .output(approveManyOutput)
      .mutation(async ({ ctx, input: { imageIds } }) => {
        const results: ApprovalResult[] = [];
        for (const imageId of imageIds) {
          const review = await approve(imageId, ctx.user.id).catch(refusalOf);
          results.push(
            review instanceof PublicError
              ? toRefusedApproval(imageId, review.code)
              : { ...review, errorCode: null },
          );
        }
        return { results };
      }),
    rejectStagedVariant: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'NOT_PENDING_REVIEW'] })
      .input(rejectInput)
      .output(rejectOutput)
      .mutation(async ({ ctx, input: { imageId, reason = null } }) => {
        const rejection = { type: 'REJECT', at: clock.now(), byUserId: ctx.user.id, reason } as const;
        const { applied } = await decide(imageId, rejection, 'ai_room_staging.variant_rejected');
        if (!applied) throw new PublicError('NOT_PENDING_REVIEW');
        return { imageId, rejected: true } as const;
      }),
  };
}

/** The error of one picture of several; a fault or an outage of ours ends the whole call. */
function refusalOf(error: unknown): PublicError {
  if (error instanceof PublicError && error.httpStatus < 500) return error;
  throw error;
}
