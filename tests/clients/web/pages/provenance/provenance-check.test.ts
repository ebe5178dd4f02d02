import { describe, expect, test } from 'vitest';
import {
  type Asked,
  type CheckedFile,
  checkFile,
  findingsOf,
} from '../../../../../clients/web/pages/provenance/check/check-file.ts';
import type { FileManifest } from '../../../../../clients/web/pages/provenance/check/manifest.ts';
import { readXmpMark } from '../../../../../clients/web/pages/provenance/check/xmp-mark.ts';

/** What the page of a picture says about a file, from what was found in it. */
const asked: Asked = {
  stagedImageId: '11111111-1111-4111-8111-111111111111',
  provenanceUrl: 'https://example.com/provenance/11111111-1111-4111-8111-111111111111',
  originalChecksum: 'a'.repeat(64),
  outputChecksum: 'b'.repeat(64),
  signingAuthority: null,
};
const file: CheckedFile = { name: 'a.jpg', checksum: 'c'.repeat(64), manifest: null, mark: null };
const intact: FileManifest = {
  state: 'intact',
  signer: 'Ada',
  isSignerKnown: true,
  pictures: [asked.stagedImageId],
};
const said = (given: Partial<CheckedFile>) =>
  findingsOf({ ...file, ...given }, asked).map(({ key }) => key.replace('provenance.check.', ''));
const here = { statement: asked.provenanceUrl, sourceType: null };

test.each<[string, Partial<CheckedFile>, string[]]>([
  ['the received picture', { checksum: asked.outputChecksum }, ['sameStaged']],
  ['the stored photo', { checksum: asked.originalChecksum }, ['sameOriginal']],
  ['a signed copy, whose mark is covered by the signature', { manifest: intact, mark: here }, ['signedHere']],
  ['an unknown signer', { manifest: { ...intact, isSignerKnown: false } }, ['signedUnknown']],
  ['a signature for another picture', { manifest: { ...intact, pictures: ['other'] } }, ['signedOther']],
  [
    'a picture that was made from this one',
    { manifest: { ...intact, pictures: ['other', asked.stagedImageId] } },
    ['signedLater'],
  ],
  [
    'a changed copy, whose mark is no longer covered',
    { manifest: { ...intact, state: 'changed' }, mark: here },
    ['manifestChanged', 'markHere'],
  ],
  ['a manifest that cannot be read', { manifest: { ...intact, state: 'broken' } }, ['manifestBroken']],
  ['a mark of another page', { mark: { statement: 'https://other', sourceType: null } }, ['markOther']],
  [
    'the mark of any generator',
    { mark: { statement: null, sourceType: 'trainedAlgorithmicMedia' } },
    ['markAltered'],
  ],
  ['no mark', {}, ['noMark']],
])('says of %s what can be said', (_, given, keys) => expect(said(given)).toEqual(keys));

describe('the XMP reader', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  test('reads attributes and elements with any prefix, and entities', async () => {
    const packet = `<x:xmpmeta><r:D i:DigitalSourceType="http://cv.example/compositeWithTrainedAlgorithmicMedia"><q:WebStatement>https://e.com/?a=1&amp;lt;b</q:WebStatement></r:D></x:xmpmeta>`;
    expect(await readXmpMark(bytes(`\0\xff${packet}\0`))).toEqual({
      sourceType: 'compositeWithTrainedAlgorithmicMedia',
      statement: 'https://e.com/?a=1&lt;b',
    });
  });
  test.each([
    ['nothing', ''],
    ['a packet without marks', '<x:xmpmeta></x:xmpmeta>'],
    ['a packet that does not end', '<x:xmpmeta i:WebStatement="https://e.com"'],
    ['a PNG that ends early', '\x89PNG\r\n\x1a\n\0\0\xff\xffzTXt'],
  ])('finds nothing in %s', async (_, text) => {
    expect(await readXmpMark(Uint8Array.from(text, (one) => one.charCodeAt(0)))).toBeNull();
  });
});

test('a file that cannot be read is told, and no manifest is asked of it', async () => {
  const broken = Object.assign(new Blob(['x']), {
    name: 'a.jpg',
    arrayBuffer: () => Promise.reject(new Error('gone')),
  });
  const never = () => Promise.reject(new Error('asked'));
  expect(await checkFile(broken, never)).toEqual({ problem: 'provenance.check.unreadable' });
});
