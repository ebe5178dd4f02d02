import type { MismatchReportEvent } from '../../machines/mismatch-report.ts';
import type { ProviderAttemptEvent } from '../../machines/provider-attempt-model.ts';
import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import type { CollectAsked } from '../../machines/refused-output.ts';
import type { StagingJobEvent } from '../../machines/staging-job.ts';
import type { Created } from '../../machines/step.ts';
import type { TourEvent } from '../../machines/tour.ts';
import type { EventOf, SingleKind } from '../../persistence/actors/actor-kinds.ts';
import type { DeletionItemActor } from '../../persistence/actors/rows/deletion-row.ts';
import type { JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import type { MismatchReportDetails } from '../../persistence/actors/rows/mismatch-report-row.ts';
import type { TourDetails } from '../../persistence/actors/rows/tour-row.ts';
import type { TourLimits } from '../../persistence/growth/growth-counts.ts';

/** The result of an event. */
export type Delivery =
  | { outcome: 'applied'; state: string; version: number }
  | { outcome: 'ignored'; state: string; version: number }
  /** The job no longer has the caller's lease, or the actor has another version than the sender has seen. */
  | { outcome: 'stale'; state: string; version: number }
  /**
   * The start rate leaves no room now, or the database server is not trusted: nothing was written, and the same event
   * may be sent again after the wait.
   */
  | { outcome: 'limited'; state: string; version: number; waitMs: number }
  | { outcome: 'missing' };

/**
 * The result of an event for a job that the caller had read. `now` is the job after the event, so that it need not be
 * read again; absent when nothing was applied.
 */
export type SeenDelivery = Delivery & { now?: JobAggregate };

/** Who sends the event, and under which lease when it is a claim or a decision. */
export interface Origin {
  by: string;
  lease?: { owner: string; epoch: number };
  /** Why, in the words of a person; kept in the journal with everything that follows from the event. */
  note?: string;
  /** The version that a person decided on: an actor with a later one stays unchanged, and the result is `stale`. */
  seenVersion?: number;
}

export type Message =
  | MessageToJob
  | MessageToAttempt
  | SingleMessage
  | TourRequest
  | ReportRequest
  | DeletionRequest;
/** To an actor that is an aggregate of its own. */
export type SingleMessage = {
  [K in SingleKind]: { to: K; id: string; event: Brought<EventOf<K>> };
}[SingleKind];
/** What Omit names is read in the deciding transaction, and a request creates the tour. */
type Brought<E extends { type: string }> = E extends { type: 'TOUR_REQUESTED' }
  ? never
  : E extends { type: 'DECISION_UNDONE' | 'LIFT' | 'APPROVE' }
    ? Omit<
        E,
        'onMarket' | 'superseded' | 'geometryMoved' | 'roomDiffers' | 'approvedWithdrawn' | 'photoAltered'
      >
    : E;
export type TourMessage = Brought<TourEvent>;

/** To a job or one of its attempts: the same aggregate. */
export type PurchaseMessage = MessageToJob | MessageToAttempt;
type MessageToJob = { [K in PurchaseKind]: { to: K; id: string; event: JobMessage } }[PurchaseKind];

/**
 * Whether a job was quarantined, what was under way at a crash, and what stands in the way of a picture is read in the
 * deciding transaction.
 */
type Undecided<E extends { type: string }> =
  | Exclude<E, { type: 'RELEASE_ASKED' | 'RUNNER_CRASHED' | 'COLLECT_ASKED' }>
  | CollectMessage
  | { type: 'RUNNER_CRASHED'; at: number; certain: boolean }
  | Omit<Extract<E, { type: 'RELEASE_ASKED' }>, 'quarantined'>;
export type CollectMessage = Pick<CollectAsked, 'type' | 'at' | 'host' | 'hostAllowed'>;
export type JobMessage = Uncounted<Undecided<StagingJobEvent>>;
/** Whether a start has room within the start rate is decided in the deciding transaction; null where there is no rate. */
type Uncounted<E extends { type: string }> = E extends { type: 'WORKER_STARTED' | 'RETRY_DUE' }
  ? Omit<E, 'started'> & { startsPerMinute: number | null }
  : E;

/**
 * Creates the tour with the given id. `missing` when there is no such listing, `ignored` when the listing cannot be
 * visited.
 * @throws GrowthLimitReached
 */
export interface TourRequest {
  to: 'newTour';
  id: string;
  details: Omit<TourDetails, 'createdAt'>;
  event: Omit<Extract<TourEvent, { type: 'TOUR_REQUESTED' }>, 'onMarket' | 'agentId' | 'freeSlot'>;
  limits: TourLimits;
}

/**
 * Creates the report with the given id. `missing` when there is no such picture; `ignored` when this person has reported
 * it before, with the state of that report, or when it may not be reported, with version 0.
 */
export interface ReportRequest {
  to: 'newMismatchReport';
  id: string;
  details: MismatchReportDetails;
  event: Omit<Extract<MismatchReportEvent, { type: 'REPORTED' }>, 'completedAt' | 'wasPublic'>;
}

/** Creates the deletion with the given id. */
export interface DeletionRequest {
  to: 'newDeletion';
  id: string;
  details: Pick<DeletionItemActor, 'objectKey' | 'reason'>;
  event: Created & { nextAttemptAt: number };
}

export interface MessageToAttempt {
  to: 'providerAttempt';
  id: string;
  event: AttemptMessage;
}

/**
 * `variantExists` is read in the deciding transaction, so the sender of OUTPUT_STORED does not set it. COLLECT_ASKED comes
 * from the job alone, which is over as well.
 */
export type AttemptMessage =
  | Exclude<ProviderAttemptEvent, { type: 'OUTPUT_STORED' | 'COLLECT_ASKED' }>
  | Omit<Extract<ProviderAttemptEvent, { type: 'OUTPUT_STORED' }>, 'variantExists'>;
