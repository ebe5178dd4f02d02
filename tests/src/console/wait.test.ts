import { describe, expect, test } from 'vitest';
import { initialDeletionItem } from '../../../machines/deletion-item.ts';
import { initialImageReview } from '../../../machines/image-review.ts';
import {
  initialProviderAttempt,
  type ProviderAttemptContext,
} from '../../../machines/provider-attempt-model.ts';
import { initialJob } from '../../../machines/staging-job.ts';
import { unrequestedTour } from '../../../machines/tour.ts';
import type { Lease } from '../../../persistence/actors/rows/job-row.ts';
import type { SeenActor, SeenJob } from '../../../persistence/console/actors.ts';
import { explainWait } from '../../../src/console/actors/explain-actor.ts';
import type { QueueLook, WaitContext } from '../../../src/console/actors/wait-context.ts';
import { WAIT_REASONS } from '../../../src/wire/wait-reason.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

/** Every reason for which an actor waits, with the text for the operator. */
const at = MANUAL_EPOCH;
const LEASE = { owner: '0a1b2c3d-0000-4000-8000-000000000000', epoch: 3, expiresAt: at + 20_000 };
const QUEUE: QueueLook = {
  entry: { state: 'waiting', delayedUntil: null, starts: 0 },
  waiting: 4,
  paused: false,
  consumers: 2,
  limitedMs: 0,
};
const CALM: WaitContext = {
  at,
  enabled: true,
  pauseSwitch: { open: true, by: null, reason: null, gap: null },
  queue: QUEUE,
  startsPerMinute: 6,
  slotsPerWorker: 4,
  pollIntervalMs: 5_000,
  dispatchMs: 5_000,
};

type JobParts = {
  lease?: Lease | null;
  quarantine?: { since: number; error: string | null };
  reviewStatus?: string | null;
  context?: Partial<SeenJob['actor']['context']>;
  attempts?: { state: string; context?: Partial<ProviderAttemptContext> }[];
};
function job(state: string, { context, attempts = [], ...parts }: JobParts = {}): SeenJob {
  const { lease = null, quarantine, reviewStatus = null } = parts;
  return {
    kind: 'stagingJob',
    actor: {
      state,
      context: { ...initialJob('stagingJob'), ...context },
      lease,
      heartbeatAt: null,
      quarantined: quarantine !== undefined,
    },
    createdAt: at - 60_000,
    beside: {
      reviewStatus,
      quarantinedAt: quarantine === undefined ? null : new Date(quarantine.since),
      quarantineError: quarantine?.error ?? null,
    },
    job: null,
    attempts: attempts.map((one, index) => ({
      state: one.state,
      context: { ...initialProviderAttempt((index + 1) as 1 | 2), ...one.context },
    })),
  } as unknown as SeenJob;
}
const processing = (state: string, context: Partial<ProviderAttemptContext> = {}, parts: JobParts = {}) =>
  job('PROCESSING.ATTEMPT', { lease: LEASE, ...parts, attempts: [{ state, context }] });
const sentence = (seen: SeenActor, waitContext: Partial<WaitContext> = {}) =>
  explainWait(seen, { ...CALM, ...waitContext }, (text) => text)?.sentence ?? null;
const queued = (queue: Partial<QueueLook>) => ({ queue: { ...QUEUE, ...queue } });
const HELD = 'Held by worker 0a1b2c3d until 12:00:20 (in 20 s).';
const PAUSED = { open: false, by: 'operator:ada', reason: 'the bill is too high', gap: null };
const OFF = 'New purchases are switched off (AI_ROOM_STAGING_ENABLED).';

describe('a staging job', () => {
  test.for<[string, SeenJob, Partial<WaitContext>, string | null]>([
    [
      'the start rate',
      job('PENDING.QUEUED'),
      queued({ limitedMs: 8_000 }),
      'Waits for the start rate: 6 a minute, next in about 8 s.',
    ],
    [
      'no worker that takes it',
      job('PENDING.QUEUED'),
      queued({ consumers: 0 }),
      'No worker holds it and no worker is running.',
    ],
    [
      'a paused queue',
      job('PENDING.QUEUED'),
      queued({ paused: true }),
      'Waits for the queue, which is paused.',
    ],
    [
      'an entry that is lost',
      job('PENDING.QUEUED'),
      queued({ entry: null }),
      'The queue does not hold it; the dispatcher offers it within 5 s.',
    ],
    [
      'a delayed entry',
      job('PENDING.QUEUED'),
      queued({ entry: { state: 'delayed', delayedUntil: at + 9_000, starts: 0 } }),
      'Its queue entry is delayed until 12:00:09 (in 9 s).',
    ],
    [
      'an entry in hand',
      job('PENDING.QUEUED'),
      queued({ entry: { state: 'active', delayedUntil: null, starts: 1 } }),
      'A worker has just taken its queue entry.',
    ],
    [
      'a slot',
      job('PENDING.QUEUED'),
      {},
      'Waits in the queue, 4 waiting, for one of 4 slots on each of 2 workers.',
    ],
    [
      'a store that is away',
      job('PENDING.QUEUED'),
      { queue: null },
      'Waits for the queue, and the key-value store that holds it does not answer.',
    ],
    ['its holder', job('PENDING.QUEUED', { lease: LEASE }), {}, HELD],
    [
      'operators who paused',
      job('PENDING.QUEUED'),
      { pauseSwitch: PAUSED },
      'Starting is paused by operator:ada: the bill is too high.',
    ],
    [
      'a gate without a row',
      job('PENDING.QUEUED'),
      { pauseSwitch: { open: false, by: null, reason: null, gap: null } },
      'Starting is paused: its pause switch is gone, which counts as closed.',
    ],
    ['the flag', job('PENDING.PROVIDER_DISABLED'), { enabled: false }, OFF],
    [
      'the gate after the flag',
      job('PENDING.PROVIDER_DISABLED'),
      { pauseSwitch: PAUSED },
      'Starting is paused by operator:ada: the bill is too high.',
    ],
    [
      'to hear that the flag is on',
      job('PENDING.PROVIDER_DISABLED'),
      {},
      'New purchases are on again; the dispatcher offers it within 5 s.',
    ],
    [
      'its back-off',
      job('RETRYING.BACKOFF', { context: { retryAt: at + 14_000 } }),
      {},
      'Backs off until 12:00:14 (in 14 s), then tries once more.',
    ],
    [
      'the queue after its back-off',
      job('RETRYING.BACKOFF', { context: { retryAt: at - 1 } }),
      queued({ limitedMs: 400 }),
      'Waits for the start rate: 6 a minute, next in about 1 s.',
    ],
    [
      'the flag after its back-off',
      job('RETRYING.BACKOFF', { context: { retryAt: at - 1 } }),
      { enabled: false },
      OFF,
    ],
    [
      'the provider, which is busy',
      processing('RESERVED', { nextSendAt: at + 3_000, sendTries: 2, errorCode: 'PROVIDER_THROTTLED' }),
      {},
      'Backs off until 12:00:03 (in 3 s) after PROVIDER_THROTTLED and 2 tries.',
    ],
    ['to be sent', processing('RESERVED'), {}, `A purchase is reserved and is sent next. ${HELD}`],
    [
      'the flag before it is sent',
      processing('RESERVED'),
      { enabled: false },
      `A purchase is reserved, and new purchases are switched off (AI_ROOM_STAGING_ENABLED). ${HELD}`,
    ],
    [
      'the answer to its call',
      processing('SENT', { sentAt: at - 4_000 }),
      {},
      `The create call has been on the wire for 4 s. ${HELD}`,
    ],
    [
      'a purchase to be found',
      processing('UNCONFIRMED', { unconfirmedSince: at - 40_000 }),
      {},
      `The answer to the create call was lost 40 s ago; it is looked for until 12:14:20 and never sent again. ${HELD}`,
    ],
    [
      'the provider',
      processing('RUNNING', { sentAt: at - 43_000 }),
      {},
      `The provider has been working on it for 43 s; polled every 5 s. ${HELD}`,
    ],
    [
      'an heir',
      processing('RUNNING', { sentAt: at - 43_000 }, { lease: null }),
      {},
      'The provider has been working on it for 43 s; polled every 5 s. No worker holds it; one takes it over within seconds.',
    ],
    [
      'a worker to be started',
      processing('RUNNING', { sentAt: at - 43_000 }, { lease: { ...LEASE, expiresAt: at - 1 } }),
      queued({ consumers: 0 }),
      'The provider has been working on it for 43 s; polled every 5 s. No worker holds it and no worker is running.',
    ],
    [
      'its picture',
      processing('COLLECTING', { downloadTries: 1 }),
      {},
      `The output is being fetched, checked and stored; 1 download has failed. ${HELD}`,
    ],
    [
      'our object store',
      processing('COLLECTING', { storageFailingSince: at - 61_000 }),
      {},
      `Our object store has refused the output for 1 min 1 s; it is fetched again until the provider removes it. ${HELD}`,
    ],
    [
      'its job to hear',
      processing('FAILED'),
      {},
      `Its last purchase is over; the job hears of it next. ${HELD}`,
    ],
    [
      'its cancellation',
      job('CANCEL_REQUESTED', { context: { cancelRequestedAt: at - 5_000 }, lease: LEASE }),
      {},
      `Is being called off since 11:59:55 (5 s ago). ${HELD}`,
    ],
    [
      'a person',
      job('PROCESSING.ATTEMPT', { quarantine: { since: at - 120_000, error: 'column is missing' } }),
      {},
      'Waits for a person: quarantined since 11:58:00 (2 min ago) because column is missing.',
    ],
    ['the agent', job('SUCCESS', { reviewStatus: 'PENDING_REVIEW' }), {}, "Waits for the agent's review."],
    ['nothing any more', job('SUCCESS', { reviewStatus: 'APPROVED' }), {}, null],
    ['nothing after it failed', job('FAILED'), {}, null],
    ['nothing after it was canceled', job('CANCELED'), {}, null],
  ])('waits for %s', ([, seen, waitContext, expected]) => {
    expect(sentence(seen, waitContext)).toBe(expected);
  });

  test('has a text for every reason that clients get', () => {
    const words = [
      job('PENDING.QUEUED'),
      job('PENDING.PROVIDER_DISABLED'),
      job('RETRYING.BACKOFF', { context: { retryAt: at + 1 } }),
      processing('RUNNING'),
      processing('COLLECTING'),
      job('CANCEL_REQUESTED'),
      job('PENDING.QUEUED', { quarantine: { since: at, error: null } }),
      job('SUCCESS', { reviewStatus: 'PENDING_REVIEW' }),
    ].map((seen) => explainWait(seen, CALM, (text) => text)?.word);
    expect(new Set(words)).toEqual(new Set(WAIT_REASONS));
  });

  test('requires a person only when a person must act, and shows no secret from an error', () => {
    const aside = job('PENDING.QUEUED', { quarantine: { since: at, error: 'ada@example.com' } });
    const told = explainWait(aside, CALM, (text) => text.replace('ada@example.com', '[e-mail]'));
    expect(told).toMatchObject({ person: true, sentence: expect.stringContaining('[e-mail]') });
    expect(explainWait(job('PENDING.QUEUED'), CALM, (text) => text)?.person).toBe(false);
  });
});

describe('other actors', () => {
  const description = (state: string, context: Partial<ProviderAttemptContext> = {}) => {
    const [status = '', inner] = state.split('.');
    const seen = status === 'PROCESSING' ? processing(inner ?? '', context) : job(state, { lease: LEASE });
    return { ...seen, kind: 'descriptionJob' } as SeenJob;
  };
  const deletion = (state: string, context = {}, beside = {}) =>
    ({
      kind: 'deletionItem',
      actor: { state, context: { ...initialDeletionItem, ...context } },
      beside,
    }) as SeenActor;
  const tour = (state: string, context = {}) =>
    ({ kind: 'tour', actor: { state, context: { ...unrequestedTour, ...context } } }) as SeenActor;
  const attempt = (parent: SeenJob, index = 0) =>
    ({ kind: 'providerAttempt', actor: parent.attempts[index], job: parent }) as SeenActor;
  const image = (state: string, context = {}) =>
    ({ kind: 'imageReview', actor: { state, context: { ...initialImageReview, ...context } } }) as SeenActor;
  const pauseSwitch = (state: string) => ({ kind: 'startGate', actor: { state } }) as SeenActor;
  const document = (dirtySince: number | null) =>
    ({ kind: 'searchDocument', actor: { state: 'KEPT', context: { dirtySince } } }) as SeenActor;
  const slot = { startsAt: at + 3_600_000, endsAt: at + 7_200_000 };
  const past = { startsAt: at - 7_200_000, endsAt: at - 3_600_000 };

  test.for<[string, SeenActor, string | null]>([
    ['a description in its queue', description('PENDING.QUEUED'), HELD],
    [
      'a description at the provider',
      description('PROCESSING.RUNNING', { sentAt: at - 2_000 }),
      `The provider has been working on it for 2 s; polled every 5 s. ${HELD}`,
    ],
    [
      'a description that backs off',
      description('PROCESSING.RESERVED', { nextSendAt: at + 1_000, sendTries: 1 }),
      'Backs off until 12:00:01 (in 1 s) after 1 try.',
    ],
    ['a description that is done', description('SUCCESS'), null],
    [
      'an attempt under way',
      attempt(processing('RUNNING', { sentAt: at - 1_000 })),
      `The provider has been working on it for 1 s; polled every 5 s. ${HELD}`,
    ],
    ['an attempt that is over', attempt(processing('FAILED', { finishedAt: at })), null],
    [
      'a deletion whose time comes',
      deletion('PENDING', { nextAttemptAt: at + 60_000, attempts: 3 }),
      'Backs off after 3 of 10 tries until 12:01:00 (in 1 min).',
    ],
    [
      'a deletion that is due',
      deletion('PENDING', { nextAttemptAt: at - 1_000 }),
      'Is due since 11:59:59 (1 s ago) and waits for the next drain.',
    ],
    [
      'a deletion whose file has no fingerprint yet',
      deletion('PENDING', { nextAttemptAt: at - 1_000 }, { awaitsFingerprint: true }),
      'Is due since 11:59:59 (1 s ago) and waits until a fingerprint is made of the file, for a day at most.',
    ],
    [
      'a deletion in hand',
      deletion('PROCESSING', { claimedAt: at, claimedBy: LEASE.owner }),
      'Held by worker 0a1b2c3d, whose claim ends 12:02:00 (in 2 min).',
    ],
    [
      'a deletion that failed',
      deletion('FAILED', { lastError: 'AccessDenied' }),
      'Waits for a person: the object store answered AccessDenied.',
    ],
    ['a deletion that is done', deletion('DELETED'), null],
    ['an image', image('PENDING_REVIEW'), "Waits for the agent's review."],
    [
      'an image that reports withdrew',
      image('WITHDRAWN', { withdrawnBy: 'REPORTS' }),
      'Withdrawn by reports: waits for an operator to decide.',
    ],
    ['an image that its agent withdrew', image('WITHDRAWN', { withdrawnBy: 'AGENT' }), null],
    ['an approved image', image('APPROVED'), null],
    [
      'a requested tour',
      tour('REQUESTED', { proposalExpiresAt: at + 60_000 }),
      "Waits for the agent's answer until 12:01:00 (in 1 min).",
    ],
    [
      'a proposal of the agent',
      tour('RESCHEDULE_PROPOSED', { proposedBy: 'agent' }),
      "Waits for the customer's answer.",
    ],
    [
      'a proposal of the customer',
      tour('RESCHEDULE_PROPOSED', { proposedBy: 'customer' }),
      "Waits for the agent's answer.",
    ],
    ['a visit to come', tour('CONFIRMED', { heldSlot: slot }), 'Waits for the visit at 13:00:00 (in 1 h).'],
    [
      'a visit that was',
      tour('CONFIRMED', { heldSlot: past }),
      'Waits for the agent to tell what became of the visit, until 2026-01-22 11:00:00 (in 6 d 23 h).',
    ],
    ['a tour that is over', tour('EXPIRED'), null],
    ['an open gate', pauseSwitch('OPEN'), null],
    [
      'a closed gate',
      pauseSwitch('PAUSED'),
      'Closed: no purchase begins until an operator resumes starting.',
    ],
    ['a document that is to be rebuilt', document(at - 3_000), 'Owes a rebuild since 11:59:57 (3 s ago).'],
    ['a document that is right', document(null), null],
  ])('%s', ([, seen, expected]) => {
    expect(sentence(seen)).toBe(expected);
  });
});
