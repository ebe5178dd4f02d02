import type { EffectParams } from '../machines/effects.ts';
import type { AttemptErrorCode } from '../machines/failure-classes.ts';
import type { StoredOutput, UnconfirmedCause } from '../machines/provider-attempt-model.ts';
import type { PurchaseKind } from '../machines/purchase-kinds.ts';
import type { StagingAspectRatio, StagingOutputFormat } from '../machines/vocabulary.ts';
import type { DescriptionDetails, JobAggregate, StagingJobActor } from '../persistence/actors/actor-store.ts';

/**
 * What the runtime needs of the world, declared once. `src/` hands in the real ones; tests and simulations
 * hand in theirs. Nothing here names a vendor.
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
  | 'leases_lost'
  | 'sweep_failures'
  | 'jobs_quarantined'
  | 'deletions_done'
  | 'expired_rows_removed'
  | 'search_documents_written';

/** The queue that delivers ids of jobs to workers. It may forget anything at any time. */
export interface JobQueue {
  enqueue(jobIds: string[], options?: { delayMs?: number }): Promise<void>;
  remove(jobId: string): Promise<void>;
  /** Which of these ids the queue does not know. */
  missing(jobIds: string[]): Promise<string[]>;
  /** Lets nothing start for a while: the provider asked us to slow down. */
  pauseStarts(ms: number): Promise<void>;
}

/** Each kind of job has its own. */
export type JobQueues = Readonly<Record<PurchaseKind, JobQueue>>;

/**
 * Does a sweep that one worker does for the whole installation: at once if no other does it now, nor has begun it within
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
 * Every worker asks once in each interval, at an instant of its own. Half of it lets one of them find its turn in each
 * interval, and not two.
 */
export const turnEvery = (intervalMs: number): number => intervalMs / 2;

/** Hints between processes that something about a job changed. Losing one costs time only. */
export interface Nudges {
  publish(jobId: string): void;
}

/**
 * Whether purchases may begin here, asked at each decision: only where the flag is exactly `true` and the pause switch is
 * open (docs/contract.md#the-flag).
 */
export type StartsAllowed = () => boolean;

/** What the provider says of a prediction, reduced to what the machines need. */
export type PredictionView =
  | { kind: 'unfinished'; predictionId: string; providerStatus: string }
  /** Null when the provider has nothing to show, or no more: where a picture lies, what a text model wrote. */
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
  /** Not sent, because `mayBuy` said no. */
  | { kind: 'withheld' };

export type GetAnswer =
  | { kind: 'found'; prediction: PredictionView }
  | { kind: 'gone' }
  /** Ask again later; `throttledMs` when the provider named a wait. */
  | { kind: 'unavailable'; throttledMs: number | null };

export interface Provider {
  /**
   * Sends the create call exactly once; never repeats it. It cannot be aborted, because an aborted create may have been
   * bought: only its own time-out or the end of the process ends it. `mayBuy` is asked at the moment of sending.
   */
  create(request: { attemptId: string; aggregate: JobAggregate; mayBuy(): boolean }): Promise<CreateAnswer>;
  get(predictionId: string, signal: AbortSignal): Promise<GetAnswer>;
  /** Asks to stop; what it answers is not believed, `get` is. */
  cancel(predictionId: string, signal: AbortSignal): Promise<void>;
}

/** One prediction of the provider's list, with the purchases of ours that it names. */
export interface ListedPrediction {
  predictionId: string;
  providerStatus: string;
  /** Attempts, among other ids. */
  attemptIds: readonly string[];
  /** The description job that its prompt names, if it is a text of ours. */
  textJobId: string | null;
}
export interface PredictionLister {
  /** The predictions created in between. Not `complete` when the list was not read to its end, for whatever reason. */
  list(range: {
    createdAfter: number;
    createdBefore: number;
    signal: AbortSignal;
  }): Promise<{ predictions: ListedPrediction[]; complete: boolean }>;
}

/** Sees to it that the provider has something to read before anything is bought. */
export interface InputPreparer {
  /** `later`: our storage does not answer now. `impossible`: there is no readable original. */
  prepare(job: StagingJobActor): Promise<'made' | 'later' | 'impossible'>;
}

export type CollectAnswer =
  | { kind: 'stored'; output: StoredOutput }
  /** `downloadBytes`: how many bytes were read of the output, at least; what is too large is not read to its end. */
  | { kind: 'refused'; errorCode: AttemptErrorCode; downloadBytes: number }
  | { kind: 'download-failed' }
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
 * Shows people what was done for whom, in which order and how long it took. It owns no truth and decides nothing: a
 * part that cannot be shown is done all the same. Left out by tests, simulations and programs of operators.
 */
export interface Tracer {
  /** Does the work as a part of whatever is being traced around it; nothing but the work when nothing is. */
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
  /** Adds what is known only now. */
  note(attributes: TraceAttributes): void;
}
/** Ids, codes and counts only, since who reads traces may see no more: no address, no text of people, no prompt. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean | null>>;
export interface TracedHold {
  /** The kind of actor. */
  kind: string;
  jobId: string;
  /** Who holds the lease. */
  owner: string;
  epoch: number;
  /** When the queue was given the entry that brought the job; null when it was adopted. */
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
  | 'before-search-write'
  | 'after-search-write';
