import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { type Answer, onWeb, type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, jobReaches, roomPhoto, uploadRoom } from '../../support/platform/listing.ts';
import {
  openStagingWorld,
  STEADY,
  type StagingWorld,
  variantsOf,
} from '../../support/platform/staging-world.ts';

/**
 * Submitting: identical simultaneous submissions become one job on any web, and what cannot be staged is
 * rejected with its own code before any write (docs/contract.md#submitting).
 */
const AFTER_SUNSET = 2;
let world: StagingWorld;

beforeAll(async () => {
  world = await openStagingWorld({
    webs: 2,
    workers: 0,
    settings: { AI_STAGING_LEGACY_ALIAS_SUNSET_AT: '2099-01-01T00:00:00.000Z' },
  });
  const web = await world.platform.startWeb({
    AI_STAGING_LEGACY_ALIAS_SUNSET_AT: '2026-01-01T00:00:00.000Z',
  });
  await web.ready;
}, 60_000);
afterAll(() => world.close());

interface Wish {
  originalImageId: string;
  style: string;
  roomType?: string;
}
const submitOn = (web: number, ...wishes: Wish[]): Promise<Answer> =>
  onWeb(world.platform, world.agent, web).mutate('ai.submitRoomStaging', {
    assignments: wishes.map((wish) => ({ roomType: 'BEDROOM', ...wish })),
  });

interface JobOfWish {
  id: string;
  canonicalStyle: string;
  canonicalRoomType: string;
  styleModifier: string | null;
  submittedStyle: string;
  legacyStyle: string | null;
  prompt: string;
}
const jobsOf = (originalImageId: string) =>
  world.platform.rows<JobOfWish>(
    `select j.id, s.* from ai_jobs j join ai_room_staging_jobs s on s."aiJobId" = j.id
     where s."originalImageId" = $1 order by s."canonicalStyle"`,
    [originalImageId],
  );

async function originals(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => world.newOriginal()));
}

describe('while a worker works', () => {
  let worker: RoleProcess;
  beforeAll(async () => {
    worker = await world.platform.startWorker(STEADY);
  });
  afterAll(() => worker.stop());

  test('each job keeps its room type from submission to result', async () => {
    const [originalImageId = ''] = await originals(1);
    const rooms: [string, string][] = [
      ['OFFICE', 'MODERN'],
      ['TV_ROOM', 'MODERN'],
      ['TV_ROOM', 'FARMHOUSE'],
    ];
    const answer = await submitOn(
      1,
      ...rooms.map(([roomType, style]) => ({ originalImageId, roomType, style })),
    );
    expect(
      answer.data.results.map((result: Record<string, unknown>) => [result.disposition, result.roomType]),
    ).toEqual([
      ['ENQUEUED', 'OFFICE'],
      ['EXISTING', 'OFFICE'],
      ['ENQUEUED', 'TV_ROOM'],
    ]);
    const jobs = await jobsOf(originalImageId);
    for (const { id } of jobs) await jobReaches(world.platform, id, 'SUCCESS');
    const results = await world.platform.rows(
      `select v."canonicalStyle", v."roomType", o."roomType" as photo from property_images v
       join property_images o on o.id = v."styledFromId" where o.id = $1 order by v."canonicalStyle"`,
      [originalImageId],
    );
    expect(results).toEqual([
      { canonicalStyle: 'MODERN', roomType: 'OFFICE', photo: 'TV_ROOM' },
      { canonicalStyle: 'FARMHOUSE', roomType: 'TV_ROOM', photo: 'TV_ROOM' },
    ]);
    const again = await submitOn(1, { originalImageId, roomType: 'BEDROOM', style: 'MODERN' });
    expect(again.data.results[0]).toMatchObject({ disposition: 'style_exists', roomType: 'OFFICE' });
  });

  test('a staged image cannot be staged again', async () => {
    const { aiJobId, originalImageId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'SUCCESS');
    const [variant] = await variantsOf(world, originalImageId);
    const refused = await submitOn(1, { originalImageId: variant?.id ?? '', style: 'LUXURY' });
    expect([refused.status, refused.errorCode]).toEqual([400, 'IMAGE_NOT_ORIGINAL']);
    expect(refused.body.error.json.data.messageKey).toBe('staging.imageNotOriginal');
    expect(await jobsOf(variant?.id ?? '')).toEqual([]);
  });

  test('identical pairs race the completion of their jobs: EXISTING with one id, then style_exists; one job and one image each', async () => {
    const wishes = (await originals(2)).flatMap((originalImageId) =>
      CANONICAL_STYLES.map((style) => ({ originalImageId, style })),
    );
    await Promise.all(
      wishes.map(async (wish, index) => {
        const first = await submitOn(index % 2, wish);
        expect(first.data.results[0].disposition).toBe('ENQUEUED');
        const { aiJobId } = first.data.results[0];
        for (;;) {
          const pair = await Promise.all([submitOn(0, wish), submitOn(1, wish)]);
          expect(pair.map(({ status }) => status)).toEqual([200, 200]);
          const results = pair.map(({ data }) => data.results[0]);
          for (const result of results) {
            if (result.disposition === 'EXISTING') expect(result.aiJobId).toBe(aiJobId);
            else expect(result).toMatchObject({ disposition: 'style_exists', aiJobId: null });
          }
          if (results.every(({ disposition }) => disposition === 'style_exists')) break;
          await jobReaches(world.platform, aiJobId, ['PENDING', 'PROCESSING', 'SUCCESS']);
        }
        await jobReaches(world.platform, aiJobId, 'SUCCESS');
      }),
    );
    for (const originalImageId of new Set(wishes.map((wish) => wish.originalImageId))) {
      const variants = await variantsOf(world, originalImageId);
      expect(variants.map(({ canonicalStyle }) => canonicalStyle).sort()).toEqual(
        [...CANONICAL_STYLES].sort(),
      );
      expect(await jobsOf(originalImageId)).toHaveLength(CANONICAL_STYLES.length);
      for (const { id, canonicalStyle } of variants) {
        const pair = await Promise.all(
          [0, 1].map((web) => submitOn(web, { originalImageId, style: canonicalStyle ?? '' })),
        );
        expect(pair.map(({ data }) => data.results[0])).toEqual(
          [0, 1].map(() => ({
            originalImageId,
            canonicalStyle,
            roomType: 'BEDROOM',
            aiJobId: null,
            disposition: 'style_exists',
            stagedImageId: id,
          })),
        );
      }
    }
  });
});

describe('simultaneous identical submissions', () => {
  test('a hundred pairs at once over two webs: one ENQUEUED and one EXISTING with the same id, one job a pair', async () => {
    const wishes = (await originals(17))
      .flatMap((originalImageId) => CANONICAL_STYLES.map((style) => ({ originalImageId, style })))
      .slice(0, 100);
    expect(wishes).toHaveLength(100);
    const pairs = await Promise.all(
      wishes.map((wish) => Promise.all([submitOn(0, wish), submitOn(1, wish)])),
    );
    for (const [index, pair] of pairs.entries()) {
      expect(pair.map(({ status }) => status)).toEqual([200, 200]);
      const results = pair.map(({ data }) => data.results[0]);
      expect(results.map(({ disposition }) => disposition).sort()).toEqual(['ENQUEUED', 'EXISTING']);
      expect(new Set(results.map(({ aiJobId }) => aiJobId)).size).toBe(1);
      for (const result of results)
        expect(result).toMatchObject({
          originalImageId: wishes[index]?.originalImageId,
          canonicalStyle: wishes[index]?.style,
          stagedImageId: null,
        });
    }
    const answered = pairs.map(([one]) => one.data.results[0].aiJobId as string);
    expect(new Set(answered).size).toBe(100);
    const rows = await world.platform.rows<{ id: string; dedupeKey: string }>(
      `select j.id, j."dedupeKey" from ai_jobs j join ai_room_staging_jobs s on s."aiJobId" = j.id
       where s."originalImageId" = any($1)`,
      [wishes.map(({ originalImageId }) => originalImageId)],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual([...answered].sort());
    expect(rows.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(
      wishes.map(({ originalImageId, style }) => `staging:${originalImageId}:${style}`).sort(),
    );
  });

  test('a style and its alias are the same submission', async () => {
    const [originalImageId = ''] = await originals(1);
    const pair = await Promise.all([
      submitOn(0, { originalImageId, style: 'wabi sabi' }),
      submitOn(1, { originalImageId, style: 'SCANDINAVIAN' }),
    ]);
    const results = pair.map(({ data }) => data.results[0]);
    expect(results.map(({ disposition }) => disposition).sort()).toEqual(['ENQUEUED', 'EXISTING']);
    expect(await jobsOf(originalImageId)).toHaveLength(1);
  });

  test('the same submission twice in one call: ENQUEUED, then EXISTING, in the order of the input', async () => {
    const [one = '', two = ''] = await originals(2);
    const answer = await submitOn(
      0,
      { originalImageId: two, style: 'LUXURY' },
      { originalImageId: one, style: 'LUXURY' },
      { originalImageId: two, style: 'LUXURY' },
    );
    const [first, second, third] = answer.data.results;
    expect([first.originalImageId, second.originalImageId, third.originalImageId]).toEqual([two, one, two]);
    expect([first.disposition, second.disposition, third.disposition]).toEqual([
      'ENQUEUED',
      'ENQUEUED',
      'EXISTING',
    ]);
    expect(third.aiJobId).toBe(first.aiJobId);
  });
});

describe('names', () => {
  test('the room type is stored with the original and the job, TV_ROOM unchanged', async () => {
    for (const roomType of CANONICAL_ROOM_TYPES) {
      const [originalImageId = ''] = await originals(1);
      await submitOn(1, { originalImageId, style: 'FARMHOUSE', roomType });
      const [image] = await world.platform.rows('select "roomType" from property_images where id = $1', [
        originalImageId,
      ]);
      expect(image).toEqual({ roomType });
      const [job] = await jobsOf(originalImageId);
      expect(job?.canonicalRoomType).toBe(roomType);
      if (roomType === 'TV_ROOM') {
        expect(job?.prompt).toMatch(/TV|media room/);
        expect(job?.prompt).not.toMatch(/living room/i);
      }
    }
  });

  test('an alias before the sunset: its canonical style and modifier are used, and the sent name is kept', async () => {
    const [originalImageId = ''] = await originals(1);
    const answer = await submitOn(0, { originalImageId, style: 'Japandi' });
    expect(answer.data.results[0]).toMatchObject({ canonicalStyle: 'SCANDINAVIAN', disposition: 'ENQUEUED' });
    const [job] = await jobsOf(originalImageId);
    expect(job).toMatchObject({
      canonicalStyle: 'SCANDINAVIAN',
      submittedStyle: 'Japandi',
      legacyStyle: 'Japandi',
      styleModifier: 'low natural wood, ceramics',
    });
    expect(job?.prompt).toContain('low natural wood, ceramics');
  });

  test('an alias after the sunset is rejected; the canonical names are accepted', async () => {
    const [originalImageId = ''] = await originals(1);
    const refused = await submitOn(AFTER_SUNSET, { originalImageId, style: 'Japandi' });
    expect([refused.status, refused.errorCode]).toEqual([400, 'STYLE_ALIAS_SUNSET']);
    expect(refused.body.error.json.data).toMatchObject({
      code: 'BAD_REQUEST',
      messageKey: 'staging.styleAliasSunset',
      fields: { 'assignments.0.style': [expect.any(String)] },
    });
    expect(await jobsOf(originalImageId)).toEqual([]);
    for (const style of CANONICAL_STYLES) {
      const accepted = await submitOn(AFTER_SUNSET, { originalImageId, style });
      expect(accepted.data.results[0]).toMatchObject({ canonicalStyle: style, disposition: 'ENQUEUED' });
    }
    expect((await jobsOf(originalImageId)).map(({ legacyStyle }) => legacyStyle)).toEqual(
      CANONICAL_STYLES.map(() => null),
    );
  });

  test('no-furniture and unknown names cannot be submitted', async () => {
    const [originalImageId = ''] = await originals(1);
    for (const web of [0, AFTER_SUNSET])
      for (const style of [
        'no-furniture',
        'NO_FURNITURE',
        'no furniture',
        'brutalist',
        '__proto__',
        'constructor',
      ]) {
        const refused = await submitOn(web, { originalImageId, style });
        expect([style, refused.status, refused.errorCode]).toEqual([style, 400, 'UNKNOWN_STYLE']);
        const { message, data } = refused.body.error.json;
        for (const known of CANONICAL_STYLES) expect(message).toContain(known);
        expect(data.messageKey).toBe('staging.unknownStyle');
      }
    for (const roomType of ['GARAGE', 'tv_room', 'LIVING ROOM']) {
      const refused = await submitOn(0, { originalImageId, style: 'MODERN', roomType });
      expect([refused.status, refused.errorCode]).toEqual([400, 'UNKNOWN_ROOM_TYPE']);
      expect(refused.body.error.json.data.messageKey).toBe('staging.unknownRoomType');
    }
    expect(await jobsOf(originalImageId)).toEqual([]);
  });

  test('one invalid submission rejects the whole call, which names it and writes nothing', async () => {
    const [originalImageId = ''] = await originals(1);
    const refused = await submitOn(
      0,
      { originalImageId, style: 'MODERN' },
      { originalImageId, style: 'brutalist' },
    );
    expect([refused.status, refused.errorCode]).toEqual([400, 'UNKNOWN_STYLE']);
    expect(Object.keys(refused.body.error.json.data.fields)).toEqual(['assignments.1.style']);
    expect(await jobsOf(originalImageId)).toEqual([]);
    for (const assignments of [
      [],
      Array.from({ length: 21 }, () => ({ originalImageId, roomType: 'OFFICE', style: 'MODERN' })),
    ]) {
      const answer = await world.agent.mutate('ai.submitRoomStaging', { assignments });
      expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    }
  });
});

describe('images', () => {
  test("another agent's image gets byte for byte the answer for an unknown image", async () => {
    const otherUser = await signIn(world.platform, { web: 1 });
    const theirs = await uploadRoom(otherUser, await createListing(otherUser));
    const [own = ''] = await originals(1);
    const answers: Answer[] = [];
    for (const originalImageId of [theirs, randomUUID()])
      answers.push(
        await submitOn(0, { originalImageId, style: 'MODERN' }),
        await submitOn(0, { originalImageId: own, style: 'MODERN' }, { originalImageId, style: 'MODERN' }),
      );
    const [foreign, foreignInBatch, missing, missingInBatch] = answers;
    expect([foreign?.status, foreign?.errorCode]).toEqual([404, 'NOT_FOUND']);
    expect([missing?.status, missing?.text]).toEqual([foreign?.status, foreign?.text]);
    expect([missingInBatch?.status, missingInBatch?.text]).toEqual([
      foreignInBatch?.status,
      foreignInBatch?.text,
    ]);
    expect(foreign?.text).not.toContain(theirs);
    expect(await jobsOf(theirs)).toEqual([]);
    expect(await jobsOf(own)).toEqual([]);
  });

  test('only agents submit', async () => {
    const [originalImageId = ''] = await originals(1);
    const customer = await signIn(world.platform, { agent: false });
    const assignments = [{ originalImageId, roomType: 'OFFICE', style: 'MODERN' }];
    const asCustomer = await customer.mutate('ai.submitRoomStaging', { assignments });
    expect([asCustomer.status, asCustomer.errorCode]).toEqual([403, 'AGENT_REQUIRED']);
    const signedOut: Person = onWeb(world.platform, { ...customer, cookie: '' }, 1);
    const unauthenticated = await signedOut.mutate('ai.submitRoomStaging', { assignments });
    expect([unauthenticated.status, unauthenticated.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect((await signedOut.upload(world.propertyId, await roomPhoto())).status).toBe(401);
    expect(await jobsOf(originalImageId)).toEqual([]);
  });
});
