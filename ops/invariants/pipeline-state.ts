import type { SingleActor, SingleKind } from '../../persistence/actors/actor-kinds.ts';
import type { JournalEntry } from '../../persistence/actors/actor-store.ts';
import type { ProviderAttemptActor } from '../../persistence/actors/attempt-row.ts';
import type { JobActor } from '../../persistence/actors/job-row.ts';
import type { ReceiptLine, ReviewLine } from '../../persistence/console/invariant-queries.ts';

/** One instant of the pipeline, as the invariants look at it: rows, journal, and what the world knows. */
export interface PipelineState {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly jobs: readonly JobActor[];
  readonly attempts: readonly ProviderAttemptActor[];
  /** Of every kind whose actors are an aggregate each. */
  readonly singles: readonly SingleActor[];
  readonly receipts?: readonly ReceiptLine[];
  /** The texts that have been written, by job. */
  readonly texts: ReadonlyMap<string, string>;
  /** Keys that original photos need. */
  readonly originalKeys: ReadonlySet<string>;
  readonly reviewEvents: readonly ReviewLine[];
  /** Each actor's entries in the order of `seq`. */
  readonly journal: ReadonlyMap<string, readonly PositionedEntry[]>;
  /** Actors that ended before this may have no journal any more; null or left out where all are kept. */
  readonly journalKeptSince?: number | null;
  /** Null when it is not known. */
  readonly world: WorldKnowledge | null;
}
export interface PositionedEntry extends JournalEntry {
  /** The order of commits, over all actors. */
  readonly position: number;
}

/** What only the provider, the object store and the queue know. */
interface WorldKnowledge {
  readonly purchases: readonly {
    attemptId: string;
    predictionId: string;
    /** Journal entries with a smaller position were committed when the create was accepted. */
    journalPosition: number;
  }[];
  /** Attempts whose create was in flight when our own process ended. */
  readonly cutOff: ReadonlySet<string>;
  readonly completeLists: readonly CompleteList[];
  readonly objectKeys: ReadonlySet<string>;
  readonly queueEntries: ReadonlySet<string>;
}

/** A list of predictions that the provider has answered whole. */
export interface CompleteList {
  /** When it was asked for; milliseconds since 1970, like the range. */
  readonly at: number;
  readonly createdAfter: number;
  readonly createdBefore: number;
  /** Attempts whose purchases it showed, and description jobs. */
  readonly shown: ReadonlySet<string>;
}

export interface Invariant {
  /** Its number in docs/invariants.md: I1 on, and T1 on for tours. */
  readonly id: string;
  readonly sentence: string;
  /** `quiet`: holds once nothing moves any more. */
  readonly when: 'always' | 'quiet';
  /** The same question to a live database: one text column, a row per breach. Null when rows alone cannot tell. */
  readonly sql: string | null;
  /** What breaks it, one line each. */
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

/** The one line of every offender. */
export const each = <T>(rows: readonly T[], breach: (row: T) => string | null | false): string[] =>
  rows.flatMap((row) => breach(row) || []);
