import { Migration } from '@mikro-orm/migrations';
import { IMAGE_BACKFILL } from './0009-image-backfill.ts';
import { JOB_BACKFILL } from './0009-job-backfill.ts';
import {
  FROZEN_PROMPTS,
  LEGACY_JOB_STATUSES,
  LEGACY_JOB_TYPES,
  LEGACY_ROOMS,
  LEGACY_STYLES,
} from './0009-legacy-catalogue.ts';

/**
 * Turns legacy rows into rows that the constraints of 0010 accept. One transaction: either every picture and
 * every job is accounted for (kept, or removed with an audit row and a deletion of its file) or none is touched.
 */
export class RoomStagingBackfill extends Migration {
  override up(): void {
    // Keeps out uploads: the rules would judge a photo that is added half-way through by data that has changed already.
    this.addSql(`lock table properties, property_images, ai_jobs in share row exclusive mode`);
    for (const section of [
      LEGACY_STYLES,
      LEGACY_ROOMS,
      LEGACY_JOB_TYPES,
      LEGACY_JOB_STATUSES,
      FROZEN_PROMPTS,
    ]) {
      this.addSql(section);
    }
    for (const section of [...IMAGE_BACKFILL, ...JOB_BACKFILL]) this.addSql(section);
    // The documents need isStyled before an approved variant may be shown, so every document is rebuilt.
    this.addSql(`update properties set "searchDirtyAt" = now(), "searchVersion" = "searchVersion" + 1`);
  }
}
