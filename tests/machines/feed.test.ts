import { expect, test } from 'vitest';
import { type FeedContext, type FeedEvent, feedMachine, feedWaitMs } from '../../machines/feed.ts';
import { FEED_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { type Rule, testRules } from './rules.ts';

/** What a feed does after each event, and when a list makes listings leave. */
type FeedRule = Rule<FeedContext, FeedEvent>;
const NEXT = AT + 86_400_000;
const quiet: FeedContext = {
  task: 'REPLICATE',
  dueAt: null,
  failures: 0,
  lastError: null,
  listBegan: null,
  heldDeletions: 0,
  heldListings: 0,
  reconcileDueAt: null,
};
const listing: FeedContext = { ...quiet, task: 'RECONCILE', listBegan: AT, reconcileDueAt: AT };
const failed = { failures: 1, lastError: 'UNREACHABLE', dueAt: AT + 5_000 };
const held = { heldDeletions: 2, heldListings: 20 };
const forgotten = { failures: 0, lastError: null, dueAt: null };
const removal = { task: 'REMOVE', heldDeletions: 0, heldListings: 0 } as const;

const list = (missing: number, others = 0): FeedEvent => ({
  type: 'LIST_COMPLETE',
  at: AT,
  missing,
  listings: 20,
  others,
  nextAt: NEXT,
});
const fault = (code: 'UNREACHABLE' | 'UNAUTHORIZED', retryAfterMs: number | null = null): FeedEvent => ({
  type: 'REQUEST_FAILED',
  at: AT,
  code,
  retryAfterMs,
});
const start = { type: 'START_ASKED', at: AT } as const;
const passed = { type: 'TIME_PASSED', at: NEXT } as const;

const paused: FeedRule = { event: { type: 'PAUSE_ASKED', at: AT }, to: 'PAUSED', context: { dueAt: null } };
const refused = (state: string): FeedRule[] => [
  {
    event: { type: 'DELETIONS_REFUSED', at: AT },
    given: held,
    to: state,
    context: { heldDeletions: 0, heldListings: 0 },
  },
  { event: { type: 'DELETIONS_REFUSED', at: AT }, when: 'nothing is held', to: null },
];
const accepted = (to: string): FeedRule[] => [
  { event: { type: 'DELETIONS_ACCEPTED', at: AT }, given: held, to, context: removal },
  { event: { type: 'DELETIONS_ACCEPTED', at: AT }, when: 'nothing is held', to: null },
];
const answered = (state: string): FeedRule[] => [
  { event: { type: 'ANSWERED', at: AT }, given: failed, to: state, context: forgotten },
  { event: { type: 'ANSWERED', at: AT }, when: 'nothing failed', to: null },
];
const failures: FeedRule[] = [
  { event: fault('UNREACHABLE'), to: 'WAITING', context: failed },
  {
    event: fault('UNREACHABLE', 60_000),
    when: 'the source asks for a minute',
    to: 'WAITING',
    context: { ...failed, dueAt: AT + 60_000 },
  },
  {
    event: fault('UNAUTHORIZED'),
    when: 'for the third time',
    given: { failures: 2 },
    to: 'FAILED',
    context: { failures: 3, lastError: 'UNAUTHORIZED', dueAt: null },
    effects: [['alert', { alert: 'feed_failed' }]],
  },
];
const resumed: FeedRule[] = [
  { event: start, given: { failures: 3 }, to: 'REPLICATING', context: forgotten },
  {
    event: start,
    when: 'during a list',
    given: { task: 'RECONCILE' },
    to: 'RECONCILING',
    context: forgotten,
  },
];

testRules(feedMachine, {
  events: FEED_EVENTS,
  usual: {
    IDLE: quiet,
    REPLICATING: quiet,
    RECONCILING: listing,
    WAITING: { ...quiet, ...failed },
    PAUSED: quiet,
    FAILED: { ...quiet, failures: 3, lastError: 'UNAUTHORIZED' },
  },
  rules: {
    IDLE: [{ event: start, to: 'REPLICATING' }],
    REPLICATING: [
      ...answered('REPLICATING'),
      ...failures,
      ...refused('REPLICATING'),
      ...accepted('RECONCILING'),
      paused,
      {
        event: { type: 'LOADED', at: AT, nextAt: NEXT },
        to: 'REPLICATING',
        context: { reconcileDueAt: NEXT },
      },
      {
        event: { type: 'LOADED', at: AT, nextAt: NEXT },
        when: 'again',
        given: { reconcileDueAt: NEXT },
        to: null,
      },
      {
        event: { type: 'RECONCILE_DUE', at: NEXT },
        given: { reconcileDueAt: NEXT },
        to: 'RECONCILING',
        context: { task: 'RECONCILE', listBegan: NEXT },
      },
      { event: { type: 'RECONCILE_DUE', at: NEXT }, when: 'nothing was loaded', to: null },
      {
        event: { type: 'RECONCILE_ASKED', at: AT },
        to: 'RECONCILING',
        context: { task: 'RECONCILE', listBegan: AT },
      },
    ],
    RECONCILING: [
      ...answered('RECONCILING'),
      ...failures,
      ...refused('RECONCILING'),
      paused,
      {
        event: list(0),
        when: 'nothing is missing',
        given: held,
        to: 'REPLICATING',
        context: { task: 'REPLICATE', reconcileDueAt: NEXT, heldDeletions: 0, heldListings: 0 },
      },
      {
        event: list(1),
        when: 'one in twenty is missing',
        to: 'RECONCILING',
        context: { task: 'REMOVE', reconcileDueAt: NEXT },
      },
      {
        event: list(0, 3),
        when: 'people are missing',
        to: 'RECONCILING',
        context: { task: 'REMOVE', reconcileDueAt: NEXT },
      },
      {
        event: list(2),
        when: 'more are missing',
        to: 'REPLICATING',
        context: { task: 'REPLICATE', reconcileDueAt: NEXT, ...held },
        effects: [['alert', { alert: 'feed_deletions_held', fields: { missing: 2, listings: 20 } }]],
      },
      {
        event: { type: 'LIST_BROKEN', at: AT, nextAt: NEXT },
        to: 'REPLICATING',
        context: { task: 'REPLICATE', reconcileDueAt: NEXT },
      },
      {
        event: { type: 'REMOVED', at: AT, nextAt: NEXT },
        to: 'REPLICATING',
        context: { task: 'REPLICATE', reconcileDueAt: NEXT },
      },
    ],
    WAITING: [
      ...refused('WAITING'),
      ...accepted('WAITING'),
      paused,
      { event: passed, to: 'REPLICATING', context: { dueAt: null } },
      {
        event: passed,
        when: 'during a list',
        given: { task: 'RECONCILE' },
        to: 'RECONCILING',
        context: { dueAt: null },
      },
      { event: { type: 'TIME_PASSED', at: AT }, when: 'too early', to: null },
      { event: start, to: 'REPLICATING', context: { dueAt: null } },
      {
        event: start,
        when: 'during a list',
        given: { task: 'RECONCILE' },
        to: 'RECONCILING',
        context: { dueAt: null },
      },
    ],
    PAUSED: [...refused('PAUSED'), ...accepted('PAUSED'), ...resumed],
    FAILED: [...refused('FAILED'), ...accepted('FAILED'), ...resumed, paused],
  },
});

test('a wait is twice as long each time, at most an hour, and never shorter than the source asks for', () => {
  expect([1, 2, 3, 12].map((failures) => feedWaitMs(failures, null))).toEqual([
    5_000, 10_000, 20_000, 3_600_000,
  ]);
  expect(feedWaitMs(1, 7_200_000)).toBe(7_200_000);
  expect(feedWaitMs(1, 10 ** 12)).toBe(86_400_000);
});
