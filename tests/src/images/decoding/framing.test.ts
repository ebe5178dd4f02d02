import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { nearestAspectRatio, padTo } from '../../../../machines/framing.ts';
import { stagePhoto } from '../../../../ops/simulator/pictures/staging.ts';
import { preparePhoto, prepareProviderInput } from '../../../../src/images/decoding/photo-intake.ts';
import { renderRendition } from '../../../../src/images/decoding/render.ts';
import { planRendition } from '../../../../src/images/decoding/rendition-plan.ts';
import { renderPrompt } from '../../../../src/prompts/staging-prompt.ts';
import { edgeOffsets, patternedPhoto } from '../../../support/pictures/edges.ts';
import { storedWithOrientation } from '../../../support/pictures/photo-fixtures.ts';
import { PHOTO_SHAPES } from '../../../support/pictures/shapes.ts';

const OUTPUTS = {
  '1:1': { width: 1024, height: 1024 },
  '3:2': { width: 1536, height: 1024 },
  '2:3': { width: 1024, height: 1536 },
};
const PROMPT = renderPrompt({ roomType: 'LIVING_ROOM', style: 'MODERN', modifier: null }).prompt;
const AT_768 = { width: 768, height: null, fit: 'contain', format: 'jpeg', quality: 80 } as const;

const render = (bytes: Buffer, source: Parameters<typeof renderRendition>[2]) =>
  renderRendition(bytes, planRendition(AT_768, { width: null, height: null }, 'jpeg', null), source);

describe.each(PHOTO_SHAPES)('%s', (_name, size, nearest) => {
  test('is padded to the nearest shape, and its edges lie where they were in the staged picture', async () => {
    const photo = await patternedPhoto(size);
    const { main, providerInput } = await preparePhoto(photo, 'photo');
    const pad = padTo(main, nearestAspectRatio(main));
    expect(providerInput).toMatchObject({ width: pad.width, height: pad.height });
    const staged = await stagePhoto({
      photo: providerInput?.bytes ?? null,
      prompt: PROMPT,
      ...OUTPUTS[nearest],
    });
    const output = await staged.removeAlpha().jpeg({ quality: 92 }).toBuffer();
    const before = await render(main.bytes, { pad: null });
    const after = await render(output, { pad });
    const offsets = await edgeOffsets(before, after);
    for (const { dx, dy } of offsets) expect(Math.max(Math.abs(dx), Math.abs(dy))).toBeLessThanOrEqual(1);
    // In all four quarters, or a wrong scale could hide.
    for (const right of [false, true])
      for (const lower of [false, true])
        expect(offsets.filter(({ x, y }) => x > 0.5 === right && y > 0.5 === lower)).not.toEqual([]);
  });
});

test('without the crop, the edges are elsewhere', async () => {
  const photo = await patternedPhoto({ width: 1600, height: 1200 });
  const { main, providerInput } = await preparePhoto(photo, 'photo');
  const before = await render(main.bytes, { pad: null });
  const whole = await sharp(providerInput?.bytes).resize(768, 576, { fit: 'fill' }).jpeg().toBuffer();
  const offsets = await edgeOffsets(before, whole);
  expect(offsets.some(({ dx }) => Math.abs(dx) > 2)).toBe(true);
});

test('the pad continues the edges of the photo and is never black', async () => {
  const white = sharp({ create: { width: 1000, height: 2000, channels: 3, background: '#e8e4da' } });
  const { providerInput } = await preparePhoto(await white.jpeg().toBuffer(), 'photo');
  const { width, height } = await sharp(providerInput?.bytes).metadata();
  expect([width, height]).toEqual([1334, 2001]);
  const { channels } = await sharp(providerInput?.bytes).stats();
  for (const { min } of channels) expect(min).toBeGreaterThan(200);
});

const LAPLACIAN = { width: 3, height: 3, offset: 128, kernel: [0, -1, 0, -1, 4, -1, 0, -1, 0] };

test('in the pad the lines of the photo are blurred', async () => {
  const photo = await patternedPhoto({ width: 1200, height: 1200 * 2 });
  const { main, providerInput } = await preparePhoto(photo, 'photo');
  const { frame } = padTo(main, '2:3');
  const roughness = async (left: number) => {
    const area = { left, top: 0, width: 40, height: frame.height };
    const lines = await sharp(providerInput?.bytes)
      .extract(area)
      .greyscale()
      .convolve(LAPLACIAN)
      .png()
      .toBuffer();
    return (await sharp(lines).stats()).channels[0]?.stdev ?? 0;
  };
  expect(await roughness(20)).toBeLessThan((await roughness(frame.left + 100)) / 4);
});

test('a photo that is turned by its metadata is padded upright', async () => {
  const { main, providerInput } = await preparePhoto(await storedWithOrientation(6, 'jpeg'), 'photo');
  expect([main.width, main.height]).toEqual([96, 64]);
  expect([providerInput?.width, providerInput?.height]).toEqual([96, 64]);
});

test('of a photo beyond 3:1 no padded copy is made, and a stored one is refused', async () => {
  const long = await patternedPhoto({ width: 2000, height: 620 });
  expect((await preparePhoto(long, 'photo')).providerInput).toBeNull();
  expect((await preparePhoto(long, 'fixed')).providerInput).not.toBeNull();
  await expect(prepareProviderInput(long, 'photo')).rejects.toMatchObject({ code: 'PHOTO_SHAPE' });
});

test('of an output whose shape is a little off, the frame is shown in the proportions of the photo', async () => {
  const pad = padTo({ width: 1600, height: 1200 }, '3:2');
  const output = await patternedPhoto({ width: 1536, height: 1034 });
  const shown = await sharp(await render(output, { pad })).metadata();
  expect([shown.width, shown.height]).toEqual([768, 576]);
});
