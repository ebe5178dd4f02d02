import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { StagingAspectRatio } from '../../../../machines/vocabulary.ts';
import { OutputRefused } from '../../../../src/images/decoding/output-refused.ts';
import { MAX_OUTPUT_BYTES } from '../../../../src/images/decoding/picture-bounds.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { type ExpectedOutput, inspectStagedOutput } from '../../../../src/images/decoding/staged-output.ts';
import { asAnimatedPng, noisy, pngClaiming } from '../../../support/pictures/photo-fixtures.ts';

const SQUARE_PNG: ExpectedOutput = { format: 'png', aspectRatio: '1:1' };

async function rejection(bytes: Buffer, expected: ExpectedOutput): Promise<string> {
  const error = await inspectStagedOutput(bytes, expected).catch((reason: unknown) => reason);
  if (!(error instanceof OutputRefused)) throw new Error('was not refused', { cause: error });
  return error.errorCode;
}

describe('accepted', () => {
  test.each([
    ['jpeg', '3:2', 1536, 1024],
    ['png', '2:3', 1024, 1536],
    ['webp', '1:1', 1024, 1024],
  ] as const)('%s at %s is described and left as it is', async (format, aspectRatio, width, height) => {
    const bytes = await noisy(width, height).toFormat(format).toBuffer();
    const checksum = createHash('sha256').update(bytes).digest('hex');
    const found = await inspectStagedOutput(bytes, { format, aspectRatio });
    expect(found).toEqual({ width, height, format, bytes: bytes.length, checksum });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(checksum);
  });

  test('a sideways JPEG is measured as displayed', async () => {
    const bytes = await noisy(1024, 1536).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const found = await inspectStagedOutput(bytes, { format: 'jpeg', aspectRatio: '3:2' });
    expect([found.width, found.height]).toEqual([1536, 1024]);
  });
});

describe('the limits', () => {
  test.each([
    ['1:1', 1010, 1000, 'ok'],
    ['1:1', 1011, 1000, 'OUTPUT_INVALID'],
    ['1:1', 990, 1000, 'ok'],
    ['1:1', 989, 1000, 'OUTPUT_INVALID'],
    ['3:2', 1500, 1000, 'ok'],
    ['3:2', 1516, 1000, 'OUTPUT_INVALID'],
    ['3:2', 1000, 1500, 'OUTPUT_INVALID'],
    ['2:3', 1000, 1500, 'ok'],
    ['1:1', 512, 512, 'ok'],
    ['1:1', 511, 512, 'OUTPUT_INVALID'],
    ['1:1', 512, 511, 'OUTPUT_INVALID'],
  ] as const)('%s as %ix%i: %s', async (aspectRatio: StagingAspectRatio, width, height, verdict) => {
    const bytes = await noisy(width, height).png({ compressionLevel: 1 }).toBuffer();
    const expected: ExpectedOutput = { format: 'png', aspectRatio };
    if (verdict === 'ok')
      await expect(inspectStagedOutput(bytes, expected)).resolves.toMatchObject({ width, height });
    else expect(await rejection(bytes, expected)).toBe(verdict);
  });

  test('more than 50 megapixels is OUTPUT_TOO_LARGE by the header, a decompression bomb included', async () => {
    expect(await rejection(pngClaiming(7_072, 7_072), SQUARE_PNG)).toBe('OUTPUT_TOO_LARGE');
    expect(await rejection(pngClaiming(65_535, 65_535), SQUARE_PNG)).toBe('OUTPUT_TOO_LARGE');
    expect(await rejection(pngClaiming(7_071, 7_071), SQUARE_PNG)).toBe('OUTPUT_INVALID');
  });

  test('more than 20 MiB is OUTPUT_TOO_LARGE', async () => {
    const picture = await noisy(512, 512).png().toBuffer();
    const padded = (size: number): Buffer => Buffer.concat([picture, Buffer.alloc(size - picture.length)]);
    await expect(inspectStagedOutput(padded(MAX_OUTPUT_BYTES), SQUARE_PNG)).resolves.toBeDefined();
    expect(await rejection(padded(MAX_OUTPUT_BYTES + 1), SQUARE_PNG)).toBe('OUTPUT_TOO_LARGE');
  });
});

describe('OUTPUT_INVALID', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('a truncated %s', async (format) => {
    const whole = await noisy(600, 600).toFormat(format).toBuffer();
    for (const part of [0.1, 0.5, 0.97]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part));
      expect(await rejection(cut, { format, aspectRatio: '1:1' })).toBe('OUTPUT_INVALID');
    }
  });

  test('another format than requested', async () => {
    const webp = await noisy(600, 600).webp().toBuffer();
    expect(await rejection(webp, { format: 'jpeg', aspectRatio: '1:1' })).toBe('OUTPUT_INVALID');
    const gif = await noisy(600, 600).gif().toBuffer();
    expect(await rejection(gif, { format: 'png', aspectRatio: '1:1' })).toBe('OUTPUT_INVALID');
  });

  test('an HTML error page, an empty body', async () => {
    expect(await rejection(Buffer.from('<html>expired</html>'), SQUARE_PNG)).toBe('OUTPUT_INVALID');
    expect(await rejection(Buffer.alloc(0), SQUARE_PNG)).toBe('OUTPUT_INVALID');
  });

  test('more than one frame', async () => {
    const frame = await noisy(600, 600).png().toBuffer();
    expect(await rejection(asAnimatedPng(frame), SQUARE_PNG)).toBe('OUTPUT_INVALID');
    const other = await noisy(600, 600).negate().png().toBuffer();
    const animated = await sharp([frame, other], { join: { animated: true } })
      .webp()
      .toBuffer();
    expect(await rejection(animated, { format: 'webp', aspectRatio: '1:1' })).toBe('OUTPUT_INVALID');
  });
});
