import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, finishPrediction } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { peakMegabytes } from '../../support/peak-memory.ts';
import { decoderPids, isAlive } from '../../support/pictures/decoders.ts';
import { flatPng } from '../../support/pictures/extreme-pictures.ts';
import { attemptReaches, jobReaches, photosChecked, roomPhoto } from '../../support/platform/listing.ts';
import { expectWholeJournals, logged, metricOf, opsUrlOf } from '../../support/platform/outcomes.ts';
import { attemptsOf, openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';

/**
 * Pictures that need more memory than the decoder has, in both roles, with the smallest memory limit that can
 * be set: each is rejected alone, without effect on the role or other pictures.
 */
let world: StagingWorld;
/** Of legal size and a few hundred KB, but interlaced: the decoder holds all pixels at once. */
let heavy: Buffer;

beforeAll(async () => {
  const settings = {
    IMAGE_WORKER_MEMORY_MB: '256',
    AI_STAGING_OUTPUT_FORMAT: 'png',
    // The shape of the heavy picture: of another shape it would be refused before it is decoded.
    AI_STAGING_ASPECT_RATIO: '1:1',
  };
  world = await openStagingWorld({ settings });
  const flat = { width: 7_000, height: 7_000, channels: 4, background: '#8888' } as const;
  heavy = await sharp({ create: flat }).png({ progressive: true }).toBuffer();
}, 60_000);
afterAll(() => world.close());

function role(name: 'web' | 'worker') {
  const found = world.platform.roles.findLast((each) => each.name.startsWith(name));
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}
const losses = () => logged(world.platform).filter(({ event }) => event === 'decoder_lost');

test.each(['60000000x1', '1x60000000'])('an upload of %s pixels costs the API host nothing', async (text) => {
  const [width = 0, height = 0] = text.split('x').map(Number);
  const file = flatPng({ width, height });
  const answer = await world.agent.upload(world.propertyId, file, { type: 'image/png' });
  expect([answer.status, answer.body.error?.code]).toEqual([413, 'PHOTO_TOO_LARGE']);
  expect(peakMegabytes(role('web').pid)).toBeLessThan(400);
  expect(losses()).toEqual([]);
});

test('an upload that kills its decoder is rejected; the others are stored', async () => {
  const { agent, propertyId, platform } = world;
  const web = role('web');
  const small = await roomPhoto(1);
  const [refused, ...stored] = await Promise.all([
    agent.upload(propertyId, heavy, { type: 'image/png' }),
    ...Array.from({ length: 5 }, () => agent.upload(propertyId, small)),
  ]);
  expect([refused.status, refused.body.error?.code]).toEqual([413, 'PHOTO_TOO_LARGE']);
  expect(stored.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const [image] = stored;
  await photosChecked(platform);
  const copy = await fetch(`${platform.urls[0]}/api/images/${image?.body.imageId}?w=64`);
  expect(copy.status).toBe(200);
  expect(web.isRunning()).toBe(true);
  const line = await eventually(() => losses().find(({ isGuilty }) => isGuilty), { what: 'the log line' });
  expect(line).toMatchObject({ lane: 'uploads', task: 'photo', reason: 'memory', propertyId });
  const lost = await metricOf(
    await opsUrlOf(platform, web),
    'proscenium_decoders_lost_total',
    'lane="uploads",reason="memory"',
  );
  expect(lost).toBeGreaterThanOrEqual(1);
});

test('a result that kills its decoder three times ends only its own attempt, and the worker continues', async () => {
  const { platform } = world;
  const worker = role('worker');
  await changeSettings(platform.provider.baseUrl, { hold: true });
  const jobs = [await world.newJob(), await world.newJob()];
  const [doomed, other] = jobs.map(({ aiJobId }) => aiJobId) as [string, string];
  for (const jobId of [doomed, other]) await attemptReaches(platform, jobId, 'RUNNING');
  const [attempt] = await attemptsOf(world, doomed);
  await finishPrediction(platform.provider.baseUrl, attempt?.providerPredictionId ?? '', {
    status: 'succeeded',
    output: [`data:image/png;base64,${heavy.toString('base64')}`],
  });
  await attemptReaches(platform, doomed, 'FAILED');
  const ending = 'select "errorCode" from ai_provider_attempts where "aiJobId" = $1 and "attemptNumber" = 1';
  expect(await platform.rows(ending, [doomed])).toEqual([{ errorCode: 'OUTPUT_INVALID' }]);
  const crashes = `select 1 from actor_transitions where "actorId" = $1 and "eventType" = 'RUNNER_CRASHED'`;
  expect(await platform.rows(crashes, [doomed])).toEqual([]);
  const objectKey = expect.stringContaining('staged/');
  expect(losses().filter(({ lane }) => lane === 'staging')).toMatchObject(
    [false, false, true].map((isGuilty) => ({
      task: 'staged-output',
      reason: 'memory',
      objectKey,
      isGuilty,
    })),
  );
  await world.calm();
  for (const jobId of [doomed, other]) await jobReaches(platform, jobId, 'SUCCESS');
  expect(worker.isRunning()).toBe(true);
  await expectWholeJournals(platform, [doomed, other]);
});

test('neither a stopped nor a killed role leaves a decoder process', async () => {
  const { platform } = world;
  // An earlier try may have ended them.
  if (!role('web').isRunning()) await (await platform.startWeb({}, 0)).ready;
  if (!role('worker').isRunning()) await platform.startWorker();
  await jobReaches(platform, (await world.newJob()).aiJobId, 'SUCCESS');
  const ways = [
    { leaver: role('web'), signal: 'SIGKILL' },
    { leaver: role('worker'), signal: 'SIGTERM' },
  ] as const;
  for (const { leaver, signal } of ways) {
    const decoders = decoderPids(leaver.pid);
    expect(decoders.length).toBeGreaterThan(0);
    process.kill(leaver.pid, signal);
    await leaver.exited;
    await eventually(() => !decoders.some(isAlive), { what: 'the end of the decoders', timeoutMs: 5_000 });
  }
  expect(platform.roles.some((each) => each.isRunning())).toBe(false);
});
