import { Migration } from '@mikro-orm/migrations';

/**
 * What the operators' lists and counts walk: the newest actors of each status. One index a table serves every choice of
 * filters, because a list of several statuses is merged from the newest of each.
 */
export class ConsoleIndexes extends Migration {
  override up(): void {
    for (const [name, table] of INDEXES) this.addSql(`create index ${name} on ${table}`);
  }
}

const INDEXES = [
  ['ai_jobs_newest_idx', `ai_jobs (type, status, "createdAt" desc, id desc)`],
  ['ai_provider_attempts_newest_idx', `ai_provider_attempts (status, "createdAt" desc, id desc)`],
  [
    'property_images_newest_review_idx',
    `property_images ("reviewStatus", "createdAt" desc, id desc) where "isStyled"`,
  ],
  ['storage_deletion_outbox_newest_idx', `storage_deletion_outbox (status, "createdAt" desc, id desc)`],
  ['tours_newest_idx', `tours (status, "createdAt" desc, id desc)`],
] as const;
