import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedOriginal, seedProperty, seedStagingJob, seedVariant } from '../../../support/database/seed.ts';
import { startApiHost, useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { MANUAL_EPOCH } from '../../../support/manual-time.ts';
import { heicFile } from '../../../support/pictures/heic-files.ts';
import {
  BLUE,
  cornerColours,
  corners,
  distance,
  GREEN,
  GREY,
  noisy,
  pngClaiming,
  RED,
} from '../../../support/pictures/photo-fixtures.ts';
import { roomOf } from '../../../support/pictures/room-photos.ts';
import { ask } from '../../../support/pictures/stored-pictures.ts';

let agent: Person;
let propertyId: string;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
});
beforeEach(async () => {
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
});

const images = () =>
  host.rows<Record<string, unknown>>(
    'select * from property_images where "propertyId" = $1 order by position',
    [propertyId],
  );
const guards = () => host.rows('select "objectKey" from storage_deletion_outbox');
const patch = (imageId: unknown, body: unknown, person = agent) =>
  person.send('PATCH', `/api/property-images/${imageId}`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('POST /api/property-images', () => {
  test('stores the photo and its copy for the provider, upright and without metadata', async () => {
    const photo = await corners()
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer();
    const answer = await agent.upload(photo, { propertyId, roomType: 'KITCHEN' });
    expect(answer.status).toBe(201);
    const [row] = await images();
    expect(answer.body).toEqual({
      imageId: row?.id,
      propertyId,
      url: `https://api.example.com/api/images/${row?.id}`,
      position: 0,
      isMain: true,
      isStyled: false,
      alteration: null,
      alterationBy: null,
      alteredFromId: null,
      credentials: null,
      roomType: 'KITCHEN',
      imageOf: 'Kitchen',
      reviewStatus: null,
      photoState: 'WAITING',
      stagedImageId: null,
      width: row?.outputWidth,
      height: row?.outputHeight,
      format: 'jpeg',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const keys = await host.objectKeys();
    expect(keys).toEqual(expect.arrayContaining([row?.objectKey, row?.providerInputKey]));
    expect(await guards()).toEqual([]);
    expect(host.searched).toContain(propertyId);
    expect(row).toMatchObject({
      outputFormat: 'jpeg',
      outputChecksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('later photos are added at the end and do not change the cover', async () => {
    const photo = await noisy(120, 90).webp().toBuffer();
    await agent.upload(photo, { propertyId });
    const second = await agent.upload(photo, { propertyId, roomType: '', imageOf: '' });
    expect(second.body).toMatchObject({ position: 1, isMain: false, roomType: null, imageOf: null });
    const third = await agent.upload(photo, { propertyId, imageOf: 'Floor Plan' });
    expect(third.body).toMatchObject({ roomType: null, imageOf: 'Floor Plan', format: 'webp' });
    const fourth = await agent.upload(photo, { propertyId, imageOf: 'Bathroom' });
    expect(fourth.body).toMatchObject({ roomType: 'BATHROOM', imageOf: 'Bathroom' });
  });

  test('stores a HEIC of a phone as an upright JPEG', async () => {
    const answer = await agent.upload(heicFile({ turns: 3, orientation: 6 }), { propertyId });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ format: 'jpeg', width: 512, height: 640 });
    const shown = await ask(host, `/api/images/${answer.body.imageId}`, { as: agent });
    expect(shown.headers['content-type']).toBe('image/jpeg');
    expect(distance(await cornerColours(shown.bytes), [GREY, RED, GREEN, BLUE])).toBeLessThan(8);
  });

  test.each([
    ['of 100 megapixels', heicFile({ claims: { width: 10_000, height: 10_000 } }), 413, 'photo.heicTooLarge'],
    ['that is damaged', heicFile().subarray(0, 1_500), 422, 'photo.heicBroken'],
  ])('refuses a HEIC %s with words on how to export it', async (_, file, status, messageKey) => {
    const answer = await agent.upload(file, { propertyId });
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({
      messageKey,
      message: expect.stringContaining('Export it as JPEG'),
    });
    expect(await images()).toEqual([]);
    const avatar = new FormData();
    avatar.set('file', new Blob([new Uint8Array(file)]), 'me.heic');
    const ofPerson = await agent.send('PUT', '/api/users/avatar', { body: avatar });
    expect([ofPerson.status, ofPerson.body.error.messageKey]).toEqual([status, messageKey]);
  });

  test.each([
    ['a text file', async () => Buffer.from('hello'), 415, 'PHOTO_TYPE_UNSUPPORTED'],
    ['a GIF', async () => corners().gif().toBuffer(), 415, 'PHOTO_TYPE_UNSUPPORTED'],
    [
      'half a photo',
      async () => (await noisy(900, 700).jpeg().toBuffer()).subarray(0, 9_000),
      422,
      'PHOTO_BROKEN',
    ],
    ['a picture of 100 megapixels', async () => pngClaiming(10_000, 10_000), 413, 'PHOTO_TOO_LARGE'],
    ['26 MiB', async () => Buffer.alloc(26 * 1024 * 1024, 1), 413, 'PHOTO_TOO_LARGE'],
    ['25 MiB and a byte', async () => Buffer.alloc(25 * 1024 * 1024 + 1, 1), 413, 'PHOTO_TOO_LARGE'],
  ])('rejects %s and stores nothing', async (_, file, status, code) => {
    // What is left of a refused body counts against its sender until it is gone, and the next one would get 503.
    agent = await host.signedIn();
    propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
    const before = await host.objectKeys();
    const answer = await agent.upload(await file(), { propertyId });
    const logged = JSON.stringify(host.lines.slice(-3));
    expect([answer.status, answer.errorCode], logged).toEqual([status, code]);
    expect(await images()).toEqual([]);
    expect(await guards()).toEqual([]);
    expect(await host.objectKeys()).toEqual(before);
  });

  test('rejects bodies that are not a valid form', async () => {
    const photo = await corners().jpeg().toBuffer();
    const wrongRoom = await agent.upload(photo, { propertyId, roomType: 'ATTIC' });
    expect([wrongRoom.status, wrongRoom.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(wrongRoom.body.error.fields)).toEqual(['roomType']);
    const twice = await agent.upload(photo, { propertyId, roomType: 'KITCHEN', imageOf: 'Patio' });
    expect(Object.keys(twice.body.error.fields)).toEqual(['imageOf']);
    const noProperty = await agent.upload(photo, {});
    expect(Object.keys(noProperty.body.error.fields)).toEqual(['propertyId']);
    const idBehind = new FormData();
    idBehind.set('file', new Blob([new Uint8Array(photo)]), 'photo.jpg');
    idBehind.set('propertyId', propertyId);
    const behind = await agent.send('POST', '/api/property-images', { body: idBehind });
    expect(behind.body.error.fields).toEqual({
      propertyId: ['Send the id of the listing, in front of the file.'],
    });
    const json = await agent.send('POST', '/api/property-images', { body: '{}' });
    expect([json.status, json.errorCode]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await images()).toEqual([]);
  });

  test('ten at once: ten rows, ten positions, one cover, no guard left', async () => {
    const photo = await noisy(200, 150).jpeg().toBuffer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => agent.upload(photo, { propertyId })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect((await images()).map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await images()).filter(({ isMain }) => isMain)).toHaveLength(1);
    expect(await guards()).toEqual([]);
  });
});

test('with HEIC_ENABLED=false a HEIC is refused, and other photos are taken', async () => {
  const without = await startApiHost({ settings: { HEIC_ENABLED: 'false' } });
  try {
    const person = await without.signedIn();
    const own = await seedProperty(without.pool, { ownerAgentId: person.id });
    const refused = await person.upload(heicFile(), { propertyId: own });
    expect([refused.status, refused.errorCode]).toEqual([415, 'PHOTO_TYPE_UNSUPPORTED']);
    expect(refused.body.error.messageKey).toBe('photo.heicUnsupported');
    const taken = await person.upload(await corners().avif().toBuffer(), { propertyId: own });
    expect(taken.status).toBe(201);
  } finally {
    await without.stop();
  }
});

describe('a failed upload', () => {
  const photo = () => noisy(300, 200).jpeg().toBuffer();

  test('the sweep claimed the guards: 409, no row, and the keys are in the outbox again', async () => {
    await host.rows(`create function sweep_at_once() returns trigger language plpgsql as $$
      begin update storage_deletion_outbox set status = 'PROCESSING', version = 1 where id = new.id; return null; end $$`);
    await host.rows(
      `create trigger sweep_at_once after insert on storage_deletion_outbox for each row
       when (new."nextAttemptAt" > new."createdAt") execute function sweep_at_once()`,
    );
    const before = await host.objectKeys();
    const answer = await agent.upload(await photo(), { propertyId });
    await host.rows('drop function sweep_at_once cascade');
    expect([answer.status, answer.errorCode]).toEqual([409, 'UPLOAD_EXPIRED']);
    expect(await images()).toEqual([]);
    expect(await host.objectKeys()).toEqual(before);
    expect(await host.rows('select status from storage_deletion_outbox order by status')).toEqual(
      ['PENDING', 'PENDING', 'PROCESSING', 'PROCESSING'].map((status) => ({ status })),
    );
    await host.rows('delete from storage_deletion_outbox');
  });

  test('the object store fails: 503, no row, and guards for the objects that may have been stored', async () => {
    const broken = await startApiHost({ settings: { S3_BUCKET: 'no-such-bucket' } });
    try {
      const person = await broken.signedIn();
      const own = await seedProperty(broken.pool, { ownerAgentId: person.id });
      const answer = await person.upload(await photo(), { propertyId: own });
      expect([answer.status, answer.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(await broken.rows('select 1 from property_images')).toEqual([]);
      expect(await broken.rows('select status from storage_deletion_outbox')).toEqual([
        { status: 'PENDING' },
        { status: 'PENDING' },
      ]);
    } finally {
      await broken.stop();
    }
  });
});

describe('PATCH /api/property-images/{id}', () => {
  test('changes the cover', async () => {
    const first = await seedOriginal(host.pool, { propertyId, isMain: true });
    const second = await seedOriginal(host.pool, { propertyId, position: 1 });
    const answer = await patch(second.imageId, { isMain: true });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ imageId: second.imageId, isMain: true });
    expect((await images()).map(({ isMain }) => isMain)).toEqual([false, true]);
    expect(await patch(first.imageId, { isMain: false })).toMatchObject({
      status: 200,
      body: { isMain: false },
    });
    expect((await images()).map(({ isMain }) => isMain)).toEqual([false, true]);
  });

  test('simultaneous requests leave at most one cover', async () => {
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, position) => seedOriginal(host.pool, { propertyId, position })),
    );
    const answers = await Promise.all(all.map(({ imageId }) => patch(imageId, { isMain: true })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await images()).filter(({ isMain }) => isMain)).toHaveLength(1);
  });

  test('a staged image is never the cover', async () => {
    const original = await seedOriginal(host.pool, { propertyId, isMain: true });
    const variant = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
    const answer = await patch(variant, { isMain: true });
    expect([answer.status, answer.errorCode]).toEqual([400, 'STAGED_CANNOT_BE_MAIN']);
    expect(await patch(variant, { isMain: false })).toMatchObject({ status: 200, body: { isMain: false } });
    expect((await images()).filter(({ isMain }) => isMain).map(({ id }) => id)).toEqual([original.imageId]);
  });

  test.each([['{"isMain":"yes"}'], ['{}'], ['{'], ['null'], ['']])('rejects %s', async (body) => {
    const { imageId } = await seedOriginal(host.pool, { propertyId });
    const answer = await patch(imageId, body);
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
  });

  test('an invalid id is not found', async () => {
    expect((await patch('42', { isMain: true })).status).toBe(404);
  });
});

describe('DELETE /api/property-images/{id}', () => {
  test('an original is deleted with its variants, its jobs are canceled, its objects are queued', async () => {
    const original = await seedOriginal(host.pool, { propertyId });
    const variant = await seedVariant(host.pool, original);
    const { jobId } = await seedStagingJob(host.pool, { original, canonicalStyle: 'LUXURY' });
    const answer = await agent.send('DELETE', `/api/property-images/${original.imageId}`);
    expect([answer.status, answer.body]).toEqual([200, { imageId: original.imageId, deleted: true }]);
    expect(await images()).toEqual([]);
    expect(await host.rows('select status from ai_jobs where id = $1', [jobId])).toEqual([
      { status: 'CANCELED' },
    ]);
    const queued = await host.rows('select "objectKey" as key from storage_deletion_outbox order by 1');
    expect(queued).toEqual(
      [original.objectKey, original.providerInputKey, `staged/${variant}.jpg`]
        .toSorted()
        .map((key) => ({ key })),
    );
    expect(host.queue.removed).toContain(jobId);
    expect(host.searched).toContain(propertyId);
    expect((await agent.send('DELETE', `/api/property-images/${original.imageId}`)).status).toBe(404);
    await host.rows('delete from storage_deletion_outbox');
  });

  test('a staged image is deleted by another endpoint', async () => {
    const original = await seedOriginal(host.pool, { propertyId });
    const variant = await seedVariant(host.pool, original, { createdAt: new Date(MANUAL_EPOCH) });
    const answer = await agent.send('DELETE', `/api/property-images/${variant}`);
    expect([answer.status, answer.errorCode]).toEqual([400, 'STAGED_DELETE_REFUSED']);
    expect(await images()).toHaveLength(2);
  });
});

test('a photo of 20 megapixels is stored in its size, with a copy for the provider', async () => {
  const photo = await (await roomOf('LIVING_ROOM', 5472, 3648)).jpeg({ progressive: true }).toBuffer();
  const answer = await agent.upload(photo, { propertyId, roomType: 'LIVING_ROOM' });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ width: 5472, height: 3648 });
  const [row] = await images();
  const copy = (await host.objectKeys()).find((key) => key === row?.providerInputKey);
  expect(copy).toBeDefined();
});
