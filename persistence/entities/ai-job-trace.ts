import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** One span that a job's later spans belong to or point at: its submission (epoch 0), or one hold of its lease. */
export const AiJobTraceEntity = defineEntity({
  name: 'AiJobTrace',
  tableName: 'ai_job_traces',
  properties: {
    aiJobId: p.uuid().primary(),
    leaseEpoch: p.integer().primary(),
    traceparent: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type AiJobTrace = InferEntity<typeof AiJobTraceEntity>;
