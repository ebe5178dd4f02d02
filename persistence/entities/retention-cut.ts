import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Rows of a kind from before `before` may be gone; the journal was walked up to `walkedAt` and `walkedId`. */
export const RetentionCutEntity = defineEntity({
  name: 'RetentionCut',
  tableName: 'retention_cuts',
  properties: {
    what: p.text().primary(),
    before: p.datetime(),
    walkedAt: p.datetime(),
    walkedId: p.bigint('number').default(0),
  },
});
export type RetentionCut = InferEntity<typeof RetentionCutEntity>;
