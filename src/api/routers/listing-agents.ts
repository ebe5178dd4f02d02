import {
  agentsOfListing,
  leaveListing,
  type Standing,
  unassignAgent,
} from '../../../persistence/listings/listing-agents.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import {
  assignmentOutput,
  leaveOutput,
  listAgentsInput,
  listAgentsOutput,
  listingAgentInput,
} from '../../wire/listings/listing-agents.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `properties.listAgents/unassignAgent/leave` (docs/contract.md#permission). */
export function listingAgentProcedures({ pool }: Services) {
  const lessening = agentProcedure.meta({ errors: ['NOT_FOUND', 'FORBIDDEN', 'NOT_YET_DURABLE'] });
  return {
    listAgents: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listAgentsInput)
      .output(listAgentsOutput)
      .query(async ({ ctx, input: { propertyId } }) => ({
        items: found(await agentsOfListing(pool, { propertyId, callerId: ctx.user.id })),
      })),
    unassignAgent: lessening
      .input(listingAgentInput)
      .output(assignmentOutput)
      .mutation(async ({ ctx, input }) => {
        admit('owner', await unassignAgent(pool, { ...input, callerId: ctx.user.id }));
        return { ...input, assigned: false };
      }),
    leave: lessening
      .input(listAgentsInput)
      .output(leaveOutput)
      .mutation(async ({ ctx, input }) => {
        admit('assigned', await leaveListing(pool, { ...input, callerId: ctx.user.id }));
        return { ...input, left: true };
      }),
  };
}

function admit(who: Standing, standing: Standing): void {
  if (standing === 'none') throw new PublicError('NOT_FOUND');
  if (standing !== who) throw new PublicError('FORBIDDEN');
}
