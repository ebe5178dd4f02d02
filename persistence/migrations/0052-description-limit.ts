import { OnlineMigration } from './online-migration.ts';

/** The descriptions that an agent has requested, by time, for the limit of a day. */
export class DescriptionLimit extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_jobs_descriptions_of_agent_idx',
      on: `ai_jobs ("requestedByUserId", "createdAt") where "requestedByUserId" is not null and type = 'DESCRIPTION'`,
    },
  ];
}
