import { describe, expect, test } from 'vitest';
import { frameIn, padTo } from '../../../../machines/framing.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import {
  type Candidate,
  judgePhoto,
  makeFingerprint,
  readProbes,
} from '../../../../src/images/decoding/staged-fingerprints.ts';
import { asBigint, fromBigint, hamming, windowsOf } from '../../../../src/images/fingerprints/hashes.ts';
import { createPictureSeal } from '../../../../src/images/fingerprints/sealed-pictures.ts';
import { smallPicture } from '../../../../src/images/fingerprints/small-picture.ts';
import { drawnRoom, stagedRoom } from '../../../support/pictures/room-changes.ts';

/** Fingerprints of staged pictures (docs/contract.md#intake). */
const judgedAs = async (upload: Buffer, fingerprint: Omit<Candidate, 'isOfListing'>) => {
  const { small } = await readProbes(upload);
  const [judgement] = await judgePhoto(Buffer.from(small.rgb), {
    size: small,
    candidates: [{ ...fingerprint, isOfListing: true }],
  });
  return judgement!;
};

test('both pictures take little space, and their hashes twenty keys', async () => {
  const photo = await drawnRoom();
  const { pictures, hashes, keys, isEmptied } = await makeFingerprint(await stagedRoom(photo), {
    photo,
    pad: null,
  });
  expect(pictures.length).toBeLessThan(30_000);
  expect([hashes.length, keys.length, isEmptied]).toEqual([5, 20, false]);
});

test('of a padded picture only the frame counts, and where the photo lies in it is known', async () => {
  const photo = await sharp(await drawnRoom())
    .resize(1200, 600, { fit: 'cover' })
    .jpeg()
    .toBuffer();
  const pad = padTo({ width: 1200, height: 600 }, '3:2');
  const framed = await sharp(await stagedRoom(photo))
    .resize(1200, 600, { fit: 'fill' })
    .toBuffer();
  const staged = await sharp({
    create: { width: pad.width, height: pad.height, channels: 3, background: '#888888' },
  })
    .composite([{ input: framed, left: pad.frame.left, top: pad.frame.top }])
    .jpeg()
    .toBuffer();
  const fingerprint = await makeFingerprint(staged, { photo, pad });
  const shown = await sharp(staged).extract(frameIn(pad, pad)).jpeg().toBuffer();
  expect(Math.max(...fingerprint.margins)).toBeLessThan(4);
  expect(await judgedAs(shown, fingerprint)).toMatchObject({ isStaged: true });
  expect(await judgedAs(photo, fingerprint)).toMatchObject({ isStaged: false });
});

test('a picture from which things were taken away is emptied', async () => {
  const photo = await drawnRoom();
  const emptied = await makeFingerprint(photo, { photo: await stagedRoom(photo), pad: null });
  expect(emptied.isEmptied).toBe(true);
});

describe('pictures at the edge', () => {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#c0b8a8' } })
      .jpeg()
      .toBuffer();
  test.each([
    ['a pixel', () => plain(1, 1)],
    ['a strip', () => plain(6000, 3)],
    ['a column', () => plain(2, 3000)],
    ['a plain wall', () => plain(900, 700)],
    [
      'a gray one',
      async () =>
        sharp(await drawnRoom())
          .grayscale()
          .toColourspace('b-w')
          .png()
          .toBuffer(),
    ],
    [
      'one with alpha',
      async () =>
        sharp(await drawnRoom())
          .ensureAlpha(0.5)
          .png()
          .toBuffer(),
    ],
  ])('%s can be looked up and fingerprinted', async (_, file) => {
    const upload = await file();
    const photo = await drawnRoom('BEDROOM', 4);
    const fingerprint = await makeFingerprint(await stagedRoom(photo), { photo, pad: null });
    expect(await judgedAs(upload, fingerprint)).toMatchObject({ isStaged: false });
    const own = await makeFingerprint(upload, { photo: upload, pad: null });
    expect(await judgedAs(upload, own)).toMatchObject({ isStaged: false });
  });
});

test('a hash is the same after a way through the database, and mirrored windows find mirrored pictures', async () => {
  const picture = async (bytes: Buffer) => {
    const { small } = await readProbes(bytes);
    return windowsOf(smallPicture(small).gray);
  };
  const photo = await drawnRoom();
  const [windows, mirrored] = [await picture(photo), await picture(await sharp(photo).flop().toBuffer())];
  for (const { chunks } of windows.slice(0, 50)) expect(fromBigint(asBigint(chunks))).toEqual(chunks);
  const middle = (list: typeof windows, isMirrored: boolean) =>
    list.find(
      (one) =>
        one.region === 0 &&
        one.mirrored === isMirrored &&
        one.whole.every((side) => side === 0 || side === 1),
    )!;
  expect(hamming(middle(windows, false).chunks, middle(mirrored, true).chunks)).toBeLessThan(3);
  expect(hamming(middle(windows, false).chunks, middle(mirrored, false).chunks)).toBeGreaterThan(10);
});

test('sealed pictures open only for their own id and key', () => {
  const seal = createPictureSeal({ userHashSecret: '01'.repeat(32) });
  const sealed = seal.seal(Buffer.from('RIFF WEBP'), 'a');
  expect(seal.open(sealed, 'a').toString()).toBe('RIFF WEBP');
  expect(() => seal.open(sealed, 'b')).toThrow();
  expect(() => createPictureSeal({ userHashSecret: '02'.repeat(32) }).open(sealed, 'a')).toThrow();
  expect(() =>
    seal.open(Buffer.from(sealed.map((byte, at) => (at === sealed.length - 1 ? byte ^ 1 : byte))), 'a'),
  ).toThrow();
  expect(() => seal.open(Buffer.alloc(3), 'a')).toThrow('unknown form');
});
