import {
  createProperty,
  type PropertyChange,
  propertiesOfAgent,
  updateProperty,
} from '../../../persistence/property-queries.ts';
import { agentsAmong } from '../../../persistence/user-queries.ts';
import { PublicError } from '../../errors.ts';
import type { Services } from '../../web/services.ts';
import {
  createPropertyInput,
  createPropertyOutput,
  listMineInput,
  listMineOutput,
  setStatusInput,
  setStatusOutput,
  toOwnProperty,
  updatePropertyInput,
} from '../../wire/properties.ts';
import { pageOf } from '../../wire/text.ts';
import { agentProcedure, router } from '../base.ts';

/** `properties.create/update/setStatus/listMine` (decisions.md section 4): an agent's own listings. */
export function propertiesRouter({ pool, clock, chance, search }: Services) {
  const apply = async (change: PropertyChange) => {
    if (!(await updateProperty(pool, change))) throw new PublicError('NOT_FOUND');
    search.propertyChanged(change.propertyId);
  };
  const requireAgents = async (userIds: readonly string[]) => {
    const agents = await agentsAmong(pool, userIds);
    const strangers = userIds.flatMap((id, index) => (agents.has(id) ? [] : [`assignedAgentIds.${index}`]));
    if (strangers.length === 0) return;
    const fields = Object.fromEntries(strangers.map((field) => [field, ['This is not an agent.']]));
    throw new PublicError('INVALID_INPUT', { fields });
  };
  return router({
    create: agentProcedure
      .input(createPropertyInput)
      .output(createPropertyOutput)
      .mutation(async ({ ctx, input: { assignedAgentIds, ...listing } }) => {
        await requireAgents(assignedAgentIds);
        const propertyId = chance.id();
        const ownerAgentId = ctx.user.id;
        await createProperty(pool, { propertyId, ownerAgentId, listing, assignedAgentIds, at: clock.now() });
        search.propertyChanged(propertyId);
        return { propertyId };
      }),
    update: agentProcedure
      .input(updatePropertyInput)
      .output(createPropertyOutput)
      .mutation(async ({ ctx, input: { propertyId, ...listing } }) => {
        await apply({ propertyId, agentId: ctx.user.id, listing, at: clock.now() });
        return { propertyId };
      }),
    setStatus: agentProcedure
      .input(setStatusInput)
      .output(setStatusOutput)
      .mutation(async ({ ctx, input: { propertyId, standardStatus } }) => {
        await apply({ propertyId, agentId: ctx.user.id, listing: { standardStatus }, at: clock.now() });
        return { propertyId, standardStatus };
      }),
    listMine: agentProcedure
      .input(listMineInput)
      .output(listMineOutput)
      .query(async ({ ctx, input: { cursor = null, limit } }) => {
        const page = { agentId: ctx.user.id, afterId: cursor, limit: limit + 1 };
        const found = await propertiesOfAgent(pool, page);
        return pageOf(found.map(toOwnProperty), limit, ({ propertyId }) => propertyId);
      }),
  });
}
