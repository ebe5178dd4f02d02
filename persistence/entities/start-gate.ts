import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const START_GATE_STATUSES = ['OPEN', 'PAUSED'] as const;
export type StartGateStatus = (typeof START_GATE_STATUSES)[number];

/** Whether this installation may begin purchases: one row. */
export const StartGateEntity = defineEntity({
  name: 'StartGate',
  tableName: 'start_gate',
  properties: {
    id: p.uuid().primary(),
    status: p.enum(START_GATE_STATUSES).nativeEnumName('start_gate_status').default('OPEN'),
    changedAt: p.datetime().nullable(),
    version: p.integer().default(0),
  },
});
export type StartGate = InferEntity<typeof StartGateEntity>;
