import { defineEntity, p } from '@mikro-orm/core';
import { UserEntity } from './user.ts';

/**
 * Read-only here: better-auth owns this table (docs/provider.md#better-auth). Tokens never leave it, hence `hidden`.
 */
export const AccountEntity = defineEntity({
  name: 'Account',
  tableName: 'account',
  uniques: [{ properties: ['providerId', 'accountId'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    accountId: p.text(),
    providerId: p.text(),
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade'),
    accessToken: p.text().nullable().hidden(),
    refreshToken: p.text().nullable().hidden(),
    idToken: p.text().nullable().hidden(),
    accessTokenExpiresAt: p.datetime().nullable(),
    refreshTokenExpiresAt: p.datetime().nullable(),
    scope: p.text().nullable(),
    password: p.text().nullable().hidden(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
