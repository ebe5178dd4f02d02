import type { Pool } from 'pg';
import { toMillis } from '../database/instants.ts';
import { ON_TRUSTED_SERVER, type ServerSight } from '../database/server-identity.ts';
import type { Row } from './actor-kind.ts';
import { PAUSE_SWITCH_ID, type PauseSwitchActor, pauseSwitchKind } from './rows/pause-switch-row.ts';

/** All that a worker without work needs to know, in one statement: fifty idle workers ask every few seconds. */
export interface WorkerLook {
  sight: ServerSight;
  pauseSwitch: PauseSwitchActor | null;
  /** No worker has the shift (`src/worker/shift.ts`). */
  shiftIsFree: boolean;
  /** The worker on the shift has found more running jobs without a holder than it has slots for. */
  hasOrphans: boolean;
  /** A staged picture waits to be compared with its photo. */
  hasDriftDue: boolean;
}

export const SHIFT_TURN = 'shift';
const ORPHANS = 'orphans';

/**
 * Looks at the server, and moves its heartbeat when that is older than five seconds. The heartbeat of a server that is
 * not trusted stays where the server before left it. Source: ARCHITECTURE.md#failover.
 */
const LOOK = `
  WITH moved AS (
    UPDATE server_heartbeat SET at = clock_timestamp()
    WHERE at < clock_timestamp() - interval '5 seconds' AND ${ON_TRUSTED_SERVER} RETURNING at
  )
  SELECT current_server() AS "seenServer", coalesce((SELECT at FROM moved), beat.at) AS "certainAt",
    NOT EXISTS (SELECT FROM sweep_turns WHERE name = '${SHIFT_TURN}' AND "heldUntil" > clock_timestamp()) AS "shiftIsFree",
    EXISTS (SELECT FROM sweep_turns WHERE name = '${ORPHANS}' AND "heldUntil" > clock_timestamp()) AS "hasOrphans",
    EXISTS (SELECT FROM drift_comparisons WHERE "nextTryAt" <= clock_timestamp()) AS "hasDriftDue", switch.*
  FROM server_heartbeat beat LEFT JOIN (${pauseSwitchKind.rows.select()} WHERE t.id = '${PAUSE_SWITCH_ID}') switch ON true`;

/** A row that the looks read: finding orphans means reading all running jobs, and each worker looks. */
const CALL_FOR_ORPHANS = `
  INSERT INTO sweep_turns (name, turn, holder, "beganAt", "heldUntil")
  VALUES ('${ORPHANS}', 1, $1, clock_timestamp(), clock_timestamp() + interval '10 seconds')
  ON CONFLICT (name) DO UPDATE SET turn = sweep_turns.turn + 1, holder = excluded.holder,
    "beganAt" = excluded."beganAt", "heldUntil" = excluded."heldUntil"`;

/** Makes the next looks of all workers see orphans: longer than the longest pause between two looks. */
export async function callForOrphans(pool: Pool, holder: string): Promise<void> {
  await pool.query(CALL_FOR_ORPHANS, [holder]);
}

interface LookRow extends Row {
  seenServer: string;
  certainAt: Date;
  shiftIsFree: boolean;
  hasOrphans: boolean;
  hasDriftDue: boolean;
}

export async function lookAround(pool: Pool): Promise<WorkerLook> {
  const { rows } = await pool.query<LookRow>(LOOK);
  const [row] = rows;
  if (row === undefined) throw new Error('server_heartbeat has no row');
  const { seenServer, certainAt, shiftIsFree, hasOrphans, hasDriftDue } = row;
  return {
    sight: { server: seenServer, certainUntil: toMillis(certainAt) },
    pauseSwitch: row.id === null ? null : pauseSwitchKind.rows.fromRow(row),
    shiftIsFree,
    hasOrphans,
    hasDriftDue,
  };
}
