import { OnlineMigration } from './online-migration.ts';

/**
 * Names the old `stage-room` message of a staging job, with a unique index: a message that is delivered again finds its
 * job instead of buying a second picture (docs/contract.md#old-stage-room-messages). The other index serves
 * `legacy:status`, which counts old style names of the last weeks.
 */
export class LegacyBridge extends OnlineMigration {
  static override readonly online = [
    { column: '"legacyMessageKey"', on: 'ai_room_staging_jobs', type: 'text' },
    {
      index: 'ai_room_staging_jobs_legacyMessageKey_key',
      unique: true,
      on: 'ai_room_staging_jobs ("legacyMessageKey")',
    },
    { index: 'ai_room_staging_jobs_createdAt_idx', on: 'ai_room_staging_jobs ("createdAt")' },
  ];

  override up(): void {
    this.addSql(`
      alter table ai_room_staging_jobs add constraint "ai_room_staging_jobs_legacyMessageKey_key"
        unique using index "ai_room_staging_jobs_legacyMessageKey_key"`);
  }
}
