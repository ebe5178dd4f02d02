import { expect, test } from 'vitest';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import {
  DISCARD_DELAY_MS,
  DOWNLOAD_BACKOFF_BASE_MS,
  GONE_PATIENCE_MS,
  MAX_THROTTLED_SENDS,
  MISSING_APART_MS,
  PREDICTION_FORGOTTEN_MS,
  RECONCILE_WINDOW_MS,
  SERVER_SETTLE_MS,
} from '../../machines/limits.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import {
  initialProviderAttempt,
  type ProviderAttemptContext,
  type ProviderAttemptEvent,
} from '../../machines/provider-attempt-model.ts';
import { step } from '../../machines/step.ts';
import { IDS, PROVIDER_ATTEMPT_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { endOfClaim } from './attempt-claims.ts';
import { type Rule, testRules } from './rules.ts';

/** Every transition of docs/charts/provider-attempt.md. */
type AttemptRule = Rule<ProviderAttemptContext, ProviderAttemptEvent>;
type Outcome = Pick<AttemptRule, 'to' | 'context' | 'effects'>;

const refused = (errorCode: AttemptErrorCode, retryAfterMs: number | null = null): ProviderAttemptEvent => ({
  type: 'SEND_REFUSED',
  at: AT,
  errorCode,
  retryAfterMs,
  jitter: 0,
});
const bears = (
  type: 'PREDICTION_CREATED' | 'PREDICTION_FOUND' | 'CALLBACK_RECEIVED',
  predictionId = 'p-1',
  at = AT,
): ProviderAttemptEvent => ({ type, at, predictionId, providerStatus: 'processing' });
const BEARERS = ['PREDICTION_CREATED', 'PREDICTION_FOUND', 'CALLBACK_RECEIVED'] as const;
const cancel = { type: 'CANCEL', at: AT } as const;
const abandoned = { type: 'ABANDONED', at: AT } as const;
const again = { type: 'COLLECT_ASKED', at: AT, objectKey: 'staged/again.jpg' } as const;
const noTries = { downloadTries: 0, missingTries: 0, missingAt: null, storageFailingSince: null };
const gone = { type: 'PREDICTION_GONE', at: AT, jitter: 0 } as const;
const seenAgain = { type: 'PREDICTION_SEEN', at: AT } as const;
const notListed = (scanBeganAt: number) => ({ type: 'NOT_LISTED', at: AT, scanBeganAt }) as const;
const windowPassed = { type: 'WINDOW_PASSED', at: AT, jitter: 0 } as const;
const output = { bytes: 9, width: 1024, height: 768, format: 'jpeg', checksum: 'ab' };
const stored = (variantExists: boolean): ProviderAttemptEvent => ({
  type: 'OUTPUT_STORED',
  at: AT,
  jitter: 0,
  imageId: IDS.image,
  output,
  variantExists,
});
const succeeded = (objectKey: string | null): ProviderAttemptEvent => ({
  type: 'PREDICTION_SUCCEEDED',
  at: AT,
  providerStatus: 'succeeded',
  objectKey,
});
const predictionFailed: ProviderAttemptEvent = {
  type: 'PREDICTION_FAILED',
  at: AT,
  errorCode: 'PROVIDER_FAILED',
  jitter: 0.25,
  providerStatus: 'failed',
};
const predictionCanceled: ProviderAttemptEvent = {
  type: 'PREDICTION_CANCELED',
  at: AT,
  providerStatus: 'canceled',
};

const finishedAt = AT;
/**
 * A 404 is remembered and canceled by a later answer. It counts once five minutes have passed and a scan that began
 * after them agrees.
 */
const weighed404 = (state: string, end: Outcome): AttemptRule[] => [
  {
    event: gone,
    when: 'again, and no scan agrees',
    given: { goneSince: AT - GONE_PATIENCE_MS * 3 },
    to: null,
  },
  { event: notListed(AT + GONE_PATIENCE_MS - 1), when: 'too early', given: { goneSince: AT }, to: null },
  { event: seenAgain, when: 'nothing was missing', to: null },
  { event: gone, when: 'the first', to: state, context: { goneSince: AT, notListedAt: null } },
  {
    event: seenAgain,
    given: { goneSince: AT - 1, notListedAt: AT },
    to: state,
    context: { goneSince: null, notListedAt: null },
  },
  {
    event: notListed(AT + GONE_PATIENCE_MS),
    given: { goneSince: AT },
    to: state,
    context: { notListedAt: AT + GONE_PATIENCE_MS },
  },
  {
    event: gone,
    when: 'a scan agrees',
    given: { goneSince: AT - GONE_PATIENCE_MS, notListedAt: AT },
    ...end,
  },
];
const sendCanceled = ['sendToJob', { type: 'ATTEMPT_CANCELED', at: AT }] as const;
const sendDiscarded = ['sendToJob', { type: 'ATTEMPT_DISCARDED', at: AT }] as const;
const sendFailed = (errorCode: AttemptErrorCode, retryable: boolean) =>
  ['sendToJob', { type: 'ATTEMPT_FAILED', at: AT, attemptNumber: 1, errorCode, retryable }] as const;
const discard = [
  'scheduleDeletion',
  { objectKey: 'staged/a.jpg', reason: 'STAGED_IMAGE_DELETED', notBefore: AT + DISCARD_DELAY_MS, at: AT },
] as const;
const terminal = ['report', { event: 'provider_terminal' }] as const;
const failedWith = (errorCode: AttemptErrorCode, retryable: boolean): Outcome => ({
  to: 'FAILED',
  context: { errorCode, finishedAt },
  effects: [sendFailed(errorCode, retryable)],
});
const learned = (to: string): Outcome => ({
  to,
  context: { providerPredictionId: 'p-1', providerStatus: 'processing', nextPollAt: AT },
  effects: [['report', { event: 'prediction_created', fields: { attemptNumber: 1, predictionId: 'p-1' } }]],
});
const abandonedNow: AttemptRule = {
  event: abandoned,
  to: 'FAILED',
  context: { errorCode: 'RUNNER_CRASHED', finishedAt },
};

const fresh = initialProviderAttempt(1);
const sent = { ...fresh, sentAt: AT - 9_000, sendTries: 1 };
const unconfirmed = { ...sent, unconfirmedSince: AT - 5_000, unconfirmedCause: 'transport' as const };
const running = { ...sent, providerPredictionId: 'p-1', providerStatus: 'starting', nextPollAt: AT - 8_000 };
const collecting = { ...running, providerStatus: 'succeeded', objectKey: 'staged/a.jpg' };

/** A second id is recorded and alerted once, and never replaces the first. */
const strays = (state: string): AttemptRule[] =>
  (['PREDICTION_CREATED', 'PREDICTION_FOUND'] as const).flatMap((type) => [
    { event: bears(type), when: 'the known id', to: null },
    { event: bears(type, 'p-2'), when: 'a stray id, known', given: { strayPredictionId: 'p-2' }, to: null },
    {
      event: bears(type, 'p-2'),
      when: 'a stray id',
      to: state,
      context: { strayPredictionId: 'p-2' },
      effects: [
        ['alert', { alert: 'stray_prediction', fields: { predictionId: 'p-2', knownPredictionId: 'p-1' } }],
      ],
    },
  ]);
const pollsNow = (state: string): AttemptRule[] => [
  { event: bears('CALLBACK_RECEIVED', 'p-2'), when: 'a stray id', to: null },
  { event: bears('CALLBACK_RECEIVED'), when: 'its own', to: state, context: { nextPollAt: AT } },
  { event: bears('CALLBACK_RECEIVED'), when: 'its own, late', given: { nextPollAt: AT }, to: null },
];
const afterTheEnd = (state: string): AttemptRule[] => [
  ...strays(state),
  { event: bears('CALLBACK_RECEIVED'), when: 'the known id', to: null },
  { event: bears('CALLBACK_RECEIVED', 'p-2'), when: 'a stray id', to: null },
  ...BEARERS.map((type) => ({
    event: bears(type),
    when: 'the first id',
    given: { providerPredictionId: null, nextPollAt: null },
    to: state,
    context: { providerPredictionId: 'p-1', providerStatus: 'processing', nextPollAt: AT },
    effects: [['alert', { alert: 'late_prediction', fields: { predictionId: 'p-1' } }] as const],
  })),
];
const cancelIsNoted = (state: string): AttemptRule[] => [
  { event: cancel, to: state, context: { cancelAsked: true } },
  { event: cancel, when: 'again', given: { cancelAsked: true }, to: null },
];

/** Only a claim whose sender is gone, made within the list's time, and whose create had ended before the list was read. */
const interrupted = { sentAt: AT, unconfirmedSince: AT, unconfirmedCause: 'restart' } as const;
const disproved = ({ listedFrom = AT, listBeganAt = AT + SERVER_SETTLE_MS } = {}) =>
  ({ type: 'CLAIM_DISPROVED', at: AT, listedFrom, listBeganAt }) as const;
const claimDisproved: AttemptRule[] = [
  {
    event: disproved(),
    given: interrupted,
    to: 'RESERVED',
    context: { sendTries: 0, unconfirmedSince: null, unconfirmedCause: null },
  },
  {
    event: disproved(),
    when: 'cancel asked',
    given: { ...interrupted, cancelAsked: true },
    to: 'CANCELED',
    context: { finishedAt },
    effects: [sendCanceled],
  },
  { event: disproved(), when: 'the wire failed: it may still arrive', given: { sentAt: AT }, to: null },
  { event: disproved({ listedFrom: AT + 1 }), when: 'older than the list', given: interrupted, to: null },
  {
    event: disproved({ listBeganAt: AT + SERVER_SETTLE_MS - 1 }),
    when: 'its create may not have ended',
    given: interrupted,
    to: null,
  },
];

const download404: ProviderAttemptEvent = { type: 'DOWNLOAD_FAILED', at: AT, jitter: 0, missing: true };
const twice404 = { sentAt: AT, missingTries: 2, missingAt: AT - MISSING_APART_MS };
const missing: AttemptRule[] = [
  {
    event: download404,
    when: 'the first 404',
    given: { sentAt: AT },
    to: 'COLLECTING',
    context: { downloadTries: 1, missingTries: 1, missingAt: AT },
  },
  {
    event: download404,
    when: 'a third 404',
    given: twice404,
    to: 'FAILED',
    context: { errorCode: 'OUTPUT_UNAVAILABLE', finishedAt },
    effects: [sendFailed('OUTPUT_UNAVAILABLE', true), discard],
  },
  {
    event: download404,
    when: 'a third 404, too soon to count',
    given: { ...twice404, missingAt: AT - MISSING_APART_MS + 1 },
    to: 'COLLECTING',
    context: { downloadTries: 1 },
  },
  {
    event: download404,
    when: 'a third 404, long after the second',
    given: { ...twice404, missingAt: AT - 2 * MISSING_APART_MS - 1 },
    to: 'COLLECTING',
    context: { downloadTries: 1, missingTries: 1, missingAt: AT },
  },
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
    FAILED: { ...collecting, finishedAt, errorCode: 'OUTPUT_HOST_REFUSED' },
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
      { event: refused('PROVIDER_THROTTLED'), when: 'not bought: recorded before', to: null },
      {
        event: bears('CALLBACK_RECEIVED'),
        when: 'bought although refused: never sent again',
        given: { sentAt: AT - 9, sendTries: 1, nextSendAt: AT + 1, errorCode: 'PROVIDER_THROTTLED' },
        to: 'RUNNING',
        context: { ...learned('RUNNING').context, nextSendAt: null, errorCode: null },
        effects: learned('RUNNING').effects,
      },
      {
        event: bears('PREDICTION_FOUND'),
        when: 'bought, its claim forgotten: it counts as sent now',
        to: 'RUNNING',
        context: { ...learned('RUNNING').context, sentAt: AT },
        effects: learned('RUNNING').effects,
      },
      { event: cancel, to: 'CANCELED', context: { finishedAt }, effects: [sendCanceled] },
      abandonedNow,
    ],
    SENT: [
      ...BEARERS.flatMap((type) => [
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
        context: { nextSendAt: AT + 7_000, errorCode: 'PROVIDER_THROTTLED', throttledSends: 1 },
      },
      {
        event: refused('PROVIDER_UNREACHABLE'),
        when: 'no tries left',
        given: { sendTries: 4 },
        ...failedWith('PROVIDER_UNREACHABLE', true),
      },
      {
        event: refused('PROVIDER_UNREACHABLE'),
        when: 'tries left, because the others were throttled',
        given: { sendTries: 4, throttledSends: 3 },
        to: 'RESERVED',
        context: { nextSendAt: AT + 1_000, errorCode: 'PROVIDER_UNREACHABLE' },
      },
      {
        event: refused('PROVIDER_THROTTLED'),
        when: 'no tries left',
        given: { sendTries: MAX_THROTTLED_SENDS, throttledSends: MAX_THROTTLED_SENDS - 1 },
        ...failedWith('PROVIDER_THROTTLED', true),
      },
      {
        event: refused('PROVIDER_UNREACHABLE'),
        when: 'not bought, cancel asked',
        given: { cancelAsked: true },
        to: 'CANCELED',
        context: { finishedAt },
        effects: [sendCanceled],
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
      ...(
        [
          ['the wire failed', 'transport', 'transport'],
          ['our process stood still', 'restart', 'restart'],
          ['from a journal older than the cause', undefined, 'transport'],
        ] as const
      ).map(
        ([when, cause, unconfirmedCause]): AttemptRule => ({
          event: { type: 'SEND_UNKNOWN', at: AT, cause },
          when,
          to: 'UNCONFIRMED',
          context: { unconfirmedSince: AT, unconfirmedCause },
        }),
      ),
      ...endOfClaim,
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
          given: { unconfirmedCause: transport ? 'transport' : 'restart', notListedAt: AT },
          to: 'LOST',
          context: { errorCode: 'PREDICTION_UNCONFIRMED', finishedAt },
          effects: [sendFailed('PREDICTION_UNCONFIRMED', transport), ['alert', { alert: 'attempt_lost' }]],
        }),
      ),
      { event: windowPassed, when: 'no complete scan has decided', to: null },
      {
        event: notListed(AT + RECONCILE_WINDOW_MS - 1),
        when: 'begun inside the window',
        given: { unconfirmedSince: AT },
        to: null,
      },
      {
        event: notListed(AT + RECONCILE_WINDOW_MS),
        given: { unconfirmedSince: AT },
        to: 'UNCONFIRMED',
        context: { notListedAt: AT + RECONCILE_WINDOW_MS },
      },
      {
        event: windowPassed,
        when: 'cancel asked',
        given: { cancelAsked: true, notListedAt: AT },
        to: 'LOST',
        context: { errorCode: 'PREDICTION_UNCONFIRMED', finishedAt },
        effects: [
          ['sendToJob', { type: 'ATTEMPT_LOST', at: AT }],
          ['alert', { alert: 'attempt_lost' }],
        ],
      },
      ...claimDisproved,
      ...cancelIsNoted('UNCONFIRMED'),
      abandonedNow,
    ],
    RUNNING: [
      {
        event: succeeded('staged/a.jpg'),
        to: 'COLLECTING',
        context: { providerStatus: 'succeeded', objectKey: 'staged/a.jpg' },
        effects: [terminal],
      },
      {
        event: predictionFailed,
        to: 'FAILED',
        context: { errorCode: 'PROVIDER_FAILED', providerStatus: 'failed', finishedAt },
        effects: [terminal, sendFailed('PROVIDER_FAILED', true)],
      },
      { event: cancel, to: 'CANCELING' },
      ...weighed404('RUNNING', {
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_UNAVAILABLE', finishedAt },
        effects: [['report', { event: 'provider_terminal' }], sendFailed('OUTPUT_UNAVAILABLE', true)],
      }),
      ...pollsNow('RUNNING'),
      ...strays('RUNNING'),
      abandonedNow,
    ],
    COLLECTING: [
      ...weighed404('COLLECTING', {
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_UNAVAILABLE', finishedAt },
        effects: [sendFailed('OUTPUT_UNAVAILABLE', true), discard],
      }),
      {
        event: stored(false),
        to: 'SUCCEEDED',
        context: {
          downloadBytes: 9,
          outputWidth: 1024,
          outputHeight: 768,
          outputFormat: 'jpeg',
          outputChecksum: 'ab',
          finishedAt,
        },
        effects: [
          ['insertStagedImage', { imageId: IDS.image, at: AT }],
          [
            'report',
            { event: 'output_validated', fields: { bytes: 9, format: 'jpeg', width: 1024, height: 768 } },
          ],
          ['sendToJob', { type: 'ATTEMPT_SUCCEEDED', at: AT, imageId: IDS.image }],
        ],
      },
      {
        event: { type: 'TEXT_STORED', at: AT, text: 'A home.' },
        given: { objectKey: null },
        to: 'SUCCEEDED',
        context: { finishedAt },
        effects: [
          ['storeText', { text: 'A home.', at: AT }],
          ['report', { event: 'output_validated', fields: { attemptNumber: 1, characters: 7 } }],
          ['sendToJob', { type: 'ATTEMPT_SUCCEEDED', at: AT, imageId: null }],
        ],
      },
      {
        event: stored(true),
        when: 'a live variant exists',
        to: 'DISCARDED',
        context: { downloadBytes: 9, finishedAt },
        effects: [
          discard,
          ['report', { event: 'output_discarded', fields: { downloadBytes: 9 } }],
          sendFailed('VARIANT_EXISTS', false),
        ],
      },
      {
        event: { type: 'OUTPUT_REFUSED', at: AT, errorCode: 'OUTPUT_TOO_LARGE', jitter: 0 },
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_TOO_LARGE', finishedAt },
        effects: [sendFailed('OUTPUT_TOO_LARGE', false), discard],
      },
      {
        event: {
          type: 'OUTPUT_REFUSED',
          at: AT,
          errorCode: 'OUTPUT_INVALID',
          jitter: 0,
          downloadBytes: 7,
        },
        when: 'after its download',
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_INVALID', downloadBytes: 7, finishedAt },
        effects: [sendFailed('OUTPUT_INVALID', true), discard],
      },
      {
        event: {
          type: 'OUTPUT_REFUSED',
          at: AT,
          errorCode: 'OUTPUT_HOST_REFUSED',
          jitter: 0,
          host: 'elsewhere.example',
        },
        when: 'an address that is not allowed',
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_HOST_REFUSED', finishedAt },
        effects: [
          sendFailed('OUTPUT_HOST_REFUSED', false),
          ['alert', { alert: 'output_host_refused', fields: { host: 'elsewhere.example' } }],
          discard,
        ],
      },
      {
        event: { type: 'DOWNLOAD_FAILED', at: AT, jitter: 0 },
        given: { sentAt: AT },
        to: 'COLLECTING',
        context: { downloadTries: 1 },
      },
      {
        event: { type: 'DOWNLOAD_FAILED', at: AT, jitter: 0 },
        when: 'the provider has forgotten the picture before the next try',
        given: { sentAt: AT - PREDICTION_FORGOTTEN_MS + DOWNLOAD_BACKOFF_BASE_MS },
        to: 'FAILED',
        context: { errorCode: 'OUTPUT_UNAVAILABLE', finishedAt },
        effects: [sendFailed('OUTPUT_UNAVAILABLE', true), discard],
      },
      ...missing,
      {
        event: { type: 'STORAGE_FAILED', at: AT, jitter: 0 },
        when: 'the first',
        to: 'COLLECTING',
        context: { storageFailingSince: AT },
        effects: [['alert', { alert: 'storage_unavailable' }]],
      },
      {
        event: { type: 'STORAGE_FAILED', at: AT, jitter: 0 },
        when: 'for however long',
        given: { storageFailingSince: AT - PREDICTION_FORGOTTEN_MS },
        to: 'COLLECTING',
      },
      { event: cancel, to: 'DISCARDED', context: { finishedAt }, effects: [discard, sendDiscarded] },
      ...strays('COLLECTING'),
      { ...abandonedNow, effects: [discard] },
    ],
    CANCELING: [
      ...weighed404('CANCELING', {
        to: 'CANCELED',
        context: { finishedAt },
        effects: [['report', { event: 'provider_terminal' }], sendCanceled],
      }),
      {
        event: predictionCanceled,
        to: 'CANCELED',
        context: { providerStatus: 'canceled', finishedAt },
        effects: [terminal, sendCanceled],
      },
      {
        event: predictionFailed,
        to: 'CANCELED',
        context: { providerStatus: 'failed', finishedAt },
        effects: [terminal, sendCanceled],
      },
      {
        event: succeeded(null),
        when: 'nothing was downloaded',
        to: 'DISCARDED',
        context: { providerStatus: 'succeeded', finishedAt },
        effects: [terminal, sendDiscarded],
      },
      ...pollsNow('CANCELING'),
      ...strays('CANCELING'),
      abandonedNow,
    ],
    SUCCEEDED: strays('SUCCEEDED'),
    FAILED: [
      ...afterTheEnd('FAILED'),
      {
        event: again,
        when: 'refused for its host',
        given: { downloadTries: 2, missingTries: 1, missingAt: AT, storageFailingSince: AT },
        to: 'COLLECTING',
        context: { ...noTries, errorCode: null, finishedAt: null, objectKey: again.objectKey },
      },
      { event: again, when: 'another failure', given: { errorCode: 'OUTPUT_INVALID' }, to: null },
    ],
    CANCELED: afterTheEnd('CANCELED'),
    DISCARDED: strays('DISCARDED'),
    LOST: afterTheEnd('LOST'),
  },
});

test('no second attempt follows one that was bought twice', () => {
  const state = { state: 'RUNNING', context: { ...running, strayPredictionId: 'p-2' } };
  const decided = step(providerAttemptMachine, state, predictionFailed);
  expect(decided).toMatchObject({ effects: [{}, { params: { type: 'ATTEMPT_FAILED', retryable: false } }] });
});
