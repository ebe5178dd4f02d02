import { OnlineMigration } from './online-migration.ts';

/**
 * Counts of the staging jobs of each agent per hour, and of the platform per day, so that a submission need not count
 * jobs. Jobs from before the migration are not counted: for them the day begins anew. Also an index of an agent's open
 * jobs.
 */
export class StagingQuotas extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_jobs_open_staging_of_agent_idx',
      // The condition on the agent keeps this index out of the plans of sweeps, which have their own.
      on: `ai_jobs ("requestedByUserId") where "requestedByUserId" is not null and type = 'ROOM_STAGING'
        and status in ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')`,
    },
  ];

  override up(): void {
    this.addSql(`
      create table agent_job_counts (
        "agentId" uuid not null references "user" (id) on delete cascade,
        hour timestamptz not null,
        jobs integer not null,
        primary key ("agentId", hour),
        constraint agent_job_counts_jobs_check check (jobs > 0)
      )`);
    this.addSql(`create index agent_job_counts_hour_idx on agent_job_counts (hour)`);
    this.addSql(`
      create table platform_job_counts (
        day timestamptz primary key,
        jobs integer not null,
        "unapprovedJobs" integer not null,
        constraint platform_job_counts_jobs_check check ("unapprovedJobs" >= 0 and jobs >= "unapprovedJobs")
      )`);
    this.addSql(`insert into retention_cuts (what) values ('counts')`);
  }
}
