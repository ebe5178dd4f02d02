import { Migration } from '@mikro-orm/migrations';

/**
 * Answered old messages are removed by age like other rows (`retention_cuts`). The check of that table is dropped:
 * every new kind would have to replace it, and only migrations add kinds.
 */
export class LegacyMessageRetention extends Migration {
  override up(): void {
    this.addSql(`alter table retention_cuts drop constraint retention_cuts_what_check`);
    this.addSql(`insert into retention_cuts (what) values ('messages')`);
  }
}
