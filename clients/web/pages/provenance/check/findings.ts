import type { Provenance } from '../provenance-data.ts';
import type { CheckedFile } from './check-file.ts';
import type { FileManifest } from './manifest.ts';
import { type Comparison, isWhole } from './pixels/likeness.ts';
import { meaningOf, type SourceMeaning } from './source-types.ts';

/** Of which picture a file is asked: the facts of the page. */
export type Asked = Pick<
  Provenance,
  | 'stagedImageId'
  | 'provenanceUrl'
  | 'originalChecksum'
  | 'outputChecksum'
  | 'signers'
  | 'manifests'
  | 'stagedUrl'
>;

/** One sentence about a file: its key in the catalogs, and what it is to the reader. */
export interface Finding {
  readonly key: string;
  readonly tone: 'success' | 'warning' | 'danger' | 'neutral';
  readonly variables?: Readonly<Record<string, string>>;
  /** The key of the words for `{{what}}`. */
  readonly what?: string;
}

/** Whose signature it is, for this picture. */
export type Verdict = 'ours' | 'otherPicture' | 'outOfTime' | 'compromised' | 'later' | 'claimed' | 'foreign';

/**
 * Ours are only the copies of the record's list, signed with a certificate that was ours at that time. The library's word
 * that a certificate leads to some authority counts for nothing here: an authority signs for many.
 */
export function verdictOf({ id, fingerprint, instances, earlierIds }: FileManifest, asked: Asked): Verdict {
  const signer = asked.signers.find((one) => one.fingerprint === fingerprint);
  const copy = asked.manifests.find(({ manifestId }) => manifestId === id);
  if (signer === undefined) {
    if (copy !== undefined || instances[0] === instanceOf(asked)) return 'claimed';
    const isMadeFrom = asked.manifests.some(({ manifestId }) => earlierIds.includes(manifestId));
    return isMadeFrom ? 'later' : 'foreign';
  }
  if (signer.status === 'COMPROMISED') return 'compromised';
  if (copy === undefined) return 'otherPicture';
  const signedAt = Date.parse(copy.signedAt);
  const isInTime =
    (signer.validFrom === null || signedAt >= Date.parse(signer.validFrom)) &&
    signedAt < Date.parse(signer.validUntil);
  return isInTime ? 'ours' : 'outOfTime';
}

const instanceOf = ({ stagedImageId }: Asked): string => `urn:uuid:${stagedImageId}`;

/** Whether the record may have changed since the page was loaded, so that the verdict is another one now. */
export const needsFreshRecord = ({ manifest }: CheckedFile, asked: Asked): boolean =>
  manifest?.state === 'intact' && verdictOf(manifest, asked) !== 'ours';

/** What can be said of the file, surest first. Never that a file is not altered: nothing here can show that. */
export function findingsOf({ checksum, manifest, marks, comparison }: CheckedFile, asked: Asked): Finding[] {
  const findings: Finding[] = [];
  if (checksum === asked.outputChecksum)
    findings.push({ key: 'provenance.check.sameStaged', tone: 'success' });
  else if (checksum === asked.originalChecksum)
    findings.push({ key: 'provenance.check.sameOriginal', tone: 'success' });
  const signed = manifest?.state === 'intact' ? manifest : null;
  const isOurs = signed !== null && verdictOf(signed, asked) === 'ours';
  if (manifest !== null) findings.push(ofManifest(manifest, asked));
  findings.push(...(signed?.sourceTypes ?? []).flatMap((code) => ofSource(code, 'sourceSigned')));
  // Our own signature covers all of the file's text too.
  if (!isOurs) {
    const unsigned = marks.sourceTypes.filter((code) => !signed?.sourceTypes.includes(code));
    findings.push(...unsigned.flatMap((code) => ofSource(code, 'sourceText')));
    if (marks.statement !== null) findings.push(ofStatement(marks.statement, asked));
  }
  if (findings.length === 0) findings.push({ key: 'provenance.check.noMark', tone: 'neutral' });
  return [...findings, ...(comparison === null ? [] : [ofComparison(comparison, asked)])];
}

const VERDICTS: Readonly<Record<Verdict, Omit<Finding, 'variables'>>> = {
  ours: { key: 'provenance.check.signedHere', tone: 'success' },
  otherPicture: { key: 'provenance.check.signedOther', tone: 'warning' },
  outOfTime: { key: 'provenance.check.signedOutOfTime', tone: 'warning' },
  compromised: { key: 'provenance.check.signedCompromised', tone: 'danger' },
  later: { key: 'provenance.check.signedLater', tone: 'warning' },
  claimed: { key: 'provenance.check.signedClaimed', tone: 'danger' },
  foreign: { key: 'provenance.check.signedForeign', tone: 'warning' },
};

function ofManifest(manifest: FileManifest, asked: Asked): Finding {
  if (manifest.state === 'broken') return { key: 'provenance.check.manifestBroken', tone: 'warning' };
  if (manifest.state === 'several') return { key: 'provenance.check.manifestSeveral', tone: 'danger' };
  if (manifest.state === 'changed') return { key: 'provenance.check.manifestChanged', tone: 'danger' };
  return { ...VERDICTS[verdictOf(manifest, asked)], variables: { signer: manifest.signer ?? '?' } };
}

const UNALTERED = new Set<SourceMeaning>(['captured', 'screen', 'edited']);

/** Codes that this page does not know are not shown. */
function ofSource(code: string, key: 'sourceSigned' | 'sourceText'): Finding[] {
  const meaning = meaningOf(code);
  if (meaning === undefined) return [];
  const tone = UNALTERED.has(meaning) ? 'neutral' : 'warning';
  return [{ key: `provenance.check.${key}`, tone, what: `provenance.source.${meaning}` }];
}

const ofStatement = (statement: string, { provenanceUrl }: Asked): Finding => ({
  key: statement === provenanceUrl ? 'provenance.check.markHere' : 'provenance.check.markOther',
  tone: 'neutral',
});

function ofComparison(found: Comparison, { stagedUrl }: Asked): Finding {
  if (typeof found === 'string') return { key: `provenance.pixels.${found}`, tone: 'neutral' };
  const variables = { percent: String(found.percent), shown: String(found.shown) };
  // A picture that is not public is not compared, and neither is one that was hidden meanwhile.
  const isAlone = found.against === 'original' || stagedUrl === null;
  if (found.like === 'neither')
    return { key: isAlone ? 'provenance.pixels.notOriginal' : 'provenance.pixels.neither', tone: 'neutral' };
  const part = isWhole(found) ? '' : 'Cropped';
  const tone = found.like === 'staged' ? 'warning' : 'neutral';
  return { key: `provenance.pixels.${found.like}${part}`, tone, variables };
}
