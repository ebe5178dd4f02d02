import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An agent assigned to a listing beside its owner. */
export const PropertyAgentEntity = defineEntity({
  name: 'PropertyAgent',
  tableName: 'property_agents',
  properties: {
    propertyId: p.uuid().primary(),
    agentId: p.uuid().primary(),
  },
});
export type PropertyAgent = InferEntity<typeof PropertyAgentEntity>;
