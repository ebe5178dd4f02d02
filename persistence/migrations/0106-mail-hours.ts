import { OnlineMigration } from './online-migration.ts';

/**
 * How many mails about changes each person got in an hour, and what waits for the hour's digest (docs/contract.md#mail).
 * A person owns their rows. The deletion of the account removes them; an export leaves them out, because they repeat
 * what it contains. A row stays until its digest is sent, or a minute after its hour when nothing waits; at the latest
 * two days.
 */
export class MailHours extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table mail_hours (
        "userId" uuid not null references "user" (id) on delete cascade,
        hour timestamptz not null,
        sent integer not null,
        held integer not null default 0,
        lines jsonb not null default '[]',
        attempts integer not null default 0,
        "nextAttemptAt" timestamptz not null,
        primary key ("userId", hour)
      )`);
    this.addSql('create index mail_hours_due_idx on mail_hours ("nextAttemptAt")');
  }
}
