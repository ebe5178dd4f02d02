import { OnlineMigration } from './online-migration.ts';

/**
 * Console sessions that were signed out before their expiry. A row is kept until the expiry and removed by age
 * afterwards.
 */
export class ConsoleSignOuts extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table console_sign_outs (
        "sessionId" uuid primary key,
        "endsAt" timestamptz not null
      )`);
    this.addSql(`create index console_sign_outs_ends_idx on console_sign_outs ("endsAt")`);
    this.addSql(`insert into retention_cuts (what) values ('consoleSignOuts')`);
  }
}
