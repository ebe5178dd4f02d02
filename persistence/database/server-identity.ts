/** The database server as a worker sees it. */
export interface ServerSight {
  /** Another text after a promotion and in a restored copy. */
  server: string;
  /** What was committed before this instant is certainly known to this server. Unix milliseconds. */
  certainUntil: number;
}

/** The server that the pause switch trusts is this one, or none was seen yet. As a condition. */
export const ON_TRUSTED_SERVER = `EXISTS (SELECT FROM start_gate WHERE server IS NULL OR server = current_server())`;
