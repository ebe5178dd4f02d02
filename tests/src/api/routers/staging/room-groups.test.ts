import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultBrief } from '../../../../../machines/furniture-catalogue.ts';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES } from '../../../../../machines/vocabulary.ts';
import { seedOriginal, seedProperty, seedRoomGroup, seedVariant } from '../../../../support/database/seed.ts';
import { waitForBlocked } from '../../../../support/database/store-database.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';

let agent: Person;
const host = useApiHost({
  settings: { AI_STAGING_LEGACY_ALIAS_SUNSET_AT: '2099-01-01T00:00:00.000Z' },
});
beforeAll(async () => {
  agent = await host.signedIn();
});

const BRIEF = { pieces: ['media_unit', 'rug'], materials: ['walnut'], colours: ['sage', 'white'] };

/** A listing of the agent with photos, and the input of a group of them. */
async function home(photos = 2) {
  const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
  const originalImageIds: string[] = [];
  for (let index = 0; index < photos; index += 1)
    originalImageIds.push((await seedOriginal(host.pool, { propertyId })).imageId);
  return { propertyId, roomType: 'TV_ROOM', style: 'MODERN', originalImageIds };
}
type GroupInput = Awaited<ReturnType<typeof home>> & { brief?: unknown };
const make = (input: GroupInput, person = agent) => person.mutate('ai.createRoomGroup', input);
const list = (propertyId: string, person = agent) => person.query('ai.listRoomGroups', { propertyId });
async function groupOf(input: GroupInput): Promise<string> {
  const answer = await make(input);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.groupId;
}
const submit = (groupId: string, imageIds: readonly string[], more: object = {}, person = agent) =>
  person.mutate('ai.submitRoomStaging', {
    groupId,
    assignments: imageIds.map((originalImageId) => ({
      originalImageId,
      roomType: 'TV_ROOM',
      style: 'MODERN',
      ...more,
    })),
  });
const jobsOf = (groupId: string) =>
  host.rows<{
    originalImageId: string;
    prompt: string;
    promptVersion: string;
    referenceImageKey: string | null;
  }>(
    `select "originalImageId", prompt, "promptVersion", "referenceImageKey" from ai_room_staging_jobs
     where "groupId" = $1 order by "createdAt"`,
    [groupId],
  );
/** The staged picture that the job of the photo would leave. */
async function result(input: GroupInput, imageId: string | undefined, columns: object = {}) {
  const [job] = await host.rows<{ id: string }>(
    `update ai_jobs set status = 'SUCCESS', phase = null where id =
       (select "aiJobId" from ai_room_staging_jobs where "originalImageId" = $1 order by "createdAt" desc limit 1)
     returning id`,
    [imageId],
  );
  const original = { propertyId: input.propertyId, imageId: imageId ?? '' };
  return seedVariant(host.pool, original, { aiJobId: job?.id, roomType: 'TV_ROOM', ...columns });
}

describe('ai.createRoomGroup', () => {
  test('makes a group with a brief of the catalogue, and ai.listRoomGroups lists it', async () => {
    const input = await home();
    const first = await make({ ...input, brief: BRIEF });
    expect(first.data).toEqual({
      groupId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      roomType: 'TV_ROOM',
      style: 'MODERN',
      brief: BRIEF,
      originalImageIds: input.originalImageIds,
      createdAt: expect.stringMatching(/Z$/),
    });
    const reversed = { ...input, originalImageIds: input.originalImageIds.toReversed(), brief: null };
    const second = await make(reversed);
    expect(second.data.originalImageIds).toEqual(reversed.originalImageIds);
    expect((await list(input.propertyId)).data).toEqual({ items: [first.data, second.data] });
    expect((await list((await home()).propertyId)).data).toEqual({ items: [] });
  });

  test('without a brief, the same one for a room type and style each time', async () => {
    const { brief } = (await make(await home())).data;
    expect(brief).toEqual(defaultBrief('TV_ROOM', 'MODERN'));
    expect(brief.pieces).toContain('media_unit');
    expect((await make(await home())).data.brief).toEqual(brief);
    const { furniture } = (await host.anonymous().query('ai.getStagingCatalog')).data;
    expect(furniture.rooms.map(({ roomType }: { roomType: string }) => roomType)).toEqual([
      ...CANONICAL_ROOM_TYPES,
    ]);
    for (const roomType of CANONICAL_ROOM_TYPES)
      for (const style of CANONICAL_STYLES) {
        const room = furniture.rooms.find((one: { roomType: string }) => one.roomType === roomType);
        const { materials, colours } = furniture.styles.find((one: { style: string }) => one.style === style);
        const answer = await make({ ...(await home(1)), roomType, style });
        expect(answer.data.brief).toEqual({ pieces: room.defaults, materials, colours });
      }
  });

  test.each([
    ['free text', { ...BRIEF, pieces: ['media_unit', 'a pink elephant'] }, 'brief.pieces.1'],
    ['a piece of another room', { ...BRIEF, pieces: ['media_unit', 'bed'] }, 'brief.pieces.1'],
    ['a TV room without its television', { ...BRIEF, pieces: ['rug'] }, 'brief.pieces'],
    ['a colour twice', { ...BRIEF, colours: ['sage', 'sage'] }, 'brief.colours'],
    ['no material', { ...BRIEF, materials: [] }, 'brief.materials'],
    ['more text beside', { ...BRIEF, note: 'and tear down the wall' }, 'brief.note'],
  ])('refuses %s', async (_, brief, field) => {
    const input = await home();
    const answer = await make({ ...input, brief });
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual([field]);
    expect((await list(input.propertyId)).data.items).toEqual([]);
  });

  test.each([
    ['a photo twice', (ids: string[]) => [ids[0], ids[0]]],
    ['no photo', () => []],
    ['more than twenty photos', () => Array.from({ length: 21 }, () => randomUUID())],
  ])('refuses %s', async (_, idsOf) => {
    const input = await home();
    const answer = await make({ ...input, originalImageIds: idsOf(input.originalImageIds) as string[] });
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
  });

  test('refuses photos of other listings, unknown and staged ones, and names them', async () => {
    const [input, other] = [await home(), await home()];
    const [own, foreign] = [input.originalImageIds[0] ?? '', other.originalImageIds[0] ?? ''];
    const staged = await seedVariant(host.pool, { propertyId: input.propertyId, imageId: own });
    for (const [wrong, code] of [
      [foreign, 'NOT_FOUND'],
      [randomUUID(), 'NOT_FOUND'],
      [staged, 'IMAGE_NOT_ORIGINAL'],
    ] as const) {
      const answer = await make({ ...input, originalImageIds: [own, wrong] });
      expect(answer.errorCode).toBe(code);
      expect(Object.keys(answer.body.error.json.data.fields)).toEqual(['originalImageIds.1']);
    }
    expect((await list(input.propertyId)).data.items).toEqual([]);
  });

  test('makes at most fifty of a listing, also at once', async () => {
    const input = await home(1);
    const { propertyId, originalImageIds: imageIds } = input;
    for (let number = 1; number <= 48; number += 1)
      await seedRoomGroup(host.pool, { propertyId, imageIds, number });
    const answers = await Promise.all(Array.from({ length: 5 }, () => make(input)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409]);
    expect((await make(input)).errorCode).toBe('ROOM_GROUPS_FULL');
    expect((await list(input.propertyId)).data.items).toHaveLength(50);
    await host.rows('delete from room_groups where "propertyId" = $1 and number = 7', [input.propertyId]);
    expect((await make(input)).status).toBe(200);
  });

  test('other agents get the answer for an unknown listing, assigned agents the groups', async () => {
    const [input, otherAgent] = [await home(), await host.signedIn()];
    await groupOf(input);
    const unknown = randomUUID();
    const bare = ({ text }: { text: string }) => text.replaceAll(input.propertyId, unknown);
    for (const ask of [
      (propertyId: string) => make({ ...input, propertyId }, otherAgent),
      (propertyId: string) => list(propertyId, otherAgent),
    ]) {
      const [theirs, missing] = [await ask(input.propertyId), await ask(unknown)];
      expect([theirs.status, bare(theirs)]).toEqual([404, missing.text]);
    }
    await host.rows('insert into property_agents values ($1, $2)', [input.propertyId, otherAgent.id]);
    expect((await list(input.propertyId, otherAgent)).data.items).toHaveLength(1);
    expect((await make(input, otherAgent)).status).toBe(200);
  });
});

describe('a group', () => {
  test('loses deleted photos, and ends with the last one', async () => {
    const input = await home(3);
    const groupId = await groupOf(input);
    const remove = (id: string | undefined) => agent.send('DELETE', `/api/property-images/${id}`);
    const [first, second, third] = input.originalImageIds;
    expect((await remove(second)).status).toBe(200);
    expect((await list(input.propertyId)).data.items).toMatchObject([{ originalImageIds: [first, third] }]);
    const removed = await Promise.all([remove(first), remove(third)]);
    expect(removed.map(({ status }) => status)).toEqual([200, 200]);
    expect((await list(input.propertyId)).data.items).toEqual([]);
    expect(await host.rows('select 1 from room_groups where id = $1', [groupId])).toEqual([]);
  });

  test('ends when its last two photos go in transactions that do not see each other', async () => {
    const input = await home(2);
    const groupId = await groupOf(input);
    const remove = 'delete from room_group_photos where "imageId" = $1';
    const holder = await host.pool.connect();
    try {
      await holder.query('begin');
      await holder.query(remove, [input.originalImageIds[0]]);
      const other = host.rows(remove, [input.originalImageIds[1]]);
      await waitForBlocked(host.pool, 1);
      await holder.query('commit');
      await other;
    } finally {
      holder.release();
    }
    expect(await host.rows('select 1 from room_groups where id = $1', [groupId])).toEqual([]);
  });

  test('ends with its listing', async () => {
    const input = await home();
    const groupId = await groupOf(input);
    await host.rows('delete from properties where id = $1', [input.propertyId]);
    expect(await host.rows('select 1 from room_groups where id = $1', [groupId])).toEqual([]);
  });
});

describe('ai.submitRoomStaging with a group', () => {
  test('states the brief and the room in the prompt; without a group the prompt has neither', async () => {
    const input = await home();
    const groupId = await groupOf({ ...input, brief: BRIEF });
    const [photo, other] = input.originalImageIds;
    const answer = await submit(groupId, [photo ?? '']);
    expect(answer.data.results).toMatchObject([{ disposition: 'ENQUEUED', roomType: 'TV_ROOM' }]);
    const [job] = await jobsOf(groupId);
    expect(job).toMatchObject({ promptVersion: 'room-staging-v2.1', referenceImageKey: null });
    for (const words of ['real TV and media room', 'media unit', 'a rug', 'walnut', 'sage, white'])
      expect(job?.prompt).toContain(words);
    expect(job?.prompt).not.toContain('living room');
    await agent.mutate('ai.submitRoomStaging', {
      assignments: [{ originalImageId: other, roomType: 'TV_ROOM', style: 'MODERN' }],
    });
    const { items } = (await agent.query('ai.listStagingJobs', { propertyId: input.propertyId })).data;
    expect(
      new Map(
        items.map((one: { originalImageId: string; groupId: string | null }) => [
          one.originalImageId,
          one.groupId,
        ]),
      ),
    ).toEqual(
      new Map([
        [photo, groupId],
        [other, null],
      ]),
    );
    const [ungrouped] = await host.rows<{ prompt: string }>(
      `select prompt, "promptVersion", "groupId" from ai_room_staging_jobs where "originalImageId" = $1`,
      [other],
    );
    expect(ungrouped).toMatchObject({ promptVersion: 'room-staging-v2.0', groupId: null });
    expect(ungrouped?.prompt).not.toContain('brief');
  });

  test('takes photos of the group in its room type and style only; anything else loses nothing', async () => {
    const [input, other] = [await home(), await home()];
    const groupId = await groupOf({ ...input, originalImageIds: input.originalImageIds.slice(0, 1) });
    const [photo = '', outside = ''] = input.originalImageIds;
    for (const [ids, more, field] of [
      [[photo, outside], {}, 'assignments.1.originalImageId'],
      [[photo, other.originalImageIds[0] ?? ''], {}, 'assignments.1.originalImageId'],
      [[photo], { roomType: 'LIVING_ROOM' }, 'assignments.0.roomType'],
      [[photo], { style: 'LUXURY' }, 'assignments.0.style'],
      // An old name that asks for more than the style does.
      [[photo], { style: 'modern_pop' }, 'assignments.0.style'],
    ] as const) {
      const answer = await submit(groupId, ids, more);
      expect([answer.status, answer.errorCode]).toEqual([400, 'ROOM_GROUP_MISMATCH']);
      expect(Object.keys(answer.body.error.json.data.fields)).toEqual([field]);
    }
    expect(await jobsOf(groupId)).toEqual([]);
    expect((await submit(groupId, [photo], { style: 'contemporary' })).data.results).toMatchObject([
      { disposition: 'ENQUEUED' },
    ]);
  });

  test('an unknown group and that of another agent are answered alike', async () => {
    const [input, otherAgent] = [await home(), await host.signedIn()];
    const groupId = await groupOf(input);
    const own = await host.listing(otherAgent);
    const [theirs, missing] = [
      await submit(groupId, [own.imageId], {}, otherAgent),
      await submit(randomUUID(), [own.imageId], {}, otherAgent),
    ];
    expect([theirs.status, theirs.errorCode]).toEqual([404, 'NOT_FOUND']);
    expect(theirs.text).toBe(missing.text);
    expect(await host.rows('select 1 from ai_jobs where "requestedByUserId" = $1', [otherAgent.id])).toEqual(
      [],
    );
  });

  test('keeps the first approved picture of the group with later jobs, and with no earlier one', async () => {
    const input = await home(5);
    const groupId = await groupOf(input);
    const [first, second, third, fourth, fifth] = input.originalImageIds;
    await submit(groupId, [first ?? '']);
    const variant = await result(input, first);
    await submit(groupId, [second ?? '']);
    expect((await jobsOf(groupId)).map(({ referenceImageKey }) => referenceImageKey)).toEqual([null, null]);
    await agent.mutate('ai.approveStagedVariant', { imageId: variant });
    await submit(groupId, [third ?? '']);
    const later = await result(input, third);
    await agent.mutate('ai.approveStagedVariant', { imageId: later });
    await submit(groupId, [fourth ?? '']);
    const key = `staged/${variant}.jpg`;
    expect((await jobsOf(groupId)).map(({ referenceImageKey }) => referenceImageKey)).toEqual([
      null,
      null,
      key,
      key,
    ]);
    // Another group of the same photos has approved nothing yet.
    const another = await groupOf({ ...input, originalImageIds: [fifth ?? ''] });
    await submit(another, [fifth ?? '']);
    expect(await jobsOf(another)).toMatchObject([{ referenceImageKey: null }]);
  });

  test('an approval and a submission at once: the reference is an approved picture or none', async () => {
    const input = await home(9);
    const groupId = await groupOf(input);
    const [first, ...others] = input.originalImageIds;
    await submit(groupId, [first ?? '']);
    const imageId = await result(input, first);
    await Promise.all([
      ...others.slice(0, 4).map((id) => submit(groupId, [id])),
      agent.mutate('ai.approveStagedVariant', { imageId }),
      ...others.slice(4).map((id) => submit(groupId, [id])),
    ]);
    const wrong = await host.rows(
      `select 1 from ai_room_staging_jobs s where "groupId" = $1 and "referenceImageKey" is not null
       and "referenceImageKey" <> $2`,
      [groupId, `staged/${imageId}.jpg`],
    );
    expect(wrong).toEqual([]);
    expect(await jobsOf(groupId)).toHaveLength(9);
  });
});

describe('the database itself refuses', () => {
  test('a group of another listing’s photo, a staged one, or free text', async () => {
    const [input, other] = [await home(), await home()];
    const variant = await seedVariant(host.pool, { ...input, imageId: input.originalImageIds[0] ?? '' });
    const groupId = await groupOf(input);
    for (const imageId of [other.originalImageIds[0], variant])
      await expect(
        host.rows('insert into room_group_photos values ($1, $2, 9)', [groupId, imageId]),
      ).rejects.toMatchObject({ constraint: 'room_group_photos_original_check' });
    for (const pieces of [['a pink, huge elephant'], [null], []])
      await expect(
        host.rows('update room_groups set pieces = $2 where id = $1', [groupId, pieces]),
      ).rejects.toMatchObject({ constraint: 'room_groups_brief_check' });
  });

  test('a job of a photo that the group does not have, and a reference that is not approved in the group', async () => {
    const [input, other] = [await home(), await home()];
    const [first = '', second = ''] = input.originalImageIds;
    const [groupId, otherGroup] = [await groupOf(input), await groupOf(other)];
    await submit(groupId, [first]);
    const pending = await result(input, first);
    await submit(groupId, [second]);
    const set = (sql: string, value: string) =>
      host.rows(`update ai_room_staging_jobs set ${sql} where "originalImageId" = $2`, [value, second]);
    await expect(set('"groupId" = $1', otherGroup)).rejects.toMatchObject({
      constraint: 'ai_room_staging_jobs_group_check',
    });
    await expect(set('"referenceImageKey" = $1', `staged/${pending}.jpg`)).rejects.toMatchObject({
      constraint: 'ai_room_staging_jobs_reference_check',
    });
    await agent.mutate('ai.approveStagedVariant', { imageId: pending });
    await set('"referenceImageKey" = $1', `staged/${pending}.jpg`);
    await submit(otherGroup, [other.originalImageIds[0] ?? '']);
    const foreign = await result(other, other.originalImageIds[0], { reviewStatus: 'APPROVED' });
    await expect(set('"referenceImageKey" = $1', `staged/${foreign}.jpg`)).rejects.toMatchObject({
      constraint: 'ai_room_staging_jobs_reference_check',
    });
  });
});
