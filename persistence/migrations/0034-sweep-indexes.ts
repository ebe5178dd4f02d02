import { OnlineMigration } from './online-migration.ts';

/**
 * What sweeps walk, so that they cost what is due and not what was ever done: the jobs that are not over, in the order of
 * their submission within a status, and the purchases whose estimated cost is not noted. No column of the first changes
 * when a lease is renewed. The index of waiting jobs alone says nothing that this one does not say.
 */
export class SweepIndexes extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_jobs_active_idx',
      on: `ai_jobs (type, status, "createdAt", id)
        where status in ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')`,
    },
    {
      index: 'ai_provider_attempts_unpriced_idx',
      on: `ai_provider_attempts ("sentAt") where "sentAt" is not null and "costKind" is null`,
    },
  ];

  override up(): void {
    this.addSql('drop index ai_jobs_pending_idx');
  }
}
