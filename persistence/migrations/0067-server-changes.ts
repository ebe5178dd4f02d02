import { OnlineMigration } from './online-migration.ts';

/**
 * Which database server knows every purchase, and until when it certainly did (ARCHITECTURE.md#failover).
 * `current_server()` differs after a promotion (another timeline) and in a restored copy (another system identifier). A
 * managed service that hides these is known by its start time, so a restart counts as a change there.
 */
export class ServerChanges extends OnlineMigration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter type start_gate_status add value 'CHECKING'`,
  `alter type start_gate_status add value 'UNCERTAIN'`,
  `alter table start_gate add column server text, add column "newServer" text, add column "certainUntil" timestamptz`,
  `create function current_server() returns text language plpgsql as $$
   begin
     return (select system_identifier from pg_control_system()) || '/'
       || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
   exception when others then
     return 'started ' || pg_postmaster_start_time();
   end $$`,
  // Written every few seconds: what was committed before it is known wherever this row is known.
  `create table server_heartbeat (
     id integer primary key default 1,
     at timestamptz not null,
     constraint server_heartbeat_one_row_check check (id = 1)
   )`,
  'insert into server_heartbeat (at) values (clock_timestamp())',
];
