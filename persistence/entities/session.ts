import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Read-only here: better-auth owns this table (protocol-facts 4.6). */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    expiresAt: p.datetime(),
    token: p.text().unique().hidden(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    ipAddress: p.text().nullable(),
    userAgent: p.text().nullable(),
    userId: p.uuid(),
  },
});
export type Session = InferEntity<typeof SessionEntity>;
