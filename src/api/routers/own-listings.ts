import type { PoolClient } from 'pg';
import { agentsAmong } from '../../../persistence/accounts/user-queries.ts';
import { originalsOfProperty } from '../../../persistence/images/image-queries.ts';
import { figuresOf } from '../../../persistence/listings/listing-figures.ts';
import { propertiesOfAgent, propertyOfAgent } from '../../../persistence/listings/property-queries.ts';
import {
  type ChangeOutcome,
  createProperty,
  setPropertyStatus,
  updateProperty,
} from '../../../persistence/listings/property-writes.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { stagingRefusal } from '../../images/uploads/provider-input.ts';
import { timeZoneOf } from '../../time-zone-of.ts';
import { figuresInput, figuresOutput } from '../../wire/listings/figures.ts';
import {
  createPropertyInput,
  createPropertyOutput,
  getMineInput,
  getMineOutput,
  listMineInput,
  listMineOutput,
  setStatusInput,
  setStatusOutput,
  toOwnProperty,
  toWorkspace,
  updatePropertyInput,
  withUnitsOf,
} from '../../wire/listings/properties.ts';
import { pageOf } from '../../wire/text.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `properties.create/update/setStatus/getMine/getFigures/listMine`: an agent's own listings. */
export function ownListingProcedures({ pool, clock, chance, search, settings }: Services) {
  const requireAgents = async (userIds: readonly string[]) => {
    const agents = await agentsAmong(pool, userIds);
    const unknown = userIds.flatMap((id, index) => (agents.has(id) ? [] : [`assignedAgentIds.${index}`]));
    if (unknown.length === 0) return;
    const fields = Object.fromEntries(unknown.map((field) => [field, ['This is not an agent.']]));
    throw new PublicError('INVALID_INPUT', { fields });
  };
  /** Notifies the search index of a change, or throws the reason why there was none. */
  const settle = (propertyId: string, outcome: ChangeOutcome) => {
    refuse(outcome);
    search.propertyChanged(propertyId);
  };
  return {
    create: agentProcedure
      .meta({ errors: ['QUOTA_REACHED'] })
      .input(createPropertyInput)
      .output(createPropertyOutput)
      .mutation(async ({ ctx, input: { assignedAgentIds, ...given } }) => {
        await requireAgents(assignedAgentIds);
        const propertyTimeZoneName = given.propertyTimeZoneName ?? timeZoneOf(given) ?? 'UTC';
        const listing = { ...withUnitsOf(settings.site, given), propertyTimeZoneName };
        const propertyId = chance.id();
        const ownerAgentId = ctx.user.id;
        const { growthLimits: limits } = settings;
        const property = {
          propertyId,
          ownerAgentId,
          listing,
          assignedAgentIds,
          limits,
          siteCurrency: settings.site.currency,
          at: clock.now(),
        };
        const keep = (client: PoolClient) => ctx.keepAnswer(client, { propertyId });
        settle(propertyId, await createProperty(pool, property, keep));
        return { propertyId };
      }),
    update: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'LISTING_SETTLED', 'NOT_YET_DURABLE'] })
      .input(updatePropertyInput)
      .output(createPropertyOutput)
      .mutation(async ({ ctx, input: { propertyId, closePrice, priceCorrection, ...given } }) => {
        // A home that is placed elsewhere is visited by the clocks of that place.
        const propertyTimeZoneName = given.propertyTimeZoneName ?? timeZoneOf(given);
        const listing = { ...given, propertyTimeZoneName };
        const change = { propertyId, agentId: ctx.user.id, listing, closePrice, at: clock.now() };
        const terms = { correction: priceCorrection?.reason, siteCurrency: settings.site.currency };
        settle(propertyId, await updateProperty(pool, { ...change, ...terms }));
        return { propertyId };
      }),
    setStatus: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'LISTING_STATUS_REFUSED', 'LISTING_SETTLED', 'NOT_YET_DURABLE'] })
      .input(setStatusInput)
      .output(setStatusOutput)
      .mutation(async ({ ctx, input: { propertyId, standardStatus, closePrice = null, closeDate } }) => {
        const sale = closeDate === undefined ? null : { closePrice, closeDate };
        const change = { propertyId, agentId: ctx.user.id, standardStatus, sale, at: clock.now() };
        settle(propertyId, await setPropertyStatus(pool, change));
        return { propertyId, standardStatus };
      }),
    getMine: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(getMineInput)
      .output(getMineOutput)
      .query(async ({ ctx, input: { propertyId } }) => {
        const property = found(await propertyOfAgent(pool, { propertyId, agentId: ctx.user.id }));
        const { framing } = settings.providerInputs;
        const photos = (await originalsOfProperty(pool, propertyId)).map((photo) => ({
          photo,
          stagingRefusal: stagingRefusal(photo, framing),
        }));
        return toWorkspace(property, photos, { at: clock.now(), publicBaseUrl: settings.publicBaseUrl });
      }),
    getFigures: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(figuresInput)
      .output(figuresOutput)
      .query(async ({ ctx, input }) => ({
        days: found(await figuresOf(pool, { ...input, agentId: ctx.user.id, at: clock.now() })),
      })),
    listMine: agentProcedure
      .input(listMineInput)
      .output(listMineOutput)
      .query(async ({ ctx, input: { cursor = null, limit } }) => {
        const page = { agentId: ctx.user.id, afterId: cursor, limit: limit + 1, owned: false };
        const rows = await propertiesOfAgent(pool, page);
        const at = clock.now();
        return pageOf(
          rows.map((property) => toOwnProperty(property, at)),
          limit,
          ({ propertyId }) => propertyId,
        );
      }),
  };
}

function refuse(outcome: ChangeOutcome): void {
  switch (outcome.outcome) {
    case 'changed':
      return;
    case 'missing':
      throw new PublicError('NOT_FOUND');
    case 'invalid':
      throw new PublicError('INVALID_INPUT', { fields: outcome.fields });
    case 'move-refused': {
      const ways = outcome.possible.join(', ');
      const fields = { standardStatus: [`From ${outcome.from} it can become: ${ways}.`] };
      throw new PublicError('LISTING_STATUS_REFUSED', { fields });
    }
    case 'settled':
      throw new PublicError('LISTING_SETTLED');
  }
}
