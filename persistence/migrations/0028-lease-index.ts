import { OnlineMigration } from './online-migration.ts';

/**
 * A heartbeat writes `leaseExpiresAt` and `heartbeatAt` of a job every five seconds. With an index on either, each
 * heartbeat writes to every index of the table. With none, and some free room in the page, it writes to the page alone
 * (a HOT update). Held jobs are found by their holder, which a heartbeat does not change.
 */
export class LeaseIndex extends OnlineMigration {
  static override readonly online = [
    { index: 'ai_jobs_held_idx', on: `ai_jobs ("leaseOwner") where "leaseOwner" is not null` },
  ];

  override up(): void {
    this.addSql('drop index if exists ai_jobs_lease_due_idx');
    this.addSql('alter table ai_jobs set (fillfactor = 80)');
  }
}
