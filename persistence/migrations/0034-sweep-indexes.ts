import { OnlineMigration } from './online-migration.ts';

/**
 * Indexes for sweeps, so that their cost depends on what is due and not on the whole history: the jobs that are not
 * over, in the order of their submission within a status, and the purchases without an estimated cost. No column of the
 * first index changes when a lease is renewed. The index of waiting jobs is dropped, because the first index covers it.
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
