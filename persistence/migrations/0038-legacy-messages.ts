import { Migration } from '@mikro-orm/migrations';

/**
 * One row for each answered old `stage-room` message, whatever the answer. A message that is delivered again finds its
 * row and creates nothing, even when the job or the picture that covered it is gone by then. A row may be deleted once
 * no queue can hold its message any more; the index serves that.
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
