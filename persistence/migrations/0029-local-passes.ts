import { OnlineMigration } from './online-migration.ts';

/**
 * The pass of local work that is under way on a job (`machines/crashes.ts`): its name, the version of what it works on,
 * and whether nothing else was worked on in that process. `failures` counts the passes in a row that ended with an
 * internal error.
 */
export class LocalPasses extends OnlineMigration {
  static override readonly online = [
    { column: '"localPass"', on: 'ai_jobs', type: 'text' },
    { column: '"localPassVersion"', on: 'ai_jobs', type: 'integer' },
    { column: '"localPassAlone"', on: 'ai_jobs', type: 'boolean' },
    { column: 'failures', on: 'ai_jobs', type: 'integer not null default 0' },
  ];
}
