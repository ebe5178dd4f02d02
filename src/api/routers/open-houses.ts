import {
  addOpenHouse,
  cancelOpenHouse,
  changeOpenHouse,
  type OpenHouseOutcome,
  openHousesForAgent,
  readOpenHouse,
} from '../../../persistence/listings/open-houses.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import {
  createOpenHouseInput,
  getOpenHouseOutput,
  listOpenHousesInput,
  listOpenHousesOutput,
  openHouseIdOutput,
  openHouseInput,
  toOpenHouse,
  updateOpenHouseInput,
} from '../../wire/listings/open-houses.ts';
import { openHouseCalendar } from '../../wire/open-house-calendar.ts';
import { agentProcedure, publicProcedure, router } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** Of those that are over or canceled the latest are listed. */
const MOST_LISTED = 100;

/** `openHouses.*` (docs/contract.md#open-houses): when anyone may visit a home without asking. */
export function openHousesRouter({ pool, publicReads, clock, chance, settings }: Services) {
  const requireAhead = (endsAt: number | undefined): void => {
    if (endsAt !== undefined && endsAt <= clock.now())
      throw new PublicError('INVALID_INPUT', { fields: { endsAt: ['This time is over.'] } });
  };
  return router({
    create: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'OPEN_HOUSE_OVERLAPS', 'TOO_MANY_OPEN_HOUSES'] })
      .input(createOpenHouseInput)
      .output(openHouseIdOutput)
      .mutation(async ({ ctx, input }) => {
        requireAhead(input.endsAt);
        const openHouseId = chance.id();
        const house = { ...input, openHouseId, agentId: ctx.user.id, at: clock.now() };
        settle(await addOpenHouse(pool, house, (client) => ctx.keepAnswer(client, { openHouseId })));
        return { openHouseId };
      }),
    update: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'OPEN_HOUSE_OVERLAPS'] })
      .input(updateOpenHouseInput)
      .output(openHouseIdOutput)
      .mutation(async ({ ctx, input }) => {
        requireAhead(input.endsAt);
        const { openHouseId } = input;
        const change = { ...input, agentId: ctx.user.id, at: clock.now() };
        settle(await changeOpenHouse(pool, change, (client) => ctx.keepAnswer(client, { openHouseId })));
        return { openHouseId };
      }),
    /** Idempotent, until it would have ended. */
    cancel: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(openHouseInput)
      .output(openHouseIdOutput)
      .mutation(async ({ ctx, input: { openHouseId } }) => {
        const wasThere = await cancelOpenHouse(pool, { openHouseId, agentId: ctx.user.id, at: clock.now() });
        if (!wasThere) throw new PublicError('NOT_FOUND');
        return { openHouseId };
      }),
    list: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listOpenHousesInput)
      .output(listOpenHousesOutput)
      .query(async ({ ctx, input: { propertyId } }) => {
        const asked = { propertyId, agentId: ctx.user.id, limit: MOST_LISTED };
        const houses = found(await openHousesForAgent(pool, asked));
        const at = clock.now();
        return { items: houses.map((house) => toOpenHouse(house, at)) };
      }),
    /** Of a listing on the market, with its calendar file; also when it was canceled. */
    get: publicProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(openHouseInput)
      .output(getOpenHouseOutput)
      .query(async ({ ctx, input: { openHouseId } }) => {
        const { reader } = await publicReads(ctx);
        const house = found(await readOpenHouse(reader, openHouseId));
        const site = { ...settings.site, origin: settings.publicBaseUrl };
        const ics = openHouseCalendar(house, { locale: localeOf(settings.site, ctx), site });
        return { ...toOpenHouse(house, clock.now()), propertyId: house.propertyId, ics };
      }),
  });
}

const FAULTS = {
  missing: 'NOT_FOUND',
  overlaps: 'OPEN_HOUSE_OVERLAPS',
  full: 'TOO_MANY_OPEN_HOUSES',
} as const;

function settle(outcome: OpenHouseOutcome): void {
  if (!outcome.changed) throw new PublicError(FAULTS[outcome.fault]);
}
