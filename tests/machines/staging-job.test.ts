import { MAX_RUNNER_CRASHES } from '../../machines/crashes.ts';
import { OUTPUT_LIFE_MS, RETRY_BACKOFF_MS } from '../../machines/limits.ts';
import type { CollectAsked } from '../../machines/refused-output.ts';
import {
  initialJob,
  jobMachine,
  type StagingJobContext,
  type StagingJobEvent,
} from '../../machines/staging-job.ts';
import { COLLECT_ASKED, IDS, STAGING_JOB_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { type Rule, testRules } from './rules.ts';

/** Every transition of docs/charts/staging-job.md. */
type JobRule = Rule<StagingJobContext, StagingJobEvent>;

const started = (enabled: boolean): StagingJobEvent => ({
  type: 'WORKER_STARTED',
  at: AT,
  enabled,
  attemptId: IDS.attempt,
  queueAttempt: 2,
  waitedMs: 70,
});
const retryDue = (at: number, enabled = true): StagingJobEvent => ({
  type: 'RETRY_DUE',
  at,
  enabled,
  attemptId: IDS.attempt,
});
const failed = (retryable: boolean, attemptNumber = 1): StagingJobEvent => ({
  type: 'ATTEMPT_FAILED',
  at: AT,
  attemptNumber,
  errorCode: 'PROVIDER_FAILED',
  retryable,
  jitter: 0.5,
  category: retryable ? 'retryable' : 'permanent',
});
const crashed = (alone: boolean): StagingJobEvent => ({
  type: 'RUNNER_CRASHED',
  at: AT,
  pass: 'collect-output',
  alone,
});
const cancel = { type: 'CANCEL_ASKED', at: AT } as const;
const originalDeleted = { type: 'ORIGINAL_DELETED', at: AT } as const;
const listingGone = { type: 'LISTING_GONE', at: AT } as const;

const start: JobRule = {
  event: started(true),
  when: 'flag on',
  to: 'PROCESSING.ATTEMPT',
  context: { attemptCount: 1, startedAt: AT, queueWaitMs: 70 },
  effects: [
    ['reserveAttempt', { attemptId: IDS.attempt, attemptNumber: 1, at: AT }],
    ['report', { event: 'worker_started', fields: { queueAttempt: 2, queueWaitMs: 70 } }],
  ],
};
const calledOff = { cancelRequestedAt: AT, canceledAt: AT, finishedAt: AT, retryAt: null };
const canceled: Pick<JobRule, 'to' | 'context' | 'effects'> = {
  to: 'CANCELED',
  context: calledOff,
  effects: [['report', { event: 'canceled' }]],
};
const askedBefore = AT - 9_000;
const canceledLater: Pick<JobRule, 'to' | 'context' | 'effects'> = {
  ...canceled,
  context: { ...calledOff, cancelRequestedAt: askedBefore },
};
const cancelRequested: Pick<JobRule, 'to' | 'context' | 'effects'> = {
  to: 'CANCEL_REQUESTED',
  context: { cancelRequestedAt: AT, canceledAt: null, finishedAt: null },
  effects: [['sendToAttempt', { type: 'CANCEL', at: AT }]],
};
const failure: Pick<JobRule, 'to' | 'context' | 'effects'> = {
  to: 'FAILED',
  context: { errorCode: 'PROVIDER_FAILED', finishedAt: AT },
  effects: [['report', { event: 'terminal_error', fields: { errorCode: 'PROVIDER_FAILED' } }]],
};
const lastCrash = { crashCount: MAX_RUNNER_CRASHES - 1 };
const abandon = ['sendToAttempt', { type: 'ABANDONED', at: AT }] as const;
const countsCrashes: JobRule[] = [
  { event: crashed(false), when: 'the first', to: '', context: { crashCount: 1 } },
  { event: crashed(true), when: 'the fourth', given: { crashCount: 3 }, to: '', context: { crashCount: 4 } },
  {
    event: crashed(false),
    when: 'the fifth, but not alone',
    given: lastCrash,
    to: '',
    context: { crashCount: MAX_RUNNER_CRASHES },
  },
];
const aside = (quarantined: boolean) => ({ type: 'RELEASE_ASKED', at: AT, quarantined }) as const;
const releases = (state: string): JobRule[] => [
  {
    event: aside(true),
    when: 'quarantined',
    given: { crashCount: 3, crashMark: 7 },
    to: state,
    context: { crashCount: 0, crashMark: null },
    effects: [['liftQuarantine', { at: AT }]],
  },
  { event: aside(false), when: 'not quarantined', to: null },
];
const offered = (state: string, delayMs = 0): JobRule => ({
  event: { type: 'OFFER_ASKED', at: AT },
  to: state,
  effects: [['enqueue', { delayMs }]],
});
const staysIn = (state: string) => countsCrashes.map((rule) => ({ ...rule, to: state }));

const processing = { ...initialJob('stagingJob'), attemptCount: 1, startedAt: AT - 60_000 };
const backoff = { ...processing, errorCode: 'PROVIDER_FAILED', retryAt: AT + 30_000 };

/** Neither the flag, nor a wait, nor a lease keeps a purchase from the job that has made it. */
const purchaseFound = { type: 'PURCHASE_FOUND', at: AT, attemptId: IDS.attempt } as const;
const foundBeforeStart: JobRule = {
  event: purchaseFound,
  to: 'PROCESSING.ATTEMPT',
  context: { attemptCount: 1, startedAt: AT },
  effects: [
    ['reserveAttempt', { attemptId: IDS.attempt, attemptNumber: 1, at: AT }],
    ['report', { event: 'worker_started' }],
  ],
};

const collects = (
  when: string,
  { event, ...rule }: Omit<JobRule, 'event' | 'when'> & { event?: Partial<CollectAsked> },
): JobRule => ({ when, event: { ...COLLECT_ASKED, ...event }, ...rule });

testRules(jobMachine, {
  events: STAGING_JOB_EVENTS,
  usual: {
    'PENDING.QUEUED': initialJob('stagingJob'),
    'PENDING.PROVIDER_DISABLED': initialJob('stagingJob'),
    'PROCESSING.ATTEMPT': processing,
    'RETRYING.BACKOFF': backoff,
    CANCEL_REQUESTED: { ...processing, cancelRequestedAt: askedBefore },
    SUCCESS: { ...processing, finishedAt: AT, resultImageId: IDS.image },
    FAILED: { ...processing, finishedAt: AT, errorCode: 'OUTPUT_HOST_REFUSED' },
    CANCELED: { ...processing, ...calledOff },
  },
  rules: {
    'PENDING.QUEUED': [
      start,
      {
        event: started(false),
        when: 'flag off',
        to: 'PENDING.PROVIDER_DISABLED',
        context: { queueWaitMs: 70 },
      },
      { event: cancel, ...canceled },
      { event: originalDeleted, ...canceled },
      { event: listingGone, ...canceled },
      foundBeforeStart,
      ...releases('PENDING.QUEUED'),
      offered('PENDING.QUEUED'),
    ],
    'PENDING.PROVIDER_DISABLED': [
      start,
      { event: started(false), when: 'flag off', to: null },
      { event: cancel, ...canceled },
      { event: originalDeleted, ...canceled },
      { event: listingGone, ...canceled },
      foundBeforeStart,
      ...releases('PENDING.PROVIDER_DISABLED'),
      offered('PENDING.PROVIDER_DISABLED'),
    ],
    'PROCESSING.ATTEMPT': [
      {
        event: { type: 'ATTEMPT_SUCCEEDED', at: AT, imageId: IDS.image },
        to: 'SUCCESS',
        given: { errorCode: 'OUTPUT_HOST_REFUSED' },
        context: { resultImageId: IDS.image, finishedAt: AT, errorCode: null },
        effects: [
          [
            'report',
            { event: 'completed', fields: { attemptCount: 1, queueWaitMs: null, processingMs: 60_000 } },
          ],
        ],
      },
      {
        event: failed(true),
        when: 'retryable, number 1',
        to: 'RETRYING.BACKOFF',
        context: { errorCode: 'PROVIDER_FAILED', retryAt: AT + RETRY_BACKOFF_MS * 1.1, finishedAt: null },
        effects: [
          [
            'report',
            { event: 'retry_scheduled', fields: { errorCode: 'PROVIDER_FAILED', category: 'retryable' } },
          ],
        ],
      },
      { event: failed(false), when: 'permanent', ...failure },
      { event: failed(true, 2), when: 'retryable, number 2', given: { attemptCount: 2 }, ...failure },
      {
        event: { type: 'ATTEMPT_SUCCEEDED', at: AT, imageId: null },
        when: 'a text',
        given: { attemptsAllowed: 1 },
        to: 'SUCCESS',
        context: { resultImageId: null, finishedAt: AT },
        effects: ['report'],
      },
      {
        event: failed(true),
        when: 'retryable, of a picture that was refused for its host before',
        given: { errorCode: 'OUTPUT_HOST_REFUSED' },
        ...failure,
      },
      { event: failed(true), when: 'retryable, a text', given: { attemptsAllowed: 1 }, ...failure },
      { event: cancel, ...cancelRequested },
      { event: originalDeleted, ...cancelRequested },
      { event: listingGone, ...cancelRequested },
      ...releases('PROCESSING.ATTEMPT'),
      ...staysIn('PROCESSING.ATTEMPT'),
      {
        event: crashed(true),
        when: 'the fifth, alone',
        given: lastCrash,
        to: 'FAILED',
        context: { errorCode: 'RUNNER_CRASHED', crashCount: 5, finishedAt: AT },
        effects: [
          abandon,
          [
            'report',
            { event: 'terminal_error', fields: { errorCode: 'RUNNER_CRASHED', category: 'permanent' } },
          ],
          ['alert', { alert: 'runner_crashed' }],
        ],
      },
    ],
    'RETRYING.BACKOFF': [
      {
        event: purchaseFound,
        to: 'PROCESSING.ATTEMPT',
        context: { attemptCount: 2, errorCode: null, retryAt: null },
        effects: [['reserveAttempt', { attemptId: IDS.attempt, attemptNumber: 2, at: AT }]],
      },
      { event: purchaseFound, when: 'no attempt left', given: { attemptCount: 2 }, to: null },
      ...releases('RETRYING.BACKOFF'),
      { ...offered('RETRYING.BACKOFF', 30_000), when: 'before its retry is due' },
      {
        ...offered('RETRYING.BACKOFF', 0),
        when: 'after its retry is due',
        given: { retryAt: AT - 1 },
      },
      {
        event: retryDue(AT + 30_000),
        when: 'due, flag on',
        to: 'PROCESSING.ATTEMPT',
        context: { attemptCount: 2, errorCode: null, retryAt: null },
        effects: [['reserveAttempt', { attemptId: IDS.attempt, attemptNumber: 2, at: AT + 30_000 }]],
      },
      { event: retryDue(AT + 29_999), when: 'too early', to: null },
      { event: retryDue(AT + 30_000, false), when: 'flag off', to: null },
      { event: retryDue(AT + 30_000), when: 'two attempts used', given: { attemptCount: 2 }, to: null },
      { event: cancel, ...cancelRequested, context: { cancelRequestedAt: AT, retryAt: null }, effects: [] },
      {
        event: originalDeleted,
        ...cancelRequested,
        context: { cancelRequestedAt: AT, retryAt: null },
        effects: [],
      },
    ],
    CANCEL_REQUESTED: [
      { event: { type: 'ATTEMPT_CANCELED', at: AT }, ...canceledLater },
      { event: { type: 'ATTEMPT_LOST', at: AT }, ...canceledLater },
      { event: { type: 'NOTHING_TO_CANCEL', at: AT }, ...canceledLater },
      { event: failed(true), when: 'retryable', ...canceledLater },
      { event: failed(false), when: 'permanent', ...canceledLater },
      {
        event: { type: 'ATTEMPT_DISCARDED', at: AT },
        ...canceledLater,
        effects: [
          ['report', { event: 'output_discarded' }],
          ['report', { event: 'canceled' }],
        ],
      },
      ...releases('CANCEL_REQUESTED'),
    ],
    FAILED: [
      {
        event: COLLECT_ASKED,
        given: { crashCount: 3 },
        to: 'PROCESSING.ATTEMPT',
        context: { finishedAt: null, crashCount: 0, crashMark: null },
        effects: [
          ['sendToAttempt', { type: 'COLLECT_ASKED', at: COLLECT_ASKED.at, objectKey: 'staged/again.jpg' }],
        ],
      },
      collects('another failure', { to: null, given: { errorCode: 'OUTPUT_INVALID' } }),
      collects('a moment before an hour', {
        event: { at: COLLECT_ASKED.at + OUTPUT_LIFE_MS - 1 },
        to: 'PROCESSING.ATTEMPT',
        context: { finishedAt: null, crashCount: 0, crashMark: null },
        effects: ['sendToAttempt'],
      }),
      collects('after an hour', { event: { at: COLLECT_ASKED.at + OUTPUT_LIFE_MS }, to: null }),
      collects('never completed', { event: { completedAt: null }, to: null }),
      collects('a host that is not allowed', { event: { hostAllowed: false }, to: null }),
      ...(['PHOTO_GONE', 'PHOTO_ALTERED', 'SUBMITTED_AGAIN'] as const).map((obstacle) =>
        collects(obstacle, { event: { obstacle }, to: null }),
      ),
    ],
  },
});
