import { mergeHomes } from '../../../persistence/listings/home-marks.ts';
import { mergeHomesInput, mergeHomesOutput } from '../../wire/listings/home-marks.ts';
import { router, sessionProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `homes.*` (docs/contract.md#seen-and-hidden-homes): the homes that the caller has seen, and those that are hidden. */
export function homesRouter({ pool, clock }: Services) {
  return router({
    /** Idempotent. With no ids it only says what is kept. */
    merge: sessionProcedure
      .input(mergeHomesInput)
      .output(mergeHomesOutput)
      .mutation(({ ctx, input }) => mergeHomes(pool, { ...input, userId: ctx.user.id, at: clock.now() })),
  });
}
