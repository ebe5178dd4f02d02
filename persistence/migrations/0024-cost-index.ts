import { Migration } from '@mikro-orm/migrations';

/** Purchases in the order in which they were sent: how estimated costs are noted, and shown by day. */
export class CostIndex extends Migration {
  override up(): void {
    this.addSql(`
      create index "ai_provider_attempts_sentAt_idx" on ai_provider_attempts ("sentAt" desc, "aiJobId" desc)
        where "sentAt" is not null`);
  }
}
