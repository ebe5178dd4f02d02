import { createTranslator } from '../../../i18n/translator.ts';
import {
  needsSecondPerson,
  photoIsAltered,
  type StagedVariantView,
  showsOtherRoom,
  stagedVariantForAgent,
  stagedVariants,
} from '../../../persistence/jobs/staging-queries.ts';
import type { SingleMessage } from '../../../supervisors/actors/messages.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { storeChecksums } from '../../images/checksums.ts';
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
  toWithdrawal,
  variantInput,
  variantsInput,
  withdrawalOutput,
} from '../../wire/staged-variants.ts';
import { agentProcedure } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** Lists, approves, rejects and withdraws staged pictures (docs/contract.md#review, docs/contract.md#withdrawing). */
export function stagedVariantProcedures(services: Services) {
  const { pool, actorSystem, clock, search, logger, settings } = services;
  const variantOf = async (imageId: string, agentId: string) =>
    found(await stagedVariantForAgent(pool, { imageId, agentId }));
  /** Sends the decision of an agent of the listing; `applied` is false when the machine does not allow it now. */
  const decide = async (
    variant: StagedVariantView,
    { event, userId, note }: { event: Decision; userId: string; note: string },
  ) => {
    const { imageId, propertyId, aiJobId } = variant;
    const answer = await actorSystem.deliver(
      { to: 'imageReview', id: imageId, event },
      { by: `user:${userId}` },
    );
    if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
    const applied = answer.outcome === 'applied';
    if (applied) {
      search.propertyChanged(propertyId);
      logger.info({ event: note, imageId, jobId: aiJobId, userId }, note);
    }
    return { applied, state: answer.state };
  };
  /**
   * Approving an approved variant is a success that changes nothing. The record of an approval names the checksums of
   * both pictures, which those of old releases do not have yet.
   */
  const approve = async (imageId: string, userId: string, inBulk: boolean) => {
    const variant = await variantOf(imageId, userId);
    if (variant.reviewStatus !== 'APPROVED') await storeChecksums(services, imageId);
    const at = clock.now();
    const event = { type: 'APPROVE', at, byUserId: userId, ...(inBulk ? { inBulk } : null) } as const;
    const note = 'ai_room_staging.variant_approved';
    const { applied, state } = await decide(variant, { event, userId, note });
    if (applied)
      return toReview({ ...variant, reviewStatus: 'APPROVED', reviewedByUserId: userId, reviewedAt: at });
    if (state === 'PENDING_REVIEW')
      throw new PublicError(
        await refusalOfApproval(pool, { imageId, userId, compared: variant.drift !== null }),
      );
    return toReview(await variantOf(imageId, userId));
  };
  /** To a person, a picture that was never approved has nothing that could be withdrawn. */
  const approvedVariant = async (imageId: string, agentId: string) => {
    const variant = await variantOf(imageId, agentId);
    if (variant.reviewStatus !== 'APPROVED') throw new PublicError('NOT_FOUND');
    return variant;
  };

  return {
    listStagedVariants: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listVariantsInput)
      .output(listVariantsOutput)
      .query(async ({ ctx, input }) => {
        const variants = found(await stagedVariants(pool, { ...input, agentId: ctx.user.id }));
        const words = createTranslator(localeOf(settings.site, ctx), 'agent');
        return { items: variants.map((variant) => toVariant(variant, { ...settings, words })) };
      }),
    approveStagedVariant: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'PHOTO_ALTERED', 'ROOM_DIFFERS', 'SECOND_PERSON_REQUIRED'] })
      .input(variantInput)
      .output(approveOutput)
      .mutation(({ ctx, input: { imageId } }) => approve(imageId, ctx.user.id, false)),
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
          const review = await approve(imageId, ctx.user.id, true).catch(refusalOf);
          results.push(
            review instanceof PublicError
              ? toRefusedApproval(imageId, review.code)
              : { ...review, errorCode: null },
          );
        }
        return { results };
      }),
    rejectStagedVariant: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'NOT_PENDING_REVIEW', 'NOT_YET_DURABLE'] })
      .input(rejectInput)
      .output(rejectOutput)
      .mutation(async ({ ctx, input: { imageId, reason = null } }) => {
        const userId = ctx.user.id;
        const event = { type: 'REJECT', at: clock.now(), byUserId: userId, reason } as const;
        const note = 'ai_room_staging.variant_rejected';
        const { applied } = await decide(await variantOf(imageId, userId), { event, userId, note });
        if (!applied) throw new PublicError('NOT_PENDING_REVIEW');
        return { imageId, rejected: true } as const;
      }),
    /** Withdrawing a withdrawn picture is a success that changes nothing. */
    withdrawStagedVariant: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'NOT_YET_DURABLE'] })
      .input(variantInput)
      .output(withdrawalOutput)
      .mutation(async ({ ctx, input: { imageId } }) => {
        const userId = ctx.user.id;
        const event = { type: 'WITHDRAW', at: clock.now(), by: 'AGENT', byUserId: userId } as const;
        const note = 'ai_room_staging.variant_withdrawn';
        await decide(await approvedVariant(imageId, userId), { event, userId, note });
        return toWithdrawal(await approvedVariant(imageId, userId));
      }),
    /** Of a picture that is not withdrawn, a success that changes nothing. */
    liftWithdrawal: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'WITHDRAWAL_STANDS', 'PHOTO_ALTERED', 'ROOM_DIFFERS'] })
      .input(variantInput)
      .output(withdrawalOutput)
      .mutation(async ({ ctx, input: { imageId } }) => {
        const userId = ctx.user.id;
        const event = { type: 'LIFT', at: clock.now(), by: 'AGENT' } as const;
        const note = 'ai_room_staging.withdrawal_lifted';
        const { state } = await decide(await approvedVariant(imageId, userId), { event, userId, note });
        const variant = await approvedVariant(imageId, userId);
        if (state !== 'WITHDRAWN') return toWithdrawal(variant);
        const own = variant.withdrawnBy === 'AGENT';
        if (own && (await photoIsAltered(pool, imageId))) throw new PublicError('PHOTO_ALTERED');
        const differs = own && (await showsOtherRoom(pool, imageId));
        throw new PublicError(differs ? 'ROOM_DIFFERS' : 'WITHDRAWAL_STANDS');
      }),
  };
}

/** Why the machine did not allow an approval; only one of several is refused for its comparison. */
async function refusalOfApproval(
  pool: Services['pool'],
  { compared, ...asked }: { imageId: string; userId: string; compared: boolean },
) {
  if (await photoIsAltered(pool, asked.imageId)) return 'PHOTO_ALTERED';
  if (await showsOtherRoom(pool, asked.imageId)) return 'ROOM_DIFFERS';
  if (await needsSecondPerson(pool, asked)) return 'SECOND_PERSON_REQUIRED';
  return compared ? 'GEOMETRY_MOVED' : 'NOT_COMPARED';
}

type Decision = Extract<SingleMessage, { to: 'imageReview' }>['event'];

/** The error of one picture of several; a fault or an outage of ours ends the whole call. */
function refusalOf(error: unknown): PublicError {
  if (error instanceof PublicError && error.httpStatus < 500) return error;
  throw error;
}
