import { OnlineMigration } from './online-migration.ts';

/**
 * How far a standby has come (ARCHITECTURE.md#reading-from-standbys). The primary's heartbeat moves only while a web
 * process reads from standbys; `server` is the primary that wrote it. A session holds the position of the log after its
 * last write.
 */
export class StandbyReads extends OnlineMigration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table standby_heartbeat (
     id integer primary key default 1,
     server text not null default '',
     beat bigint not null default 0,
     at timestamptz not null default '-infinity',
     constraint standby_heartbeat_one_row_check check (id = 1)
   )`,
  'insert into standby_heartbeat default values',
  'alter table session add column "lastWriteLsn" pg_lsn',
];
