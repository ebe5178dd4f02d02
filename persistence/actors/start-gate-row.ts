import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { StartGateActor } from './actor-store.ts';

/** The one row of `start_gate`: status is the state value. */
export interface StartGateRow {
  id: string;
  status: string;
  changedAt: Instant | null;
  version: number;
}

/** The row's id, by which the journal and the operators' pages name the gate. */
export const START_GATE_ID = '00000000-0000-4000-8000-000000000001';

export const READ_START_GATE = `SELECT id, status, "changedAt", version FROM start_gate`;
export const LOCK_START_GATE = `${READ_START_GATE} FOR UPDATE`;
export const UPDATE_START_GATE = `
  UPDATE start_gate SET version = version + 1, status = $3, "changedAt" = $4 WHERE id = $1 AND version = $2`;

export function startGateFromRow({ id, status, changedAt, version }: StartGateRow): StartGateActor {
  return { kind: 'startGate', id, version, state: status, context: { changedAt: toMillis(changedAt) } };
}

/** The columns for a state, in the order of UPDATE_START_GATE's parameters after id and version. */
export function startGateColumns({ state, context }: Pick<StartGateActor, 'state' | 'context'>): unknown[] {
  return [state, toDate(context.changedAt)];
}
