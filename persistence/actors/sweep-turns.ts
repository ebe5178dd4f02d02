import type { Pool } from 'pg';

/**
 * Turns (`sweep_turns`): work that one worker does for the whole installation, one sweep at a time and at most once per
 * interval. A turn is a row with an end, not a session's lock, so it works behind a pooler and ends by itself when its
 * worker dies. All times are the database's: workers' clocks may differ. Always true: at most one holder of a turn that
 * has not run out, and two turns of one name begin at least `everyMs` apart. When the database's clock was set back, a time
 * that is still to come counts as now.
 *
 * A turn saves work but protects nothing: a holder that stopped for longer than `holdMs` continues alongside the next one.
 * What must not happen twice needs a rule of its own in the row that it changes.
 */
export interface TurnOptions {
  name: string;
  /** The holder's name, for people who read the table; one process does one sweep of a name at a time. */
  holder: string;
  /** Minimum time between the starts of two turns. Milliseconds. */
  everyMs: number;
  /** Another worker may take the turn after this time, unless it was prolonged. Milliseconds. */
  holdMs: number;
}

export interface Turn {
  /** Holds the turn for another `holdMs` from now. False when it expired and another worker has taken one since. */
  prolong(): Promise<boolean>;
}

/** The times are read once the row is locked, not when the statement begins, because it may wait for another worker. */
const TAKE_TURN = `
  INSERT INTO sweep_turns AS t (name, turn, holder, "beganAt", "heldUntil")
  VALUES ($1, 1, $2, clock_timestamp(), clock_timestamp() + $4::interval)
  ON CONFLICT (name) DO UPDATE SET turn = t.turn + 1, holder = excluded.holder,
    "beganAt" = clock_timestamp(), "heldUntil" = clock_timestamp() + $4::interval
  WHERE least(t."beganAt", clock_timestamp()) <= clock_timestamp() - $3::interval
    AND (t."heldUntil" IS NULL OR t."heldUntil" NOT BETWEEN clock_timestamp() AND clock_timestamp() + $4::interval)
  RETURNING turn`;

/** The clock was set back: the turn that began later than now counts as begun now. */
const FORGET_FUTURE = `
  UPDATE sweep_turns SET "beganAt" = clock_timestamp() WHERE name = $1 AND "beganAt" > clock_timestamp()`;

/** A turn has a number, so that a holder that returns late does not change the next turn. */
const PROLONG_TURN = `
  UPDATE sweep_turns SET "heldUntil" = clock_timestamp() + $3::interval WHERE name = $1 AND turn = $2`;
const END_TURN = `UPDATE sweep_turns SET holder = NULL, "heldUntil" = NULL WHERE name = $1 AND turn = $2`;

/**
 * Does the work if the turn is free. The turn ends with the work, also when it fails. False when the turn is not free.
 */
export async function inTurn(
  pool: Pool,
  { name, holder, everyMs, holdMs }: TurnOptions,
  work: (turn: Turn) => Promise<void>,
): Promise<boolean> {
  const hold = `${holdMs} milliseconds`;
  const every = `${everyMs} milliseconds`;
  const { rows } = await pool.query<{ turn: number }>(TAKE_TURN, [name, holder, every, hold]);
  const turn = rows[0]?.turn;
  if (turn === undefined) {
    if (everyMs > 0) await pool.query(FORGET_FUTURE, [name]);
    return false;
  }
  const prolong = async () => {
    const { rowCount } = await pool.query(PROLONG_TURN, [name, turn, hold]);
    return rowCount === 1;
  };
  try {
    await work({ prolong });
    return true;
  } finally {
    // If the turn cannot be ended, it expires.
    await pool.query(END_TURN, [name, turn]).catch(() => {});
  }
}
