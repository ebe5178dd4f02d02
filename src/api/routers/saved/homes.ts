import { mergeHomes } from '../../../../persistence/listings/saved/home-marks.ts';
import { PublicError } from '../../../errors/errors.ts';
import { countViewInput, countViewOutput } from '../../../wire/listings/figures.ts';
import { listCardsInput, mergeHomesInput, mergeHomesOutput } from '../../../wire/listings/home-marks.ts';
import { cardsOutput } from '../../../wire/listings/search.ts';
import { publicProcedure, router, sessionProcedure } from '../../base.ts';
import type { Services } from '../../services.ts';

/** `homes.*` (docs/contract.md#seen-and-hidden-homes): the homes that the caller has seen, and those that are hidden. */
export function homesRouter({ pool, publicReads, views, clock }: Services) {
  return router({
    /** Idempotent. With no ids it only says what is kept. */
    merge: sessionProcedure
      .input(mergeHomesInput)
      .output(mergeHomesOutput)
      .mutation(({ ctx, input }) => mergeHomes(pool, { ...input, userId: ctx.user.id, at: clock.now() })),
    /** The cards of these homes, in this order, for anyone. Those without a public page are left out. */
    listCards: publicProcedure
      .input(listCardsInput)
      .output(cardsOutput)
      .query(async ({ ctx, input: { propertyIds, pictures } }) => {
        const { cards } = await publicReads(ctx);
        return { items: await cards.of(propertyIds, pictures) };
      }),
    /** Says that the home's page is looked at (docs/contract.md#figures-of-a-listing). The same for any id. */
    countView: publicProcedure
      .input(countViewInput)
      .output(countViewOutput)
      .mutation(async ({ ctx, input: { propertyId } }) => {
        await views.count(propertyId, ctx).catch((cause: unknown) => {
          throw new PublicError('SERVICE_UNAVAILABLE', { cause });
        });
        return { propertyId };
      }),
  });
}
