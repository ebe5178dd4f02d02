import { OnlineMigration } from './online-migration.ts';

/** The descriptions that an agent has asked for, by time: what a day's limit counts. */
export class DescriptionLimit extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_jobs_descriptions_of_agent_idx',
      on: `ai_jobs ("requestedByUserId", "createdAt") where "requestedByUserId" is not null and type = 'DESCRIPTION'`,
    },
  ];
}
