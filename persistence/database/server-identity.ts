/** The database server as a worker sees it. */
export interface ServerSight {
  /** Another text after a promotion and in a restored copy. */
  server: string;
  /**
   * The trusted server, but without a heartbeat for a while. It may have been down while another server was the primary:
   * a disk that came back, a snapshot, a copy. Or no server is trusted yet, and this one was promoted: the one before may
   * have been trusted.
   */
  wasSilent: boolean;
  /** What was committed before this instant is certainly known to this server. Unix milliseconds. */
  certainUntil: number;
}

/** A server without a heartbeat for longer is no longer trusted. */
const SILENT = "interval '30 seconds'";
/** The heartbeat is recent, or the server was trusted again a moment ago and its heartbeat resumes now. */
const IS_HEARD = `(greatest(beat.at, gate."trustedAt") > clock_timestamp() - ${SILENT})`;

/** Never promoted: on the first timeline, or on a server that hides its timeline. */
const IS_ORIGINAL = "(current_server() ~ '^started |/00000001$')";
/** No server was seen yet, and there is none that may have been seen before this one. */
const IS_FIRST = `(gate.server IS NULL AND ${IS_ORIGINAL})`;

/**
 * The pause switch trusts this server, and a worker looked at it lately; or this is the first one. As a condition.
 * Without it nothing is bought.
 */
export const ON_TRUSTED_SERVER = `EXISTS (SELECT FROM start_gate gate, server_heartbeat beat
  WHERE gate.server = current_server() AND beat.at > clock_timestamp() - ${SILENT} OR ${IS_FIRST})`;

/**
 * CTEs of a look. It moves the heartbeat of a trusted server when that is older than five seconds, or still to come
 * because the clock was set back. Elsewhere the heartbeat stays where the trusted server left it. `sight` is one row.
 */
export const LOOK_AT_SERVER = `
  here AS MATERIALIZED (
    SELECT current_server() AS server, beat.at, ${IS_FIRST} AS "isFirst",
      gate.server = current_server() AS "isKnown", ${IS_HEARD} AS "isHeard"
    FROM server_heartbeat beat LEFT JOIN start_gate gate ON true
  ), moved AS (
    UPDATE server_heartbeat beat SET at = clock_timestamp() FROM here
    WHERE beat.at NOT BETWEEN clock_timestamp() - interval '5 seconds' AND clock_timestamp()
      AND (here."isFirst" OR here."isKnown" AND here."isHeard")
    RETURNING beat.at
  ), sight AS (
    SELECT here.server,
      NOT here."isFirst" AND (here."isKnown" IS NULL OR here."isKnown" AND NOT here."isHeard") AS "wasSilent",
      least(coalesce((SELECT at FROM moved), here.at), clock_timestamp()) AS "certainUntil"
    FROM here
  )`;
