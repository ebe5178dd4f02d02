import { OnlineMigration } from './online-migration.ts';

/**
 * Mails that give the head of each entry of the log of records to the operator's witnesses
 * (docs/contract.md#the-log-of-records). A row belongs to the installation: the addresses are those of `site.json`, so
 * no account's deletion or export includes them. It is removed when the mail was sent or given up.
 */
export class WitnessMails extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table witness_mails (
        entry integer references provenance_log,
        email text,
        attempts integer not null default 0,
        "nextAttemptAt" timestamptz not null default clock_timestamp(),
        primary key (entry, email)
      )`);
    this.addSql('create index witness_mails_due_idx on witness_mails ("nextAttemptAt")');
  }
}
