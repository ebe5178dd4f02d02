import { OnlineMigration } from './online-migration.ts';

/**
 * When each session was used last, and since when it may be known by the earlier name of its cookie: all that are here
 * now, and those that processes of the earlier release still begin; a session of this release has null. Sessions that
 * are over are removed by age like the rest.
 */
export class SessionCookies extends OnlineMigration {
  static override readonly online = [
    { column: '"lastUsedAt"', on: 'session', type: 'timestamptz not null default now()' },
    { column: '"earlierNameSince"', on: 'session', type: 'timestamptz default now()' },
    { index: 'session_expires_idx', on: 'session ("expiresAt")' },
  ];

  override up(): void {
    this.addSql(`insert into retention_cuts (what) values ('sessions')`);
  }
}
