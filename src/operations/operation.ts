import type { Pool } from 'pg';
import type { ActorKind } from '../../persistence/actors/actor-kinds.ts';
import type { SeenActor } from '../../persistence/console/actors.ts';
import type { CandidateSource } from '../../persistence/console/operation-candidates.ts';
import type { StandbyConfirmation } from '../../persistence/standbys/confirmation.ts';
import type { ActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Clock } from '../../supervisors/ports.ts';

/**
 * What a person may do on the console's pages and with `npm run ops`. An operation on an actor is an event that its
 * machine decides on; no state can be set by hand. Accounts, listings, photos and invitations are no actors: those
 * operations are acts (`acts.ts`). Always true: every operation has a reason, and the journal, or the trail of acts,
 * stores the operator and the reason with it.
 */
export const OPERATION_NAMES = [
  'cancel-job',
  'retry-deletion',
  'release-job',
  're-enqueue-job',
  'collect-output',
  'rebuild-document',
  'pause-starting',
  'resume-starting',
  'close-gap',
  'withdraw-picture',
  'lift-withdrawal',
  'dismiss-reports',
  'consent-to-approval',
  'mark-contest-read',
  'start-feed',
  'pause-feed',
  'reconcile-feed',
  'accept-feed-deletions',
  'refuse-feed-deletions',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** The operations on accounts, listings, photos and invitations. */
export type ActName =
  | 'suspend-account'
  | 'restore-account'
  | 'end-sessions'
  | 'take-down-listing'
  | 'restore-listing'
  | 'accept-photo'
  | 'refuse-photo'
  | 'take-back-alteration'
  | 'withdraw-invitation';

/** What an operation is about. */
export type SubjectKind = ActorKind | 'account' | 'listing' | 'photo' | 'invitation';

export interface OperationPorts {
  pool: Pool;
  actorSystem: Pick<ActorSystem, 'deliver'>;
  clock: Clock;
  /** Null with CLAIM_DURABILITY=local. */
  confirmation: Pick<StandbyConfirmation, 'confirm'> | null;
  /** `PROVIDER_OUTPUT_HOSTS` of this process. */
  outputHosts: readonly string[];
  /** Removes secrets from texts that people write (`telemetry/scrub.ts`). */
  scrub(text: string): string;
}

/** The operator and the reason; `signature.ts` checks both. */
export interface Asking {
  /** The operator's name. */
  by: string;
  reason: string;
  /** Overrides a guard that a person may override; `forceMeans` says which. */
  force?: boolean;
  /** The version that the operator saw: nothing is done to an actor that has changed since. */
  seenVersion?: number;
}

/** A state with its description. */
export interface StateLabel {
  state: string;
  sentence: string;
}

/** What an operation would do now. Computing it writes nothing. */
export interface Preview {
  operation: OperationName | ActName;
  id: string;
  /** Null when there is no such actor, account, listing, photo or invitation. */
  kind: SubjectKind | null;
  outcome: 'applies' | 'ignored' | 'missing';
  version: number | null;
  from: StateLabel | null;
  /** Null when nothing would change. */
  to: StateLabel | null;
  /** Further effects, one sentence each. */
  effects: readonly string[];
  /** Why nothing would change. */
  why: string | null;
}

/** The result of an operation. */
export interface Outcome {
  operation: OperationName | ActName;
  id: string;
  kind: SubjectKind | null;
  /** `stale`: the actor has changed since the operator saw it, and nothing was done. */
  outcome: 'applied' | 'ignored' | 'missing' | 'stale';
  state: string | null;
  version: number | null;
  why: string | null;
  /** False when a failover could still undo it, because no standby has confirmed it. Repeating it confirms it. */
  isDurable: boolean;
}

/** To the operator, when `isDurable` is false. */
export const NOT_YET_DURABLE =
  'No standby has confirmed this yet, so a failover could still undo it. Repeat it in a moment.';

/** The filters for the candidates of a bulk operation. */
export const SELECTORS = ['type', 'status', 'error-class', 'older-than'] as const;
export type Selector = (typeof SELECTORS)[number];

/** How a bulk operation selects its candidates. */
export interface BulkForm {
  sentence: string;
  /** The possible filters, each with its values; null means a duration. */
  selectors: Partial<Record<Selector, readonly string[] | null>>;
  required: readonly Selector[];
  sourceOf(selection: Selection, at: number): CandidateSource;
}
export type Selection = Partial<Record<Selector, string>>;

/** How an operation is offered. */
export interface OperationInfo {
  name: OperationName | ActName;
  title: string;
  sentence: string;
  kinds: readonly SubjectKind[];
  /** The guard that `force` overrides; null when there is none. */
  forceMeans: string | null;
  /** Null when there is no bulk form. */
  bulk: BulkForm | null;
  /** The id of the only actor of the operation, when there is just one. */
  onlyId: string | null;
  /** It makes something less public or less permitted, so it waits for the standby's confirmation. */
  lessens: boolean;
}

/** The properties in which operations on actors differ. */
export interface ActorOperationInfo extends OperationInfo {
  name: OperationName;
  kinds: readonly ActorKind[];
  event:
    | 'CANCEL_ASKED'
    | 'RETRY_ASKED'
    | 'RELEASE_ASKED'
    | 'OFFER_ASKED'
    | 'COLLECT_ASKED'
    | 'REBUILD_ASKED'
    | 'WITHDRAW'
    | 'LIFT'
    | 'REPORTS_DISMISSED'
    | 'APPROVAL_CONSENTED'
    | 'CONTEST_READ'
    | GateEvent
    | AskedOfFeed;
  /** Why the machine ignores the event in this state; called only when it does. */
  whyIgnored(subject: SeenActor, event: { type: string; at: number }): string;
  /** Consequences that the machine's effects do not show. */
  notes(subject: SeenActor): string[];
}
type AskedOfFeed = 'START_ASKED' | 'RECONCILE_ASKED' | 'DELETIONS_ACCEPTED' | 'DELETIONS_REFUSED';
type GateEvent = 'PAUSE_ASKED' | 'RESUME_ASKED' | 'GAP_LOOKED_AT';

export interface Operation extends OperationInfo {
  preview(id: string, options?: { force?: boolean }): Promise<Preview>;
  /** Throws `UnsignedError` without a valid name and reason. */
  run(id: string, asking: Asking): Promise<Outcome>;
}
