import { OnlineMigration } from './online-migration.ts';

/**
 * Mails that an operator sends to try the mail server from the console, which cannot reach it: the API host sends them
 * and stores what became of each. A row belongs to the installation and holds the address that the operator entered.
 * No account owns it, so neither deletion nor export of an account knows it. It stays for a day after it was made.
 */
export class MailTests extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table mail_tests (
        id uuid primary key default gen_random_uuid(),
        email text not null,
        "requestedAt" timestamptz not null,
        "endedAt" timestamptz,
        problem text,
        constraint mail_tests_problem_check check (problem is null or "endedAt" is not null)
      )`);
    this.addSql('create index mail_tests_requested_idx on mail_tests ("requestedAt")');
    this.addSql(`insert into retention_cuts (what) values ('mailTests')`);
  }
}
