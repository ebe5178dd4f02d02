import { defineEntity, p } from '@mikro-orm/core';
import { UserEntity } from './user.ts';

/** Since when a person is an agent, and whether an operator has approved them. */
export const AgentStandingEntity = defineEntity({
  name: 'AgentStanding',
  tableName: 'agent_standings',
  properties: {
    agentId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    agentSince: p.datetime(),
    /** Null together with who and why. */
    approvedAt: p.datetime().nullable(),
    approvedBy: p.text().nullable(),
    approvalReason: p.text().nullable(),
  },
});
