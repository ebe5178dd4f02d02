import { Migration } from '@mikro-orm/migrations';

/**
 * The evidence about a purchase with an unknown outcome: since when the provider answers 404 for its prediction
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
