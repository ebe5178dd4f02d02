import { defineEntity, p } from '@mikro-orm/core';
import type { RowOf } from './row.ts';

export const USER_ROLES = ['customer', 'agent'] as const;
export const USER_LOCALES = ['en', 'es'] as const;
export type UserLocale = (typeof USER_LOCALES)[number];

/**
 * Read-only here: better-auth owns accounts, the profile columns are written by `users.*`
 * (docs/contract.md#permission).
 */
export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    name: p.text(),
    /** Null in the row of a deleted account, which holds only its id. */
    email: p.text().nullable().unique(),
    emailVerified: p.boolean().default(false),
    image: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    role: p.enum(USER_ROLES).default('customer'),
    phone: p.text().nullable(),
    locale: p.enum(USER_LOCALES).default('en'),
    licenseNumber: p.text().nullable(),
    officeName: p.text().nullable(),
    /** Whether an agent's card shows the e-mail address. */
    emailPublic: p.boolean().default(false),
  },
});
export type User = RowOf<typeof UserEntity>;
