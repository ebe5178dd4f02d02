import { afterAll, afterEach, expect } from 'vitest';
import { changeSettings, ledgerOf } from '../../../ops/simulator/control-client.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/**
 * What the provider gets for photos of a group: the brief always, and the approved picture from the submissions after
 * its approval on, as long as it is there. The provider reads every input, so a wrong address fails the job.
 */
let platform: TestPlatform;
let world: SharedWorld;

test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  world = await openSharedWorld(platform);
}, 60_000);
afterEach(() => world.settle());
afterAll(() => world.close());

const stage = async (groupId: string, originalImageId: string | undefined): Promise<string> => {
  const assignments = [{ originalImageId, roomType: 'TV_ROOM', style: 'MODERN' }];
  const { data, body } = await world.agent.mutate('ai.submitRoomStaging', { groupId, assignments });
  expect(data?.results, JSON.stringify(body)).toMatchObject([{ disposition: 'ENQUEUED' }]);
  return data.results[0].aiJobId;
};
interface Sent {
  prompt: string;
  input_images: string[];
}
/** The inputs of the job's purchase, as the provider got them. */
async function sentFor(jobId: string): Promise<Sent> {
  const ids = await platform.rows<{ id: string }>(
    'select id from ai_provider_attempts where "aiJobId" = $1',
    [jobId],
  );
  expect(ids).toHaveLength(1);
  const creates = (await ledgerOf(platform.provider.baseUrl)).flatMap((entry) =>
    entry.kind === 'create' && entry.attemptId === ids[0]?.id ? [entry.prediction] : [],
  );
  expect(creates).toHaveLength(1);
  return creates[0]?.input as unknown as Sent;
}
async function resultOf(jobId: string) {
  const [row] = await platform.rows<{
    id: string;
    objectKey: string;
    providerInputs: Record<string, unknown>;
  }>('select id, "objectKey", "providerInputs" from property_images where "aiJobId" = $1', [jobId]);
  if (row === undefined) throw new Error(`job ${jobId} has no picture`);
  return row;
}
const keyIn = (url: string | undefined): string => new URL(url ?? '').pathname.split('/').slice(2).join('/');

test('photos of a group are sent with their brief, and with its approved picture while that is there', async () => {
  const { agent, propertyId } = world;
  // The provider reads its inputs only for pictures of this kind.
  await changeSettings(platform.provider.baseUrl, { pictures: 'staged' });
  const photos: string[] = [];
  for (let number = 0; number < 4; number += 1) photos.push(await world.newOriginal());
  const { data: group } = await agent.mutate('ai.createRoomGroup', {
    propertyId,
    roomType: 'TV_ROOM',
    style: 'MODERN',
    originalImageIds: photos,
    brief: { pieces: ['media_unit', 'rug'], materials: ['walnut'], colours: ['sage'] },
  });
  const worker = await platform.startWorker(STEADY);
  const first = await stage(group.groupId, photos[0]);
  await jobReaches(platform, first, 'SUCCESS');
  const picture = await resultOf(first);
  const alone = await sentFor(first);
  expect(alone.input_images).toHaveLength(1);
  expect(alone.prompt).toContain('TV and media room');
  expect(alone.prompt).toContain('- Materials: walnut.');
  expect(picture.providerInputs).toMatchObject({ referenceImageKey: null });

  await agent.mutate('ai.approveStagedVariant', { imageId: picture.id });
  const second = await stage(group.groupId, photos[1]);
  await jobReaches(platform, second, 'SUCCESS');
  const both = await sentFor(second);
  expect(both.input_images.map(keyIn)).toEqual([
    expect.stringMatching(/^provider-inputs\//),
    picture.objectKey,
  ]);
  const recorded = (await resultOf(second)).providerInputs;
  expect(recorded).toMatchObject({
    inputImageKey: keyIn(both.input_images[0]),
    referenceImageKey: picture.objectKey,
  });
  expect(JSON.stringify(recorded)).not.toMatch(/https?:|X-Amz/);
  await worker.stop();

  // Submitted with the picture, which is deleted with its original before a worker sends the job.
  const third = await stage(group.groupId, photos[2]);
  const named = await platform.rows(
    'select "referenceImageKey" as key from ai_room_staging_jobs where "aiJobId" = $1',
    [third],
  );
  expect(named).toEqual([{ key: picture.objectKey }]);
  expect((await agent.request('DELETE', `/api/property-images/${photos[0]}`)).status).toBe(200);
  await platform.startWorker(STEADY);
  await jobReaches(platform, third, 'SUCCESS');
  expect((await sentFor(third)).input_images).toHaveLength(1);
  expect((await resultOf(third)).providerInputs).toMatchObject({ referenceImageKey: null });
}, 120_000);
