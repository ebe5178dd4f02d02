import { OnlineMigration } from './online-migration.ts';

/**
 * When a session was last confirmed by a mailed code, and the mails about sign-ins on new devices
 * (docs/contract.md#sign-in). A row of `sign_in_mails` belongs to its person. It is removed when its mail is sent, at the
 * latest two days after the sign-in, and with the account; the export of an account leaves it out, because the session
 * that it is about is in there. Sessions that are older than 30 days end within a day after this migration.
 */
export class SessionGuards extends OnlineMigration {
  static override readonly online = [
    { column: '"verifiedAt"', on: 'session', type: 'timestamptz' },
    {
      constraint: 'account_codes_purpose_next',
      on: 'account_codes',
      must: `check (purpose in ('deletion', 'export', 'verification'))`,
    },
    {
      backfill: `with old as (select id from session
          where "createdAt" < now() - interval '29 days' and "expiresAt" > now() + interval '1 day' limit $1)
        update session set "expiresAt" = now() + interval '1 day' from old where session.id = old.id`,
    },
  ];

  override up(): void {
    this.addSql('alter table account_codes drop constraint account_codes_purpose_check');
    this.addSql(
      'alter table account_codes rename constraint account_codes_purpose_next to account_codes_purpose_check',
    );
    this.addSql(`
      create table sign_in_mails (
        id uuid primary key default gen_random_uuid(),
        "userId" uuid not null references "user" (id) on delete cascade,
        "signedInAt" timestamptz not null,
        client text,
        system text,
        network text,
        attempts integer not null default 0,
        "nextAttemptAt" timestamptz not null
      )`);
    this.addSql(`create index sign_in_mails_due_idx on sign_in_mails ("nextAttemptAt")`);
    this.addSql(`create index sign_in_mails_person_idx on sign_in_mails ("userId")`);
  }
}
