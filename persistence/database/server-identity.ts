import type { Pool } from 'pg';
import { toMillis } from './instants.ts';

/** The database server as a worker sees it. */
export interface ServerSight {
  /** Another text after a promotion and in a restored copy. */
  server: string;
  /** What was committed before this instant is certainly known to this server. Unix milliseconds. */
  certainUntil: number;
}

/** The server that the pause switch trusts is this one, or none was seen yet. As a condition. */
export const ON_TRUSTED_SERVER = `EXISTS (SELECT FROM start_gate WHERE server IS NULL OR server = current_server())`;

/**
 * Looks at the server, and moves its heartbeat when that is older than five seconds. The heartbeat of a server that is
 * not trusted stays where the server before left it. Source: ARCHITECTURE.md#failover.
 */
export async function seeServer(pool: Pool): Promise<ServerSight> {
  const { rows } = await pool.query<{ server: string; at: Date }>(`
    WITH moved AS (
      UPDATE server_heartbeat SET at = clock_timestamp()
      WHERE at < clock_timestamp() - interval '5 seconds' AND ${ON_TRUSTED_SERVER} RETURNING at
    )
    SELECT current_server() AS server, coalesce((SELECT at FROM moved), at) AS at FROM server_heartbeat`);
  const [row] = rows;
  if (row === undefined) throw new Error('server_heartbeat has no row');
  return { server: row.server, certainUntil: toMillis(row.at) };
}
