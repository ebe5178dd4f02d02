import type { Pool } from 'pg';

/** Runs the work on a database server that was promoted once. The database must be the test's own. */
export async function onPromotedServer(pool: Pool, work: () => Promise<void>): Promise<void> {
  await pool.query(`alter function current_server() rename to real_server;
    create function current_server() returns text language sql as $$ select '7/00000002' $$`);
  try {
    await work();
  } finally {
    await pool.query(`drop function current_server();
      alter function real_server() rename to current_server`);
  }
}
