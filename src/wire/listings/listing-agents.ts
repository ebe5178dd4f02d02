import { z } from 'zod';
import { uuid } from '../text.ts';

/** The shapes of a listing's agents (docs/contract.md#permission). */
export const listAgentsInput = z.strictObject({ propertyId: uuid });
export const listingAgentInput = z.strictObject({ propertyId: uuid, agentId: uuid });

export const listingAgent = z.object({
  agentId: z.string(),
  fullName: z.string(),
  photoUrl: z.string().nullable(),
  officeName: z.string().nullable(),
  isOwner: z.boolean(),
});
/** The owner first. */
export const listAgentsOutput = z.object({ items: z.array(listingAgent) });
export const assignmentOutput = z.object({
  propertyId: z.string(),
  agentId: z.string(),
  assigned: z.boolean(),
});
export const leaveOutput = z.object({ propertyId: z.string(), left: z.boolean() });
