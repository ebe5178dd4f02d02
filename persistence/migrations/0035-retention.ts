import { OnlineMigration } from './online-migration.ts';

/**
 * Indexes for the retention sweeper, the oldest first, and its progress (`retention_cuts`): rows of a kind from before
 * its cut may be gone. The journal has an index of its times already.
 */
export class Retention extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_provider_webhook_receipts_received_idx',
      on: `ai_provider_webhook_receipts ("receivedAt")`,
    },
    {
      index: 'storage_deletion_outbox_done_idx',
      on: `storage_deletion_outbox ("processedAt") where status = 'DELETED'`,
    },
    { index: 'ai_job_traces_created_idx', on: `ai_job_traces ("createdAt")` },
  ];

  override up(): void {
    this.addSql(`
      create table retention_cuts (
        what text primary key check (what in ('receipts', 'outbox', 'traces', 'journal')),
        before timestamptz not null default '-infinity',
        "walkedAt" timestamptz not null default '-infinity',
        "walkedId" bigint not null default 0
      )`);
    this.addSql(`insert into retention_cuts (what) values ('receipts'), ('outbox'), ('traces'), ('journal')`);
  }
}
