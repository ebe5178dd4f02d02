import { Migration } from '@mikro-orm/migrations';

/**
 * Answered old messages are removed by age like the rest (`retention_cuts`). What may be in that table only migrations
 * say, so the check, which each new kind would have to replace, goes.
 */
export class LegacyMessageRetention extends Migration {
  override up(): void {
    this.addSql(`alter table retention_cuts drop constraint retention_cuts_what_check`);
    this.addSql(`insert into retention_cuts (what) values ('messages')`);
  }
}
