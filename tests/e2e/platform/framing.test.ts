import { GetObjectCommand } from '@aws-sdk/client-s3';
import { Queue } from 'bullmq';
import sharp from 'sharp';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { changeSettings, ledgerOf, purchases, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { queueNames } from '../../../src/queues/names.ts';
import { createBlockingRedis } from '../../../src/queues/redis.ts';
import { eventually } from '../../support/eventually.ts';
import { edgeOffsets, patternedPhoto } from '../../support/pictures/edges.ts';
import { PHOTO_SHAPES } from '../../support/pictures/shapes.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import {
  attemptReaches,
  createListing,
  jobReaches,
  photosChecked,
  submit,
} from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/**
 * From the upload to what people see: photos of five shapes through web, worker, provider, object store and image
 * proxy. With photo framing, before and after are compared by their edges (docs/contract.md#framing).
 */
const WIDTH = 768;
/** While a test compares pictures, the web closes connections that are kept. */
const fresh = new Agent({ pipelining: 0 });
let platform: TestPlatform;
let agent: Person;
let propertyId: string;
let worker: RoleProcess;
const enter = async (entered: TestPlatform) => {
  platform = entered;
  worker = await platform.startWorker(STEADY);
  agent = await signIn(platform);
  propertyId = await createListing(agent);
};
afterAll(() => fresh.close());
beforeEach(async () => {
  await changeSettings(platform.provider.baseUrl, { hold: false, pictures: 'staged' });
  // A failed try may have left none.
  if (!worker.isRunning()) worker = await platform.startWorker(STEADY);
  await worker.ready;
});

async function upload(size: { width: number; height: number }): Promise<string> {
  const uploaded = await agent.upload(propertyId, await patternedPhoto(size));
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201);
  return uploaded.body.imageId;
}

interface Shape {
  resultImageId: string | null;
  aspectRatio: string;
  framing: string;
  padWidth: number | null;
  padHeight: number | null;
  frameLeft: number | null;
  frameTop: number | null;
  frameWidth: number | null;
  frameHeight: number | null;
}
async function shapeOf(jobId: string): Promise<Shape> {
  const [row] = await platform.rows<Shape>(
    `select "resultImageId", "aspectRatio", framing, "padWidth", "padHeight", "frameLeft", "frameTop", "frameWidth",
       "frameHeight" from ai_room_staging_jobs where "aiJobId" = $1`,
    [jobId],
  );
  if (row === undefined) throw new Error(`no job ${jobId}`);
  return row;
}

async function shown(imageId: string, query: string, cookie = agent.cookie): Promise<Buffer> {
  const address = `${platform.urls[0]}/api/images/${imageId}${query}`;
  const { statusCode, body } = await request(address, { dispatcher: fresh, headers: { cookie } });
  expect(statusCode).toBe(200);
  return Buffer.from(await body.arrayBuffer());
}
const sizeOf = async (picture: Buffer) => {
  const { width, height } = await sharp(picture).metadata();
  return { width, height };
};
async function stored(imageId: string) {
  const [row] = await platform.rows<{ objectKey: string; outputWidth: number; outputHeight: number }>(
    'select "objectKey", "outputWidth", "outputHeight" from property_images where id = $1',
    [imageId],
  );
  const { client, bucket } = platform.bucket;
  const object = await client.send(new GetObjectCommand({ Bucket: bucket, Key: row?.objectKey }));
  const bytes = Buffer.from((await object.Body?.transformToByteArray()) ?? []);
  return { recorded: { width: row?.outputWidth, height: row?.outputHeight }, actual: await sizeOf(bytes) };
}

/** Of equal size, and no edge more than a pixel from where it was, in each quarter of the picture. */
async function expectToLieOver(original: string, variant: string, cookie?: string): Promise<void> {
  await photosChecked(platform);
  const query = `?w=${WIDTH}&fit=contain&format=jpeg`;
  const offsets = await edgeOffsets(await shown(original, query), await shown(variant, query, cookie));
  for (const { dx, dy } of offsets) expect(Math.max(Math.abs(dx), Math.abs(dy))).toBeLessThanOrEqual(1);
  for (const right of [false, true])
    for (const lower of [false, true])
      expect(offsets.filter(({ x, y }) => x > 0.5 === right && y > 0.5 === lower)).not.toEqual([]);
}

/** A message as the previous release's producers wrote it. */
async function sendOldMessage(message: Record<string, string>): Promise<void> {
  const connection = createBlockingRedis(platform.kvUrl, () => {});
  const queue = new Queue(queueNames(platform.queueSuffix).descriptions, { connection });
  await queue.add('stage-room', message);
  await queue.close();
  connection.disconnect();
}

/** The job that an old message about the photo becomes. */
async function jobOfOldMessage(imageId: string): Promise<string> {
  await sendOldMessage({ imageId, style: 'modern', roomType: 'living' });
  const { aiJobId } = await eventually(
    async () =>
      (
        await platform.rows<{ aiJobId: string }>(
          'select "aiJobId" from ai_room_staging_jobs where "originalImageId" = $1',
          [imageId],
        )
      )[0],
    { what: 'the job of the old message' },
  );
  return aiJobId;
}

const CANVASES: Record<string, { width: number; height: number }> = {
  '1:1': { width: 1024, height: 1024 },
  '3:2': { width: 1536, height: 1024 },
  '2:3': { width: 1024, height: 1536 },
};

describe('photo framing, which is the default', () => {
  let world: SharedWorld;
  test.beforeAll(async ({ platform: shared }) => {
    world = await openSharedWorld(shared);
    await enter(shared);
  }, 60_000);
  afterAll(() => world.close());

  test.each(PHOTO_SHAPES)('%s: the staged picture lies exactly over it', async (_name, size, nearest) => {
    const original = await upload(size);
    const { aiJobId } = await submit(agent, original);
    const submitted = await shapeOf(aiJobId);
    await jobReaches(platform, aiJobId, 'SUCCESS');
    const done = await shapeOf(aiJobId);
    expect(done).toEqual({ ...submitted, resultImageId: done.resultImageId });
    expect(done).toMatchObject({ framing: 'photo', aspectRatio: nearest });
    const variant = done.resultImageId ?? '';
    // The provider's picture is stored as it came, in the shape that was asked for.
    expect(await stored(variant)).toEqual({ recorded: CANVASES[nearest], actual: CANVASES[nearest] });
    await expectToLieOver(original, variant);

    // The same for everyone, in every size, and as the answers say.
    await agent.mutate('ai.approveStagedVariant', { imageId: variant });
    await platform.rows(`update properties set "standardStatus" = 'Active' where id = $1`, [propertyId]);
    await expectToLieOver(original, variant, '');
    const whole = await sizeOf(await shown(variant, '', ''));
    const [item] = (await agent.query('ai.listStagedVariants', { originalImageId: original })).data.items;
    expect(whole).toEqual({ width: item.outputWidth, height: item.outputHeight });
    expect(Math.abs(whole.width / whole.height / (size.width / size.height) - 1)).toBeLessThan(0.002);
    expect(await sizeOf(await shown(variant, '?w=256&h=256&fit=cover', ''))).toEqual({
      width: 256,
      height: 256,
    });
  });

  test('a photo beyond 3:1 is not staged', async () => {
    const long = await upload({ width: 1900, height: 600 });
    const assignments = [{ originalImageId: long, roomType: 'LIVING_ROOM', style: 'MODERN' }];
    const refused = await agent.mutate('ai.submitRoomStaging', { assignments });
    expect([refused.status, refused.errorCode]).toEqual([422, 'PHOTO_SHAPE']);
  });

  test('a worker that was killed goes on with the rectangle of the submission, whatever its own settings say', async () => {
    await changeSettings(platform.provider.baseUrl, { hold: true });
    const original = await upload({ width: 1600, height: 1200 });
    const { aiJobId } = await submit(agent, original);
    const submitted = await shapeOf(aiJobId);
    await attemptReaches(platform, aiJobId, 'RUNNING');
    await worker.stop('SIGKILL');
    worker = await platform.startWorker({
      ...STEADY,
      AI_STAGING_FRAMING: 'fixed',
      AI_STAGING_ASPECT_RATIO: '2:3',
    });
    await worker.ready;
    await releaseHeld(platform.provider.baseUrl);
    await jobReaches(platform, aiJobId, 'SUCCESS');
    const done = await shapeOf(aiJobId);
    expect(done).toEqual({ ...submitted, resultImageId: done.resultImageId });
    await expectToLieOver(original, done.resultImageId ?? '');
  });

  test('an old message is staged in the shape of its photo, measured when its input is made', async () => {
    await worker.stop();
    worker = await platform.startWorker(STEADY);
    await worker.ready;
    const original = await upload({ width: 1200, height: 1600 });
    await platform.rows(
      `update property_images set "paddedInputKey" = null, "outputWidth" = null, "outputHeight" = null where id = $1`,
      [original],
    );
    const aiJobId = await jobOfOldMessage(original);
    await jobReaches(platform, aiJobId, 'SUCCESS');
    await expectToLieOver(original, (await shapeOf(aiJobId)).resultImageId ?? '');
  });

  test.each(['known', 'of an old release, unknown'])(
    'an old message about a photo beyond 3:1, its size %s, becomes a job that fails before anything is bought',
    async (size) => {
      const long = await upload({ width: 1900, height: 600 });
      if (size !== 'known')
        await platform.rows(
          'update property_images set "outputWidth" = null, "outputHeight" = null where id = $1',
          [long],
        );
      const before = purchases(await ledgerOf(platform.provider.baseUrl)).size;
      const aiJobId = await jobOfOldMessage(long);
      const job = await jobReaches(platform, aiJobId, 'FAILED');
      expect(job.errorCode).toBe('PROVIDER_INVALID_INPUT');
      expect(await shapeOf(aiJobId)).toMatchObject({
        resultImageId: null,
        framing: 'photo',
        aspectRatio: null,
        padWidth: null,
      });
      const attempts = await platform.rows(
        'select status, "sentAt", "providerPredictionId" from ai_provider_attempts where "aiJobId" = $1',
        [aiJobId],
      );
      expect(attempts).toEqual([{ status: 'FAILED', sentAt: null, providerPredictionId: null }]);
      expect(purchases(await ledgerOf(platform.provider.baseUrl)).size).toBe(before);
      // So does the agent see it.
      const { data } = await agent.query('ai.getStagingJob', { aiJobId });
      expect(data).toMatchObject({
        status: 'FAILED',
        errorCode: 'PROVIDER_INVALID_INPUT',
        resultImageId: null,
      });
    },
  );
});

describe('fixed framing', () => {
  beforeAll(async () => {
    await enter(await startTestPlatform({ workers: 0, settings: { AI_STAGING_ASPECT_RATIO: '3:2' } }));
  }, 60_000);
  afterAll(() => platform.stop());

  test.each(PHOTO_SHAPES)('%s: the staged picture has the one shape, whole', async (_name, size) => {
    const original = await upload(size);
    const { aiJobId } = await submit(agent, original);
    await jobReaches(platform, aiJobId, 'SUCCESS');
    const { resultImageId, ...shape } = await shapeOf(aiJobId);
    expect(shape).toMatchObject({ framing: 'fixed', aspectRatio: '3:2', padWidth: null, frameLeft: null });
    expect(await sizeOf(await shown(resultImageId ?? '', ''))).toEqual(CANVASES['3:2']);
    expect(await sizeOf(await shown(resultImageId ?? '', '?w=768'))).toEqual({ width: 768, height: 512 });
  });

  test('a photo beyond 3:1 is staged as before', async () => {
    expect((await submit(agent, await upload({ width: 1900, height: 600 }))).disposition).toBe('ENQUEUED');
  });
});
