import { setup } from 'xstate';
import { asData, type EffectParams, emitterFor } from './effects.ts';
import { DELETION_BACKOFF_BASE_MS, DELETION_BACKOFF_MAX_MS, MAX_DELETION_TRIES, spread } from './limits.ts';

/**
 * One object to delete from the object store (`storage_deletion_outbox`). It owns the number of tries and whether a
 * person must look at it. Always true: an item is DELETED only after the store confirmed it (a missing object counts)
 * or because a live row still needs the object. Deleting twice is harmless, so a crash only lets the claim expire.
 * Source: docs/charts/deletion-item.md, docs/contract.md#deleting-objects.
 */
export interface DeletionItemContext {
  attempts: number;
  lastError: string | null;
  errorClass: DeletionErrorClass | null;
  note: string | null;
  nextAttemptAt: number;
  claimedAt: number | null;
  claimedBy: string | null;
  processedAt: number | null;
}
export type DeletionErrorClass = 'transient' | 'needs-person';

export type DeletionItemEvent =
  | { type: 'CLAIMED'; at: number; by: string }
  | { type: 'OBJECT_DELETED'; at: number }
  | { type: 'STILL_REFERENCED'; at: number }
  | { type: 'DELETE_FAILED'; at: number; errorClass: DeletionErrorClass; error: string; jitter: number }
  | { type: 'CLAIM_EXPIRED'; at: number }
  | { type: 'RETRY_ASKED'; at: number; force: boolean };

export const initialDeletionItem: DeletionItemContext = {
  attempts: 0,
  lastError: null,
  errorClass: null,
  note: null,
  nextAttemptAt: 0,
  claimedAt: null,
  claimedBy: null,
  processedAt: null,
};

const machineSetup = setup({
  types: {
    context: {} as DeletionItemContext,
    events: {} as DeletionItemEvent,
    input: {} as { nextAttemptAt: number },
  },
  actions: { alert: asData<EffectParams['alert']> },
  guards: {
    isDue: ({ context, event }) => event.at >= context.nextAttemptAt,
    mayTryAgain: ({ context, event }) =>
      event.type === 'DELETE_FAILED' &&
      event.errorClass === 'transient' &&
      context.attempts + 1 < MAX_DELETION_TRIES,
    /** Without force, only transient errors are retried. */
    mayRetry: ({ context, event }) =>
      event.type === 'RETRY_ASKED' && (event.force || context.errorClass === 'transient'),
  },
});
const emit = emitterFor<DeletionItemContext, DeletionItemEvent>();

const noteClaim = machineSetup.assign(({ event }) =>
  event.type === 'CLAIMED' ? { claimedAt: event.at, claimedBy: event.by } : {},
);
const releaseClaim = machineSetup.assign({ claimedAt: null, claimedBy: null });
const noteProcessed = machineSetup.assign({
  processedAt: ({ event }) => event.at,
  note: ({ event }) => (event.type === 'STILL_REFERENCED' ? 'a live row still references this object' : null),
});
const noteFailure = machineSetup.assign(({ context, event }) =>
  event.type === 'DELETE_FAILED'
    ? {
        attempts: context.attempts + 1,
        lastError: event.error,
        errorClass: event.errorClass,
        nextAttemptAt: event.at + backoff(context.attempts, event.jitter),
        claimedAt: null,
        claimedBy: null,
      }
    : {},
);
const alertFailed = emit('alert', ({ context }) => ({
  alert: 'deletion_failed',
  fields: { attempts: context.attempts, errorClass: context.errorClass },
}));

export const deletionItemMachine = machineSetup.createMachine({
  id: 'deletionItem',
  context: ({ input }) => ({ ...initialDeletionItem, nextAttemptAt: input?.nextAttemptAt ?? 0 }),
  initial: 'PENDING',
  states: {
    PENDING: {
      description: 'Waits for the next drain after its due time.',
      on: { CLAIMED: { target: 'PROCESSING', guard: 'isDue', actions: noteClaim } },
    },
    PROCESSING: {
      description: 'A worker asks the object store to delete the object.',
      meta: { activity: 'deleteObject' },
      on: {
        OBJECT_DELETED: { target: 'DELETED', actions: [noteProcessed, releaseClaim] },
        STILL_REFERENCED: { target: 'DELETED', actions: [noteProcessed, releaseClaim] },
        DELETE_FAILED: [
          { target: 'PENDING', guard: 'mayTryAgain', actions: noteFailure },
          { target: 'FAILED', actions: [noteFailure, alertFailed] },
        ],
        CLAIM_EXPIRED: { target: 'PENDING', actions: releaseClaim },
      },
    },
    FAILED: {
      description: 'Needs a person: the store refuses, or ten tries were not enough.',
      on: {
        RETRY_ASKED: {
          target: 'PENDING',
          guard: 'mayRetry',
          actions: machineSetup.assign({ attempts: 0, nextAttemptAt: ({ event }) => event.at }),
        },
      },
    },
    DELETED: { type: 'final', description: 'The object is gone, or was kept because a row needs it.' },
  },
});

function backoff(failures: number, jitter: number): number {
  return spread(Math.min(DELETION_BACKOFF_BASE_MS * 2 ** failures, DELETION_BACKOFF_MAX_MS), jitter);
}
