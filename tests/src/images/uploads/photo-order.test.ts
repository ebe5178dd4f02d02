import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PHOTO_SUBJECTS, ROOM_SUBJECTS } from '../../../../machines/disclosure/photo-subject.ts';
import { CANONICAL_ROOM_TYPES } from '../../../../machines/vocabulary.ts';
import { readSourcesOf } from '../../../../persistence/search/search-documents.ts';
import { toIndexedCard } from '../../../../src/wire/listings/property-card.ts';
import { seedOriginal, seedProperty, seedStagingJob, seedVariant } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';

let agent: Person;
let propertyId: string;
let ids: string[];
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
});
beforeEach(async () => {
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
  ids = [];
  for (let position = 0; position < 5; position += 1)
    ids.push((await seedOriginal(host.pool, { propertyId, position, isMain: position === 0 })).imageId);
});

const patch = (imageId: unknown, body: object) =>
  agent.send('PATCH', `/api/property-images/${imageId}`, { body: JSON.stringify(body) });
const remove = (imageId: unknown) => agent.send('DELETE', `/api/property-images/${imageId}`);
const rows = () =>
  host.rows<{ id: string; position: number; isMain: boolean; roomType: string | null }>(
    `select id, position, "isMain", "roomType" from property_images
     where "propertyId" = $1 and not "isStyled" order by position, "createdAt", id`,
    [propertyId],
  );
/** The order as indexes into `ids`. */
const order = async () => (await rows()).map(({ id }) => ids.indexOf(id)).join('');
const cover = async () => (await rows()).filter(({ isMain }) => isMain).map(({ id }) => ids.indexOf(id));

describe('position', () => {
  test.each([
    [0, 0, '01234'],
    [0, 2, '12034'],
    [0, 4, '12340'],
    [4, 0, '40123'],
    [3, 1, '03124'],
    [1, 99, '02341'],
  ])('photo %d to place %d', async (from, position, expected) => {
    const answer = await patch(ids[from], { position });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ imageId: ids[from], position: Math.min(position, 4) });
    expect(await order()).toBe(expected);
    expect((await rows()).map((row) => row.position)).toEqual([0, 1, 2, 3, 4]);
    expect(await cover()).toEqual([0]);
  });

  test('gaps and equal positions from earlier releases are closed by the first move', async () => {
    await host.rows('update property_images set position = 7 where id = any($1)', [[ids[1], ids[3]]]);
    const before = await order();
    await patch(ids[0], { position: 0 });
    expect(await order()).toBe(before);
    expect((await rows()).map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  test('other listings and staged images keep their positions', async () => {
    const other = await seedOriginal(host.pool, { position: 3 });
    const variant = await seedVariant(host.pool, { imageId: ids[0] ?? '', propertyId }, { position: 2 });
    await patch(ids[4], { position: 0 });
    expect(
      await host.rows('select position from property_images where id = any($1) order by position', [
        [other.imageId, variant],
      ]),
    ).toEqual([{ position: 2 }, { position: 3 }]);
  });

  test('a move is sent to search, and a request that moves nothing is not', async () => {
    const version = async () =>
      (
        await host.rows<{ v: number }>('select "searchVersion" as v from properties where id = $1', [
          propertyId,
        ])
      )[0]?.v ?? 0;
    const before = Number(await version());
    await patch(ids[2], { position: 2 });
    expect(Number(await version())).toBe(before);
    await patch(ids[2], { position: 0 });
    expect(Number(await version())).toBeGreaterThan(before);
    expect(host.searched).toContain(propertyId);
  });

  test('many simultaneous moves, covers and deletions end in one order and one cover', async () => {
    const moves = Array.from({ length: 20 }, (_, at) =>
      patch(
        ids[at % 5],
        at % 3 === 0 ? { isMain: true, position: (at * 7) % 5 } : { position: (at * 3) % 5 },
      ),
    );
    const answers = await Promise.all([...moves, remove(ids[4]), remove(ids[0])]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    const left = await rows();
    expect(left.map(({ id }) => id).toSorted()).toEqual([ids[1], ids[2], ids[3]].toSorted());
    expect(new Set(left.map(({ position }) => position)).size).toBe(3);
    expect(await cover()).toHaveLength(1);
    await patch(ids[1], { position: 0 });
    expect((await rows()).map(({ position }) => position)).toEqual([0, 1, 2]);
  });
});

describe('the cover', () => {
  test('passes to the next photo in order when its photo is deleted, never to a staged one', async () => {
    await seedVariant(host.pool, { imageId: ids[3] ?? '', propertyId }, { reviewStatus: 'APPROVED' });
    await patch(ids[3], { position: 0 });
    await remove(ids[0]);
    expect(await cover()).toEqual([3]);
    await remove(ids[3]);
    expect(await cover()).toEqual([1]);
    for (const at of [1, 2, 4]) await remove(ids[at]);
    expect(await rows()).toEqual([]);
  });

  test('stays when another photo is deleted, and is not chosen again after it was removed', async () => {
    await remove(ids[1]);
    expect(await cover()).toEqual([0]);
    await patch(ids[0], { isMain: false });
    await remove(ids[2]);
    expect(await cover()).toEqual([]);
  });

  test('without a cover the card shows the first photo; without photos it shows none', async () => {
    const card = async () => {
      const [source] = await readSourcesOf(host.pool, [propertyId]);
      if (source === undefined) throw new Error('no listing');
      return toIndexedCard(source, { publicBaseUrl: 'https://api.example.com', at: 0 });
    };
    await patch(ids[0], { isMain: false });
    await patch(ids[4], { position: 0 });
    expect((await card()).coverImageId).toBe(ids[4]);
    for (const id of ids) await remove(id);
    expect(await card()).toMatchObject({ coverImageId: null, images: [] });
  });

  test('is chosen in the transaction that deletes', async () => {
    const client = await host.pool.connect();
    try {
      await client.query('begin');
      await client.query('delete from property_images where id = $1', [ids[0]]);
      const { rows: seen } = await client.query('select id from property_images where "isMain"');
      expect(seen).toContainEqual({ id: ids[1] });
      await client.query('rollback');
    } finally {
      client.release();
    }
    expect(await cover()).toEqual([0]);
  });

  test('several fields in one request are one change', async () => {
    const answer = await patch(ids[3], { isMain: true, position: 0, roomType: 'KITCHEN' });
    expect(answer.body).toMatchObject({ isMain: true, position: 0, roomType: 'KITCHEN' });
    expect([await order(), await cover()]).toEqual(['30124', [3]]);
  });
});

describe('the room type', () => {
  test.each([...CANONICAL_ROOM_TYPES, null])('can be %s', async (roomType) => {
    const answer = await patch(ids[0], { roomType });
    expect([answer.status, answer.body.roomType]).toEqual([200, roomType]);
  });

  test('cannot change during a staging job, and can change afterwards', async () => {
    const original = { imageId: ids[0] ?? '', propertyId, objectKey: 'o', providerInputKey: 'p' };
    const { jobId } = await seedStagingJob(host.pool, { original });
    const refused = await patch(ids[0], { roomType: 'OFFICE', position: 3 });
    expect([refused.status, refused.errorCode]).toEqual([409, 'CONFLICT']);
    expect((await patch(ids[0], { imageOf: 'Patio' })).errorCode).toBe('CONFLICT');
    expect(await order()).toBe('01234');
    for (const same of [{ roomType: 'LIVING_ROOM' }, { imageOf: 'Living Room' }])
      expect((await patch(ids[0], same)).status).toBe(200);
    await host.rows(`update ai_jobs set status = 'CANCELED', phase = null where id = $1`, [jobId]);
    expect((await patch(ids[0], { roomType: 'OFFICE' })).status).toBe(200);
  });
});

describe('what a photo shows', () => {
  const stored = async () => {
    const [row] = await host.rows<{ roomType: string | null; imageOf: string | null }>(
      'select "roomType", "imageOf" from property_images where id = $1',
      [ids[0]],
    );
    return row;
  };
  const shown = async (body: object) => {
    const answer = await patch(ids[0], body);
    return [answer.status, answer.body.roomType, answer.body.imageOf];
  };

  test('can be each of RESO’s words; a room is stored as a room, and nothing twice', async () => {
    const rooms: Record<string, string> = Object.fromEntries(
      Object.entries(ROOM_SUBJECTS).map(([room, subject]) => [subject, room]),
    );
    for (const imageOf of PHOTO_SUBJECTS) {
      const roomType = rooms[imageOf] ?? null;
      expect(await shown({ imageOf })).toEqual([200, roomType, imageOf]);
      expect(await stored()).toEqual({ roomType, imageOf: roomType === null ? imageOf : null });
    }
    expect(host.searched).toContain(propertyId);
  });

  test('a room ends another subject, and the other way around; only what there is can be taken back', async () => {
    expect(await shown({ imageOf: 'Patio' })).toEqual([200, null, 'Patio']);
    expect(await shown({ roomType: null })).toEqual([200, null, 'Patio']);
    expect(await shown({ roomType: 'KITCHEN' })).toEqual([200, 'KITCHEN', 'Kitchen']);
    expect(await shown({ imageOf: 'Floor Plan', roomType: null })).toEqual([200, null, 'Floor Plan']);
    expect(await shown({ imageOf: null })).toEqual([200, null, null]);
    expect(await shown({ roomType: 'TV_ROOM' })).toEqual([200, 'TV_ROOM', 'Media Room']);
    expect(await shown({ roomType: null })).toEqual([200, null, null]);
  });
});

describe('rejected changes', () => {
  test.each([
    [{}, '_'],
    [{ isMain: true, unknown: 1 }, 'unknown'],
    [{ position: -1 }, 'position'],
    [{ position: 1.5 }, 'position'],
    [{ position: '1' }, 'position'],
    [{ position: null }, 'position'],
    [{ position: 1e300 }, 'position'],
    [{ roomType: 'ATTIC' }, 'roomType'],
    [{ imageOf: 'Moon' }, 'imageOf'],
    [{ imageOf: 'Patio', roomType: 'KITCHEN' }, 'imageOf'],
    [{ isMain: 'yes' }, 'isMain'],
    [{ isMain: true, position: 'first' }, 'position'],
  ])('%j', async (body, field) => {
    const answer = await patch(ids[2], body);
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect([await order(), await cover()]).toEqual(['01234', [0]]);
  });

  test('moving a staged image or changing its room', async () => {
    const variant = await seedVariant(host.pool, { imageId: ids[0] ?? '', propertyId });
    for (const [body, field] of [
      [{ position: 0 }, 'position'],
      [{ roomType: 'OFFICE' }, 'roomType'],
      [{ imageOf: 'Patio' }, 'imageOf'],
    ] as const) {
      const answer = await patch(variant, body);
      expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    }
    const both = await patch(variant, { isMain: true, position: 0 });
    expect(both.errorCode).toBe('STAGED_CANNOT_BE_MAIN');
  });

  test('a change by another user, answered like an unknown id', async () => {
    const otherUser = await host.signedIn();
    const body = JSON.stringify({ position: 0 });
    const theirs = await otherUser.send('PATCH', `/api/property-images/${ids[4]}`, { body });
    const unknown = await otherUser.send('PATCH', `/api/property-images/${propertyId}`, { body });
    expect([theirs.status, theirs.text]).toEqual([404, unknown.text]);
    expect(await order()).toBe('01234');
  });
});
