import { Migration } from '@mikro-orm/migrations';

/**
 * The four tables of better-auth 1.7 with uuid ids (docs/provider.md#better-auth). `account` also gets a unique
 * constraint, which better-auth does not define.
 */
export class AuthTables extends Migration {
  override up(): void {
    this.addSql(`
      create table "user" (
        id uuid primary key default gen_random_uuid(),
        name text not null,
        email text not null,
        "emailVerified" boolean not null default false,
        image text,
        "createdAt" timestamptz not null default now(),
        "updatedAt" timestamptz not null default now(),
        constraint "user_email_key" unique (email)
      )`);
    this.addSql(`
      create table session (
        id uuid primary key default gen_random_uuid(),
        "expiresAt" timestamptz not null,
        token text not null,
        "createdAt" timestamptz not null default now(),
        "updatedAt" timestamptz not null default now(),
        "ipAddress" text,
        "userAgent" text,
        "userId" uuid not null references "user" (id) on delete cascade,
        constraint "session_token_key" unique (token)
      )`);
    this.addSql(`create index "session_userId_idx" on session ("userId")`);
    this.addSql(`
      create table account (
        id uuid primary key default gen_random_uuid(),
        "accountId" text not null,
        "providerId" text not null,
        "userId" uuid not null references "user" (id) on delete cascade,
        "accessToken" text,
        "refreshToken" text,
        "idToken" text,
        "accessTokenExpiresAt" timestamptz,
        "refreshTokenExpiresAt" timestamptz,
        scope text,
        password text,
        "createdAt" timestamptz not null default now(),
        "updatedAt" timestamptz not null default now(),
        constraint "account_providerId_accountId_key" unique ("providerId", "accountId")
      )`);
    this.addSql(`create index "account_userId_idx" on account ("userId")`);
    this.addSql(`
      create table verification (
        id uuid primary key default gen_random_uuid(),
        identifier text not null,
        value text not null,
        "expiresAt" timestamptz not null,
        "createdAt" timestamptz not null default now(),
        "updatedAt" timestamptz not null default now()
      )`);
    this.addSql(`create index verification_identifier_idx on verification (identifier)`);
  }
}
