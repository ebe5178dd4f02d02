import { type FileMarks, readMarks } from './file-marks.ts';
import { hex } from './hex.ts';
import type { FileManifest } from './manifest.ts';
import { countStores } from './manifest-stores.ts';
import { pictureKind } from './picture-kinds.ts';
import type { Comparison } from './pixels/likeness.ts';

/** No picture of a listing is that large. */
const MOST_BYTES = 20 * 1024 * 1024;
/** Enough for the kind of any picture. */
const HEAD = 16;

/** Why a file was not checked: the key of its sentence. */
export type CheckProblem =
  | 'provenance.check.tooLarge'
  | 'provenance.check.noPicture'
  | 'provenance.check.gaveUp'
  | 'provenance.check.notLoaded'
  | 'provenance.check.unreadable'
  | 'provenance.check.recordNotRead';

export interface CheckedFile {
  readonly name: string;
  /** SHA-256, hex. */
  readonly checksum: string;
  readonly manifest: FileManifest | null;
  readonly marks: FileMarks;
  /** What its pixels look like; null while, or where, they are not compared. */
  readonly comparison: Comparison | null;
}

type ReadManifest = (file: Blob, found: { type: string; stores: number }) => Promise<FileManifest>;

/** Checks a file in this browser, all but its pixels. It is not sent anywhere. */
export async function checkFile(
  file: Blob & { readonly name: string },
  readManifest: ReadManifest,
): Promise<CheckedFile | { readonly problem: CheckProblem }> {
  if (file.size > MOST_BYTES) return { problem: 'provenance.check.tooLarge' };
  const found = await readFile(file);
  if ('problem' in found) return found;
  const { type, stores, checksum, marks } = found;
  const manifest = stores === 0 ? null : await readManifest(file, { type, stores });
  return { name: file.name, checksum, marks, manifest, comparison: null };
}

interface ReadFile extends Pick<CheckedFile, 'checksum' | 'marks'> {
  readonly type: string;
  readonly stores: number;
}

/** What needs all bytes at once; they are let go before the library reads the file by itself. */
async function readFile(file: Blob): Promise<ReadFile | { readonly problem: CheckProblem }> {
  try {
    const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
    const type = pictureKind(head);
    if (type === null) return { problem: 'provenance.check.noPicture' };
    const bytes = new Uint8Array(await file.arrayBuffer());
    const [digest, marks] = await Promise.all([crypto.subtle.digest('SHA-256', bytes), readMarks(bytes)]);
    return { type, stores: countStores(bytes), checksum: hex(digest), marks };
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return { problem: 'provenance.check.unreadable' };
  }
}
