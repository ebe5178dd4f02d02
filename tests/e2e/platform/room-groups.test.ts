import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, ledgerOf } from '../../../ops/simulator/control-client.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, jobReaches, uploadRoom } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';

/**
 * What the provider gets for photos of a group: the brief always, and the approved picture from the submissions after
 * its approval on, as long as it is there. The provider reads every input, so a wrong address fails the job.
 */
let platform: TestPlatform;
let agent: Person;
let propertyId: string;
const photos: string[] = [];

beforeAll(async () => {
  platform = await startTestPlatform({ workers: 0 });
  await changeSettings(platform.provider.baseUrl, { pictures: 'staged' });
  agent = await signIn(platform);
  propertyId = await createListing(agent);
  for (let seed = 0; seed < 4; seed += 1) photos.push(await uploadRoom(agent, propertyId, seed));
}, 60_000);
afterAll(() => platform.stop());

const stage = async (groupId: string, originalImageId: string | undefined): Promise<string> => {
  const assignments = [{ originalImageId, roomType: 'TV_ROOM', style: 'MODERN' }];
  const { data, body } = await agent.mutate('ai.submitRoomStaging', { groupId, assignments });
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
  const { data: group } = await agent.mutate('ai.createRoomGroup', {
    propertyId,
    roomType: 'TV_ROOM',
    style: 'MODERN',
    originalImageIds: photos,
    brief: { pieces: ['media_unit', 'rug'], materials: ['walnut'], colours: ['sage'] },
  });
  const worker = await platform.startWorker();
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
  const later = await platform.startWorker();
  await jobReaches(platform, third, 'SUCCESS');
  expect((await sentFor(third)).input_images).toHaveLength(1);
  expect((await resultOf(third)).providerInputs).toMatchObject({ referenceImageKey: null });
  await later.stop();
}, 120_000);
