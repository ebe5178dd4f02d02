import type { Pool } from 'pg';
import type { ActorKind } from '../../persistence/actors/actor-kinds.ts';
import type { SeenActor } from '../../persistence/console/actors.ts';
import type { CandidateSource } from '../../persistence/console/operation-candidates.ts';
import type { ActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Clock } from '../../supervisors/ports.ts';

/**
 * What a person may do to an actor, from the console's pages and from `npm run ops`. An operation is an event that the
 * actor's machine decides on; nothing can be set to a state by hand. Always true: nothing happens without a reason, and
 * who and why stand in the journal beside what happened.
 */
export const OPERATION_NAMES = [
  'cancel-job',
  'retry-deletion',
  'release-job',
  're-enqueue-job',
  'rebuild-document',
  'pause-starting',
  'resume-starting',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

export interface OperationPorts {
  pool: Pool;
  actorSystem: Pick<ActorSystem, 'deliver'>;
  clock: Clock;
  /** Takes secrets out of what people write (`telemetry/scrub.ts`). */
  scrub(text: string): string;
}

/** Who asks, and for which reason; `signature.ts` checks both. */
export interface Asking {
  /** The operator's name. */
  by: string;
  reason: string;
  /** Past a guard that a person may overrule; `forceMeans` says which. */
  force?: boolean;
  /** The version that the person decided on: an actor that has moved on since is left alone. */
  seenVersion?: number;
}

/** A state with its sentence. */
export interface StateLabel {
  state: string;
  sentence: string;
}

/** What an operation would do now. Nothing was written to find out. */
export interface Preview {
  operation: OperationName;
  id: string;
  /** Null when there is no such actor. */
  kind: ActorKind | null;
  outcome: 'applies' | 'ignored' | 'missing';
  version: number | null;
  from: StateLabel | null;
  /** Null when nothing would change. */
  to: StateLabel | null;
  /** What else would happen, a sentence each. */
  effects: readonly string[];
  /** Why nothing would change. */
  why: string | null;
}

/** What became of an operation. */
export interface Outcome {
  operation: OperationName;
  id: string;
  kind: ActorKind | null;
  /** `stale`: the actor has moved on since the person looked, and is as it was. */
  outcome: 'applied' | 'ignored' | 'missing' | 'stale';
  state: string | null;
  version: number | null;
  why: string | null;
}

/** What a bulk operation may be told about its candidates. */
export const SELECTORS = ['type', 'status', 'error-class', 'older-than'] as const;
export type Selector = (typeof SELECTORS)[number];

/** How many at once. */
export interface BulkForm {
  sentence: string;
  /** What may be said to choose among the candidates, each with its values; null: a length of time. */
  selectors: Partial<Record<Selector, readonly string[] | null>>;
  required: readonly Selector[];
  sourceOf(selection: Selection, at: number): CandidateSource;
}
export type Selection = Partial<Record<Selector, string>>;

/** What an operation is, beside what all of them do alike. */
export interface OperationInfo {
  name: OperationName;
  title: string;
  sentence: string;
  kinds: readonly ActorKind[];
  event: 'CANCEL_ASKED' | 'RETRY_ASKED' | 'RELEASE_ASKED' | 'OFFER_ASKED' | 'REBUILD_ASKED' | GateEvent;
  /** What `force` overrules; null when nothing is to be overruled. */
  forceMeans: string | null;
  /** Null where there is no form for many. */
  bulk: BulkForm | null;
  /** The one actor that it is about, when there is only one. */
  onlyId: string | null;
  /** Why the machine ignores it in this state; asked only when it does. */
  whyIgnored(subject: SeenActor): string;
  /** What follows that the machine's orders do not tell. */
  notes(subject: SeenActor): string[];
}
type GateEvent = 'PAUSE_ASKED' | 'RESUME_ASKED';

export interface Operation extends OperationInfo {
  preview(id: string, options?: { force?: boolean }): Promise<Preview>;
  /** Throws `UnsignedError` without a proper name and reason. */
  run(id: string, asking: Asking): Promise<Outcome>;
}
