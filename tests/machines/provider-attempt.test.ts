import { describe, expect, test } from 'vitest';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import {
  DEFAULT_THROTTLE_WAIT_MS,
  DISCARD_DELAY_MS,
  MAX_THROTTLE_WAIT_MS,
  MAX_THROTTLED_SENDS,
  STORAGE_PATIENCE_MS,
} from '../../machines/limits.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import {
  initialProviderAttempt,
  type ProviderAttemptContext,
  type ProviderAttemptEvent,
  sendWait,
} from '../../machines/provider-attempt-model.ts';
import { MANUAL_EPOCH as AT } from '../harness/manual-time.ts';
import { IDS, PROVIDER_ATTEMPT_EVENTS } from './event-catalogues.ts';
import { type Rule, testRules } from './rules.ts';

/** Every row of statecharts.md "provider attempt". */
type AttemptRule = Rule<ProviderAttemptContext, ProviderAttemptEvent>;
type Outcome = Pick<AttemptRule, 'to' | 'context' | 'orders'>;

const refused = (errorCode: AttemptErrorCode, retryAfterMs: number | null = null): ProviderAttemptEvent => ({
  ...{ type: 'SEND_REFUSED', at: AT, errorCode, retryAfterMs, jitter: 0 },
});
const bears = (
  type: 'PREDICTION_CREATED' | 'PREDICTION_FOUND' | 'CALLBACK_RECEIVED',
  predictionId = 'p-1',
  at = AT,
): ProviderAttemptEvent => ({ type, at, predictionId, providerStatus: 'processing' });
const BEARERS = ['PREDICTION_CREATED', 'PREDICTION_FOUND', 'CALLBACK_RECEIVED'] as const;
const cancel = { type: 'CANCEL', at: AT } as const;
const abandoned = { type: 'ABANDONED', at: AT } as const;
const windowPassed = { type: 'WINDOW_PASSED', at: AT, jitter: 0 } as const;
const output = { bytes: 9, width: 1024, height: 768, format: 'jpeg', checksum: 'ab' };
const stored = (variantExists: boolean): ProviderAttemptEvent => ({
  ...{ type: 'OUTPUT_STORED', at: AT, jitter: 0, imageId: IDS.image, output, variantExists },
});
const succeeded = (objectKey: string | null): ProviderAttemptEvent => ({
  ...{ type: 'PREDICTION_SUCCEEDED', at: AT, providerStatus: 'succeeded', objectKey },
});
const predictionFailed: ProviderAttemptEvent = {
  ...{
    type: 'PREDICTION_FAILED',
    at: AT,
    errorCode: 'PROVIDER_FAILED',
    jitter: 0.25,
    providerStatus: 'failed',
  },
};
const predictionCanceled: ProviderAttemptEvent = {
  ...{ type: 'PREDICTION_CANCELED', at: AT, providerStatus: 'canceled' },
};

const finishedAt = AT;
const tellCanceled = ['tellJob', { type: 'ATTEMPT_CANCELED', at: AT }] as const;
const tellDiscarded = ['tellJob', { type: 'ATTEMPT_DISCARDED', at: AT }] as const;
const tellFailed = (errorCode: AttemptErrorCode, retryable: boolean) =>
  ['tellJob', { type: 'ATTEMPT_FAILED', at: AT, attemptNumber: 1, errorCode, retryable }] as const;
const discard = [
  'scheduleDeletion',
  { objectKey: 'staged/a.jpg', reason: 'STAGED_IMAGE_DELETED', notBefore: AT + DISCARD_DELAY_MS, at: AT },
] as const;
const terminal = ['report', { event: 'provider_terminal' }] as const;
const failedWith = (errorCode: AttemptErrorCode, retryable: boolean): Outcome => ({
  ...{ to: 'FAILED', context: { errorCode, finishedAt }, orders: [tellFailed(errorCode, retryable)] },
});
const learned = (to: string): Outcome => ({
  to,
  context: { providerPredictionId: 'p-1', providerStatus: 'processing', nextPollAt: AT },
  orders: [['report', { event: 'prediction_created', fields: { attemptNumber: 1, predictionId: 'p-1' } }]],
});
const abandonedNow: AttemptRule = {
  ...{ event: abandoned, to: 'FAILED', context: { errorCode: 'RUNNER_CRASHED', finishedAt } },
};

const fresh = initialProviderAttempt(1);
const sent = { ...fresh, sentAt: AT - 9_000, sendTries: 1 };
const unconfirmed = { ...sent, unconfirmedSince: AT - 5_000, unconfirmedCause: 'transport' as const };
const running = { ...sent, providerPredictionId: 'p-1', providerStatus: 'starting', nextPollAt: AT - 8_000 };
const collecting = { ...running, providerStatus: 'succeeded', objectKey: 'staged/a.jpg' };

/** A second id is recorded and alerted once, and never takes the place of the first. */
const strays = (state: string): AttemptRule[] =>
  BEARERS.flatMap((type) => [
    ...(type === 'CALLBACK_RECEIVED' && ['RUNNING', 'CANCELING'].includes(state)
      ? []
      : [{ event: bears(type), when: 'the known id', to: null }]),
    { event: bears(type, 'p-2'), when: 'a stray id, known', given: { strayPredictionId: 'p-2' }, to: null },
    {
      event: bears(type, 'p-2'),
      when: 'a stray id',
      to: state,
      context: { strayPredictionId: 'p-2' },
      orders: [
        ['alert', { alert: 'stray_prediction', fields: { predictionId: 'p-2', knownPredictionId: 'p-1' } }],
      ],
    },
  ]);
const pollsNow = (state: string): AttemptRule[] => [
  { event: bears('CALLBACK_RECEIVED'), when: 'its own', to: state, context: { nextPollAt: AT } },
  { event: bears('CALLBACK_RECEIVED'), when: 'its own, late', given: { nextPollAt: AT }, to: null },
];
const afterTheEnd = (state: string): AttemptRule[] => [
  ...strays(state),
  ...BEARERS.map((type) => ({
    event: bears(type),
    when: 'the first id',
    given: { providerPredictionId: null, nextPollAt: null },
    to: state,
    context: { providerPredictionId: 'p-1', providerStatus: 'processing', nextPollAt: AT },
    orders: [['alert', { alert: 'late_prediction', fields: { predictionId: 'p-1' } }] as const],
  })),
];
const cancelIsNoted = (state: string): AttemptRule[] => [
  { event: cancel, to: state, context: { cancelAsked: true } },
  { event: cancel, when: 'again', given: { cancelAsked: true }, to: null },
];

testRules(providerAttemptMachine, {
  events: PROVIDER_ATTEMPT_EVENTS,
  usual: {
    RESERVED: fresh,
    SENT: sent,
    UNCONFIRMED: unconfirmed,
    RUNNING: running,
    COLLECTING: collecting,
    CANCELING: running,
    SUCCEEDED: { ...collecting, finishedAt },
    FAILED: { ...running, finishedAt, errorCode: 'PROVIDER_FAILED' },
    CANCELED: { ...running, finishedAt },
    DISCARDED: { ...collecting, finishedAt },
    LOST: { ...running, finishedAt, errorCode: 'PREDICTION_UNCONFIRMED' },
  },
  rules: {
    RESERVED: [
      {
        event: { type: 'SEND_CLAIMED', at: AT, token: 'token' },
        given: { nextSendAt: AT - 1, errorCode: 'PROVIDER_THROTTLED', sendTries: 3 },
        to: 'SENT',
        context: { sentAt: AT, sendTries: 4, nextSendAt: null, errorCode: null },
      },
      { event: refused('PROVIDER_BILLING'), when: 'permanent', ...failedWith('PROVIDER_BILLING', false) },
      { event: refused('PROVIDER_THROTTLED'), when: 'not bought: heard before', to: null },
      {
        event: bears('CALLBACK_RECEIVED'),
        when: 'bought although refused: never sent again',
        given: { sendTries: 1, nextSendAt: AT + 1, errorCode: 'PROVIDER_THROTTLED' },
        to: 'RUNNING',
        context: { ...learned('RUNNING').context, nextSendAt: null, errorCode: null },
        orders: learned('RUNNING').orders,
      },
      { event: cancel, to: 'CANCELED', context: { finishedAt }, orders: [tellCanceled] },
      abandonedNow,
    ],
    SENT: [
      ...(['PREDICTION_CREATED', 'CALLBACK_RECEIVED'] as const).flatMap((type) => [
        { event: bears(type), ...learned('RUNNING') },
        { event: bears(type), when: 'cancel asked', given: { cancelAsked: true }, ...learned('CANCELING') },
      ]),
      {
        event: refused('PROVIDER_UNREACHABLE'),
        when: 'not bought, tries left',
        to: 'RESERVED',
        context: { nextSendAt: AT + 1_000, errorCode: 'PROVIDER_UNREACHABLE' },
      },
      {
        event: refused('PROVIDER_THROTTLED', 7_000),
        when: 'not bought, told how long',
        to: 'RESERVED',
        context: { nextSendAt: AT + 7_000, errorCode: 'PROVIDER_THROTTLED' },
      },
      {
        event: refused('PROVIDER_UNREACHABLE'),
        when: 'no tries left',
        given: { sendTries: 4 },
        ...failedWith('PROVIDER_UNREACHABLE', true),
      },
      {
        event: refused('PROVIDER_THROTTLED'),
        when: 'no tries left',
        given: { sendTries: MAX_THROTTLED_SENDS },
        ...failedWith('PROVIDER_THROTTLED', true),
      },
      {
        event: refused('PROVIDER_UNREACHABLE'),
        when: 'not bought, cancel asked',
        given: { cancelAsked: true },
        ...{ to: 'CANCELED', context: { finishedAt }, orders: [tellCanceled] },
      },
      {
        event: refused('PROVIDER_INVALID_INPUT'),
        when: 'permanent',
        ...failedWith('PROVIDER_INVALID_INPUT', false),
      },
      {
        event: refused('PROVIDER_BILLING'),
        when: 'permanent, cancel asked',
        given: { cancelAsked: true },
        ...failedWith('PROVIDER_BILLING', false),
      },
      {
        event: { type: 'SEND_UNKNOWN', at: AT },
        to: 'UNCONFIRMED',
        context: { unconfirmedSince: AT, unconfirmedCause: 'transport' },
      },
      {
        event: { type: 'RUNNER_RESTARTED', at: AT },
        to: 'UNCONFIRMED',
        context: { unconfirmedSince: AT, unconfirmedCause: 'restart' },
      },
      ...cancelIsNoted('SENT'),
      abandonedNow,
    ],
    UNCONFIRMED: [
      ...BEARERS.flatMap((type) => [
        { event: bears(type), ...learned('RUNNING') },
        { event: bears(type), when: 'cancel asked', given: { cancelAsked: true }, ...learned('CANCELING') },
      ]),
      ...([true, false] as const).map(
        (transport): AttemptRule => ({
          event: windowPassed,
          when: transport ? 'cause transport' : 'cause restart',
          given: { unconfirmedCause: transport ? 'transport' : 'restart' },
          to: 'LOST',
          context: { errorCode: 'PREDICTION_UNCONFIRMED', finishedAt },
          orders: [tellFailed('PREDICTION_UNCONFIRMED', transport), ['alert', { alert: 'attempt_lost' }]],
        }),
      ),
      {
        event: windowPassed,
        when: 'cancel asked',
        given: { cancelAsked: true },
        to: 'LOST',
        context: { errorCode: 'PREDICTION_UNCONFIRMED', finishedAt },
        orders: [
          ['tellJob', { type: 'ATTEMPT_LOST', at: AT }],
          ['alert', { alert: 'attempt_lost' }],
        ],
      },
      ...cancelIsNoted('UNCONFIRMED'),
      abandonedNow,
    ],
    RUNNING: [
      {
        event: succeeded('staged/a.jpg'),
        to: 'COLLECTING',
        context: { providerStatus: 'succeeded', objectKey: 'staged/a.jpg' },
        orders: [terminal],
      },
      {
        event: predictionFailed,
        to: 'FAILED',
        context: { errorCode: 'PROVIDER_FAILED', providerStatus: 'failed', finishedAt },
        orders: [terminal, tellFailed('PROVIDER_FAILED', true)],
      },
      { event: cancel, to: 'CANCELING' },
      ...pollsNow('RUNNING'),
      ...strays('RUNNING'),
      abandonedNow,
    ],
    COLLECTING: [
      {
        event: stored(false),
        to: 'SUCCEEDED',
        context: {
          ...{
            downloadBytes: 9,
            outputWidth: 1024,
            outputHeight: 768,
            outputFormat: 'jpeg',
            outputChecksum: 'ab',
          },
          finishedAt,
        },
        orders: [
          ['insertStagedImage', { imageId: IDS.image, at: AT }],
          [
            'report',
            { event: 'output_validated', fields: { bytes: 9, format: 'jpeg', width: 1024, height: 768 } },
          ],
          ['tellJob', { type: 'ATTEMPT_SUCCEEDED', at: AT, imageId: IDS.image }],
        ],
      },
      {
        event: stored(true),
        when: 'a live variant exists',
        to: 'DISCARDED',
        context: { finishedAt },
        orders: [discard, ['report', { event: 'output_discarded' }], tellFailed('VARIANT_EXISTS', false)],
      },
      {
        event: { type: 'OUTPUT_REFUSED', at: AT, errorCode: 'OUTPUT_TOO_LARGE', jitter: 0 },
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_TOO_LARGE', finishedAt },
        orders: [tellFailed('OUTPUT_TOO_LARGE', false), discard],
      },
      {
        event: { type: 'DOWNLOAD_FAILED', at: AT, jitter: 0 },
        to: 'COLLECTING',
        context: { downloadTries: 1 },
      },
      {
        event: { type: 'DOWNLOAD_FAILED', at: AT, jitter: 0 },
        when: 'the third',
        given: { downloadTries: 2 },
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_UNAVAILABLE', finishedAt },
        orders: [tellFailed('OUTPUT_UNAVAILABLE', true), discard],
      },
      {
        event: { type: 'STORAGE_FAILED', at: AT, jitter: 0 },
        when: 'the first',
        ...{ to: 'COLLECTING', context: { storageFailingSince: AT } },
      },
      {
        event: { type: 'STORAGE_FAILED', at: AT, jitter: 0 },
        when: 'ten minutes are not over',
        given: { storageFailingSince: AT - STORAGE_PATIENCE_MS + 1 },
        to: 'COLLECTING',
      },
      {
        event: { type: 'STORAGE_FAILED', at: AT, jitter: 0 },
        when: 'for ten minutes',
        given: { storageFailingSince: AT - STORAGE_PATIENCE_MS },
        to: 'FAILED',
        context: { errorCode: 'STORAGE_UNAVAILABLE', finishedAt },
        orders: [tellFailed('STORAGE_UNAVAILABLE', true), discard],
      },
      { event: cancel, to: 'DISCARDED', context: { finishedAt }, orders: [discard, tellDiscarded] },
      ...strays('COLLECTING'),
      { ...abandonedNow, orders: [discard] },
    ],
    CANCELING: [
      {
        event: predictionCanceled,
        to: 'CANCELED',
        context: { providerStatus: 'canceled', finishedAt },
        orders: [terminal, tellCanceled],
      },
      {
        event: predictionFailed,
        to: 'CANCELED',
        context: { providerStatus: 'failed', finishedAt },
        orders: [terminal, tellCanceled],
      },
      {
        event: succeeded(null),
        when: 'nothing was downloaded',
        to: 'DISCARDED',
        context: { providerStatus: 'succeeded', finishedAt },
        orders: [terminal, tellDiscarded],
      },
      ...pollsNow('CANCELING'),
      ...strays('CANCELING'),
      abandonedNow,
    ],
    SUCCEEDED: afterTheEnd('SUCCEEDED'),
    FAILED: afterTheEnd('FAILED'),
    CANCELED: afterTheEnd('CANCELED'),
    DISCARDED: afterTheEnd('DISCARDED'),
    LOST: afterTheEnd('LOST'),
  },
});

describe('the wait before the same attempt is sent again', () => {
  const waitOf = (errorCode: AttemptErrorCode, sendTries: number, retryAfterMs: number | null = null) =>
    sendWait(
      { ...fresh, sendTries },
      {
        ...{ type: 'SEND_REFUSED', at: AT, errorCode, retryAfterMs, jitter: 0 },
      },
    );

  test('unreachable: 1, 4, 16 seconds, then never', () => {
    expect([1, 2, 3, 4].map((tries) => waitOf('PROVIDER_UNREACHABLE', tries))).toEqual([
      1_000,
      4_000,
      16_000,
      null,
    ]);
  });

  test('throttled: what the provider names, within bounds, else ten seconds', () => {
    expect(waitOf('PROVIDER_THROTTLED', 1, 2_500)).toBe(2_500);
    expect(waitOf('PROVIDER_THROTTLED', 1)).toBe(DEFAULT_THROTTLE_WAIT_MS);
    expect(waitOf('PROVIDER_THROTTLED', 1, 9_999_999)).toBe(MAX_THROTTLE_WAIT_MS);
    expect(waitOf('PROVIDER_THROTTLED', MAX_THROTTLED_SENDS, 2_500)).toBeNull();
  });

  test('jitter adds up to a fifth', () => {
    const event = {
      type: 'SEND_REFUSED',
      at: AT,
      errorCode: 'PROVIDER_UNREACHABLE',
      retryAfterMs: null,
    } as const;
    expect(sendWait({ ...fresh, sendTries: 1 }, { ...event, jitter: 0.999 })).toBe(1_200);
  });

  test('anything else is not sent again', () => {
    expect(waitOf('PROVIDER_BILLING', 1)).toBeNull();
  });
});
