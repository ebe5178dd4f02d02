import { GetObjectCommand } from '@aws-sdk/client-s3';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_ERRORS, type PublicErrorCode } from '../../../src/errors/public-errors.ts';
import { peakMegabytes } from '../../support/peak-memory.ts';
import { ROOM_PHOTOS } from '../../support/pictures/room-photos.ts';
import { TRICKY_PICTURES } from '../../support/pictures/tricky-pictures.ts';
import { type Answer, type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, roomPhoto } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { listKeys } from '../../support/platform/stack.ts';

/**
 * Pictures of every kind through a real API host: each is stored upright without metadata, or rejected with a code and
 * leaves nothing. One process takes them all within its memory bound.
 */
let platform: TestPlatform;
let agent: Person;
let propertyId: string;

beforeAll(async () => {
  platform = await startTestPlatform({ workers: 0 });
  agent = await signIn(platform);
  propertyId = await createListing(agent);
}, 60_000);
afterAll(() => platform.stop());

const MAX_RSS_MEGABYTES = 600;

interface ImageRow {
  id: string;
  objectKey: string;
  /** Null for a photo beyond 3:1, which is not staged in its own shape. */
  paddedInputKey: string | null;
  outputWidth: number;
  outputHeight: number;
  outputFormat: string;
  outputBytes: number;
}
const everything = async () => ({
  keys: await listKeys(platform.bucket.client, platform.bucket.bucket),
  images: (await platform.rows<{ id: string }>('select id from property_images order by id')).map(
    ({ id }) => id,
  ),
});
const stored = async (key: string): Promise<Buffer> => {
  const object = await platform.bucket.client.send(
    new GetObjectCommand({ Bucket: platform.bucket.bucket, Key: key }),
  );
  return Buffer.from((await object.Body?.transformToByteArray()) ?? []);
};

/** Upright, sRGB, 8 bits a channel and nothing but pixels. */
async function expectClean(bytes: Buffer) {
  const { exif, icc, xmp, iptc, comments, orientation, space, depth, width, height, format } =
    await sharp(bytes).metadata();
  expect({ exif, icc, xmp, iptc, comments, orientation }).toEqual({});
  expect([space, depth]).toEqual(['srgb', 'uchar']);
  return { width, height, format };
}

async function expectStored(answer: Answer, original: Buffer): Promise<void> {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const [row] = await platform.rows<ImageRow>('select * from property_images where id = $1', [
    answer.body.imageId,
  ]);
  if (!row) throw new Error('no row');
  const bytes = await stored(row.objectKey);
  const { autoOrient } = await sharp(original, { failOn: 'none' }).metadata();
  expect(await expectClean(bytes)).toEqual({
    width: autoOrient.width,
    height: autoOrient.height,
    format: row.outputFormat,
  });
  expect(row).toMatchObject({ outputWidth: autoOrient.width, outputHeight: autoOrient.height });
  expect(Number(row.outputBytes)).toBe(bytes.length);
  const { width, height } = autoOrient;
  expect(row.paddedInputKey === null).toBe(Math.max(width, height) > 3 * Math.min(width, height));
  if (row.paddedInputKey === null) return;
  const copy = await expectClean(await stored(row.paddedInputKey));
  expect(copy.format).toBe('jpeg');
  expect(Math.max(copy.width, copy.height)).toBeLessThanOrEqual(2048);
}

async function expectRefused(
  answer: Answer,
  code: PublicErrorCode,
  before: Awaited<ReturnType<typeof everything>>,
) {
  expect(answer.status).toBe(PUBLIC_ERRORS[code].httpStatus);
  expect(answer.body).toEqual({
    error: { code, message: expect.any(String), messageKey: expect.any(String) },
  });
  expect(await everything()).toEqual(before);
}

describe('tricky pictures', () => {
  test.each(TRICKY_PICTURES)('$name', async ({ outcome, draw }) => {
    const original = await draw();
    const before = await everything();
    const answer = await agent.upload(propertyId, original);
    if ('stored' in outcome) await expectStored(answer, original);
    else await expectRefused(answer, outcome.rejected, before);
  });
});

describe('room photos', () => {
  test.each(ROOM_PHOTOS)('$name', async ({ draw }) => {
    const original = await draw();
    await expectStored(await agent.upload(propertyId, original), original);
  });
});

test('all uploads, two large ones at once included, need less than 600 MB', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const grain = await sharp({ create: { width: 1500, height: 1000, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer();
  const photo = await sharp(grain)
    .resize(6000, 4000)
    .jpeg({ quality: 60 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const answers = await Promise.all([agent.upload(propertyId, photo), agent.upload(propertyId, photo)]);
  for (const answer of answers) await expectStored(answer, photo);
  const peak = peakMegabytes(platform.roles[0]?.pid ?? 0);
  expect(peak).toBeGreaterThan(50);
  expect(peak).toBeLessThan(MAX_RSS_MEGABYTES);
}, 120_000);

test('the same process has taken all uploads, and takes another', async () => {
  expect(platform.roles[0]?.isRunning()).toBe(true);
  const photo = await roomPhoto(7);
  await expectStored(await agent.upload(propertyId, photo), photo);
  expect((await fetch(`${platform.urls[0]}/healthz`)).status).toBe(200);
});
