import { defineEntity, p } from '@mikro-orm/core';
import type { RowOf } from './row.ts';
import { UserEntity } from './user.ts';

/**
 * better-auth owns this table (docs/provider.md#better-auth) but for two columns: when it was used last, to the hour,
 * and since when it may be known by the earlier name of its cookie.
 */
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
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade'),
    lastUsedAt: p.datetime().defaultRaw('now()'),
    earlierNameSince: p.datetime().nullable().defaultRaw('now()'),
  },
});
export type Session = RowOf<typeof SessionEntity>;
