import { assign, setup } from 'xstate';
import { asData, type EffectParams, emitterFor } from './effects.ts';

/**
 * The feed of an MLS (`feeds`): what its reader does. It follows the changes of the source, now and then compares a list
 * of all keys with what is here, and waits after a failure. Where the reading is (`feeds.cursor`) is no part of the
 * state: it moves with the records of a page, in their transaction. Always true: listings leave by a complete list only,
 * and when it misses more than a twentieth of them, an operator decides first. After a crash the stored cursor is asked
 * again. Source: docs/contract.md#feeds.
 */
type FeedTask =
  /** Read what changed. */
  | 'REPLICATE'
  /** Read the list of all keys. */
  | 'RECONCILE'
  /** Let the listings leave that the last complete list did not name. */
  | 'REMOVE';

export interface FeedContext {
  /** What it does, or continues after a wait or a pause. */
  task: FeedTask;
  /** The end of a wait. */
  dueAt: number | null;
  /** Failures since the last answer of the source. */
  failures: number;
  lastError: string | null;
  /** When the last list of all keys was begun: its name. */
  listBegan: number | null;
  /** Listings that the last list did not name and that stay until an operator decides; 0 when none do. */
  heldDeletions: number;
  /** The listings that were here when the list was read. */
  heldListings: number;
  /** When all keys are compared next; null before the first complete look. */
  reconcileDueAt: number | null;
}

type FeedErrorCode = 'UNREACHABLE' | 'UNAUTHORIZED' | 'RATE_LIMITED' | 'BROKEN_ANSWER' | 'REFUSED';

export type FeedEvent =
  | { type: 'START_ASKED'; at: number }
  | { type: 'PAUSE_ASKED'; at: number }
  /** An operator wants all keys compared now. */
  | { type: 'RECONCILE_ASKED'; at: number }
  /** It is time to compare all keys. */
  | { type: 'RECONCILE_DUE'; at: number }
  /** All that changed was read: the first comparison has its time. */
  | { type: 'LOADED'; at: number; nextAt: number }
  /** A complete list did not name `missing` of the `listings` that are here, and `others`: people, offices, open houses. */
  | { type: 'LIST_COMPLETE'; at: number; missing: number; listings: number; others: number; nextAt: number }
  /** The list broke off, or was shorter than its count: it decides nothing. */
  | { type: 'LIST_BROKEN'; at: number; nextAt: number }
  /** Every listing that had to leave has left. */
  | { type: 'REMOVED'; at: number; nextAt: number }
  | { type: 'DELETIONS_ACCEPTED'; at: number }
  | { type: 'DELETIONS_REFUSED'; at: number }
  /** A request failed; `retryAfterMs` is what the source asks for. */
  | { type: 'REQUEST_FAILED'; at: number; code: FeedErrorCode; retryAfterMs: number | null }
  /** The source answers again. */
  | { type: 'ANSWERED'; at: number }
  | { type: 'TIME_PASSED'; at: number };

const FIRST_FEED_WAIT_MS = 5_000;
const LONGEST_FEED_WAIT_MS = 3_600_000;
/** What a source may ask for at most. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;
/** So often a source may refuse the credentials before an operator must act. */
const FEED_REFUSALS = 3;
/** At most one listing in twenty leaves by a list without a decision. */
const MOST_OF_A_LIST = 20;

/** Later ones are not counted: the wait is the longest by then. */
const MOST_FAILURES = 12;
const NEEDS_OPERATOR: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'REFUSED']);

/** Twice as long after each failure, and never less than the source asks for. Milliseconds. */
export function feedWaitMs(failures: number, retryAfterMs: number | null): number {
  const wait = Math.min(FIRST_FEED_WAIT_MS * 2 ** (failures - 1), LONGEST_FEED_WAIT_MS);
  return Math.max(wait, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

const emit = emitterFor<FeedContext, FeedEvent>();
const NOTHING_HELD = { heldDeletions: 0, heldListings: 0 };

const machineSetup = setup({
  types: { context: {} as FeedContext, events: {} as FeedEvent },
  actions: {
    alert: asData<EffectParams['alert']>,
    noteFailure: assign(({ context, event }) => {
      if (event.type !== 'REQUEST_FAILED') return {};
      const failures = Math.min(context.failures + 1, MOST_FAILURES);
      return { failures, lastError: event.code, dueAt: event.at + feedWaitMs(failures, event.retryAfterMs) };
    }),
    forgetFailures: assign({ failures: 0, lastError: null, dueAt: null }),
    endWait: assign({ dueAt: null }),
    noteNext: assign({
      reconcileDueAt: ({ context, event }) => ('nextAt' in event ? event.nextAt : context.reconcileDueAt),
    }),
    beginList: assign({ task: 'RECONCILE', listBegan: ({ event }) => event.at }),
    beginRemoval: assign({ task: 'REMOVE', ...NOTHING_HELD }),
    follow: assign({ task: 'REPLICATE' }),
    hold: assign({
      heldDeletions: ({ event }) => (event.type === 'LIST_COMPLETE' ? event.missing : 0),
      heldListings: ({ event }) => (event.type === 'LIST_COMPLETE' ? event.listings : 0),
    }),
    releaseHeld: assign(NOTHING_HELD),
  },
  guards: {
    removesTooMany: ({ event }) =>
      event.type === 'LIST_COMPLETE' && event.missing * MOST_OF_A_LIST > event.listings,
    removesSome: ({ event }) => event.type === 'LIST_COMPLETE' && event.missing + event.others > 0,
    needsOperator: ({ context, event }) =>
      event.type === 'REQUEST_FAILED' &&
      NEEDS_OPERATOR.has(event.code) &&
      context.failures + 1 >= FEED_REFUSALS,
    hasFailed: ({ context }) => context.failures > 0,
    isDue: ({ context, event }) => context.dueAt !== null && context.dueAt <= event.at,
    isDueToFollow: ({ context, event }) =>
      context.task === 'REPLICATE' && context.dueAt !== null && context.dueAt <= event.at,
    follows: ({ context }) => context.task === 'REPLICATE',
    hasHeld: ({ context }) => context.heldDeletions > 0,
    hasNoNext: ({ context }) => context.reconcileDueAt === null,
    isListDue: ({ context, event }) =>
      event.type === 'RECONCILE_ASKED' ||
      (context.reconcileDueAt !== null && context.reconcileDueAt <= event.at),
  },
});

const alertHeld = emit('alert', ({ event }) => ({
  alert: 'feed_deletions_held',
  fields: {
    missing: event.type === 'LIST_COMPLETE' ? event.missing : null,
    listings: event.type === 'LIST_COMPLETE' ? event.listings : null,
  },
}));
const alertFailed = emit('alert', ({ event }) => ({
  alert: 'feed_failed',
  fields: { code: event.type === 'REQUEST_FAILED' ? event.code : null },
}));

const failed = [
  { target: '#feed.FAILED', guard: 'needsOperator', actions: ['noteFailure', 'endWait', alertFailed] },
  { target: '#feed.WAITING', actions: 'noteFailure' },
] as const;
const answered = { guard: 'hasFailed', actions: 'forgetFailures' } as const;
const paused = { target: '#feed.PAUSED', actions: 'endWait' } as const;
/** What a feed that rests continues with. */
const continued = [
  { target: '#feed.REPLICATING', guard: 'follows', actions: 'endWait' },
  { target: '#feed.RECONCILING', actions: 'endWait' },
] as const;
const started = [
  { target: '#feed.REPLICATING', guard: 'follows', actions: 'forgetFailures' },
  { target: '#feed.RECONCILING', actions: 'forgetFailures' },
] as const;
const refused = { guard: 'hasHeld', actions: 'releaseHeld' } as const;
/** In a state that rests: the removal begins with the next request. */
const acceptedLater = { guard: 'hasHeld', actions: 'beginRemoval' } as const;

export const feedMachine = machineSetup.createMachine({
  id: 'feed',
  context: {
    task: 'REPLICATE',
    dueAt: null,
    failures: 0,
    lastError: null,
    listBegan: null,
    ...NOTHING_HELD,
    reconcileDueAt: null,
  },
  initial: 'IDLE',
  states: {
    IDLE: {
      description: 'Was added and never started.',
      on: { START_ASKED: { target: 'REPLICATING' } },
    },
    REPLICATING: {
      description: 'Follows the changes of the source.',
      on: {
        ANSWERED: answered,
        LOADED: { guard: 'hasNoNext', actions: 'noteNext' },
        RECONCILE_DUE: { target: 'RECONCILING', guard: 'isListDue', actions: 'beginList' },
        RECONCILE_ASKED: { target: 'RECONCILING', actions: 'beginList' },
        DELETIONS_ACCEPTED: { target: 'RECONCILING', guard: 'hasHeld', actions: 'beginRemoval' },
        DELETIONS_REFUSED: refused,
        REQUEST_FAILED: failed,
        PAUSE_ASKED: paused,
      },
    },
    RECONCILING: {
      description: 'Compares a list of all keys with what is here, and lets leave what it did not name.',
      on: {
        ANSWERED: answered,
        LIST_COMPLETE: [
          {
            target: 'REPLICATING',
            guard: 'removesTooMany',
            actions: ['noteNext', 'follow', 'hold', alertHeld],
          },
          { guard: 'removesSome', actions: ['noteNext', 'beginRemoval'] },
          { target: 'REPLICATING', actions: ['noteNext', 'follow', 'releaseHeld'] },
        ],
        LIST_BROKEN: { target: 'REPLICATING', actions: ['noteNext', 'follow'] },
        REMOVED: { target: 'REPLICATING', actions: ['noteNext', 'follow'] },
        DELETIONS_REFUSED: refused,
        REQUEST_FAILED: failed,
        PAUSE_ASKED: paused,
      },
    },
    WAITING: {
      description: 'Waits after a failure, then continues by itself.',
      on: {
        TIME_PASSED: [
          { target: 'REPLICATING', guard: 'isDueToFollow', actions: 'endWait' },
          { target: 'RECONCILING', guard: 'isDue', actions: 'endWait' },
        ],
        START_ASKED: continued,
        DELETIONS_ACCEPTED: acceptedLater,
        DELETIONS_REFUSED: refused,
        PAUSE_ASKED: paused,
      },
    },
    PAUSED: {
      description: 'Reads nothing until an operator starts it.',
      on: {
        START_ASKED: started,
        DELETIONS_ACCEPTED: acceptedLater,
        DELETIONS_REFUSED: refused,
      },
    },
    FAILED: {
      description:
        'The source refuses the credentials or the request: reads nothing until an operator starts it.',
      on: {
        START_ASKED: started,
        DELETIONS_ACCEPTED: acceptedLater,
        DELETIONS_REFUSED: refused,
        PAUSE_ASKED: paused,
      },
    },
  },
});
