import { beforeAll, describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import { withPlainHeader } from '../../../../src/images/decoding/jpeg-header.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { segment } from '../../../support/pictures/jpeg-file.ts';
import { plainPhoto } from '../../../support/pictures/prepared-photo.ts';
import { roomOf } from '../../../support/pictures/room-photos.ts';
import { adobeRedSquare } from '../../../support/pictures/tricky-pictures.ts';

const [SOF0, SOF2, DQT, SOS, APP0, APP14] = [0xc0, 0xc2, 0xdb, 0xda, 0xe0, 0xee] as const;

/** Where the segment of this marker begins. */
function placeOf(jpeg: Buffer, marker: number): number {
  for (let at = 2; at < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === marker) return at;
  throw new Error(`no segment ${marker.toString(16)}`);
}
const ahead = (jpeg: Buffer, marker: number, bytes: readonly number[] | Buffer): Buffer => {
  const at = placeOf(jpeg, marker);
  return Buffer.concat([jpeg.subarray(0, at), Buffer.from(bytes), jpeg.subarray(at)]);
};
const atStart = (jpeg: Buffer, part: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), part, jpeg.subarray(2)]);
function changed(jpeg: Buffer, offset: number, value: number): Buffer {
  const copy = Buffer.from(jpeg);
  copy[offset] = value;
  return copy;
}

const jfif = (major: number) => segment(APP0, [...Buffer.from('JFIF\0'), major, 1, 0, 0, 1, 0, 1, 0, 0]);
const adobe = (transform: number) => segment(APP14, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform]);
/** A picture of Adobe's programs has their segment instead of JFIF's. */
const withoutJfif = (jpeg: Buffer, instead: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), instead, jpeg.subarray(2 + jfif(1).length)]);
/** Offset of the first of the three parameters that follow a scan's components. */
const selectionOf = (jpeg: Buffer): number => {
  const at = placeOf(jpeg, SOS);
  return at + 5 + 2 * (jpeg[at + 4] ?? 0);
};

/** Begins like the file of a camera. */
let room: Buffer;
beforeAll(async () => {
  room = atStart(await (await roomOf('OFFICE', 640, 480)).jpeg({ quality: 90 }).toBuffer(), jfif(1));
});

describe('a JPEG that every browser shows', () => {
  const stored = async (jpeg: Buffer) => (await plainPhoto(jpeg)).main.checksum;

  test.each<[string, (jpeg: Buffer) => Buffer]>([
    ['a phone that ends the scan at coefficient 0', (jpeg) => changed(jpeg, selectionOf(jpeg) + 1, 0)],
    ['a phone that begins the scan at coefficient 1', (jpeg) => changed(jpeg, selectionOf(jpeg), 1)],
    ['successive approximation in a sequential scan', (jpeg) => changed(jpeg, selectionOf(jpeg) + 2, 0x10)],
    ['five zeros before the quantization tables', (jpeg) => ahead(jpeg, DQT, [0, 0, 0, 0, 0])],
    ['bytes before the frame and the scan', (jpeg) => ahead(ahead(jpeg, SOS, [0xff, 0, 1, 2]), SOF0, [7])],
    ['fill bytes before a marker', (jpeg) => ahead(jpeg, DQT, [0xff, 0xff])],
    ['JFIF version 2', (jpeg) => changed(jpeg, placeOf(jpeg, APP0) + 9, 2)],
    ['an unknown color transform of Adobe', (jpeg) => withoutJfif(jpeg, adobe(9))],
  ])('%s: the stored pixels are those of the plain file', async (_, spoil) => {
    const odd = spoil(room);
    expect(odd.equals(room)).toBe(false);
    expect(await stored(odd)).toBe(await stored(room));
  });

  test('an unknown color transform in four channels is read as YCCK', async () => {
    const square = adobeRedSquare();
    const at = placeOf(square, APP14) + 15;
    expect(await stored(changed(square, at, 7))).toBe(await stored(changed(square, at, 2)));
  });

  test('a progressive picture and a plain one keep every byte of their headers', async () => {
    const progressive = await sharp(room).jpeg({ progressive: true }).toBuffer();
    expect(placeOf(progressive, SOF2)).toBeGreaterThan(0);
    for (const jpeg of [progressive, room, atStart(room, adobe(0))])
      expect(withPlainHeader(jpeg).equals(jpeg)).toBe(true);
  });
});

describe('a JPEG with damaged or missing pixels is rejected', () => {
  const rejection = (jpeg: Buffer) =>
    plainPhoto(jpeg).then(
      () => 'stored',
      (error: unknown) => (error instanceof PublicError ? error.code : error),
    );
  const firstPixels = () => placeOf(room, SOS) + 2 + room.readUInt16BE(placeOf(room, SOS) + 2);
  const inside = (bytes: readonly number[]): Buffer => {
    const at = firstPixels() + 4_000;
    return Buffer.concat([room.subarray(0, at), Buffer.from(bytes), room.subarray(at)]);
  };

  test.each<[string, () => Buffer]>([
    ['cut at nine tenths', () => room.subarray(0, Math.floor(room.length * 0.9))],
    ['cut before its pixels', () => room.subarray(0, firstPixels())],
    ['a restart marker out of step', () => inside([0xff, 0xd3])],
    ['a table in the midst of the pixels', () => inside([0xff, 0xdb, 0, 2])],
    [
      'a segment that is longer than the file',
      () => ahead(room, DQT, [0xff, 0xe5, 0xff, 0xff]).subarray(0, 9_000),
    ],
    ['no frame', () => Buffer.concat([room.subarray(0, 2), room.subarray(placeOf(room, SOS))])],
    [
      'more segments than any picture has',
      () => atStart(room, Buffer.alloc(4 * 5_000, 'ffe50002', 'hex')).subarray(0, 20_000),
    ],
  ])('%s', async (_, spoiled) => {
    expect(await rejection(spoiled())).toBe('PHOTO_BROKEN');
  });
});
