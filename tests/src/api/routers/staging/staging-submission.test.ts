import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharp } from '../../../../../src/images/decoding/sharp-settings.ts';
import { seedOriginal, seedVariant } from '../../../../support/database/seed.ts';
import { eventually } from '../../../../support/eventually.ts';
import { startApiHost, useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { noisy } from '../../../../support/pictures/photo-fixtures.ts';

const SUNSET = Date.parse('2026-10-19T00:00:00.000Z');
let now = SUNSET - 1_000;
let agent: Person;
let listing: { propertyId: string; imageId: string };
const host = useApiHost({
  settings: { AI_STAGING_ASPECT_RATIO: '3:2', AI_STAGING_OUTPUT_FORMAT: 'webp' },
  overrides: { clock: { now: () => now } },
});
beforeAll(async () => {
  agent = await host.signedIn();
});
afterEach(() => {
  now = SUNSET - 1_000;
  host.queue.failing = null;
});
beforeEach(async () => {
  listing = await host.listing(agent);
  host.queue.enqueued.length = 0;
});

interface CallInput {
  originalImageId?: string;
  roomType?: string;
  style?: string;
}
const submit = (person: Person, ...assignments: CallInput[]) =>
  person.mutate('ai.submitRoomStaging', {
    assignments: assignments.map((given) => ({
      originalImageId: listing.imageId,
      roomType: 'TV_ROOM',
      style: 'MODERN',
      ...given,
    })),
  });
const jobCount = async () => (await host.rows('select 1 from ai_jobs')).length;

describe('ai.submitRoomStaging', () => {
  test('the catalog is public', async () => {
    const { data } = await host.anonymous().query('ai.getStagingCatalog');
    expect(data).toEqual({
      enabled: true,
      roomTypes: ['BEDROOM', 'LIVING_ROOM', 'DINING_ROOM', 'KITCHEN', 'BATHROOM', 'OFFICE', 'TV_ROOM'],
      styles: ['MODERN', 'SCANDINAVIAN', 'INDUSTRIAL', 'FARMHOUSE', 'TRADITIONAL', 'LUXURY'],
      disclosureLabel: 'AI · Virtually staged',
      furniture: expect.objectContaining({ materials: expect.arrayContaining(['linen']) }),
    });
  });

  test("answers in the order of the request, and fixes the provider's input", async () => {
    const other = await seedOriginal(host.pool, { propertyId: listing.propertyId });
    const existing = await seedVariant(host.pool, other, { canonicalStyle: 'LUXURY' });
    const answer = await submit(
      agent,
      { style: 'MODERN' },
      { style: 'modern' },
      { originalImageId: other.imageId.toUpperCase(), style: 'LUXURY' },
      { style: 'Art-Deco' },
      { style: 'japandi', roomType: 'BEDROOM' },
    );
    expect(answer.status).toBe(200);
    const [first, second, third, fourth, fifth] = answer.data.results;
    expect(first).toEqual({
      originalImageId: listing.imageId,
      canonicalStyle: 'MODERN',
      roomType: 'TV_ROOM',
      aiJobId: expect.any(String),
      disposition: 'ENQUEUED',
      stagedImageId: null,
    });
    expect(second).toEqual({ ...first, disposition: 'EXISTING' });
    expect(third).toEqual({
      originalImageId: other.imageId,
      canonicalStyle: 'LUXURY',
      roomType: 'LIVING_ROOM',
      aiJobId: null,
      disposition: 'style_exists',
      stagedImageId: existing,
    });
    expect(fourth).toMatchObject({ canonicalStyle: 'LUXURY', disposition: 'ENQUEUED' });
    expect(fifth).toMatchObject({ canonicalStyle: 'SCANDINAVIAN', disposition: 'ENQUEUED' });

    const enqueued = [first, fourth, fifth].map(({ aiJobId }) => ({ jobId: aiJobId, delayMs: 0 }));
    await eventually(() => host.queue.enqueued.length === 3, { what: 'the queue entries' });
    expect(host.queue.enqueued).toEqual(enqueued);
    const details = await host.rows<Record<string, unknown>>(
      'select * from ai_room_staging_jobs where "aiJobId" = any($1) order by "canonicalStyle"',
      [enqueued.map(({ jobId }) => jobId)],
    );
    expect(details).toMatchObject([
      { canonicalStyle: 'MODERN', canonicalRoomType: 'TV_ROOM', submittedStyle: 'MODERN', legacyStyle: null },
      {
        canonicalStyle: 'SCANDINAVIAN',
        canonicalRoomType: 'BEDROOM',
        submittedStyle: 'japandi',
        legacyStyle: 'japandi',
        styleModifier: 'low natural wood, ceramics',
      },
      { canonicalStyle: 'LUXURY', submittedStyle: 'Art-Deco', legacyStyle: 'Art-Deco', styleModifier: null },
    ]);
    expect(details[0]).toMatchObject({
      providerModel: 'openai/gpt-image-2',
      quality: 'medium',
      aspectRatio: '3:2',
      outputFormat: 'webp',
      outputCompression: 92,
      promptVersion: 'room-staging-v2.0',
      providerInputKey: `inputs/${listing.imageId}.jpg`,
    });
    expect(String(details[0]?.prompt)).toMatch(/TV and media room/);
    expect(String(details[0]?.prompt)).not.toMatch(/living room/i);
  });

  test.each([
    ['an unknown style', { style: 'brutalist' }, { status: 400, code: 'UNKNOWN_STYLE', field: 'style' }],
    ['no-furniture', { style: 'no-furniture' }, { status: 400, code: 'UNKNOWN_STYLE', field: 'style' }],
    ['an unknown room', { roomType: 'ATTIC' }, { status: 400, code: 'UNKNOWN_ROOM_TYPE', field: 'roomType' }],
    [
      'a missing image',
      { originalImageId: randomUUID() },
      { status: 404, code: 'NOT_FOUND', field: 'originalImageId' },
    ],
  ])('%s among others rejects the whole call and is named', async (_, wrong, { status, code, field }) => {
    const before = await jobCount();
    const answer = await submit(agent, { style: 'FARMHOUSE' }, wrong);
    expect(answer.status).toBe(status);
    expect(answer.errorCode).toBe(code);
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual([`assignments.1.${field}`]);
    expect(await jobCount()).toBe(before);
  });

  test('a staged image cannot be staged again', async () => {
    const original = await seedOriginal(host.pool, { propertyId: listing.propertyId });
    const variant = await seedVariant(host.pool, original);
    const answer = await submit(agent, { originalImageId: variant });
    expect([answer.status, answer.errorCode]).toEqual([400, 'IMAGE_NOT_ORIGINAL']);
  });

  test('the unknown-style error lists the six styles', async () => {
    const { body } = await submit(agent, { style: 'brutalist' });
    for (const style of ['MODERN', 'SCANDINAVIAN', 'INDUSTRIAL', 'FARMHOUSE', 'TRADITIONAL', 'LUXURY'])
      expect(body.error.json.message).toContain(style);
  });

  test('aliases are accepted before the sunset instant and rejected from it on; canonical names are always accepted', async () => {
    const { imageId } = await seedOriginal(host.pool, { propertyId: listing.propertyId });
    now = SUNSET - 1;
    expect((await submit(agent, { originalImageId: imageId, style: 'nordic' })).status).toBe(200);
    now = SUNSET;
    const refused = await submit(agent, { originalImageId: imageId, style: 'loft' });
    expect([refused.status, refused.errorCode]).toEqual([400, 'STYLE_ALIAS_SUNSET']);
    const refusedFor = Object.keys(refused.body.error.json.data.fields);
    expect(refusedFor).toEqual(['assignments.0.style']);
    expect((await submit(agent, { originalImageId: imageId, style: 'Industrial' })).status).toBe(200);
  });

  test('accepts between 1 and 20 assignments', async () => {
    expect((await submit(agent)).status).toBe(400);
    expect((await submit(agent, ...Array.from({ length: 21 }, () => ({})))).status).toBe(400);
    const twenty = await submit(agent, ...Array.from({ length: 20 }, () => ({ style: 'TRADITIONAL' })));
    expect(twenty.data.results.map(({ disposition }: { disposition: string }) => disposition)).toEqual([
      'ENQUEUED',
      ...Array(19).fill('EXISTING'),
    ]);
  });

  test('an unreachable queue stops no submission and is logged', async () => {
    host.queue.failing = new Error('no queue');
    const { imageId } = await seedOriginal(host.pool, { propertyId: listing.propertyId });
    const answer = await submit(agent, { originalImageId: imageId });
    expect(answer.data.results[0].disposition).toBe('ENQUEUED');
    await eventually(() => host.lines.some(({ msg }) => msg.startsWith('queue entries could not')), {
      what: 'the log line',
    });
  });

  test('simultaneous submissions of the same pair over HTTP: one ENQUEUED, one EXISTING, never an error', async () => {
    const images = await Promise.all(
      Array.from({ length: 25 }, () => seedOriginal(host.pool, { propertyId: listing.propertyId })),
    );
    const answers = await Promise.all(
      images.flatMap(({ imageId }) => [
        submit(agent, { originalImageId: imageId }),
        submit(agent, { originalImageId: imageId }),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (let index = 0; index < answers.length; index += 2) {
      const pair = [answers[index], answers[index + 1]].map((answer) => answer?.data.results[0]);
      expect(pair.map(({ disposition }) => disposition).toSorted()).toEqual(['ENQUEUED', 'EXISTING']);
      expect(pair[0].aiJobId).toBe(pair[1].aiJobId);
    }
  });
});

describe('an original from an earlier release', () => {
  const legacy = async () => {
    const original = await seedOriginal(host.pool, {
      propertyId: listing.propertyId,
      providerInputKey: null,
    });
    return original;
  };

  test('first gets its copy for the provider, once', async () => {
    const original = await legacy();
    const before = await host.objectKeys();
    await host.putObject(original.objectKey, await noisy(3000, 2000).png().toBuffer());
    const answers = await Promise.all([
      submit(agent, { originalImageId: original.imageId }),
      submit(agent, { originalImageId: original.imageId, style: 'LUXURY' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [{ key } = { key: '' }] = await host.rows<{ key: string }>(
      'select "providerInputKey" as key from property_images where id = $1',
      [original.imageId],
    );
    const keys = await host.rows(
      `select "providerInputKey" as key from ai_room_staging_jobs where "originalImageId" = $1`,
      [original.imageId],
    );
    expect(keys).toEqual([{ key }, { key }]);
    const made = (await host.objectKeys()).filter((name) => !before.includes(name));
    expect(made.filter((name) => name.startsWith('provider-inputs/'))).toEqual([key]);
  });

  test('with a missing or broken file is rejected, and nothing is written', async () => {
    const before = await jobCount();
    const gone = await legacy();
    const missing = await submit(agent, { originalImageId: gone.imageId });
    expect([missing.status, missing.errorCode]).toEqual([422, 'PHOTO_BROKEN']);
    const broken = await legacy();
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await host.putObject(broken.objectKey, png.subarray(0, png.length / 2));
    const answer = await submit(agent, { originalImageId: broken.imageId });
    expect([answer.status, answer.errorCode]).toEqual([422, 'PHOTO_BROKEN']);
    expect(await jobCount()).toBe(before);
  });
});

test('with the flag off every submission is rejected', async () => {
  const off = await startApiHost({ settings: { AI_ROOM_STAGING_ENABLED: 'TRUE' } });
  try {
    const person = await off.signedIn();
    const { imageId } = await off.listing(person);
    expect((await off.anonymous().query('ai.getStagingCatalog')).data.enabled).toBe(false);
    for (const given of [{ originalImageId: imageId }, { originalImageId: imageId, style: 'brutalist' }]) {
      const answer = await submit(person, given);
      expect([answer.status, answer.errorCode]).toEqual([412, 'STAGING_UNAVAILABLE']);
      expect(answer.body.error.json.data).toMatchObject({
        code: 'PRECONDITION_FAILED',
        messageKey: 'staging.unavailable',
      });
    }
    expect(await off.rows('select 1 from ai_jobs')).toEqual([]);
  } finally {
    await off.stop();
  }
});

describe('the room of a photo', () => {
  test('only a new job changes the room of the photo; every answer has the room in effect', async () => {
    const { imageId: originalImageId } = await seedOriginal(host.pool, {
      propertyId: listing.propertyId,
      roomType: null,
      imageOf: 'View',
    });
    const asked = async (roomType: string, style: string) => {
      const [result] = (await submit(agent, { originalImageId, roomType, style })).data.results;
      const [photo] = await host.rows<{ roomType: string; imageOf: string | null }>(
        'select "roomType", "imageOf" from property_images where id = $1',
        [originalImageId],
      );
      expect(photo?.imageOf).toBeNull();
      return [result.disposition, result.roomType, photo?.roomType];
    };
    expect(await asked('OFFICE', 'MODERN')).toEqual(['ENQUEUED', 'OFFICE', 'OFFICE']);
    expect(await asked('TV_ROOM', 'MODERN')).toEqual(['EXISTING', 'OFFICE', 'OFFICE']);
    await seedVariant(host.pool, { ...listing, imageId: originalImageId }, { canonicalStyle: 'LUXURY' });
    await host.rows(`update property_images set "roomType" = 'BEDROOM' where "styledFromId" = $1`, [
      originalImageId,
    ]);
    expect(await asked('KITCHEN', 'LUXURY')).toEqual(['style_exists', 'BEDROOM', 'OFFICE']);
    expect(await asked('TV_ROOM', 'FARMHOUSE')).toEqual(['ENQUEUED', 'TV_ROOM', 'TV_ROOM']);
    expect(await asked('BEDROOM', 'MODERN')).toEqual(['EXISTING', 'OFFICE', 'TV_ROOM']);
  });
});
