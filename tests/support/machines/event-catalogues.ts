import type { DeletionItemEvent } from '../../../machines/deletion-item.ts';
import type { FeedEvent } from '../../../machines/feed.ts';
import type { ImageReviewEvent } from '../../../machines/image-review.ts';
import { PREDICTION_FORGOTTEN_MS, SERVER_SETTLE_MS } from '../../../machines/limits.ts';
import type { MismatchReportEvent } from '../../../machines/mismatch-report.ts';
import type { PauseSwitchEvent } from '../../../machines/pause-switch.ts';
import type { ProviderAttemptEvent } from '../../../machines/provider-attempt-model.ts';
import type { CollectAsked } from '../../../machines/refused-output.ts';
import type { SearchDocumentEvent } from '../../../machines/search-document.ts';
import type { StagingJobEvent } from '../../../machines/staging-job.ts';
import type { TourEvent } from '../../../machines/tour.ts';
import type { TourSlot } from '../../../machines/tour-slots.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';

/**
 * For each machine a finite set of events that reaches all of its states and transitions. Times are few and
 * fixed, so that the graph of states and contexts is finite, too.
 */
const AT = MANUAL_EPOCH;
const MUCH_LATER = AT + 86_400_000;
export const IDS = {
  attempt: '11111111-1111-4111-8111-111111111111',
  image: '22222222-2222-4222-8222-222222222222',
  user: '33333333-3333-4333-8333-333333333333',
};
const jitter = 0;

const attemptFailed = (category: 'retryable' | 'permanent'): StagingJobEvent => ({
  type: 'ATTEMPT_FAILED',
  at: AT,
  attemptNumber: 1,
  errorCode: 'PROVIDER_FAILED',
  category,
  retryable: category === 'retryable',
  jitter,
});

/** As an operator's act arrives at a job whose picture may be collected. */
export const COLLECT_ASKED: CollectAsked = {
  type: 'COLLECT_ASKED',
  at: AT,
  host: 'elsewhere.example',
  hostAllowed: true,
  completedAt: AT,
  obstacle: null,
  objectKey: 'staged/again.jpg',
};
const hostRefused: StagingJobEvent = {
  ...attemptFailed('permanent'),
  errorCode: 'OUTPUT_HOST_REFUSED',
} as StagingJobEvent;

export const STAGING_JOB_EVENTS: StagingJobEvent[] = [
  ...[true, false].map(
    (enabled) =>
      ({
        type: 'WORKER_STARTED',
        at: AT,
        enabled,
        attemptId: IDS.attempt,
        queueAttempt: 1,
        waitedMs: 5,
      }) as const,
  ),
  { type: 'RETRY_DUE', at: AT, enabled: true, attemptId: IDS.attempt },
  { type: 'RETRY_DUE', at: MUCH_LATER, enabled: false, attemptId: IDS.attempt },
  { type: 'RETRY_DUE', at: MUCH_LATER, enabled: true, attemptId: IDS.attempt },
  { type: 'PURCHASE_FOUND', at: AT, attemptId: IDS.attempt },
  { type: 'CANCEL_ASKED', at: AT },
  { type: 'ORIGINAL_DELETED', at: AT },
  { type: 'LISTING_GONE', at: AT },
  { type: 'NOTHING_TO_CANCEL', at: AT },
  { type: 'RUNNER_CRASHED', at: AT, pass: 'collect-output', alone: true },
  { type: 'RUNNER_CRASHED', at: AT, pass: 'prepare-input', alone: false },
  { type: 'ATTEMPT_SUCCEEDED', at: AT, imageId: IDS.image },
  attemptFailed('retryable'),
  attemptFailed('permanent'),
  hostRefused,
  { type: 'ATTEMPT_CANCELED', at: AT },
  { type: 'ATTEMPT_DISCARDED', at: AT },
  { type: 'ATTEMPT_LOST', at: AT },
  { type: 'RELEASE_ASKED', at: AT, quarantined: true },
  { type: 'RELEASE_ASKED', at: AT, quarantined: false },
  { type: 'OFFER_ASKED', at: AT },
  ...[AT, MUCH_LATER].map((at) => ({ ...COLLECT_ASKED, at })),
];

const output = { bytes: 1, width: 1024, height: 1024, format: 'jpeg', checksum: 'ab' };

/** Throttling is left out: its twenty tries multiply the graph and take the same transitions as being unreachable. */
export const PROVIDER_ATTEMPT_EVENTS: ProviderAttemptEvent[] = [
  { type: 'SEND_CLAIMED', at: AT, token: 'token' },
  { type: 'SEND_REFUSED', at: AT, errorCode: 'PROVIDER_UNREACHABLE', retryAfterMs: null, jitter },
  { type: 'SEND_REFUSED', at: AT, errorCode: 'PROVIDER_BILLING', retryAfterMs: null, jitter },
  { type: 'SEND_UNKNOWN', at: AT, cause: 'transport' },
  { type: 'SEND_UNKNOWN', at: AT, cause: 'restart' },
  { type: 'SEND_WITHDRAWN', at: AT, claimedAt: AT },
  { type: 'SEND_WITHDRAWN', at: AT, claimedAt: AT - 1 },
  { type: 'RUNNER_RESTARTED', at: AT },
  ...(['PREDICTION_CREATED', 'PREDICTION_FOUND', 'CALLBACK_RECEIVED'] as const).flatMap((type) => [
    { type, at: AT, predictionId: 'p-1', providerStatus: 'starting' },
    { type, at: AT, predictionId: 'p-2', providerStatus: null },
  ]),
  { type: 'CALLBACK_RECEIVED', at: AT + 1, predictionId: 'p-1', providerStatus: 'succeeded' },
  { type: 'NOT_LISTED', at: MUCH_LATER, scanBeganAt: AT },
  { type: 'NOT_LISTED', at: MUCH_LATER, scanBeganAt: MUCH_LATER },
  { type: 'CLAIM_DISPROVED', at: AT, listedFrom: AT, listBeganAt: AT + SERVER_SETTLE_MS },
  { type: 'WINDOW_PASSED', at: AT, jitter },
  { type: 'PREDICTION_GONE', at: AT, jitter },
  { type: 'PREDICTION_SEEN', at: AT },
  { type: 'PREDICTION_SUCCEEDED', at: AT, providerStatus: 'succeeded', objectKey: 'staged/a.jpg' },
  { type: 'PREDICTION_FAILED', at: AT, errorCode: 'PROVIDER_FAILED', jitter, providerStatus: 'failed' },
  { type: 'PREDICTION_CANCELED', at: AT, providerStatus: 'canceled' },
  ...[true, false].map(
    (variantExists) =>
      ({ type: 'OUTPUT_STORED', at: AT, jitter, imageId: IDS.image, output, variantExists }) as const,
  ),
  { type: 'TEXT_STORED', at: AT, text: 'A home.' },
  { type: 'OUTPUT_REFUSED', at: AT, errorCode: 'OUTPUT_INVALID', jitter },
  { type: 'OUTPUT_REFUSED', at: AT, errorCode: 'OUTPUT_HOST_REFUSED', jitter, host: 'elsewhere.example' },
  // So late that only the shortest wait remains.
  { type: 'DOWNLOAD_FAILED', at: AT + PREDICTION_FORGOTTEN_MS - 3_000, jitter },
  { type: 'STORAGE_FAILED', at: AT, jitter },
  // The key of the first time, or every state after it would be in the graph twice.
  { type: 'COLLECT_ASKED', at: AT, objectKey: 'staged/a.jpg' },
  { type: 'CANCEL', at: AT },
  { type: 'ABANDONED', at: AT },
];

export const IMAGE_REVIEW_EVENTS: ImageReviewEvent[] = [
  { type: 'APPROVE', at: AT, byUserId: IDS.user, roomDiffers: false },
  { type: 'APPROVAL_CONSENTED', at: AT },
  { type: 'REPORTS_DISMISSED', at: AT },
  { type: 'REJECT', at: AT, byUserId: IDS.user, reason: 'crooked sofa' },
  { type: 'WITHDRAW', at: AT, by: 'AGENT' },
  { type: 'WITHDRAW', at: AT, by: 'REPORTS' },
  { type: 'WITHDRAW', at: AT, by: 'OPERATOR' },
  { type: 'LIFT', at: AT, by: 'AGENT', superseded: false, roomDiffers: false },
  { type: 'LIFT', at: AT, by: 'OPERATOR', superseded: false, roomDiffers: false },
  { type: 'ORIGINAL_DELETED', at: AT },
];

export const DELETION_ITEM_EVENTS: DeletionItemEvent[] = [
  { type: 'CLAIMED', at: AT, by: 'node-a' },
  { type: 'CLAIMED', at: MUCH_LATER, by: 'node-a' },
  { type: 'OBJECT_DELETED', at: AT },
  { type: 'STILL_REFERENCED', at: AT },
  { type: 'DELETE_FAILED', at: AT, errorClass: 'transient', error: 'slow down', jitter },
  { type: 'DELETE_FAILED', at: AT, errorClass: 'needs-person', error: 'access denied', jitter },
  { type: 'CLAIM_EXPIRED', at: AT },
  { type: 'RETRY_ASKED', at: AT, force: false },
  { type: 'RETRY_ASKED', at: AT, force: true },
];

const HOUR = 3_600_000;
const inDays = (days: number): TourSlot => ({
  startsAt: AT + days * 24 * HOUR,
  endsAt: AT + days * 24 * HOUR + HOUR,
});
export const TOUR_SLOTS = { first: inDays(1), second: inDays(3) };
export const TOUR_PEOPLE = {
  customer: '44444444-4444-4444-8444-444444444444',
  agent: '55555555-5555-4555-8555-555555555555',
  colleague: '66666666-6666-4666-8666-666666666666',
};
const by = (actor: 'customer' | 'agent', at = AT) => ({ at, actor, userId: TOUR_PEOPLE[actor], note: null });
const { first, second } = TOUR_SLOTS;
const sides = ['customer', 'agent'] as const;

export const TOUR_EVENTS: TourEvent[] = [
  ...[null, second].map((freeSlot): TourEvent => {
    const slots = [first, second];
    return {
      ...by('customer'),
      type: 'TOUR_REQUESTED',
      slots,
      onMarket: true,
      agentId: TOUR_PEOPLE.agent,
      freeSlot,
    };
  }),
  { ...by('agent'), type: 'REQUEST_ACCEPTED', slot: first },
  { ...by('agent'), type: 'REQUEST_DECLINED', note: 'not that week' },
  ...sides.flatMap((side): TourEvent[] => [
    { ...by(side), type: 'SLOTS_PROPOSED', slots: [second] },
    { ...by(side), type: 'PROPOSAL_ACCEPTED', slot: second },
    { ...by(side), type: 'PROPOSAL_REFUSED' },
    { ...by(side), type: 'TOUR_CALLED_OFF' },
  ]),
  { ...by('agent', second.endsAt), type: 'VISIT_COMPLETED' },
  { ...by('agent', second.endsAt), type: 'VISIT_MISSED' },
  { ...by('customer', second.endsAt), type: 'NO_SHOW_CONTESTED' },
  { ...by('agent'), type: 'DECISION_UNDONE', onMarket: true },
  { ...by('agent', second.endsAt), type: 'DECISION_UNDONE', onMarket: true },
  { type: 'LISTING_LEFT_MARKET', at: AT, actor: 'system' },
  { type: 'PARTY_SUSPENDED', at: AT, actor: 'system' },
  { type: 'CONTEST_READ', at: second.endsAt, actor: 'system' },
  { type: 'TIME_PASSED', at: second.startsAt, actor: 'system' },
  { type: 'TIME_PASSED', at: AT + 30 * 24 * HOUR, actor: 'system' },
];

export const MISMATCH_REPORT_EVENTS: MismatchReportEvent[] = [
  { type: 'REPORTED', at: AT, completedAt: AT, wasPublic: true },
  { type: 'REPORT_ACKNOWLEDGED', at: MUCH_LATER, byUserId: IDS.user },
  { type: 'PICTURE_WITHDRAWN', at: MUCH_LATER, byUserId: IDS.user },
  { type: 'PICTURE_WITHDRAWN', at: MUCH_LATER, byUserId: null },
  { type: 'WITHDRAWAL_LIFTED', at: MUCH_LATER },
  { type: 'REPORTS_DISMISSED', at: MUCH_LATER },
  { type: 'PICTURE_DELETED', at: MUCH_LATER },
];

export const PAUSE_SWITCH_EVENTS: PauseSwitchEvent[] = [
  { type: 'SERVER_SEEN', at: AT, server: '7/00000001', wasSilent: false, certainUntil: AT - 4 },
  { type: 'SERVER_SEEN', at: AT, server: '7/00000001', wasSilent: true, certainUntil: AT - 4 },
  { type: 'SERVER_SEEN', at: AT, server: '7/00000002', wasSilent: false, certainUntil: AT - 3 },
  { type: 'CHECK_PASSED', at: AT, server: '7/00000002', adopted: 2, forgotten: [] },
  { type: 'GAP_TOO_LONG', at: AT, server: '7/00000002' },
  { type: 'GAP_LOOKED_AT', at: AT },
  { type: 'PAUSE_ASKED', at: AT },
  { type: 'RESUME_ASKED', at: AT },
];

export const SEARCH_DOCUMENT_EVENTS: SearchDocumentEvent[] = [{ type: 'REBUILD_ASKED', at: AT }];

/** The failures differ in what follows; a source that fails forever is bounded by the exploration. */
export const FEED_EVENTS: FeedEvent[] = [
  { type: 'START_ASKED', at: AT },
  { type: 'PAUSE_ASKED', at: AT },
  { type: 'RECONCILE_ASKED', at: AT },
  { type: 'RECONCILE_DUE', at: MUCH_LATER },
  { type: 'LOADED', at: AT, nextAt: MUCH_LATER },
  { type: 'LIST_COMPLETE', at: AT, missing: 0, listings: 20, others: 0, nextAt: MUCH_LATER },
  { type: 'LIST_COMPLETE', at: AT, missing: 1, listings: 20, others: 0, nextAt: MUCH_LATER },
  { type: 'LIST_COMPLETE', at: AT, missing: 2, listings: 20, others: 0, nextAt: MUCH_LATER },
  { type: 'LIST_BROKEN', at: AT, nextAt: MUCH_LATER },
  { type: 'REMOVED', at: AT, nextAt: MUCH_LATER },
  { type: 'DELETIONS_ACCEPTED', at: AT },
  { type: 'DELETIONS_REFUSED', at: AT },
  { type: 'REQUEST_FAILED', at: AT, code: 'UNAUTHORIZED', retryAfterMs: null },
  { type: 'REQUEST_FAILED', at: AT, code: 'UNREACHABLE', retryAfterMs: null },
  { type: 'ANSWERED', at: AT },
  { type: 'TIME_PASSED', at: AT },
  { type: 'TIME_PASSED', at: MUCH_LATER },
];
