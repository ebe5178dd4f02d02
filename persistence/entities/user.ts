import { defineEntity, p } from '@mikro-orm/core';
import type { RowOf } from './row.ts';
import { ACCOUNT_CODE_PURPOSES, type MailKind, USER_LOCALES, USER_ROLES } from './values.ts';

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
    /** Whether an agent's card shows the email address. */
    emailPublic: p.boolean().default(false),
    /** The kinds of mail that the person does not want. */
    mutedMails: p.array<MailKind>().columnType('text[]').default([]),
    /** Mails about messages, which `mutedMails` of the release before does not know. */
    mutesMessages: p.boolean().default(false),
    /** Since when an operator has suspended the account; null for all others. */
    suspendedAt: p.datetime().nullable(),
    /** The owner of a feed's listings: no person, and it cannot sign in. */
    feedUser: p.boolean().default(false),
  },
});
export type User = RowOf<typeof UserEntity>;

/** Since when a person is an agent, and whether an operator has approved the agent. */
export const AgentStandingEntity = defineEntity({
  name: 'AgentStanding',
  tableName: 'agent_standings',
  properties: {
    agentId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    agentSince: p.datetime(),
    /** Null together with `approvedBy` and the reason. */
    approvedAt: p.datetime().nullable(),
    approvedBy: p.text().nullable(),
    approvalReason: p.text().nullable(),
    /** Whether what the agent lists is public only with an approval. */
    needsApproval: p.boolean().default(false),
    /** The license that an operator has compared with its register, with its state; null together. */
    confirmedLicense: p.text().nullable(),
    licenseState: p.text().nullable(),
    licenseConfirmedBy: p.text().nullable(),
  },
});
export type AgentStanding = RowOf<typeof AgentStandingEntity>;

/** A person's uploaded picture. Its address contains its own id, so that the address does not reveal the person. */
export const AvatarEntity = defineEntity({
  name: 'Avatar',
  tableName: 'avatars',
  properties: {
    id: p.uuid().primary(),
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').unique(),
    objectKey: p.text().unique(),
    checksum: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type Avatar = RowOf<typeof AvatarEntity>;

/**
 * Read-only here: better-auth owns this table (docs/provider.md#better-auth). Tokens are never shown, hence `hidden`.
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
export type Account = RowOf<typeof AccountEntity>;

/**
 * better-auth owns this table (docs/provider.md#better-auth), except four columns: the last use, to the hour, since
 * when the session may still have the earlier name of its cookie, when a mailed code last confirmed it, and the position
 * of the log after its last write.
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
    verifiedAt: p.datetime().nullable(),
    lastWriteLsn: p.string().columnType('pg_lsn').nullable(),
  },
});
export type Session = RowOf<typeof SessionEntity>;

/** The latest code that was mailed to a person for a purpose, as a keyed hash. */
export const AccountCodeEntity = defineEntity({
  name: 'AccountCode',
  tableName: 'account_codes',
  properties: {
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    purpose: p.enum(ACCOUNT_CODE_PURPOSES).primary(),
    codeHash: p.text().hidden(),
    tries: p.integer().default(0),
    expiresAt: p.datetime(),
  },
});
