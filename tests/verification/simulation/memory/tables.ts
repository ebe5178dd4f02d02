import type { PictureSize } from '../../../../machines/framing.ts';
import { initialPauseSwitch } from '../../../../machines/pause-switch.ts';
import type { ActorKind } from '../../../../persistence/actors/actor-kinds.ts';
import type { JournalEntry } from '../../../../persistence/actors/actor-store.ts';
import type { ProviderAttemptActor } from '../../../../persistence/actors/rows/attempt-row.ts';
import type { DeletionItemActor } from '../../../../persistence/actors/rows/deletion-row.ts';
import type { ImageReviewActor } from '../../../../persistence/actors/rows/image-row.ts';
import type { JobActor } from '../../../../persistence/actors/rows/job-row.ts';
import {
  PAUSE_SWITCH_ID,
  type PauseSwitchActor,
} from '../../../../persistence/actors/rows/pause-switch-row.ts';

/** The rows of the in-memory database. A committed row is never changed in place, only replaced. */
export interface Original {
  id: string;
  propertyId: string;
  objectKey: string;
  providerInputKey: string;
  /** Its size, when its jobs have its shape; null when they have the fixed one. */
  photo: PictureSize | null;
  /** The group that it belongs to, if any. All groups have the room type and style MODERN of a living room. */
  groupId: string | null;
}
export type StoredJob = JobActor & {
  quarantinedAt: number | null;
  failures: number;
  dedupeKey: string;
  /** Of a description job. */
  text?: string;
};
interface ReviewEvent {
  kind: 'APPROVED' | 'REJECTED';
  imageId: string;
  objectKey: string;
  at: number;
}
/** The provenance record of an approved image; it is never changed or deleted. */
interface Provenance {
  stagedImageId: string;
  originalImageId: string;
  objectKey: string;
  approvedByUserId: string | null;
}
interface Receipt {
  id: string;
  attemptId: string;
}
export interface Rows {
  original: Original;
  /** Of both kinds. */
  stagingJob: StoredJob;
  providerAttempt: ProviderAttemptActor;
  imageReview: ImageReviewActor;
  deletionItem: DeletionItemActor;
  reviewEvent: ReviewEvent;
  provenance: Provenance;
  startGate: PauseSwitchActor;
  receipt: Receipt;
  startPlace: { usedAt: number };
  /** One row, `HEARTBEAT_ID`. */
  heartbeat: { at: number };
}
export type TableName = keyof Rows;
export type Tables = { readonly [T in TableName]: Table<Rows[T]> };
/** The writes of one transaction so far; unchanged tables are missing. */
export type Changes = { [T in TableName]?: Map<string, Rows[T] | null> };

/** Rows by id; those in the order of their ids are found once per change. */
class Table<R> extends Map<string, R> {
  #ordered: readonly R[] | null = null;

  override set(id: string, row: R): this {
    this.#ordered = null;
    return super.set(id, row);
  }
  override delete(id: string): boolean {
    this.#ordered = null;
    return super.delete(id);
  }
  inOrder(): readonly R[] {
    this.#ordered ??= [...this].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    return this.#ordered;
  }
  copy(): Table<R> {
    const copy = new Table<R>();
    for (const [id, row] of this) copy.set(id, row);
    return copy;
  }
}

/** The same rows on another disk. */
export const copyOf = (tables: Tables): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, table.copy()]),
  ) as unknown as Tables;

export interface JournalRow extends JournalEntry {
  /** The order of commits, over all actors. */
  position: number;
}
export interface Database {
  tables: Tables;
  /** In the order of their commits. */
  journal: JournalRow[];
}

/** The one row that the migration leaves. */
const PAUSE_SWITCH: PauseSwitchActor = {
  kind: 'startGate',
  id: PAUSE_SWITCH_ID,
  version: 0,
  state: 'OPEN',
  context: initialPauseSwitch,
};
export const HEARTBEAT_ID = '1';

export const emptyTables = (): Tables => ({
  original: new Table(),
  stagingJob: new Table(),
  providerAttempt: new Table(),
  imageReview: new Table(),
  deletionItem: new Table(),
  reviewEvent: new Table(),
  provenance: new Table(),
  startGate: new Table<PauseSwitchActor>().set(PAUSE_SWITCH_ID, PAUSE_SWITCH),
  receipt: new Table(),
  startPlace: new Table(),
  heartbeat: new Table<Rows['heartbeat']>().set(HEARTBEAT_ID, { at: 0 }),
});

export const journalOf = (database: Database, kind: ActorKind, id: string): JournalRow[] =>
  database.journal.filter((row) => row.kind === kind && row.id === id);

/** A failed statement, with PostgreSQL's code for it. */
export function databaseError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
export const FINAL_JOBS: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'CANCELED']);
