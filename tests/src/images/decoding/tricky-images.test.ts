import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { plainPhoto } from '../../../support/pictures/prepared-photo.ts';
import { sharedPictures } from '../../../support/pictures/shared-pictures.ts';

const folder = sharedPictures('tricky-images');
const photos = sharedPictures('photos');

/** `format width height` of the stored picture, or the error code of the rejection. */
const EXPECTED: Record<string, string> = {
  '16bit-rgb-transparent.png': 'png 32 32',
  '16bit-rgb.tiff': 'PHOTO_TYPE_UNSUPPORTED',
  'animated-big-height.webp': 'PHOTO_TYPE_UNSUPPORTED',
  'animated.gif': 'PHOTO_TYPE_UNSUPPORTED',
  'animated.webp': 'PHOTO_TYPE_UNSUPPORTED',
  'bomb-65536.png': 'PHOTO_TOO_LARGE',
  // Its text chunks would unpack to gigabytes; its one pixel is fine, and the text is dropped unread.
  'bomb-png-text-chunk.png': 'png 1 1',
  'bomb.gif': 'PHOTO_TYPE_UNSUPPORTED',
  'cmyk-adobe.jpg': 'jpeg 100 100',
  'corrupt-header.jpg': 'PHOTO_BROKEN',
  'derived-room-alpha.png': 'png 420 279',
  'derived-room-cmyk.jpg': 'jpeg 900 599',
  'derived-room-exif6-gps.jpg': 'jpeg 1200 797',
  'derived-room-lossy.webp': 'webp 1200 800',
  'display-p3-icc.png': 'png 8 8',
  'exif-broken.jpg': 'jpeg 100 100',
  'exif-gps.jpg': 'jpeg 8 8',
  'exif-orient-Landscape_3.jpg': 'jpeg 600 450',
  'exif-orient-Landscape_6.jpg': 'jpeg 600 450',
  'exif-orient-Portrait_5.jpg': 'jpeg 450 600',
  'exif-orient-Portrait_8.jpg': 'jpeg 450 600',
  'full-transparent.png': 'png 300 300',
  'heic.heif': 'PHOTO_TYPE_UNSUPPORTED',
  'svg-not-a-photo.svg': 'PHOTO_TYPE_UNSUPPORTED',
  'truncated.jpg': 'PHOTO_BROKEN',
  'truncated.png': 'PHOTO_BROKEN',
  'zero-width.gif': 'PHOTO_TYPE_UNSUPPORTED',
};

const load = (from: string, name: string): Buffer => readFileSync(join(from, name));

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

/** Mean red, green and blue, enough to tell right colours from inverted ones. */
async function meanColour(bytes: Buffer): Promise<number[]> {
  const { channels } = await sharp(await sharp(bytes).removeAlpha().png().toBuffer()).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

describe.skipIf(!folder)(
  `tricky pictures${folder ? '' : ' (skipped: ../shared/data/tricky-images is not here)'}`,
  () => {
    test('the table names every file', () => {
      expect(readdirSync(folder ?? '').sort()).toEqual(Object.keys(EXPECTED).sort());
    });

    test.each(Object.entries(EXPECTED))('%s -> %s', async (name, expected) => {
      expect(await outcome(load(folder ?? '', name))).toBe(expected);
    });

    test('the text in the Adobe CMYK file is red', async () => {
      const { main } = await plainPhoto(load(folder ?? '', 'cmyk-adobe.jpg'));
      const { data, info } = await sharp(main.bytes).raw().toBuffer({ resolveWithObject: true });
      let red = 0;
      for (let at = 0; at < data.length; at += info.channels) {
        const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
        if (r > 180 && g < 90 && b < 90) red += 1;
      }
      expect(red).toBeGreaterThan(200);
    });

    test.skipIf(!photos)(
      `the CMYK room looks like its RGB original${photos ? '' : ' (skipped: ../shared/data/photos is not here)'}`,
      async () => {
        const { main } = await plainPhoto(load(folder ?? '', 'derived-room-cmyk.jpg'));
        const original = await meanColour(load(photos ?? '', 'dining-01-set-table.jpg'));
        const [found, expected] = [await meanColour(main.bytes), original];
        found.forEach((mean, channel) => {
          expect(Math.abs(mean - (expected[channel] ?? 999))).toBeLessThan(25);
        });
      },
    );
  },
);

describe.skipIf(!photos)(
  `room photos${photos ? '' : ' (skipped: ../shared/data/photos is not here)'}`,
  () => {
    test.each(photos ? readdirSync(photos) : [])('%s is accepted and clean', async (name) => {
      expect(await outcome(load(photos ?? '', name))).toMatch(/^(jpeg|png) \d+ \d+$/);
    });
  },
);
