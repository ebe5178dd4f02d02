import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MAX_PHOTO_BYTES } from '../../../../machines/limits.ts';
import { PublicError } from '../../../../src/errors/errors.ts';
import { MAX_PICTURE_PIXELS } from '../../../../src/images/decoding/picture-bounds.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import {
  animatedWebp,
  asAnimatedPng,
  BLUE,
  cornerColours,
  corners,
  distance,
  GREEN,
  GREY,
  noisy,
  pngClaiming,
  RED,
  storedWithOrientation,
} from '../../../support/pictures/photo-fixtures.ts';
import { plainPhoto } from '../../../support/pictures/prepared-photo.ts';

const UPRIGHT = [RED, GREEN, BLUE, GREY];

async function rejection(bytes: Buffer): Promise<string> {
  const error = await plainPhoto(bytes).catch((reason: unknown) => reason);
  if (!(error instanceof PublicError)) throw new Error('was not refused', { cause: error });
  expect(error.message).toMatch(/Send|send/);
  return error.code;
}

describe('orientation', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    test.each([1, 2, 3, 4, 5, 6, 7, 8])(
      `${format} with EXIF orientation %i comes out upright`,
      async (orientation) => {
        const { main, providerInput } = await plainPhoto(await storedWithOrientation(orientation, format));
        expect([main.width, main.height, main.format]).toEqual([96, 64, format]);
        expect(distance(await cornerColours(main.bytes), UPRIGHT)).toBeLessThan(12);
        expect([providerInput.width, providerInput.height]).toEqual([96, 64]);
        expect(distance(await cornerColours(providerInput.bytes), UPRIGHT)).toBeLessThan(12);
      },
    );
  }
});

describe('what is stored', () => {
  test('size, format and checksum describe the stored bytes', async () => {
    const { main } = await plainPhoto(await noisy(640, 480).jpeg().toBuffer());
    const header = await sharp(main.bytes).metadata();
    expect(header).toMatchObject({ width: main.width, height: main.height, format: main.format });
    expect(main.checksum).toBe(createHash('sha256').update(main.bytes).digest('hex'));
  });

  test.each(['jpeg', 'png', 'webp'] as const)(
    '%s loses GPS, EXIF, XMP, ICC and trailing data',
    async (format) => {
      const tagged = await corners()
        .withExif({
          IFD0: { Copyright: 'hidden-copyright' },
          IFD3: { GPSLatitude: '47/1 36/1 0/1', GPSLatitudeRef: 'N' },
        })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">hidden-xmp</x:xmpmeta>')
        .withIccProfile('p3')
        .toFormat(format)
        .toBuffer();
      const before = await sharp(tagged).metadata();
      expect([before.exif, before.icc, before.xmp].every(Boolean)).toBe(true);

      const { main, providerInput } = await plainPhoto(
        Buffer.concat([tagged, Buffer.from('hidden-trailer')]),
      );
      for (const { bytes } of [main, providerInput]) {
        const after = await sharp(bytes).metadata();
        expect([after.exif, after.icc, after.xmp, after.iptc, after.orientation]).toEqual(
          Array(5).fill(undefined),
        );
        expect(after).toMatchObject({ space: 'srgb', depth: 'uchar' });
        expect(bytes.toString('latin1')).not.toMatch(/hidden|Exif|GPS|xmpmeta|ICC_PROFILE/);
      }
    },
  );

  test('a wide-gamut photo has the same colors in sRGB', async () => {
    const p3 = await corners().withIccProfile('p3').png().toBuffer();
    const rawNumbers = await cornerColours(await sharp(p3, { ignoreIcc: true }).png().toBuffer());
    expect(distance(rawNumbers, UPRIGHT)).toBeGreaterThan(15);
    const { main } = await plainPhoto(p3);
    expect(distance(await cornerColours(main.bytes), UPRIGHT)).toBeLessThan(4);
  });

  test('16 bits a channel become 8', async () => {
    const deep = await corners().toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    const { main } = await plainPhoto(deep);
    expect((await sharp(main.bytes).metadata()).depth).toBe('uchar');
    expect(distance(await cornerColours(main.bytes), UPRIGHT)).toBeLessThan(4);
  });

  // CMYK cannot represent these saturated colors exactly; an inverted reading would differ by 150 or more.
  test('a CMYK JPEG is stored in the right colors', async () => {
    const cmyk = await corners().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const { main } = await plainPhoto(cmyk);
    expect((await sharp(main.bytes).metadata()).space).toBe('srgb');
    expect(distance(await cornerColours(main.bytes), UPRIGHT)).toBeLessThan(100);
  });

  test('a greyscale photo is stored as RGB', async () => {
    const { main, providerInput } = await plainPhoto(
      await noisy(80, 60).toColourspace('b-w').jpeg().toBuffer(),
    );
    expect((await sharp(main.bytes).metadata()).channels).toBe(3);
    expect((await sharp(providerInput.bytes).metadata()).channels).toBe(3);
  });

  test('AVIF becomes JPEG, or PNG when it has transparency', async () => {
    const opaque = await plainPhoto(await corners().avif({ quality: 90 }).toBuffer());
    expect(opaque.main.format).toBe('jpeg');
    expect(distance(await cornerColours(opaque.main.bytes), UPRIGHT)).toBeLessThan(20);
    const clear = await plainPhoto(await corners().ensureAlpha(0.5).avif().toBuffer());
    expect(clear.main.format).toBe('png');
    expect((await sharp(clear.main.bytes).metadata()).hasAlpha).toBe(true);
  });

  test('the provider copy is at most 2048 on its longest side, RGB JPEG, white where the photo is transparent', async () => {
    const wide = await noisy(3000, 1000).ensureAlpha(0).png().toBuffer();
    const { main, providerInput } = await plainPhoto(wide);
    expect([main.width, main.height]).toEqual([3000, 1000]);
    expect([providerInput.width, providerInput.height]).toEqual([2048, 683]);
    expect(await sharp(providerInput.bytes).metadata()).toMatchObject({
      format: 'jpeg',
      channels: 3,
      space: 'srgb',
    });
    expect(distance(await cornerColours(providerInput.bytes), Array(4).fill([255, 255, 255]))).toBe(0);
    expect((await sharp(main.bytes).metadata()).hasAlpha).toBe(true);
  });

  test('a small photo is not enlarged for the provider', async () => {
    const { providerInput } = await plainPhoto(await noisy(100, 200).png().toBuffer());
    expect([providerInput.width, providerInput.height]).toEqual([100, 200]);
  });
});

describe('errors', () => {
  test.each([
    ['GIF', () => corners().gif().toBuffer()],
    ['TIFF', () => corners().tiff().toBuffer()],
    [
      'SVG',
      async () =>
        Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['PDF', async () => Buffer.from('%PDF-1.7\n')],
    ['an empty file', async () => Buffer.alloc(0)],
    ['an animated WebP', animatedWebp],
    ['an animated PNG', async () => asAnimatedPng(await corners().png().toBuffer())],
  ])('%s is PHOTO_TYPE_UNSUPPORTED', async (_name, make) => {
    expect(await rejection(await make())).toBe('PHOTO_TYPE_UNSUPPORTED');
  });

  test.each(['jpeg', 'png', 'webp', 'avif'] as const)('a truncated %s is PHOTO_BROKEN', async (format) => {
    const whole = await noisy(300, 200).toFormat(format).toBuffer();
    await expect(plainPhoto(whole)).resolves.toBeDefined();
    for (const part of [0.3, 0.6, 0.95]) {
      expect(await rejection(whole.subarray(0, Math.floor(whole.length * part))), `first ${part}`).toBe(
        'PHOTO_BROKEN',
      );
    }
  });

  test.each(['jpeg', 'png'] as const)('a %s with damage in the middle is PHOTO_BROKEN', async (format) => {
    const damaged = await noisy(300, 200).toFormat(format).toBuffer();
    const middle = Math.floor(damaged.length / 2);
    damaged.fill(0xff, middle, middle + 40);
    expect(await rejection(damaged)).toBe('PHOTO_BROKEN');
  });

  test('more than 60 megapixels is PHOTO_TOO_LARGE, decided by the header alone', async () => {
    expect(await rejection(pngClaiming(10_000, 6_001))).toBe('PHOTO_TOO_LARGE');
    expect(await rejection(pngClaiming(65_535, 65_535))).toBe('PHOTO_TOO_LARGE');
    expect(MAX_PICTURE_PIXELS).toBe(10_000 * 6_000);
    expect(await rejection(pngClaiming(10_000, 6_000))).toBe('PHOTO_BROKEN');
  });

  test('more than 25 MiB is PHOTO_TOO_LARGE, exactly 25 MiB is read', async () => {
    const photo = await corners().jpeg().toBuffer();
    const padded = (size: number): Buffer => Buffer.concat([photo, Buffer.alloc(size - photo.length)]);
    await expect(plainPhoto(padded(MAX_PHOTO_BYTES))).resolves.toBeDefined();
    expect(await rejection(padded(MAX_PHOTO_BYTES + 1))).toBe('PHOTO_TOO_LARGE');
  });
});
