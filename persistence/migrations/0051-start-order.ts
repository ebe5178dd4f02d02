import { OnlineMigration } from './online-migration.ts';

/**
 * The place of a staging job in the start order. Existing jobs have none and start first. The indexes leave them out,
 * so that the planner does not use these indexes for sweeps over waiting jobs.
 */
export class StartOrder extends OnlineMigration {
  static override readonly online = [
    { column: '"startOrder"', on: 'ai_jobs', type: 'integer not null default 0' },
    {
      index: 'ai_jobs_start_order_idx',
      on: `ai_jobs ("startOrder") where status = 'PENDING' and "startOrder" > 0 and "quarantinedAt" is null`,
    },
    {
      index: 'ai_jobs_agent_start_order_idx',
      on: `ai_jobs (coalesce("requestedByUserId", '00000000-0000-0000-0000-000000000000'), "startOrder")
        where status = 'PENDING' and "startOrder" > 0`,
    },
  ];
}
