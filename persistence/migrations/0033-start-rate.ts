import { Migration } from '@mikro-orm/migrations';

/**
 * The places of the start rate: as many as purchases may begin in a minute, each with the time of its last use. Also
 * how long a job waited while it could have started. That is known at its start and reported again at its end.
 */
export class StartRate extends Migration {
  override up(): void {
    this.addSql(`
      create table start_places (
        place integer primary key,
        "usedAt" timestamptz not null
      )`);
    // As many as the greatest limit that a role accepts; a smaller limit leaves the last of them unused.
    this.addSql(`insert into start_places select place, '-infinity' from generate_series(1, 600) place`);
    this.addSql(`alter table ai_jobs add column "queueWaitMs" bigint`);
  }
}
