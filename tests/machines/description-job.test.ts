import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_RUNNER_CRASHES } from '../../machines/crashes.ts';
import {
  type DescriptionJobContext,
  type DescriptionJobEvent,
  descriptionJobMachine,
  initialDescriptionJob,
} from '../../machines/description-job.ts';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import {
  GONE_PATIENCE_MS,
  MAX_THROTTLED_SENDS,
  RECONCILE_WINDOW_MS,
  UNREACHABLE_BACKOFF_MS,
} from '../../machines/limits.ts';
import { type ActorState, activityOf, isFinalState, step } from '../../machines/step.ts';
import { DESCRIPTION_ACTIVITIES } from '../../supervisors/activities/description-effects.ts';
import { DESCRIPTION_JOB_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { type Rule, testRules } from './rules.ts';

type DescriptionRule = Rule<DescriptionJobContext, DescriptionJobEvent>;

const started = { ...initialDescriptionJob, startedAt: AT - 9, crashCount: 2 };
const sent = { ...started, sendTries: 1, sentAt: AT - 8 };
const unconfirmed = { ...sent, unconfirmedSince: AT - 7, unconfirmedCause: 'transport' as const };
const running = { ...sent, providerPredictionId: 'p-1', providerStatus: 'starting' };

const starts = (enabled: boolean): DescriptionJobEvent => ({
  type: 'WORKER_STARTED',
  at: AT,
  enabled,
  queueAttempt: 2,
  waitedMs: 7,
});
const refusedWith = (
  errorCode: AttemptErrorCode,
  retryAfterMs: number | null = null,
): DescriptionJobEvent => ({ type: 'SEND_REFUSED', at: AT, errorCode, retryAfterMs, jitter: 0 });
const learnedFrom = (
  type: 'PREDICTION_CREATED' | 'PREDICTION_FOUND',
  predictionId = 'p-1',
): DescriptionJobEvent => ({
  type,
  at: AT,
  predictionId,
  providerStatus: 'starting',
});
const report = (event: string, fields: object = {}) =>
  ['report', { event, fields: expect.objectContaining(fields) }] as const;
const alert = (name: string) => ['alert', { alert: name }] as const;

const start: DescriptionRule = {
  event: starts(true),
  when: 'flag true',
  to: 'PROCESSING.RESERVED',
  context: { startedAt: AT, crashCount: 0, queueWaitMs: 7 },
  effects: [report('worker_started', { queueAttempt: 2, queueWaitMs: 7 })],
};
const gone: DescriptionRule = {
  event: { type: 'LISTING_GONE', at: AT },
  to: 'CANCELED',
  context: { canceledAt: AT, finishedAt: AT, nextSendAt: null },
  effects: [report('canceled', { reason: 'listing gone' })],
};
const canceled: DescriptionRule = {
  ...gone,
  event: { type: 'CANCEL_ASKED', at: AT },
  effects: [report('canceled', { reason: 'asked' })],
};
const gone404 = { type: 'PREDICTION_GONE', at: AT } as const;
const notListed = (scanBeganAt: number) => ({ type: 'NOT_LISTED', at: AT, scanBeganAt }) as const;
const releases = (state: string): DescriptionRule[] => [
  {
    event: { type: 'RELEASE_ASKED', at: AT, quarantined: true },
    when: 'quarantined',
    given: { crashCount: 3 },
    to: state,
    context: { crashCount: 0 },
    effects: [['liftQuarantine', { at: AT }]],
  },
  { event: { type: 'RELEASE_ASKED', at: AT, quarantined: false }, when: 'not quarantined', to: null },
];
const offered = (state: string): DescriptionRule => ({
  event: { type: 'OFFER_ASKED', at: AT },
  to: state,
  effects: [['enqueue', { delayMs: 0 }]],
});
const crashed = (state: string): DescriptionRule[] => [
  {
    event: { type: 'RUNNER_CRASHED', at: AT, pass: 'check-text', alone: true },
    when: 'not for the fifth time',
    given: { crashCount: MAX_RUNNER_CRASHES - 2 },
    to: state,
    context: { crashCount: MAX_RUNNER_CRASHES - 1 },
  },
  {
    event: { type: 'RUNNER_CRASHED', at: AT, pass: 'check-text', alone: false },
    when: 'for the fifth time, but not alone',
    given: { crashCount: MAX_RUNNER_CRASHES - 1 },
    to: state,
    context: { crashCount: MAX_RUNNER_CRASHES },
  },
  {
    event: { type: 'RUNNER_CRASHED', at: AT, pass: 'check-text', alone: true },
    when: 'for the fifth time, alone',
    given: { crashCount: MAX_RUNNER_CRASHES - 1 },
    to: 'FAILED',
    context: {
      crashCount: MAX_RUNNER_CRASHES,
      errorCode: 'RUNNER_CRASHED',
      finishedAt: AT,
      nextSendAt: null,
    },
    effects: [report('terminal_error', { errorCode: 'RUNNER_CRASHED' }), alert('runner_crashed')],
  },
];
const learned = (type: 'PREDICTION_CREATED' | 'PREDICTION_FOUND'): DescriptionRule => ({
  event: learnedFrom(type),
  to: 'PROCESSING.RUNNING',
  context: { providerPredictionId: 'p-1', providerStatus: 'starting', crashCount: 0 },
  effects: [report('prediction_created', { predictionId: 'p-1', learnedFrom: type })],
});
const failed = (
  event: DescriptionJobEvent,
  errorCode: DescriptionJobContext['errorCode'],
  more: Partial<DescriptionRule> = {},
): DescriptionRule => ({
  event,
  to: 'FAILED',
  effects: [report('terminal_error', { errorCode })],
  ...more,
  context: { errorCode, finishedAt: AT, nextSendAt: null, ...more.context },
});
const strays = (state: string): DescriptionRule[] =>
  (['PREDICTION_CREATED', 'PREDICTION_FOUND'] as const).flatMap((type) => [
    { event: learnedFrom(type), when: 'the known id', to: null },
    {
      event: learnedFrom(type, 'p-2'),
      when: 'another id',
      to: state,
      context: { strayPredictionId: 'p-2' },
      effects: [alert('stray_prediction')],
    },
  ]);
const late = (state: string): DescriptionRule[] =>
  (['PREDICTION_CREATED', 'PREDICTION_FOUND'] as const).map((type) => ({
    event: learnedFrom(type),
    when: 'no id was known',
    to: state,
    context: { providerPredictionId: 'p-1', providerStatus: 'starting', crashCount: 0 },
    effects: [alert('late_prediction')],
  }));
const terminal = report('provider_terminal', { predictionId: 'p-1' });

testRules(descriptionJobMachine, {
  events: DESCRIPTION_JOB_EVENTS,
  usual: {
    'PENDING.QUEUED': initialDescriptionJob,
    'PENDING.PROVIDER_DISABLED': initialDescriptionJob,
    'PROCESSING.RESERVED': started,
    'PROCESSING.SENT': sent,
    'PROCESSING.UNCONFIRMED': unconfirmed,
    'PROCESSING.RUNNING': running,
    SUCCESS: { ...running, text: 'A home.', finishedAt: AT - 1 },
    FAILED: { ...started, errorCode: 'PROVIDER_BILLING', finishedAt: AT - 1 },
    CANCELED: { ...started, canceledAt: AT - 1, finishedAt: AT - 1 },
  },
  rules: {
    'PENDING.QUEUED': [
      start,
      {
        event: starts(false),
        when: 'flag off',
        to: 'PENDING.PROVIDER_DISABLED',
        context: { queueWaitMs: 7 },
      },
      gone,
      canceled,
      offered('PENDING.QUEUED'),
      ...releases('PENDING.QUEUED'),
    ],
    'PENDING.PROVIDER_DISABLED': [
      start,
      { event: starts(false), when: 'flag off', to: null },
      gone,
      canceled,
      offered('PENDING.PROVIDER_DISABLED'),
      ...releases('PENDING.PROVIDER_DISABLED'),
    ],
    'PROCESSING.RESERVED': [
      {
        event: { type: 'SEND_CLAIMED', at: AT, token: 't' },
        to: 'PROCESSING.SENT',
        given: { errorCode: 'PROVIDER_THROTTLED', nextSendAt: AT - 1 },
        context: { sentAt: AT, sendTries: 1, nextSendAt: null, errorCode: null, crashCount: 0 },
      },
      gone,
      canceled,
      ...releases('PROCESSING.RESERVED'),
      ...crashed('PROCESSING.RESERVED'),
    ],
    'PROCESSING.SENT': [
      learned('PREDICTION_CREATED'),
      {
        event: refusedWith('PROVIDER_UNREACHABLE'),
        when: 'tries left',
        to: 'PROCESSING.RESERVED',
        context: {
          errorCode: 'PROVIDER_UNREACHABLE',
          nextSendAt: AT + Number(UNREACHABLE_BACKOFF_MS[0]),
          crashCount: 0,
        },
      },
      {
        event: refusedWith('PROVIDER_THROTTLED', 5_000),
        when: 'with the wait that the provider names',
        to: 'PROCESSING.RESERVED',
        context: {
          errorCode: 'PROVIDER_THROTTLED',
          nextSendAt: AT + 5_000,
          throttledSends: 1,
          crashCount: 0,
        },
      },
      failed(refusedWith('PROVIDER_UNREACHABLE'), 'PROVIDER_UNREACHABLE', {
        when: 'no tries left',
        given: { sendTries: UNREACHABLE_BACKOFF_MS.length + 1 },
      }),
      failed(refusedWith('PROVIDER_THROTTLED'), 'PROVIDER_THROTTLED', {
        when: 'no tries left',
        given: { sendTries: MAX_THROTTLED_SENDS, throttledSends: MAX_THROTTLED_SENDS - 1 },
      }),
      failed(refusedWith('PROVIDER_BILLING'), 'PROVIDER_BILLING', { when: 'for good' }),
      ...(
        [
          ['the wire failed', 'transport', 'transport'],
          ['our process stood still', 'restart', 'restart'],
          ['from a journal older than the cause', undefined, 'transport'],
        ] as const
      ).map(
        ([when, cause, unconfirmedCause]): DescriptionRule => ({
          event: { type: 'SEND_UNKNOWN', at: AT, cause },
          when,
          to: 'PROCESSING.UNCONFIRMED',
          context: { unconfirmedSince: AT, unconfirmedCause, crashCount: 0 },
        }),
      ),
      {
        event: { type: 'SEND_WITHDRAWN', at: AT },
        to: 'PROCESSING.RESERVED',
        context: { sendTries: 0, crashCount: 0 },
      },
      {
        event: { type: 'RUNNER_RESTARTED', at: AT },
        to: 'PROCESSING.UNCONFIRMED',
        context: { unconfirmedSince: AT, unconfirmedCause: 'restart', crashCount: 0 },
      },
      ...releases('PROCESSING.SENT'),
      ...crashed('PROCESSING.SENT'),
    ],
    'PROCESSING.UNCONFIRMED': [
      learned('PREDICTION_CREATED'),
      learned('PREDICTION_FOUND'),
      { event: { type: 'WINDOW_PASSED', at: AT }, when: 'no complete scan has decided', to: null },
      {
        event: notListed(AT + RECONCILE_WINDOW_MS),
        given: { unconfirmedSince: AT },
        to: 'PROCESSING.UNCONFIRMED',
        context: { notListedAt: AT + RECONCILE_WINDOW_MS },
      },
      failed({ type: 'WINDOW_PASSED', at: AT }, 'PREDICTION_UNCONFIRMED', {
        given: { notListedAt: AT },
        effects: [
          report('terminal_error', { errorCode: 'PREDICTION_UNCONFIRMED' }),
          alert('description_lost'),
        ],
      }),
      gone,
      ...releases('PROCESSING.UNCONFIRMED'),
      ...crashed('PROCESSING.UNCONFIRMED'),
    ],
    'PROCESSING.RUNNING': [
      {
        event: { type: 'PREDICTION_SUCCEEDED', at: AT, providerStatus: 'succeeded', text: 'A home.' },
        to: 'SUCCESS',
        context: { text: 'A home.', providerStatus: 'succeeded', finishedAt: AT },
        effects: [terminal, report('completed', { characters: 7, queueWaitMs: null, processingMs: 9 })],
      },
      failed(
        {
          type: 'TEXT_REFUSED',
          at: AT,
          providerStatus: 'succeeded',
          errorCode: 'DESCRIPTION_REJECTED',
        },
        'DESCRIPTION_REJECTED',
        {
          context: { providerStatus: 'succeeded' },
          effects: [terminal, report('terminal_error', { errorCode: 'DESCRIPTION_REJECTED' })],
        },
      ),
      failed(
        { type: 'PREDICTION_FAILED', at: AT, providerStatus: null, errorCode: 'PROVIDER_FAILED' },
        'PROVIDER_FAILED',
        { effects: [terminal, report('terminal_error', { errorCode: 'PROVIDER_FAILED' })] },
      ),
      { event: gone404, when: 'again, and no scan agrees', given: { goneSince: AT - 1 }, to: null },
      {
        event: gone404,
        when: 'the first',
        to: 'PROCESSING.RUNNING',
        context: { goneSince: AT, notListedAt: null },
      },
      {
        event: { type: 'PREDICTION_SEEN', at: AT },
        given: { goneSince: AT - 1, notListedAt: AT },
        to: 'PROCESSING.RUNNING',
        context: { goneSince: null, notListedAt: null },
      },
      {
        event: notListed(AT + GONE_PATIENCE_MS),
        given: { goneSince: AT },
        to: 'PROCESSING.RUNNING',
        context: { notListedAt: AT + GONE_PATIENCE_MS },
      },
      failed(gone404, 'OUTPUT_UNAVAILABLE', {
        given: { goneSince: AT - GONE_PATIENCE_MS, notListedAt: AT },
        effects: [
          ['report', { event: 'provider_terminal' }],
          report('terminal_error', { errorCode: 'OUTPUT_UNAVAILABLE' }),
        ],
      }),
      ...strays('PROCESSING.RUNNING'),
      gone,
      ...releases('PROCESSING.RUNNING'),
      ...crashed('PROCESSING.RUNNING'),
    ],
    SUCCESS: strays('SUCCESS'),
    FAILED: late('FAILED'),
    CANCELED: late('CANCELED'),
  },
});

/** Each number picks the next event. */
const picks = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 5, maxLength: 60, size: 'max' });
const throttled = refusedWith('PROVIDER_THROTTLED', 100);

test('whatever events come, in whatever order: no second purchase, and the end is the end', () => {
  const ends = new Set<string>();
  fc.assert(
    fc.property(picks, (choices) => {
      let job: ActorState<DescriptionJobContext> = {
        state: 'PENDING.QUEUED',
        context: initialDescriptionJob,
      };
      // A send may have been accepted unless the provider has definitely said no, or it never began.
      let possiblyBought = 0;
      for (const choice of choices) {
        const all = [...DESCRIPTION_JOB_EVENTS, throttled];
        const heard = all.filter((event) => step(descriptionJobMachine, job, event).outcome === 'applied');
        const from = choice % 4 === 0 || heard.length === 0 ? all : heard;
        const event = from[Math.floor(choice / 4) % from.length] as DescriptionJobEvent;
        const decided = step(descriptionJobMachine, job, event);
        if (decided.outcome === 'ignored') continue;
        const before = job;
        job = decided.next;
        if (isFinalState(descriptionJobMachine, before.state)) expect(job.state).toBe(before.state);
        if (before.context.providerPredictionId !== null)
          expect(job.context.providerPredictionId).toBe(before.context.providerPredictionId);
        if (job.state === 'PROCESSING.SENT' && before.state !== 'PROCESSING.SENT') possiblyBought += 1;
        if (event.type === 'SEND_REFUSED' || event.type === 'SEND_WITHDRAWN') possiblyBought -= 1;
        expect(possiblyBought).toBeLessThanOrEqual(1);
        expect((job.context.text !== null) === (job.state === 'SUCCESS')).toBe(true);
      }
      ends.add(job.state);
    }),
    { numRuns: 500 },
  );
  for (const end of ['SUCCESS', 'FAILED', 'CANCELED']) expect(ends).toContain(end);
});

test('every effect that a state asks for exists, and each is asked for', () => {
  const states = ['RESERVED', 'SENT', 'UNCONFIRMED', 'RUNNING'].map((inner) => `PROCESSING.${inner}`);
  const asked = states.map((state) => activityOf(descriptionJobMachine, state));
  expect(new Set(asked.filter((activity) => activity !== null))).toEqual(
    new Set(Object.keys(DESCRIPTION_ACTIVITIES)),
  );
});
