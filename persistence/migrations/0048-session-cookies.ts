import { OnlineMigration } from './online-migration.ts';

/**
 * The last use of each session, and since when it may still have the earlier name of its cookie. That holds for all
 * existing sessions and for those that processes of the earlier release still begin; a session of this release has
 * null. Expired sessions are removed by age like other rows.
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
