import type { SingleActor, SingleKind } from '../../persistence/actors/actor-kinds.ts';
import type { JournalEntry } from '../../persistence/actors/actor-store.ts';
import type { ProviderAttemptActor } from '../../persistence/actors/rows/attempt-row.ts';
import type { JobActor } from '../../persistence/actors/rows/job-row.ts';
import type { ProvenanceLine, ReceiptLine, ReviewLine } from '../../persistence/console/invariant-queries.ts';

/**
 * One instant of the pipeline as invariants see it: rows, journal, and the state of the provider, the store and the
 * queue.
 */
export interface PipelineState {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly jobs: readonly JobActor[];
  readonly attempts: readonly ProviderAttemptActor[];
  /** The actors of every kind with one row per actor. */
  readonly singles: readonly SingleActor[];
  readonly receipts?: readonly ReceiptLine[];
  /** The written descriptions, by job. */
  readonly texts: ReadonlyMap<string, string>;
  /** Keys that original photos need. */
  readonly originalKeys: ReadonlySet<string>;
  readonly reviewEvents: readonly ReviewLine[];
  readonly provenance: readonly ProvenanceLine[];
  /** Each actor's entries in the order of `seq`. */
  readonly journal: ReadonlyMap<string, readonly PositionedEntry[]>;
  /** Actors that ended before this may have no journal any more; null or absent where all are kept. */
  readonly journalKeptSince?: number | null;
  /** Null when it is unknown. */
  readonly world: WorldKnowledge | null;
}
export interface PositionedEntry extends JournalEntry {
  /** The order of commits, over all actors. */
  readonly position: number;
}

/** Data that only the provider, the object store and the queue have. */
interface WorldKnowledge {
  readonly purchases: readonly {
    attemptId: string;
    predictionId: string;
    /** Journal entries with a smaller position were committed when the create was accepted. */
    journalPosition: number;
  }[];
  /** Attempts whose create was in flight when our process ended. */
  readonly cutOff: ReadonlySet<string>;
  readonly completeLists: readonly CompleteList[];
  /** Attempts whose claim a database server has forgotten. */
  readonly forgottenClaims?: ReadonlySet<string>;
  readonly objectKeys: ReadonlySet<string>;
  readonly queueEntries: ReadonlySet<string>;
}

/** A list of predictions that the provider has answered completely. */
export interface CompleteList {
  /** When it was requested; milliseconds since 1970, like the range. */
  readonly at: number;
  readonly createdAfter: number;
  readonly createdBefore: number;
  /** Attempts and description jobs whose purchases are in the list. */
  readonly shown: ReadonlySet<string>;
}

export interface Invariant {
  /** Its number in docs/invariants.md: from I1, and from T1 for tours. */
  readonly id: string;
  readonly sentence: string;
  /** `quiet`: holds only at rest, when nothing changes any more. */
  readonly when: 'always' | 'quiet';
  /** The same check for a live database: one text column, one row per breach. Null when rows alone cannot decide it. */
  readonly sql: string | null;
  /** Its breaches, one line each. */
  breaches(state: PipelineState): string[];
}

export const singlesOf = <K extends SingleKind>({ singles }: PipelineState, kind: K): SingleActor<K>[] =>
  singles.filter((actor): actor is SingleActor<K> => actor.kind === kind);

export const attemptsOf = ({ attempts }: PipelineState, jobId: string): ProviderAttemptActor[] =>
  attempts
    .filter((attempt) => attempt.jobId === jobId)
    .sort((a, b) => a.context.attemptNumber - b.context.attemptNumber);

/** The values that occur more than once. */
export function repeated<T>(values: readonly T[]): T[] {
  const seen = new Set<T>();
  const twice = new Set<T>();
  for (const value of values) (seen.has(value) ? twice : seen).add(value);
  return [...twice];
}

/** The breaches of all rows, one line each. */
export const each = <T>(rows: readonly T[], breach: (row: T) => string | null | false): string[] =>
  rows.flatMap((row) => breach(row) || []);
