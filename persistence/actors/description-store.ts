import type { DescriptionJobContext } from '../../machines/description-job.ts';
import type { ActorState } from '../../machines/step.ts';
import type { DescriptionLocale } from '../../machines/vocabulary.ts';
import type { JournalEntry, Lease, LocalPassMark } from './actor-store.ts';

/**
 * Where description jobs live between events: an aggregate of one actor, so a store of its own beside the actor
 * store of the staging pipeline. The same is always true of it: a transition and its journal row become visible
 * together or not at all, and `save` loses against a newer version. Source: ARCHITECTURE.md#the-life-of-an-event.
 */
export interface DescriptionStore {
  transaction<T>(work: (tx: DescriptionTransaction) => Promise<T>): Promise<T>;
  /** As last committed, without a lock; null when there is no such description job. */
  read(jobId: string): Promise<DescriptionJobActor | null>;
  /** The token of the latest SEND_CLAIMED in the job's journal. */
  lastSendToken(jobId: string): Promise<string | null>;
}

export interface DescriptionTransaction {
  lock(jobId: string): Promise<DescriptionJobActor | null>;
  /** False, and nothing written, when another transaction was faster. */
  save(
    actor: DescriptionJobActor,
    next: ActorState<DescriptionJobContext>,
    entry: Omit<JournalEntry, 'kind'>,
  ): Promise<boolean>;
  /** Of the locked job. */
  liftQuarantine(jobId: string): Promise<void>;
}

export interface DescriptionJobActor extends ActorState<DescriptionJobContext> {
  kind: 'descriptionJob';
  id: string;
  version: number;
  /** What was asked for, fixed at the request. */
  details: DescriptionDetails;
  lease: Lease | null;
  localPass: LocalPassMark | null;
  createdAt: number;
  quarantined: boolean;
}
export interface DescriptionDetails {
  /** Null when the listing is gone. */
  propertyId: string | null;
  locale: DescriptionLocale;
  /** Sent as it is; it names the job, which is how a lost answer is found again. */
  prompt: string;
  providerModel: string;
  /** What the text may speak of. */
  facts: unknown;
}
