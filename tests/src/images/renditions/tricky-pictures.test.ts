import { beforeAll, expect, test } from 'vitest';
import { PUBLIC_ERRORS } from '../../../../src/errors/public-errors.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { giveVerdicts } from '../../../support/database/photo-verdicts.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import {
  BLUE,
  cornerColours,
  distance,
  GREEN,
  GREY,
  noisy,
  RED,
  storedWithOrientation,
} from '../../../support/pictures/photo-fixtures.ts';
import { ask, looks } from '../../../support/pictures/stored-pictures.ts';
import { TRICKY_PICTURES } from '../../../support/pictures/tricky-pictures.ts';

/** Through the upload and the image route: every accepted picture is returned clean and in the right size. */
let agent: Person;
let propertyId: string;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
});

const FORMATS = ['jpeg', 'webp', 'avif'] as const;
const BOXES: [query: string, box: { width: number; height: number }, fit: 'cover' | 'contain'][] = [
  ['w=64', { width: 64, height: 2048 }, 'contain'],
  ['w=256&h=128', { width: 256, height: 128 }, 'cover'],
  ['w=384&h=384&fit=contain', { width: 384, height: 384 }, 'contain'],
  ['w=4096', { width: 2048, height: 2048 }, 'contain'],
];

async function expectGoodCopies(image: { imageId: string; width: number; height: number }): Promise<void> {
  for (const [query, box, fit] of BOXES) {
    // AVIF is slow to encode; one size is enough.
    for (const format of FORMATS.filter((one) => one !== 'avif' || query === 'w=64')) {
      const { status, bytes } = await ask(host, `/api/images/${image.imageId}?${query}&format=${format}`);
      expect(status).toBe(200);
      const { width, height, exif, icc, xmp, iptc, hasAlpha } = await sharp(bytes).metadata();
      expect({ exif, icc, xmp, iptc }).toEqual({});
      if (format === 'jpeg') expect(hasAlpha).toBe(false);
      expect(await looks(bytes)).toMatch(new RegExp(`^${format} `));
      expect(width).toBeLessThanOrEqual(Math.min(box.width, image.width));
      expect(height).toBeLessThanOrEqual(Math.min(box.height, image.height));
      const shape = fit === 'cover' ? box : image;
      expect(Math.abs(width * shape.height - height * shape.width)).toBeLessThanOrEqual(
        Math.max(shape.width, shape.height),
      );
      const touches = width === box.width || height === box.height;
      expect(touches || width === image.width || height === image.height).toBe(true);
      await sharp(bytes).stats();
    }
  }
}

/** Shown at once: there is no worker that looks it up. */
async function uploaded(file: Buffer) {
  const answer = await agent.upload(file, { propertyId });
  await giveVerdicts(host.pool);
  return answer;
}

test.each([3, 5, 6, 8])('stored with orientation %d, displayed upright', async (orientation) => {
  const answer = await uploaded(await storedWithOrientation(orientation, 'jpeg'));
  expect(answer.status).toBe(201);
  for (const format of ['jpeg', 'webp']) {
    const { bytes } = await ask(host, `/api/images/${answer.body.imageId}?w=64&format=${format}&q=90`);
    expect(distance(await cornerColours(bytes), [RED, GREEN, BLUE, GREY])).toBeLessThan(16);
  }
});

test.each([
  ['a PNG with alpha', async () => noisy(300, 200).ensureAlpha(0.4).png().toBuffer()],
  ['a CMYK JPEG', async () => noisy(300, 200).toColourspace('cmyk').jpeg().toBuffer()],
  ['a WebP', async () => noisy(300, 200).webp().toBuffer()],
  ['an AVIF', async () => noisy(300, 200).avif({ effort: 0 }).toBuffer()],
  ['a 16-bit grey PNG', async () => noisy(300, 200).toColourspace('grey16').png().toBuffer()],
  ['one pixel', async () => noisy(1, 1).jpeg().toBuffer()],
  ['a strip', async () => noisy(1000, 50).png().toBuffer()],
])('%s, in every size and format', async (_, file) => {
  const answer = await uploaded(await file());
  expect(answer.status).toBe(201);
  await expectGoodCopies(answer.body);
});

test.each(TRICKY_PICTURES)(
  '$name is rejected with its code, or returned clean',
  async ({ outcome, draw }) => {
    const answer = await uploaded(await draw());
    if ('rejected' in outcome) {
      const { httpStatus } = PUBLIC_ERRORS[outcome.rejected];
      expect([answer.status, answer.errorCode]).toEqual([httpStatus, outcome.rejected]);
      return;
    }
    expect(answer.status).toBe(201);
    const { format, width, height } = answer.body;
    expect(`${format} ${width} ${height}`).toBe(outcome.stored);
    await expectGoodCopies(answer.body);
    const whole = await ask(host, `/api/images/${answer.body.imageId}`);
    expect((await sharp(whole.bytes).metadata()).exif).toBeUndefined();
    expect(await looks(whole.bytes)).toBe(`${format} ${width}x${height}`);
  },
);
