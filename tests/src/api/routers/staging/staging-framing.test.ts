import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedOriginal, seedStagingJob, seedVariant } from '../../../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { noisy } from '../../../../support/pictures/photo-fixtures.ts';

/** Submissions under both framings, and what the answers say about the size of a framed picture. */
const hosts: ApiHost[] = [];
let agent: Person;
let propertyId: string;
async function open(framing: 'photo' | 'fixed'): Promise<ApiHost> {
  const host = await startApiHost({ settings: { AI_STAGING_FRAMING: framing } });
  hosts.push(host);
  agent = await host.signedIn();
  ({ propertyId } = await host.listing(agent));
  return host;
}
afterAll(() => Promise.all(hosts.map((host) => host.stop())));

const submit = (...imageIds: string[]) =>
  agent.mutate('ai.submitRoomStaging', {
    assignments: imageIds.map((originalImageId) => ({
      originalImageId,
      roomType: 'OFFICE',
      style: 'MODERN',
    })),
  });
const upload = async (width: number, height: number): Promise<string> =>
  (await agent.upload(await noisy(width, height).jpeg().toBuffer(), { propertyId })).body.imageId;
const inputOf = async (host: ApiHost, imageId: string) => {
  const rows = await host.rows<Record<string, string | null>>(
    `select o."providerInputKey" as plain, o."paddedInputKey" as padded, s."providerInputKey" as sent, s."aspectRatio"
     from property_images o left join ai_room_staging_jobs s on s."originalImageId" = o.id where o.id = $1`,
    [imageId],
  );
  return rows[0];
};

describe('photo framing', () => {
  let host: ApiHost;
  beforeAll(async () => {
    host = await open('photo');
  });

  test('an upload gets the padded copy, and its job the nearest shape', async () => {
    const imageId = await upload(600, 800);
    expect((await submit(imageId)).status).toBe(200);
    const key = `provider-inputs/${imageId}/${imageId}.jpg`;
    expect(await inputOf(host, imageId)).toEqual({ plain: null, padded: key, sent: key, aspectRatio: '2:3' });
    expect(await host.objectKeys()).toContain(key);
  });

  test('a photo beyond 3:1 can be uploaded, and rejects the whole call, named', async () => {
    const [good, long] = [await upload(900, 600), await upload(1800, 590)];
    const refused = await submit(good, long);
    expect([refused.status, refused.errorCode]).toEqual([422, 'PHOTO_SHAPE']);
    expect(refused.body.error.json.data.messageKey).toBe('staging.photoShape');
    expect(Object.keys(refused.body.error.json.data.fields)).toEqual(['assignments.1.originalImageId']);
    expect((await inputOf(host, good))?.sent).toBeNull();
    expect(await inputOf(host, long)).toMatchObject({ plain: null, padded: null });
    expect((await submit(await upload(1800, 600))).status).toBe(200);
  });

  test('a photo of an earlier release is measured, gets its size and its padded copy', async () => {
    const { imageId, objectKey } = await seedOriginal(host.pool, { propertyId });
    await host.putObject(objectKey, await noisy(1200, 900).png().toBuffer());
    expect((await submit(imageId)).status).toBe(200);
    const input = await inputOf(host, imageId);
    expect(input).toMatchObject({ aspectRatio: '3:2', plain: `inputs/${imageId}.jpg`, sent: input?.padded });
    expect(
      await host.rows('select "outputWidth", "outputHeight" from property_images where id = $1', [imageId]),
    ).toEqual([{ outputWidth: 1200, outputHeight: 900 }]);
  });

  test('one beyond 3:1 is refused when it is measured, and gets no copy', async () => {
    const { imageId, objectKey } = await seedOriginal(host.pool, { propertyId });
    await host.putObject(objectKey, await noisy(560, 1900).png().toBuffer());
    expect((await submit(imageId)).errorCode).toBe('PHOTO_SHAPE');
    expect((await inputOf(host, imageId))?.padded).toBeNull();
  });

  test('answers say the size at which a framed picture is shown, and the stored size of others', async () => {
    const original = await seedOriginal(host.pool, { propertyId, outputWidth: 1600, outputHeight: 1200 });
    const details = {
      framing: 'photo',
      aspectRatio: '3:2',
      padWidth: 1800,
      padHeight: 1200,
      frameLeft: 100,
      frameTop: 0,
      frameWidth: 1600,
      frameHeight: 1200,
    };
    const { jobId } = await seedStagingJob(host.pool, { original, details });
    const stored = { outputWidth: 1536, outputHeight: 1024, outputFormat: 'jpeg', reviewStatus: 'APPROVED' };
    const framed = await seedVariant(host.pool, original, { ...stored, aiJobId: jobId });
    const fixed = await seedVariant(host.pool, original, { ...stored, canonicalStyle: 'LUXURY' });
    await host.rows(`update properties set "standardStatus" = 'Active' where id = $1`, [propertyId]);
    const sizes = (items: { imageId: string }[], pick: (item: never) => unknown) =>
      [framed, fixed].map((id) => pick(items.find(({ imageId }) => imageId === id) as never));
    const expected = [
      [1365, 1024],
      [1536, 1024],
    ];
    const variants = (await agent.query('ai.listStagedVariants', { originalImageId: original.imageId })).data
      .items;
    type Variant = { outputWidth: number; outputHeight: number };
    expect(sizes(variants, ({ outputWidth, outputHeight }: Variant) => [outputWidth, outputHeight])).toEqual(
      expected,
    );
    const { images } = (await agent.query('properties.getDetail', { propertyId })).data;
    type Shown = { width: number; height: number };
    expect(sizes(images, ({ width, height }: Shown) => [width, height])).toEqual(expected);
  });
});

describe('fixed framing', () => {
  test('takes a long photo, and sends the plain copy in the one shape', async () => {
    const host = await open('fixed');
    const imageId = await upload(1800, 590);
    expect((await submit(imageId)).status).toBe(200);
    const key = `provider-inputs/${imageId}/${imageId}.jpg`;
    expect(await inputOf(host, imageId)).toEqual({ plain: key, padded: null, sent: key, aspectRatio: '1:1' });
  });
});
