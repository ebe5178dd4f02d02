import { OnlineMigration } from './online-migration.ts';

/**
 * Mailed sign-in codes, one for each address and requesting client: `holder` is the hash of the client's cookie,
 * `network` the network of the request. Tries with that cookie and without it are counted separately. Existing codes
 * are deleted; they lived for five minutes.
 */
export class SignInCodes extends OnlineMigration {
  static override readonly online = [
    {
      backfill: `delete from verification where id in (
        select id from verification where identifier like 'sign-in-otp-%' limit $1)`,
    },
  ];

  override up(): void {
    this.addSql(`
      create table sign_in_codes (
        email text not null,
        holder text not null,
        network text not null,
        "codeHash" text not null,
        tries integer not null default 0,
        "looseTries" integer not null default 0,
        "askedAt" timestamptz not null,
        "expiresAt" timestamptz not null,
        primary key (email, holder)
      )`);
    this.addSql(`create index sign_in_codes_expires_idx on sign_in_codes ("expiresAt")`);
    this.addSql(`insert into retention_cuts (what) values ('signInCodes')`);
  }
}
