import { Migration } from '@mikro-orm/migrations';

/**
 * One row for each old `stage-room` message that has been answered, whatever the answer: a message that is delivered
 * again finds its row and makes nothing, also when the job or the picture that covered it is gone by then. A row may be
 * deleted once no queue can hold its message any more, which the index serves.
 */
export class LegacyMessages extends Migration {
  override up(): void {
    this.addSql(`
      create table legacy_messages (
        "messageKey" text primary key,
        disposition text not null,
        "aiJobId" uuid,
        "answeredAt" timestamptz not null
      )`);
    this.addSql(`create index "legacy_messages_answeredAt_idx" on legacy_messages ("answeredAt")`);
  }
}
