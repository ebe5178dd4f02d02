import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { plainPhoto } from '../../../support/pictures/prepared-photo.ts';
import { ROOM_PHOTOS } from '../../../support/pictures/room-photos.ts';
import { adobeRedSquare, cmykRoom, TRICKY_PICTURES } from '../../../support/pictures/tricky-pictures.ts';

/** `format width height` of the stored picture, or the error code of the rejection. */
async function outcome(bytes: Buffer): Promise<string> {
  try {
    const { main, providerInput } = await plainPhoto(bytes);
    for (const picture of [main, providerInput]) await expectClean(picture.bytes);
    return `${main.format} ${main.width} ${main.height}`;
  } catch (error) {
    if (error instanceof PublicError) return error.code;
    throw error;
  }
}

async function expectClean(bytes: Buffer): Promise<void> {
  const { exif, icc, xmp, iptc, orientation, space, depth } = await sharp(bytes).metadata();
  expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
  expect([space, depth]).toEqual(['srgb', 'uchar']);
}

/** Mean red, green and blue, enough to tell right colors from inverted ones. */
async function meanColour(bytes: Buffer): Promise<number[]> {
  const { channels } = await sharp(await sharp(bytes).removeAlpha().png().toBuffer()).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

describe('tricky pictures', () => {
  const cases = TRICKY_PICTURES.map(({ name, outcome: expected, draw }) => {
    const words = 'stored' in expected ? expected.stored : expected.rejected;
    return [name, words, draw] as const;
  });
  test.each(cases)('%s -> %s', async (_, expected, draw) => {
    expect(await outcome(await draw())).toBe(expected);
  });

  test('the square in the Adobe CMYK file is red', async () => {
    const { main } = await plainPhoto(adobeRedSquare());
    const { data, info } = await sharp(main.bytes).raw().toBuffer({ resolveWithObject: true });
    let red = 0;
    for (let at = 0; at < data.length; at += info.channels) {
      const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
      if (r > 180 && g < 90 && b < 90) red += 1;
    }
    // 64x64; its edges are blurred.
    expect(red).toBeGreaterThan(3_500);
    expect(red).toBeLessThan(4_500);
  });

  test('the CMYK room looks like its RGB original', async () => {
    const { cmyk, rgb } = await cmykRoom();
    const { main } = await plainPhoto(cmyk);
    const [found, expected] = [await meanColour(main.bytes), await meanColour(rgb)];
    found.forEach((mean, channel) => {
      expect(Math.abs(mean - (expected[channel] ?? 999))).toBeLessThan(25);
    });
  });
});

describe('room photos', () => {
  test.each(ROOM_PHOTOS)('$name is accepted and clean', async ({ draw }) => {
    expect(await outcome(await draw())).toMatch(/^(jpeg|png|webp) \d+ \d+$/);
  });
});
