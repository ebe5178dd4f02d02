import {
  type AgentsOutcome,
  agentsOfListing,
  assignAgent,
  MAX_ASSIGNED_AGENTS,
  transferOwnership,
  unassignAgent,
} from '../../../persistence/listings/listing-agents.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import {
  assignmentOutput,
  listAgentsInput,
  listAgentsOutput,
  listingAgentInput,
  transferOutput,
} from '../../wire/listings/listing-agents.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';
import { requireVerified } from '../verified-session.ts';

/** `properties.listAgents/assignAgent/unassignAgent/transferOwnership` (docs/contract.md#permission). */
export function listingAgentProcedures({ pool, clock }: Services) {
  const owner = agentProcedure.meta({ errors: ['NOT_FOUND', 'FORBIDDEN'] }).input(listingAgentInput);
  const lessening = owner.meta({ errors: ['NOT_FOUND', 'FORBIDDEN', 'NOT_YET_DURABLE'] });
  const giving = owner.meta({
    errors: ['NOT_FOUND', 'FORBIDDEN', 'NOT_YET_DURABLE', 'VERIFICATION_REQUIRED'],
  });
  return {
    listAgents: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listAgentsInput)
      .output(listAgentsOutput)
      .query(async ({ ctx, input: { propertyId } }) => ({
        items: found(await agentsOfListing(pool, { propertyId, callerId: ctx.user.id })),
      })),
    assignAgent: owner.output(assignmentOutput).mutation(async ({ ctx, input }) => {
      refuse(await assignAgent(pool, { ...input, callerId: ctx.user.id }));
      return { ...input, assigned: true };
    }),
    unassignAgent: lessening.output(assignmentOutput).mutation(async ({ ctx, input }) => {
      refuse(await unassignAgent(pool, { ...input, callerId: ctx.user.id }));
      return { ...input, assigned: false };
    }),
    transferOwnership: giving.output(transferOutput).mutation(async ({ ctx, input }) => {
      requireVerified(ctx.user, clock);
      refuse(await transferOwnership(pool, { ...input, callerId: ctx.user.id, at: clock.now() }));
      return { propertyId: input.propertyId, ownerAgentId: input.agentId };
    }),
  };
}

function refuse(outcome: AgentsOutcome): void {
  switch (outcome) {
    case 'changed':
      return;
    case 'missing':
      throw new PublicError('NOT_FOUND');
    case 'not-owner':
      throw new PublicError('FORBIDDEN');
    case 'not-an-agent':
      throw new PublicError('INVALID_INPUT', { fields: { agentId: ['This is not an agent.'] } });
    case 'too-many': {
      const message = `A listing has at most ${MAX_ASSIGNED_AGENTS} assigned agents. Unassign one first.`;
      throw new PublicError('INVALID_INPUT', { fields: { agentId: [message] } });
    }
  }
}
