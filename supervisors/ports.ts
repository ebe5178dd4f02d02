import type { AttemptErrorCode } from '../machines/failure-classes.ts';
import type { OrderParams } from '../machines/orders.ts';
import type { StoredOutput } from '../machines/provider-attempt-model.ts';
import type { StagingAspectRatio, StagingOutputFormat } from '../machines/vocabulary.ts';
import type { JobAggregate, StagingJobActor } from '../persistence/actor-store.ts';

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
  report(jobId: string, order: OrderParams['report']): void;
  alert(subject: { kind: string; id: string }, order: OrderParams['alert']): void;
  transition(kind: string, event: string, outcome: 'applied' | 'ignored' | 'stale'): void;
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
  | 'search_documents_written';

/** The queue that delivers ids to workers. It may forget anything at any time. */
export interface StagingQueue {
  enqueue(jobIds: string[], options?: { delayMs?: number }): Promise<void>;
  remove(jobId: string): Promise<void>;
  /** Which of these ids the queue does not know. */
  missing(jobIds: string[]): Promise<string[]>;
  /** Lets nothing start for a while: the provider asked us to slow down. */
  pauseStarts(ms: number): Promise<void>;
}

/** Hints between processes that something about a job changed. Losing one costs time only. */
export interface Nudges {
  publish(jobId: string): void;
}

/**
 * Whether purchases may begin here, asked at each decision: only where the flag is exactly `true` and the start gate is
 * open (platform.md, AI_ROOM_STAGING_ENABLED).
 */
export type StartSwitch = () => boolean;

/** What the provider says of a prediction, reduced to what the machines need. */
export type PredictionView =
  | { kind: 'unfinished'; predictionId: string; providerStatus: string }
  | { kind: 'succeeded'; predictionId: string; providerStatus: string; outputUrl: string | null }
  | { kind: 'canceled'; predictionId: string; providerStatus: string }
  | { kind: 'failed'; predictionId: string; providerStatus: string; errorCode: AttemptErrorCode };

export type CreateAnswer =
  | { kind: 'created'; prediction: PredictionView }
  | { kind: 'refused'; errorCode: AttemptErrorCode; retryAfterMs: number | null }
  | { kind: 'unknown' };

export type GetAnswer =
  | { kind: 'found'; prediction: PredictionView }
  | { kind: 'gone' }
  /** Ask again later; `throttledMs` when the provider named a wait. */
  | { kind: 'unavailable'; throttledMs: number | null };

export interface Provider {
  /** Sends the create call exactly once; never repeats it. */
  create(request: { attemptId: string; aggregate: JobAggregate; signal: AbortSignal }): Promise<CreateAnswer>;
  get(predictionId: string, signal: AbortSignal): Promise<GetAnswer>;
  /** Asks to stop; what it answers is not believed, `get` is. */
  cancel(predictionId: string, signal: AbortSignal): Promise<void>;
  /** Looks for the prediction of an attempt among those created since. */
  find(request: { attemptId: string; createdAfter: number; signal: AbortSignal }): Promise<FindAnswer>;
}

export type FindAnswer =
  | { kind: 'found'; prediction: PredictionView }
  | { kind: 'absent' }
  | { kind: 'unavailable' };

/** Sees to it that the provider has something to read before anything is bought. */
export interface InputPreparer {
  /** `later`: our storage does not answer now. `impossible`: there is no readable original. */
  prepare(job: StagingJobActor): Promise<'made' | 'later' | 'impossible'>;
}

export type CollectAnswer =
  | { kind: 'stored'; output: StoredOutput }
  | { kind: 'refused'; errorCode: AttemptErrorCode }
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

export type DeleteAnswer =
  | { kind: 'deleted' }
  | { kind: 'failed'; errorClass: 'transient' | 'needs-person'; error: string };
export interface ObjectDeleter {
  delete(objectKey: string): Promise<DeleteAnswer>;
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
  /** A call to somebody else's server. */
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
