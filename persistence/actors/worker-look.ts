import type { Pool } from 'pg';
import { DATABASE_TIME } from '../database/database-clock.ts';
import { toMillis } from '../database/instants.ts';
import { LOOK_AT_SERVER, type ServerSight } from '../database/server-identity.ts';
import type { Row } from './actor-kind.ts';
import { PAUSE_SWITCH_ID, type PauseSwitchActor, pauseSwitchKind } from './rows/pause-switch-row.ts';

/** All that a worker without work needs to know, in one statement: fifty idle workers ask every few seconds. */
export interface WorkerLook {
  /** By the database's clock. Unix milliseconds. */
  now: number;
  sight: ServerSight;
  pauseSwitch: PauseSwitchActor | null;
  /** No worker has the shift (`src/worker/shift.ts`). */
  shiftIsFree: boolean;
  /** The worker on the shift has found more running jobs without a holder than it has slots for. */
  hasOrphans: boolean;
  /** A staged picture waits to be compared with its photo. */
  hasDriftDue: boolean;
  /** A photo waits to be looked up, or a staged picture for its fingerprint. */
  hasChecksDue: boolean;
}

/**
 * Another worker takes the shift after this time without a sign of its holder. With the interval of idle looks it is
 * shorter than a lease: another worker is on the shift before the leases of a dead one end.
 */
export const SHIFT = { name: 'shift', holdMs: 6_000 } as const;
const ORPHANS = { name: 'orphans', holdMs: 10_000 } as const;
const isHeld = ({ name, holdMs }: typeof SHIFT | typeof ORPHANS): string => `EXISTS (SELECT FROM sweep_turns
  WHERE name = '${name}' AND "heldUntil" BETWEEN clock_timestamp() AND clock_timestamp() + interval '${holdMs} milliseconds')`;

/** Looks at the server, and moves its heartbeat. Source: ARCHITECTURE.md#failover. */
const LOOK = `
  WITH ${LOOK_AT_SERVER}
  SELECT ${DATABASE_TIME} AS now, sight.server AS "seenServer", sight."wasSilent", sight."certainUntil" AS "seenUntil",
    NOT ${isHeld(SHIFT)} AS "shiftIsFree", ${isHeld(ORPHANS)} AS "hasOrphans",
    EXISTS (SELECT FROM drift_comparisons WHERE "nextTryAt" <= clock_timestamp()) AS "hasDriftDue",
    EXISTS (SELECT FROM photo_checks WHERE "nextTryAt" <= clock_timestamp())
      OR EXISTS (SELECT FROM staged_fingerprints WHERE "nextTryAt" <= clock_timestamp()) AS "hasChecksDue", switch.*
  FROM sight LEFT JOIN (${pauseSwitchKind.rows.select()} WHERE t.id = '${PAUSE_SWITCH_ID}') switch ON true`;

/** A row that the looks read: finding orphans means reading all running jobs, and each worker looks. */
const CALL_FOR_ORPHANS = `
  INSERT INTO sweep_turns (name, turn, holder, "beganAt", "heldUntil")
  VALUES ('${ORPHANS.name}', 1, $1, clock_timestamp(), clock_timestamp() + interval '${ORPHANS.holdMs} milliseconds')
  ON CONFLICT (name) DO UPDATE SET turn = sweep_turns.turn + 1, holder = excluded.holder,
    "beganAt" = excluded."beganAt", "heldUntil" = excluded."heldUntil"`;

/** Makes the next looks of all workers see orphans: longer than the longest pause between two looks. */
export async function callForOrphans(pool: Pool, holder: string): Promise<void> {
  await pool.query(CALL_FOR_ORPHANS, [holder]);
}

interface LookRow extends Row {
  now: number;
  seenServer: string;
  wasSilent: boolean;
  seenUntil: Date;
  shiftIsFree: boolean;
  hasOrphans: boolean;
  hasDriftDue: boolean;
  hasChecksDue: boolean;
}

export async function lookAround(pool: Pool): Promise<WorkerLook> {
  const { rows } = await pool.query<LookRow>(LOOK);
  const [row] = rows;
  if (row === undefined) throw new Error('server_heartbeat has no row');
  const { now, seenServer, wasSilent, seenUntil, shiftIsFree, hasOrphans, hasDriftDue, hasChecksDue } = row;
  return {
    now,
    sight: { server: seenServer, wasSilent, certainUntil: toMillis(seenUntil) },
    pauseSwitch: row.id === null ? null : pauseSwitchKind.rows.fromRow(row),
    shiftIsFree,
    hasOrphans,
    hasDriftDue,
    hasChecksDue,
  };
}
