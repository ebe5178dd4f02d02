import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Read-only here: better-auth owns this table (protocol-facts 4.6). */
export const VerificationEntity = defineEntity({
  name: 'Verification',
  tableName: 'verification',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    identifier: p.text(),
    value: p.text().hidden(),
    expiresAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
export type Verification = InferEntity<typeof VerificationEntity>;
