import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Staging jobs that an agent asked for in one hour. */
export const AgentJobCountEntity = defineEntity({
  name: 'AgentJobCount',
  tableName: 'agent_job_counts',
  properties: {
    agentId: p.uuid().primary(),
    /** Its first instant. */
    hour: p.datetime().primary(),
    jobs: p.integer(),
  },
});
export type AgentJobCount = InferEntity<typeof AgentJobCountEntity>;
