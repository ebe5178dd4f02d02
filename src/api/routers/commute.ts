import { publicPositions } from '../../../persistence/listings/listing-positions.ts';
import { clientOf } from '../../limits/client-network.ts';
import {
  commuteAreaInput,
  commuteAreaOutput,
  commuteTimesInput,
  commuteTimesOutput,
} from '../../wire/commute.ts';
import { publicProcedure, type RequestContext, router } from '../base.ts';
import { admitted } from '../counted-calls.ts';
import type { Services } from '../services.ts';

/** `commute.*`: how long it takes from a home to a place, by the operator's router. */
export function commuteRouter({ publicReads, publicQuery, commute, commuteLimits }: Services) {
  const asking = publicProcedure.meta({ waitsForOthers: true });
  const callerOf = async (ctx: RequestContext) => {
    const client = clientOf(ctx);
    await admitted(commuteLimits(client));
    return { client, signal: ctx.request.signal };
  };
  return router({
    times: asking
      .input(commuteTimesInput)
      .output(commuteTimesOutput)
      .query(async ({ ctx, input: { propertyIds, to, mode } }) => {
        const modes = [...commute.modes];
        if (modes.length === 0) return { modes, minutes: propertyIds.map(() => null) };
        const caller = await callerOf(ctx);
        const positions = await publicQuery(
          ctx,
          async () => publicPositions((await publicReads(ctx)).reader, propertyIds),
          (found) => found,
        );
        const from = propertyIds.map((propertyId) => positions.get(propertyId) ?? null);
        return { modes, minutes: await commute.times(caller, { from, to, mode }) };
      }),
    area: asking
      .input(commuteAreaInput)
      .output(commuteAreaOutput)
      .query(async ({ ctx, input }) => {
        if (!commute.hasAreas) return { polygon: null };
        const polygon = await commute.area(await callerOf(ctx), input);
        return { polygon: polygon === null ? null : [...polygon] };
      }),
  });
}
