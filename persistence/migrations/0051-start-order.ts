import { OnlineMigration } from './online-migration.ts';

/**
 * The place of a staging job in the order of starts. Jobs that are there already have none, and start first. The indexes
 * leave them out, so that no sweep over what waits takes them for its own.
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
