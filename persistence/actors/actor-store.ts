import type { EffectParams } from '../../machines/effects.ts';
import type { ProviderAttemptContext } from '../../machines/provider-attempt-model.ts';
import type { ActorState } from '../../machines/step.ts';
import type { TourSlot } from '../../machines/tour-slots.ts';
import type { CanonicalStyle } from '../../machines/vocabulary.ts';
import type { CountedTour } from '../growth/growth-counts.ts';
import type { StoredActor } from './actor-kind.ts';
import type { ActorKind, AnyActor, ContextOf, SingleActor, SingleKind } from './actor-kinds.ts';
import type { PhotoAlteration, PhotoAlterationResult } from './alter-photo.ts';
import type { RefusedOutput } from './refused-outputs.ts';
import type { ProviderAttemptActor } from './rows/attempt-row.ts';
import type { DeletionItemActor } from './rows/deletion-row.ts';
import type { FeedActor } from './rows/feed-row.ts';
import type { ImageReviewActor } from './rows/image-row.ts';
import type { JobAggregate, Lease, LocalPassMark, StagingJobActor } from './rows/job-row.ts';
import type { MismatchReportActor } from './rows/mismatch-report-row.ts';
import type { TourActor } from './rows/tour-row.ts';
import type { WebhookOutcome, WebhookReceipt } from './webhook-receipts.ts';

/**
 * The actor store: it holds the machines' state between events. The port that `supervisors/` runs on; PostgreSQL is one
 * implementation. Always true of every implementation: a transition, its journal row and the rows of its effects become
 * visible together or not at all; `save` loses against a newer version; the journal of an actor has no gaps, except
 * that of a search document, because triggers raise its version too. Source: ARCHITECTURE.md#the-life-of-an-event.
 */
export interface ActorStore extends LeaseStore {
  /** Runs `work` in one transaction; its result is returned only after the commit. */
  transaction<T>(work: (tx: ActorTransaction) => Promise<T>): Promise<T>;
  /** The job and its attempts as last committed, without a lock; null when there is no such job. */
  readJob(jobId: string): Promise<JobAggregate | null>;
  /** The same by one of its attempts. */
  readJobOfAttempt(attemptId: string): Promise<JobAggregate | null>;
  /**
   * The hot path for an attempt's transition that writes no other row than the receipt of its callback: writes it in
   * one round trip if job, lease and attempt still are as `seen`. False, and nothing written, when they are not, or when
   * the callback was received before.
   */
  moveAttemptAsSeen(move: AttemptMove): Promise<boolean>;
  /**
   * The hot path for what else follows from one event of a job: writes all of it in one round trip, or nothing. False
   * when job, lease or attempts are not as `seen` any more, when there is a variant that must not be, and when no place
   * of the start rate is free.
   */
  writeAsSeen(change: SeenChange): Promise<boolean>;
  /** The token of the latest SEND_CLAIMED in the attempt's journal. */
  lastSendToken(attemptId: string): Promise<string | null>;
  /** As last committed, without a lock. */
  read<K extends SingleKind>(kind: K, id: string): Promise<SingleActor<K> | null>;
}

export interface AttemptMove {
  seen: JobAggregate;
  attempt: ProviderAttemptActor;
  next: ActorState<ProviderAttemptContext>;
  entry: Omit<JournalEntry, 'leaseEpoch'>;
  /** The lease that must still be the job's; null for a fact of a sender without one. */
  underLease: { owner: string; epoch: number } | null;
  /** Written only on the server that the pause switch trusts: a purchase follows. */
  buys: boolean;
  /** Of the callback that the move follows from; null for any other event. */
  receipt: WebhookReceipt | null;
}

/** One write of a transaction; `save` has the actor as it was. */
export type ActorWrite =
  | { write: 'save'; actor: AnyActor; next: ActorState<unknown>; entry: JournalEntry }
  | ({ write: 'create' } & Birth<CreatedActor>)
  | ({ write: 'createStagedImage'; made: StagedImageOrigin } & Birth<Newborn<'imageReview'>>);
type CreatedActor = TourActor | MismatchReportActor | ProviderAttemptActor | DeletionItemActor | FeedActor;

export interface SeenChange extends Pick<AttemptMove, 'seen' | 'underLease'> {
  /** Each is of another actor. The first is of an attempt or of the job itself. */
  writes: readonly ActorWrite[];
  /** Takes a place of the start rate, whose instant becomes a part of the first event; null for what is no start. */
  startsPerMinute: number | null;
  /** The picture that does not exist for the machine. */
  noVariantOf: { originalImageId: string; style: CanonicalStyle } | null;
}

/** What the events of a job and its attempts write and ask, each at once or all of it together. */
export type JobWrites = Pick<
  ActorTransaction,
  | 'save'
  | 'create'
  | 'createStagedImage'
  | 'takeStartPlace'
  | 'isOnTrustedServer'
  | 'storeText'
  | 'liftQuarantine'
  | 'variantExists'
  | 'refusedOutput'
>;

/** The fields of its listing that a tour needs. */
export interface TourListing {
  propertyId: string;
  ownerAgentId: string;
  onMarket: boolean;
  autoConfirm: boolean;
}

/** Writes that only the holder of the lease may make. */
export interface UnderLease {
  jobId: string;
  owner: string;
  epoch: number;
}

export interface JournalEntry {
  kind: ActorKind;
  id: string;
  seq: number;
  event: { type: string; at: number };
  /** Null for births, and for rows of migrations. */
  from: string | null;
  to: string;
  /** Who: `user:<id>`, `operator:<name>`, `worker:<node>`, `web`, `provider`, `database`. */
  by: string;
  /** Why, in the words of the person who acted. */
  note?: string;
  leaseEpoch: number | null;
}

/** A new actor at its first version, and the first row of its journal, which has no previous state. */
export interface Birth<A> {
  actor: A;
  entry: JournalEntry;
}
/** The part of a new actor that its machine decides. */
export type Newborn<K extends ActorKind> = StoredActor<K, ContextOf<K>>;
export interface StagedImageOrigin {
  job: StagingJobActor;
  attempt: ProviderAttemptActor;
}

export interface ActorTransaction extends TourTransaction, ReportTransaction {
  /** Locks the job's row, then its attempts. */
  lockJob(jobId: string): Promise<JobAggregate | null>;
  jobIdOfAttempt(attemptId: string): Promise<string | null>;
  /** The attempt that knows the prediction, as its own or as a second one. */
  attemptOfPrediction(predictionId: string): Promise<string | null>;
  lock<K extends SingleKind>(kind: K, id: string): Promise<SingleActor<K> | null>;
  /** Inserts the actor's row and its first journal row. Throws `TourConflictError`. */
  create(birth: Birth<CreatedActor>): Promise<void>;
  /** The same for a staged image, with what it was made of. */
  createStagedImage(birth: Birth<Newborn<'imageReview'>>, made: StagedImageOrigin): Promise<void>;
  /** False when this webhook id was received before, by a known attempt. */
  insertReceipt(receipt: WebhookReceipt): Promise<boolean>;
  settleReceipt(settled: { webhookId: string; outcome: WebhookOutcome }): Promise<void>;
  /** Non-final staging jobs of an original, locked, in id order. */
  lockJobsOfOriginal(imageId: string): Promise<JobAggregate[]>;
  /** Staged images of an original, locked, in id order. */
  lockVariantsOfOriginal(imageId: string): Promise<ImageReviewActor[]>;
  /**
   * Writes the next state where the version still is the actor's, appends the journal row and returns the actor as
   * stored. Throws `StaleActorError` when another transaction was faster.
   */
  save<A extends AnyActor>(actor: A, next: ActorState<A['context']>, entry: JournalEntry): Promise<A>;
  /**
   * Counts a start against the start rate; it counts only if the transaction commits. When no place is free, nothing is
   * written, and the result says how long until one may be free.
   */
  takeStartPlace(perMinute: number): Promise<StartPlace>;
  /** False on a database server that may have forgotten purchases (ARCHITECTURE.md#failover). */
  isOnTrustedServer(): Promise<boolean>;
  /** Stores the text with its job, which is a description job. */
  storeText(jobId: string, order: EffectParams['storeText']): Promise<void>;
  /** The job must be locked. */
  liftQuarantine(jobId: string): Promise<void>;
  insertReviewEvent(image: ImageReviewActor, order: EffectParams['recordReview']): Promise<void>;
  /**
   * Writes the provenance record of an approved image, and the reviewer's role and office as they are now. Fails when a
   * checksum is unknown.
   */
  insertProvenance(imageId: string, order: EffectParams['recordProvenance']): Promise<void>;
  /** Whether the comparison with its original says that the image's geometry moved; null before it is known. */
  hasMovedGeometry(imageId: string): Promise<boolean | null>;
  /** Locks the image's original, and says whether its photo and style were submitted again since. */
  isSubmittedAgain(imageId: string): Promise<boolean>;
  /** Locks the image's original, and says whether another image that the public sees shows it as another kind of room. */
  showsOtherRoom(imageId: string): Promise<boolean>;
  /** Locks the image's original, and says whether this person approved a withdrawn image that the image would replace. */
  approvedWithdrawn(imageId: string, userId: string): Promise<boolean>;
  /** Locks the image's original, and says whether that photo was altered before it came here. */
  photoIsAltered(imageId: string): Promise<boolean>;
  /** Locks the photo's listing and its photos. Its jobs and staged images must be locked before. */
  alterPhoto(alteration: PhotoAlteration): Promise<PhotoAlterationResult>;
  /** Locks the original of a staging job, which must be locked, and reads what collecting its picture depends on. */
  refusedOutput(jobId: string): Promise<RefusedOutput>;
  deleteImage(imageId: string): Promise<boolean>;
  /** True when a live staged image of this original and style exists that another job made. */
  variantExists(originalImageId: string, style: CanonicalStyle): Promise<boolean>;
  /** Due deletions, locked; rows that other transactions have locked are skipped. */
  lockDueDeletions(options: { at: number; limit: number }): Promise<DeletionItemActor[]>;
  lockExpiredDeletions(options: { claimedBefore: number; limit: number }): Promise<DeletionItemActor[]>;
  /** True when this object has a queued deletion that is not due before the given instant. */
  isDeletionQueued(request: { objectKey: string; notBefore: number }): Promise<boolean>;
  /** True when a live image row, or an attempt that is still collecting, needs this object. */
  isObjectReferenced(objectKey: string): Promise<boolean>;
}

/** The start's instant by the database's clock, or how long to wait. Milliseconds. */
export type StartPlace = { at: number } | { waitMs: number };

/** What tours need besides `save`, which throws `TourConflictError` for them too. */
interface TourTransaction {
  /** Locks the listing's status until the end of the transaction. Must be called before any of its tours is locked. */
  lockListing(of: { of: 'property' | 'tour'; id: string }): Promise<TourListing | null>;
  /** The first slot that is free in the agent's calendar. */
  firstFreeSlot(request: { agentId: string; slots: readonly TourSlot[] }): Promise<TourSlot | null>;
  /** Counts a request of the customer. @throws GrowthLimitReached */
  countTour(request: CountedTour): Promise<void>;
}

/** What reports about pictures need. The picture must be locked, so that its reports stay as they are. */
interface ReportTransaction {
  /** The person's report of the picture; null when there is none. */
  findReport(of: { stagedImageId: string; customerId: string }): Promise<MismatchReportActor | null>;
  /** The picture's reports that a decision about it may end, in the order of their ids. */
  undecidedReportsOf(stagedImageId: string): Promise<{ id: string; state: string }[]>;
  /** When the visit was over by this instant (`tour-visit.ts`); null when there was none. */
  visitEndedAt(tourId: string, at: number): Promise<number | null>;
}

export interface LeaseTaken {
  jobId: string;
  lease: Lease;
  abandonedBy: string | null;
  interrupted: boolean;
  failures: number;
  /** The job under the lease, from one snapshot; null when it must be read again to be known. */
  seen: JobAggregate | null;
}

/** Leases and the queries of sweepers. */
export interface LeaseStore {
  /**
   * Takes the lease of a job without a valid lease. Null when it is held, final, quarantined or gone. `abandonedBy`
   * names the owner that let an earlier lease run out; `interrupted` says that a pass of local work was marked then,
   * and `failures` how many passes in a row have failed.
   */
  acquireLease(request: {
    jobId: string;
    owner: string;
    at: number;
    ttlMs: number;
  }): Promise<LeaseTaken | null>;
  /** The same for many jobs at once. A job whose row another transaction has locked is left out, too. */
  acquireLeases(request: {
    jobIds: readonly string[];
    owner: string;
    at: number;
    ttlMs: number;
  }): Promise<LeaseTaken[]>;
  /**
   * Renews the holder's leases. `locked` names those in rows that another transaction has locked: they keep their
   * expiry. A job that is not named has lost its lease.
   */
  renewLeases(request: {
    leases: { jobId: string; epoch: number }[];
    owner: string;
    at: number;
    ttlMs: number;
  }): Promise<{ renewed: string[]; locked: string[] }>;
  /** Also clears the mark of the job's pass. */
  releaseLease(request: UnderLease): Promise<void>;
  /** False, and nothing marked, when the job no longer has this lease. */
  markLocalPass(request: UnderLease & LocalPassMark): Promise<boolean>;
  clearLocalPass(request: UnderLease): Promise<void>;
  /** Counts a pass that ended with an internal error; returns the number in a row. */
  noteFailure(request: UnderLease): Promise<number>;
  /** Called after a pass without an error. */
  forgetFailures(request: UnderLease): Promise<void>;
  /** In the order of submission. */
  dueJobs(page: DuePage): Promise<string[]>;
  /** Running jobs without a holder, the longest without one first. With the flag off, unsent purchases are left out. */
  orphanedJobs(request: { limit: number; at: number; enabled: boolean }): Promise<string[]>;
  /** Quarantines a job; the machine's RELEASE_ASKED releases it. */
  quarantine(request: { jobId: string; at: number; error: string }): Promise<void>;
  /** For each status the jobs with the oldest sign of life, up to a limit. */
  staleJobs(thresholds: StaleThresholds): Promise<StaleJob[]>;
}

export interface Page {
  afterId: string | null;
  limit: number;
}
/** Jobs that wait for the queue: PENDING, and RETRYING whose back-off has passed. */
export interface DuePage extends Page {
  at: number;
  /**
   * With the flag off only jobs still in PENDING.QUEUED are enqueued, so that they move to PENDING.PROVIDER_DISABLED.
   */
  enabled: boolean;
  createdBefore: number;
}
export interface StaleThresholds {
  at: number;
  pendingMs: number;
  activeMs: number;
  retryingMs: number;
}
export interface StaleJob {
  jobId: string;
  status: string;
  silentMs: number;
}

/** Another writer moved the actor first; read again and decide again. */
export class StaleActorError extends Error {
  override readonly name = 'StaleActorError';
  constructor(kind: ActorKind, id: string) {
    super(`${kind} ${id} has a newer version`);
  }
}
