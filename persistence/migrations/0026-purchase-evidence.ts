import { Migration } from '@mikro-orm/migrations';

/**
 * What decides about a purchase whose outcome is unknown: since when the provider says 404 of its prediction
 * (`goneSince`), and when the complete scan of the provider's list began that did not show it (`notListedAt`).
 */
export class PurchaseEvidence extends Migration {
  override up(): void {
    for (const table of ['ai_provider_attempts', 'ai_description_jobs'])
      this.addSql(
        `alter table ${table} add column "goneSince" timestamptz, add column "notListedAt" timestamptz`,
      );
  }
}
