import { Migration } from '@mikro-orm/migrations';

/**
 * Names the old `stage-room` message that a staging job came from, once: a message that is delivered again finds its
 * job instead of buying a second picture (platform.md, Versioning, "Legacy bridge"). The index serves
 * `legacy:status`, which asks for old style names of the last weeks.
 */
export class LegacyBridge extends Migration {
  override up(): void {
    this.addSql(`alter table ai_room_staging_jobs add column "legacyMessageKey" text unique`);
    this.addSql(`create index "ai_room_staging_jobs_createdAt_idx" on ai_room_staging_jobs ("createdAt")`);
  }
}
