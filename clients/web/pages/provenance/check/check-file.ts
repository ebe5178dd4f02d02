import type { FileManifest } from './manifest.ts';
import { pictureKind } from './picture-kinds.ts';
import { readXmpMark, type XmpMark } from './xmp-mark.ts';

/** No picture of a listing is that large. */
const MOST_BYTES = 50 * 1024 * 1024;

/** Of which picture a file is asked: the facts of the page. */
export interface Asked {
  readonly stagedImageId: string;
  readonly provenanceUrl: string;
  readonly originalChecksum: string;
  readonly outputChecksum: string;
  readonly signingAuthority: string | null;
}

/** Why a file was not checked: the key of its sentence. */
export type CheckProblem =
  | 'provenance.check.tooLarge'
  | 'provenance.check.noPicture'
  | 'provenance.check.gaveUp'
  | 'provenance.check.notLoaded'
  | 'provenance.check.unreadable';

export interface CheckedFile {
  readonly name: string;
  /** SHA-256, hex. */
  readonly checksum: string;
  readonly manifest: FileManifest | null;
  readonly mark: XmpMark | null;
}

/** One sentence about a file: its key in the catalogs, and what it is to the reader. */
export interface Finding {
  readonly key: string;
  readonly tone: 'success' | 'warning' | 'danger' | 'neutral';
  readonly variables?: Readonly<Record<string, string>>;
}

type ReadManifest = (bytes: Uint8Array, type: string) => Promise<FileManifest | null>;

/** Checks a file in this browser. It is not sent anywhere. */
export async function checkFile(
  file: Blob & { readonly name: string },
  readManifest: ReadManifest,
): Promise<CheckedFile | { readonly problem: CheckProblem }> {
  if (file.size > MOST_BYTES) return { problem: 'provenance.check.tooLarge' };
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { problem: 'provenance.check.unreadable' };
  }
  const type = pictureKind(bytes);
  if (type === null) return { problem: 'provenance.check.noPicture' };
  const [digest, mark] = await Promise.all([crypto.subtle.digest('SHA-256', bytes), readXmpMark(bytes)]);
  return { name: file.name, checksum: hex(digest), mark, manifest: await readManifest(bytes, type) };
}

const hex = (digest: ArrayBuffer): string =>
  [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** What can be said of the file, surest first. Never that a file is not altered: nothing here can show that. */
export function findingsOf({ checksum, manifest, mark }: CheckedFile, asked: Asked): Finding[] {
  const findings: Finding[] = [];
  if (checksum === asked.outputChecksum)
    findings.push({ key: 'provenance.check.sameStaged', tone: 'success' });
  else if (checksum === asked.originalChecksum)
    findings.push({ key: 'provenance.check.sameOriginal', tone: 'success' });
  if (manifest !== null) findings.push(ofManifest(manifest, asked.stagedImageId));
  // An intact signature covers the mark too.
  if (mark !== null && manifest?.state !== 'intact') findings.push(ofMark(mark, asked.provenanceUrl));
  return findings.length === 0 ? [{ key: 'provenance.check.noMark', tone: 'neutral' }] : findings;
}

function ofManifest({ state, signer, isSignerKnown, pictures }: FileManifest, asked: string): Finding {
  if (state === 'broken') return { key: 'provenance.check.manifestBroken', tone: 'warning' };
  if (state === 'changed') return { key: 'provenance.check.manifestChanged', tone: 'danger' };
  const [own, ...older] = pictures;
  const variables = { signer: signer ?? '?' };
  if (own === asked)
    return isSignerKnown
      ? { key: 'provenance.check.signedHere', tone: 'success', variables }
      : { key: 'provenance.check.signedUnknown', tone: 'warning', variables };
  return {
    key: older.includes(asked) ? 'provenance.check.signedLater' : 'provenance.check.signedOther',
    tone: 'warning',
    variables,
  };
}

function ofMark({ statement, sourceType }: XmpMark, address: string): Finding {
  if (statement === address) return { key: 'provenance.check.markHere', tone: 'neutral' };
  if (sourceType?.endsWith('lgorithmicMedia') === true)
    return { key: 'provenance.check.markAltered', tone: 'warning' };
  return { key: 'provenance.check.markOther', tone: 'neutral' };
}
