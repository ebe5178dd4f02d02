import { OnlineMigration } from './online-migration.ts';

/**
 * What an operator asks the API host to check, because the console's role cannot: whether mail is accepted, and whether
 * the map's background answers. A row belongs to the installation and holds the address that the operator entered. No
 * account owns it, so neither deletion nor export of an account knows it. It stays for a day after it was made.
 */
export class HostChecks extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table host_checks (
        id uuid primary key default gen_random_uuid(),
        email text not null,
        "requestedAt" timestamptz not null,
        "endedAt" timestamptz,
        findings jsonb,
        constraint host_checks_end_check check (("endedAt" is null) = (findings is null))
      )`);
    this.addSql('create index host_checks_requested_idx on host_checks ("requestedAt")');
    this.addSql(`insert into retention_cuts (what) values ('hostChecks')`);
  }
}
