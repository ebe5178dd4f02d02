import { describe, expect, test } from 'vitest';
import { type CheckedFile, checkFile } from '../../../../../clients/web/pages/provenance/check/check-file.ts';
import { readMarks } from '../../../../../clients/web/pages/provenance/check/file-marks.ts';
import {
  type Asked,
  findingsOf,
  needsFreshRecord,
} from '../../../../../clients/web/pages/provenance/check/findings.ts';
import type { FileManifest } from '../../../../../clients/web/pages/provenance/check/manifest.ts';
import type { Compared } from '../../../../../clients/web/pages/provenance/check/pixels/likeness.ts';

/** What the page of a picture says about a file, from what was found in it. */
const stagedImageId = '11111111-1111-4111-8111-111111111111';
const [CURRENT, OLD, LEAKED, FOREIGN] = ['1', '2', '3', '4'].map((digit) => digit.repeat(64));
const copy = (manifestId: string, signedAt: string) => ({ variant: 'v', manifestId, signedAt });
const asked: Asked = {
  stagedImageId,
  provenanceUrl: `https://example.com/provenance/${stagedImageId}`,
  originalChecksum: 'a'.repeat(64),
  outputChecksum: 'b'.repeat(64),
  stagedUrl: 'https://example.com/api/images/1',
  signers: [
    {
      fingerprint: CURRENT as string,
      status: 'CURRENT',
      validFrom: '2026-06-01T00:00:00.000Z',
      validUntil: '2027-06-01T00:00:00.000Z',
    },
    {
      fingerprint: OLD as string,
      status: 'SUPERSEDED',
      validFrom: null,
      validUntil: '2026-06-01T00:00:00.000Z',
    },
    {
      fingerprint: LEAKED as string,
      status: 'COMPROMISED',
      validFrom: null,
      validUntil: '2026-06-01T00:00:00.000Z',
    },
  ],
  manifests: [copy('new', '2026-07-01T00:00:00.000Z'), copy('old', '2026-05-01T00:00:00.000Z')],
};
const file: CheckedFile = {
  name: 'a.jpg',
  checksum: 'c'.repeat(64),
  manifest: null,
  marks: { sourceTypes: [], statement: null },
  comparison: null,
};
const intact: FileManifest = {
  state: 'intact',
  id: 'new',
  signer: 'Ada',
  fingerprint: CURRENT as string,
  instances: [`urn:uuid:${stagedImageId}`],
  earlierIds: [],
  sourceTypes: [],
};
const short = (key: string) => key.replace('provenance.', '').replace('check.', '');
const said = (given: Partial<CheckedFile>, about: Asked = asked) =>
  findingsOf({ ...file, ...given }, about).map(({ key, what }) =>
    what === undefined ? short(key) : `${short(key)} ${short(what)}`,
  );
const signedBy = (fingerprint: string | null | undefined, given: Partial<FileManifest> = {}) => ({
  manifest: { ...intact, fingerprint: fingerprint ?? null, ...given },
});
const here = { statement: asked.provenanceUrl, sourceTypes: [] };
const elsewhere = { id: 'other', instances: ['urn:uuid:other'] };

test.each<[string, Partial<CheckedFile>, string[]]>([
  ['the received picture', { checksum: asked.outputChecksum }, ['sameStaged']],
  ['the stored photo', { checksum: asked.originalChecksum }, ['sameOriginal']],
  ['a signed copy, whose text its signature covers', { manifest: intact, marks: here }, ['signedHere']],
  ['a copy of before the rotation', signedBy(OLD, { id: 'old' }), ['signedHere']],
  ['a copy that an old certificate cannot have signed', signedBy(OLD), ['signedOutOfTime']],
  ['a copy of before the certificate', signedBy(CURRENT, { id: 'old' }), ['signedOutOfTime']],
  ['a copy by a leaked key', signedBy(LEAKED, { id: 'old' }), ['signedCompromised']],
  ['a copy of another picture of ours', signedBy(CURRENT, elsewhere), ['signedOther']],
  ['a foreign signature with an id of ours', signedBy(FOREIGN), ['signedClaimed']],
  ['a foreign signature with our picture’s name', signedBy(FOREIGN, { id: 'x' }), ['signedClaimed']],
  ['a signature without a certificate that can be read', signedBy(null), ['signedClaimed']],
  ['a foreign signature', signedBy(FOREIGN, elsewhere), ['signedForeign']],
  ['an edited copy', signedBy(FOREIGN, { ...elsewhere, earlierIds: ['old'] }), ['signedLater']],
  [
    'a changed copy, whose text is no longer covered',
    { manifest: { ...intact, state: 'changed' }, marks: here },
    ['manifestChanged', 'markHere'],
  ],
  ['a manifest that cannot be read', { manifest: { ...intact, state: 'broken' } }, ['manifestBroken']],
  ['two manifests', { manifest: { ...intact, state: 'several' } }, ['manifestSeveral']],
  ['the text of another page', { marks: { statement: 'https://other', sourceTypes: [] } }, ['markOther']],
  [
    'what a signature and a text say, once',
    {
      ...signedBy(FOREIGN, { ...elsewhere, sourceTypes: ['trainedalgorithmicmedia'] }),
      marks: { statement: null, sourceTypes: ['trainedalgorithmicmedia', 'algorithmicmedia', 'unknown'] },
    },
    ['signedForeign', 'sourceSigned source.trained', 'sourceText source.algorithmic'],
  ],
  ['no mark', {}, ['noMark']],
])('says of %s what can be said', (_, given, keys) => expect(said(given)).toEqual(keys));

test('a copy that is not in the list is looked for in the record again, and only if nothing was changed', () => {
  const needs = (manifest: FileManifest | null) => needsFreshRecord({ ...file, manifest }, asked);
  expect(needs({ ...intact, id: 'signed just now' })).toBe(true);
  expect([null, intact, { ...intact, state: 'changed' as const }].map(needs)).toEqual([false, false, false]);
});

test.each<[Partial<Compared> | 'none', 'pair' | 'original', string]>([
  [{ like: 'staged', shown: 99 }, 'pair', 'pixels.staged'],
  [{ like: 'staged', shown: 50 }, 'pair', 'pixels.stagedCropped'],
  [{ like: 'original', shown: 50 }, 'pair', 'pixels.originalCropped'],
  [{ like: 'neither' }, 'pair', 'pixels.neither'],
  [{ like: 'neither' }, 'original', 'pixels.notOriginal'],
  ['none', 'pair', 'pixels.none'],
])('says of a comparison that found %j against the %s: %s', (found, against, key) => {
  const comparison =
    found === 'none' ? found : ({ like: 'neither', percent: 90, shown: 90, ...found, against } as const);
  expect(said({ comparison })).toEqual(['noMark', key]);
});

describe('the reader of marks', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  test('reads attributes and elements with any prefix, and entities', async () => {
    const packet = `<x:xmpmeta><r:D i:DigitalSourceType="http://cv.example/compositeWithTrainedAlgorithmicMedia"><q:WebStatement>https://e.com/?a=1&amp;lt;b</q:WebStatement></r:D></x:xmpmeta>`;
    expect(await readMarks(bytes(`\0\xff${packet}\0`))).toEqual({
      sourceTypes: ['compositewithtrainedalgorithmicmedia'],
      statement: 'https://e.com/?a=1&lt;b',
    });
  });
  test.each([
    ['nothing', ''],
    ['a packet without marks', '<x:xmpmeta></x:xmpmeta>'],
    ['a packet that does not end', '<x:xmpmeta i:WebStatement="https://e.com"'],
    ['a PNG that ends early', '\x89PNG\r\n\x1a\n\0\0\xff\xffzTXt'],
  ])('finds nothing in %s', async (_, text) => {
    expect(await readMarks(Uint8Array.from(text, (one) => one.charCodeAt(0)))).toEqual({
      sourceTypes: [],
      statement: null,
    });
  });
  test('finds kinds of source wherever they are written, without text around them', async () => {
    const uri = (code: string) => `\0http://cv.iptc.org/newscodes/digitalsourcetype/${code}kd`;
    const text = `${uri('algorithmicMedia')}${uri('trainedAlgorithmicMedia')}${uri('algorithmicMedia')}`;
    expect((await readMarks(bytes(text))).sourceTypes).toEqual([
      'algorithmicmedia',
      'trainedalgorithmicmedia',
    ]);
  });
});

test('a file that cannot be read is told, and no manifest is asked of it', async () => {
  const broken = Object.assign(new Blob(['x']), {
    name: 'a.jpg',
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }),
  });
  const never = () => Promise.reject(new Error('asked'));
  expect(await checkFile(broken, never)).toEqual({ problem: 'provenance.check.unreadable' });
});
