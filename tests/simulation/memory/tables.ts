import type {
  ActorKind,
  DeletionItemActor,
  ImageReviewActor,
  JournalEntry,
  ProviderAttemptActor,
  StagingJobActor,
} from '../../../persistence/actor-store.ts';

/** The rows of the in-memory database. A committed row is never changed in place, only replaced. */
export interface Original {
  id: string;
  propertyId: string;
  objectKey: string;
  providerInputKey: string;
}
export interface StoredJob extends StagingJobActor {
  quarantinedAt: number | null;
  dedupeKey: string;
}
export interface StoredDeletion extends DeletionItemActor {
  reason: string;
  createdAt: number;
}
export interface ReviewEvent {
  kind: 'APPROVED' | 'REJECTED';
  imageId: string;
  objectKey: string;
  at: number;
}
export interface Receipt {
  id: string;
  attemptId: string;
}
export interface Rows {
  original: Original;
  stagingJob: StoredJob;
  providerAttempt: ProviderAttemptActor;
  imageReview: ImageReviewActor;
  deletionItem: StoredDeletion;
  reviewEvent: ReviewEvent;
  receipt: Receipt;
}
export type TableName = keyof Rows;
export type Tables = { readonly [T in TableName]: Map<string, Rows[T]> };
export type Changes = { readonly [T in TableName]: Map<string, Rows[T] | null> };

export interface JournalRow extends JournalEntry {
  /** The order of commits, over all actors. */
  position: number;
}
export interface Database {
  tables: Tables;
  /** In the order of their commits. */
  journal: JournalRow[];
}

const maps = () => ({
  original: new Map(),
  stagingJob: new Map(),
  providerAttempt: new Map(),
  imageReview: new Map(),
  deletionItem: new Map(),
  reviewEvent: new Map(),
  receipt: new Map(),
});
export const emptyTables = (): Tables => maps();
export const noChanges = (): Changes => maps();

export const journalOf = (database: Database, kind: ActorKind, id: string): JournalRow[] =>
  database.journal.filter((row) => row.kind === kind && row.id === id);

/** A failed statement, with PostgreSQL's code for it. */
export function databaseError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
export const FINAL_JOBS: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'CANCELED']);
