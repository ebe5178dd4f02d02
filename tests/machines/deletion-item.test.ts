import {
  type DeletionItemContext,
  type DeletionItemEvent,
  deletionItemMachine,
  initialDeletionItem,
} from '../../machines/deletion-item.ts';
import {
  DELETION_BACKOFF_BASE_MS,
  DELETION_BACKOFF_MAX_MS,
  MAX_DELETION_TRIES,
} from '../../machines/limits.ts';
import { DELETION_ITEM_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { type Rule, testRules } from './rules.ts';

/** Every transition of docs/charts/deletion-item.md. */
type DeletionRule = Rule<DeletionItemContext, DeletionItemEvent>;

const failedWith = (errorClass: 'transient' | 'needs-person', jitter = 0): DeletionItemEvent => ({
  type: 'DELETE_FAILED',
  at: AT,
  errorClass,
  error: 'no',
  jitter,
});
const claimed = { ...initialDeletionItem, nextAttemptAt: AT - 1, claimedAt: AT - 1, claimedBy: 'node-a' };
const released = { claimedAt: null, claimedBy: null };
const lastError = 'no';
const alert = ['alert', { alert: 'deletion_failed' }] as const;
const failedBefore = (errorClass: 'transient' | 'needs-person') => ({
  ...claimed,
  ...released,
  attempts: 3,
  lastError,
  errorClass,
});
const triedAgain = (attempts: number, waitMs: number): Omit<DeletionRule, 'event'> => ({
  given: { attempts: attempts - 1 },
  to: 'PENDING',
  context: { attempts, lastError, errorClass: 'transient', nextAttemptAt: AT + waitMs, ...released },
});

testRules(deletionItemMachine, {
  events: DELETION_ITEM_EVENTS,
  usual: {
    PENDING: { ...initialDeletionItem, nextAttemptAt: AT },
    PROCESSING: claimed,
    FAILED: failedBefore('transient'),
    DELETED: { ...claimed, ...released, processedAt: AT },
  },
  rules: {
    PENDING: [
      {
        event: { type: 'CLAIMED', at: AT, by: 'node-b' },
        when: 'due',
        to: 'PROCESSING',
        context: { claimedAt: AT, claimedBy: 'node-b' },
      },
      { event: { type: 'CLAIMED', at: AT - 1, by: 'node-b' }, when: 'not due', to: null },
    ],
    PROCESSING: [
      { event: { type: 'OBJECT_DELETED', at: AT }, to: 'DELETED', context: { processedAt: AT, ...released } },
      {
        event: { type: 'STILL_REFERENCED', at: AT },
        to: 'DELETED',
        context: { processedAt: AT, note: 'a live row still references this object', ...released },
      },
      { event: failedWith('transient'), when: 'the first', ...triedAgain(1, DELETION_BACKOFF_BASE_MS) },
      { event: failedWith('transient'), when: 'the third', ...triedAgain(3, DELETION_BACKOFF_BASE_MS * 4) },
      {
        event: failedWith('transient', 0.5),
        when: 'with jitter',
        ...triedAgain(1, DELETION_BACKOFF_BASE_MS * 1.1),
      },
      {
        event: failedWith('transient'),
        when: 'the last that is tried again',
        ...triedAgain(
          MAX_DELETION_TRIES - 1,
          Math.min(DELETION_BACKOFF_BASE_MS * 2 ** (MAX_DELETION_TRIES - 2), DELETION_BACKOFF_MAX_MS),
        ),
      },
      {
        event: failedWith('transient'),
        when: 'the tenth',
        ...triedAgain(
          MAX_DELETION_TRIES,
          Math.min(DELETION_BACKOFF_BASE_MS * 2 ** (MAX_DELETION_TRIES - 1), DELETION_BACKOFF_MAX_MS),
        ),
        to: 'FAILED',
        effects: [alert],
      },
      {
        event: failedWith('needs-person'),
        when: 'needs a person',
        to: 'FAILED',
        context: {
          attempts: 1,
          lastError,
          errorClass: 'needs-person',
          nextAttemptAt: AT + DELETION_BACKOFF_BASE_MS,
          ...released,
        },
        effects: [alert],
      },
      { event: { type: 'CLAIM_EXPIRED', at: AT }, to: 'PENDING', context: released },
    ],
    FAILED: [
      {
        event: { type: 'RETRY_ASKED', at: AT, force: false },
        when: 'an error that time can heal',
        to: 'PENDING',
        context: { attempts: 0, nextAttemptAt: AT },
      },
      {
        event: { type: 'RETRY_ASKED', at: AT, force: false },
        when: 'needs a person',
        given: { errorClass: 'needs-person' },
        to: null,
      },
      {
        event: { type: 'RETRY_ASKED', at: AT, force: true },
        when: 'needs a person, by force',
        given: { errorClass: 'needs-person' },
        to: 'PENDING',
        context: { attempts: 0, nextAttemptAt: AT },
      },
    ],
  },
});
