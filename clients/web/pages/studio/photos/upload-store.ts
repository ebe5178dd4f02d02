import { uploadRecords } from '../../../session/kept-of-person.ts';
import type { KeptRecords } from '../../../site/keeper.ts';
import type { ImageOf, RoomType } from '../studio-queries.ts';

/**
 * A chosen file until its photo stands in its place; after that, without its bytes, which photo it became, because others
 * of its choice are placed next to it. It survives a reload of the page.
 */
export interface StoredUpload {
  /** The `Idempotency-Key` of every try. */
  readonly key: string;
  readonly personId: string;
  readonly propertyId: string;
  readonly name: string;
  readonly file: Blob;
  readonly roomType: RoomType | null;
  /** As `PhotoToSend` has it. */
  readonly imageOf?: ImageOf | null;
  /** The place of the file among those that were chosen. */
  readonly order: number;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** The photo in whose place its photo is to stand; absent for a new one. */
  readonly replacesId?: string;
  /** Absent until the photo stands in its place. */
  readonly imageId?: string;
  /** As `ChosenPhoto` has it; absent until then, too. */
  readonly isMain?: boolean;
}

/** Chosen files: the browser keeps their bytes on the disk. */
export type UploadStore = KeptRecords<StoredUpload>;

export const openUploadStore = (): UploadStore => uploadRecords<StoredUpload>();
