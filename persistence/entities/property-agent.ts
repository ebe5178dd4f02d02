import { defineEntity, p } from '@mikro-orm/core';
import { PropertyEntity } from './property.ts';
import { UserEntity } from './user.ts';

/** An agent assigned to a listing beside its owner. */
export const PropertyAgentEntity = defineEntity({
  name: 'PropertyAgent',
  tableName: 'property_agents',
  properties: {
    propertyId: p.manyToOne(PropertyEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    agentId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
  },
});
