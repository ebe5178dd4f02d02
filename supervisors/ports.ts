import type { EffectParams } from '../machines/effects.ts';
import type { AttemptErrorCode } from '../machines/failure-classes.ts';
import type { StoredOutput, UnconfirmedCause } from '../machines/provider-attempt-model.ts';
import type { PurchaseKind } from '../machines/purchase-kinds.ts';
import type { StagingAspectRatio, StagingOutputFormat } from '../machines/vocabulary.ts';
import type { UnderLease } from '../persistence/actors/actor-store.ts';
import type {
  DescriptionDetails,
  JobAggregate,
  StagingJobActor,
} from '../persistence/actors/rows/job-row.ts';
import type { ProviderPurchase } from '../persistence/jobs/purchase-standings.ts';

/**
 * The ports of the runtime, declared once. `src/` passes the real ones; tests and simulations pass theirs. No vendor is
 * named here.
 */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}
export interface Timers {
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
export interface Chance {
  /** A new uuid. */
  id(): string;
  /** A number in [0, 1). */
  jitter(): number;
}

/** Worker events, alerts and counters; called after commits only and never throws. */
export interface Reporter {
  report(jobId: string, effect: EffectParams['report']): void;
  alert(subject: { kind: string; id: string }, effect: EffectParams['alert']): void;
  transition(kind: string, event: string, outcome: 'applied' | 'ignored' | 'stale' | 'limited'): void;
  count(name: RuntimeCounter, by?: number): void;
  problem(what: string, error: unknown, fields?: Record<string, string | number | null>): void;
}
export type RuntimeCounter =
  | 'dispatcher_repairs'
  | 'jobs_adopted'
  | 'polls_listed'
  | 'leases_lost'
  | 'sweep_failures'
  | 'jobs_quarantined'
  | 'deletions_done'
  | 'expired_rows_removed'
  | 'search_documents_written'
  | 'feed_records_changed'
  | 'feed_requests_failed'
  | 'feed_lists_broken';

/** The queue that delivers ids of jobs to workers. It may lose anything at any time. */
export interface JobQueue {
  enqueue(jobIds: string[], options?: { delayMs?: number }): Promise<void>;
  remove(jobId: string): Promise<void>;
  /** The ids without an entry in the queue. */
  missing(jobIds: string[]): Promise<string[]>;
  /** Lets nothing start for a while: the provider asked us to slow down. */
  pauseStarts(ms: number): Promise<void>;
}

/** Each kind of job has its own queue. */
export type JobQueues = Readonly<Record<PurchaseKind, JobQueue>>;

/**
 * Does a sweep that one worker does for the whole installation: at once if no other does it now or has begun it within
 * `everyMs`, otherwise not at all. If its worker dies, another may do it after a few seconds.
 */
export type InTurn = (
  turn: { name: string; everyMs: number },
  work: (turn: SweepTurn) => Promise<void>,
) => Promise<unknown>;
export interface SweepTurn {
  /** Keeps the turn of a sweep that takes long; false when it was lost. */
  prolong(): Promise<boolean>;
}
/**
 * Every worker tries once in each interval, each at another instant. With half the interval as the minimum distance,
 * one of them gets the turn in each interval, and not two.
 */
export const turnEvery = (intervalMs: number): number => intervalMs / 2;

/** Hints between processes that something about a job changed. Losing one costs time only. */
export interface Nudges {
  publish(jobId: string): void;
}

/**
 * Whether purchases may begin here, called at each decision: only where the flag is exactly `true` and the pause switch
 * is open (docs/contract.md#the-flag).
 */
export type StartsAllowed = () => boolean;

/** The provider's answer about a prediction, reduced to what the machines need. */
export type PredictionView =
  | { kind: 'unfinished'; predictionId: string; providerStatus: string }
  /** The picture's address or the model's text; null when the provider has none, or no longer. */
  | {
      kind: 'succeeded';
      predictionId: string;
      providerStatus: string;
      outputUrl: string | null;
      text: string | null;
    }
  | { kind: 'canceled'; predictionId: string; providerStatus: string }
  | { kind: 'failed'; predictionId: string; providerStatus: string; errorCode: AttemptErrorCode };

export type CreateAnswer =
  | { kind: 'created'; prediction: PredictionView }
  | { kind: 'refused'; errorCode: AttemptErrorCode; retryAfterMs: number | null }
  /** It may have been accepted, or not. */
  | { kind: 'unknown'; cause: UnconfirmedCause }
  /** Not sent, because `mayBuy` returned false. */
  | { kind: 'withheld' };

export type GetAnswer =
  | { kind: 'found'; prediction: PredictionView }
  | { kind: 'gone' }
  /** Ask again later; `throttledMs` when the provider named a wait. */
  | { kind: 'unavailable'; throttledMs: number | null };

export interface Provider {
  /**
   * Sends the create call exactly once; never repeats it. It cannot be aborted, because an aborted create may have been
   * bought: only its own time-out or the end of the process ends it. `mayBuy` is called at the moment of sending.
   */
  create(request: { attemptId: string; aggregate: JobAggregate; mayBuy(): boolean }): Promise<CreateAnswer>;
  get(predictionId: string, signal: AbortSignal): Promise<GetAnswer>;
  /** Asks the provider to stop; only `get` shows whether it did. */
  cancel(predictionId: string, signal: AbortSignal): Promise<void>;
}

/** Polls of predictions under way. It may take as long as the provider needs for the polls before it. */
export interface Polls {
  /** @param request.sentAt when the prediction was made. Milliseconds since 1970. */
  poll(request: { predictionId: string; sentAt: number; signal: AbortSignal }): Promise<GetAnswer>;
}
/** The provider's list as a poll sees its predictions. */
export interface PredictionPages {
  /** The predictions created in between, newest first. Ends early when a page cannot be read. */
  pages(range: {
    createdAfter: number;
    createdBefore: number;
    signal: AbortSignal;
  }): AsyncIterable<readonly PredictionView[]>;
}

/** One prediction of the provider's list, with the purchases of ours that it names. */
export interface ListedPrediction {
  predictionId: string;
  providerStatus: string;
  /** Ids of attempts; other ids may be among them. */
  attemptIds: readonly string[];
  /** The description job that its prompt names, if it is a text of ours. */
  textJobId: string | null;
}
export interface PredictionLister {
  /** The predictions created in between. `complete` only when the list was read to its end. */
  list(range: {
    createdAfter: number;
    createdBefore: number;
    signal: AbortSignal;
  }): Promise<{ predictions: ListedPrediction[]; complete: boolean }>;
}

/** A prediction of the provider's list, with all that leads to a job of ours, also when its attempt is forgotten. */
export interface ListedPurchase extends ProviderPurchase {
  providerStatus: string;
  /** The provider does no more work on it. */
  isOver: boolean;
  /** It calls this installation back. An account of the provider may serve several. */
  isOurs: boolean;
}
export interface PurchaseLister {
  /** The purchases created in between, newest first, or why they could not be read completely. */
  list(range: {
    createdAfter: number;
    createdBefore: number;
    signal: AbortSignal;
    progress?(seen: number): void;
  }): Promise<ListedPurchase[] | 'unavailable' | 'too-long'>;
}

/** Makes sure that the provider has an input to read before anything is bought. */
export interface InputPreparer {
  /** `later`: our storage does not answer now. `impossible`: there is no readable original. */
  prepare(job: StagingJobActor): Promise<'made' | 'later' | 'impossible'>;
  /**
   * True when the job's second picture is no approved one any more; the job no longer names it then. Without this lease
   * nothing changes.
   */
  dropLostReference(held: UnderLease): Promise<boolean>;
}

export type CollectAnswer =
  | { kind: 'stored'; output: StoredOutput }
  /**
   * `downloadBytes`: the bytes read of the output; an output that is too large is not read to its end. `host`: of an
   * address that is not allowed.
   */
  | { kind: 'refused'; errorCode: AttemptErrorCode; downloadBytes: number; host?: string }
  | { kind: 'download-failed' }
  /** The address answered 404. */
  | { kind: 'output-missing' }
  | { kind: 'storage-failed' };

/** Downloads an output within bounds, checks it and puts it under the given key. */
export interface OutputCollector {
  collect(request: {
    outputUrl: string;
    objectKey: string;
    expected: { format: StagingOutputFormat; aspectRatio: StagingAspectRatio };
    signal: AbortSignal;
  }): Promise<CollectAnswer>;
}

/** Whether a text may be shown to the agent as a draft; `why` is for the log. */
export type TextVerdict =
  | { kind: 'good'; text: string }
  | { kind: 'refused'; errorCode: AttemptErrorCode; why: string };
export type TextCheck = (text: string | null, details: DescriptionDetails) => TextVerdict;

export type DeleteAnswer =
  | { kind: 'deleted' }
  | { kind: 'failed'; errorClass: 'transient' | 'needs-person'; error: string };
export interface ObjectDeleter {
  /** Rejects when the signal aborts. */
  delete(objectKey: string, signal: AbortSignal): Promise<DeleteAnswer>;
}

/**
 * Records traces. It decides nothing: if tracing fails, the work is done all the same. Left out by tests, simulations
 * and operator programs.
 */
export interface Tracer {
  /** Does the work as a part of the surrounding trace; without one it only does the work. */
  span<T>(part: TracedPart, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** Does the work of one hold of a job's lease as a part of the trace in which the job was submitted. */
  run<T>(hold: TracedHold, work: () => Promise<T>): Promise<T>;
}
export interface TracedPart {
  name: string;
  /** A call to an external server. */
  kind?: 'client';
  attributes?: TraceAttributes;
}
export interface TraceSpan {
  /** Adds attributes that become known during the work. */
  note(attributes: TraceAttributes): void;
}
/** Ids, codes and counts only, because every reader of traces sees them: no address, no text of people, no prompt. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean | null>>;
export interface TracedHold {
  /** The kind of actor. */
  kind: string;
  jobId: string;
  /** Who holds the lease. */
  owner: string;
  epoch: number;
  /** When the queue received the job's entry; null when the job was rescued. */
  queuedAt: number | null;
}

/** Named points where a test may stop or kill the process; does nothing in production. */
export type Checkpoint = (name: CheckpointName, subjectId: string) => Promise<void> | void;
export type CheckpointName =
  | 'before-reserve'
  | 'after-reserve'
  | 'before-claim'
  | 'after-claim'
  | 'before-post'
  | 'after-post'
  | 'before-id-stored'
  | 'after-id-stored'
  | 'before-download'
  | 'after-put'
  | 'after-result-recorded'
  | 'before-outbox-claim'
  | 'after-outbox-claim'
  | 'after-delete'
  | 'after-drift-claim'
  | 'after-drift-put'
  | 'after-drift-record'
  | 'after-photo-claim'
  | 'after-fingerprint-claim'
  | 'before-search-write'
  | 'after-search-write';
