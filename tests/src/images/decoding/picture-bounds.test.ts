import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import type { Decoder } from '../../../../src/images/decoding/decoder.ts';
import { OutputRefused } from '../../../../src/images/decoding/output-refused.ts';
import { isWithinBounds } from '../../../../src/images/decoding/picture-bounds.ts';
import { testDecoder } from '../../../support/pictures/decoders.ts';
import {
  claiming,
  flatPng,
  LYING_FORMATS,
  sides,
  soundPicture,
} from '../../../support/pictures/extreme-pictures.ts';

const plan = {
  box: { width: 64, height: 64 },
  fit: 'contain',
  format: 'webp',
  quality: 60,
  variant: 'v',
  mark: null,
} as const;
const READERS = {
  photo: (bytes: Buffer) => decoder.run('photo', ['fixed'], { load: () => bytes }),
  'provider-input': (bytes: Buffer) => decoder.run('provider-input', ['fixed'], { load: () => bytes }),
  avatar: (bytes: Buffer) => decoder.run('avatar', [], { load: () => bytes }),
  'staged-output': (bytes: Buffer) =>
    decoder.run('staged-output', [{ format: 'png', aspectRatio: '1:1' }], { load: () => bytes }),
  rendition: (bytes: Buffer) => decoder.run('rendition', [plan, { pad: null }], { load: () => bytes }),
};
type Reader = keyof typeof READERS;
const REJECTIONS: Record<Reader, string> = {
  photo: 'PHOTO_TOO_LARGE',
  'provider-input': 'PHOTO_TOO_LARGE',
  avatar: 'PHOTO_TOO_LARGE',
  'staged-output': 'OUTPUT_TOO_LARGE',
  rendition: 'PHOTO_BROKEN',
};

let decoder: Decoder;
const lost: string[] = [];
beforeAll(() => {
  decoder = testDecoder({ processes: 1, onLost: (reason) => lost.push(reason) });
});
afterEach(() => {
  lost.length = 0;
});
afterAll(() => decoder.close());

async function outcome(reader: Reader, bytes: Buffer): Promise<string> {
  try {
    await READERS[reader](bytes);
    return 'accepted';
  } catch (error) {
    if (error instanceof PublicError) return error.code;
    return error instanceof OutputRefused ? error.errorCode : `fault: ${error}`;
  }
}

test.each([
  ['16384x820', true],
  ['820x16384', true],
  ['16384x819', false],
  ['16385x1000', false],
  ['1000x16385', false],
  ['4000x200', true],
  ['4001x200', false],
  ['200x4001', false],
  ['10000x6000', true],
  ['10000x6001', false],
  ['1x1', true],
  ['21x1', false],
  ['60000000x1', false],
  ['0x5', false],
])('%s: %s', (text, allowed) => {
  expect(isWithinBounds(sides(text))).toBe(allowed);
});

/** Complete pictures of few pixels or few bytes: only the header shows that they are dangerous. */
const EXTREME = ['60000000x1', '1x60000000', '16385x900', '900x16385', '2001x100', '100x2001'];

describe.each(EXTREME)('a complete PNG of %s pixels', (text) => {
  let file: Buffer;
  beforeAll(async () => {
    file = flatPng(sides(text));
  });

  test.each(Object.keys(READERS) as Reader[])('is rejected by its header: %s', async (reader) => {
    expect(await outcome(reader, file)).toBe(REJECTIONS[reader]);
    expect(lost).toEqual([]);
  });
});

describe.each(LYING_FORMATS)('a small %s with a header of', (format) => {
  test.each([...EXTREME, '2147483647x2147483647', '65535x65535', '16384x3662'])(
    '%s is rejected, and no decoder is lost',
    async (text) => {
      const file = claiming(format, await soundPicture(format), sides(text));
      for (const reader of ['photo', 'avatar'] as const)
        expect(['PHOTO_TOO_LARGE', 'PHOTO_BROKEN', 'PHOTO_TYPE_UNSUPPORTED']).toContain(
          await outcome(reader, file),
        );
      expect(lost).toEqual([]);
    },
  );
});
