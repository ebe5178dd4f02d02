import type { DeletionErrorClass, DeletionItemContext } from '../../machines/deletion-item.ts';
import type { ActorState } from '../../machines/step.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { DeletionItemActor } from './actor-store.ts';

/** One row of `storage_deletion_outbox`: status is the state value. */
export interface DeletionRow {
  id: string;
  objectKey: string;
  status: string;
  attempts: number;
  lastError: string | null;
  errorClass: DeletionErrorClass | null;
  note: string | null;
  nextAttemptAt: Instant;
  claimedAt: Instant | null;
  claimedBy: string | null;
  processedAt: Instant | null;
  version: number;
}

export const DELETION_COLUMNS = `
  id, "objectKey", status, attempts, "lastError", "errorClass", note, "nextAttemptAt", "claimedAt",
  "claimedBy", "processedAt", version`;

export function deletionFromRow(row: DeletionRow): DeletionItemActor {
  return {
    kind: 'deletionItem',
    id: row.id,
    version: row.version,
    state: row.status,
    objectKey: row.objectKey,
    context: {
      attempts: row.attempts,
      lastError: row.lastError,
      errorClass: row.errorClass,
      note: row.note,
      nextAttemptAt: toMillis(row.nextAttemptAt),
      claimedAt: toMillis(row.claimedAt),
      claimedBy: row.claimedBy,
      processedAt: toMillis(row.processedAt),
    },
  };
}

/** The columns for a state, in the order of UPDATE_DELETION's parameters after id and version. */
export function deletionColumns({ state, context }: ActorState<DeletionItemContext>): unknown[] {
  return [
    state,
    context.attempts,
    context.lastError,
    context.errorClass,
    context.note,
    toDate(context.nextAttemptAt),
    toDate(context.claimedAt),
    context.claimedBy,
    toDate(context.processedAt),
  ];
}
