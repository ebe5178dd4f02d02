import type pg from 'pg';

/** Major versions of PostgreSQL whose servers run every migration and statement; tests run on each. */
export const SERVER_VERSIONS = [16, 17, 18] as const;

class UnsupportedServer extends Error {
  readonly code = 'SERVER_UNSUPPORTED';
}

/**
 * Asked before anything else: an older server fails in the middle of the migrations, and leaves the earlier ones applied.
 * @throws UnsupportedServer
 */
export async function requireServerVersion(database: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await database.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  const major = Math.floor(Number(rows[0]?.number) / 10_000);
  if (SERVER_VERSIONS.some((supported) => supported === major)) return;
  throw new UnsupportedServer(
    `the database is PostgreSQL ${rows[0]?.version}; this release runs on PostgreSQL ${SERVER_VERSIONS[0]} to ${SERVER_VERSIONS.at(-1)} (docs/install.md)`,
  );
}
