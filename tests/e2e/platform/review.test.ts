import { createHash, randomUUID } from 'node:crypto';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CANONICAL_STYLES, DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, onWeb, type Person, signIn } from '../../support/platform/agent.ts';
import {
  createListing,
  jobReaches,
  photosChecked,
  roomPhoto,
  submit,
  uploadRoom,
} from '../../support/platform/listing.ts';
import {
  drainAll,
  type ImageRow,
  imageRow,
  journalOf,
  openStagingWorld,
  outboxOf,
  STEADY,
  type StagingWorld,
  storedKeys,
  unreferencedKeys,
  variantsOf,
} from '../../support/platform/staging-world.ts';

/**
 * The review of staged images: one permanent decision by an authorized agent; the picture is public only
 * after an approval (docs/contract.md#review; invariants I16 to I18).
 */
let world: StagingWorld;
let userId: string;

beforeAll(async () => {
  world = await openStagingWorld({ webs: 2, workers: 0 });
  await world.platform.startWorker({ ...STEADY, AI_STAGING_CONCURRENCY: '8' });
  userId = (await world.agent.query('users.getMe')).data.id;
}, 60_000);
afterAll(() => world.close());

const on = (web: number, person: Person = world.agent): Person => onWeb(world.platform, person, web);
const approve = (imageId: string, web = 0) => on(web).mutate('ai.approveStagedVariant', { imageId });
const reject = (imageId: string, web = 0, reason?: string) =>
  on(web).mutate('ai.rejectStagedVariant', { imageId, reason });

/** Staged images of one original, one for each of the styles. */
async function stagedImages(styles: readonly string[], agent = world.agent, propertyId = world.propertyId) {
  const originalImageId = await uploadRoom(agent, propertyId);
  for (const style of styles) await submit(agent, originalImageId, style);
  const jobs = await world.platform.rows<{ aiJobId: string }>(
    'select "aiJobId" from ai_room_staging_jobs where "originalImageId" = $1',
    [originalImageId],
  );
  for (const { aiJobId } of jobs) await jobReaches(world.platform, aiJobId, 'SUCCESS');
  await photosChecked(world.platform);
  const variants = await variantsOf(world, originalImageId);
  expect(variants).toHaveLength(styles.length);
  return { originalImageId, variants };
}

async function stagedImage(style = 'MODERN'): Promise<ImageRow> {
  const [variant] = (await stagedImages([style])).variants;
  if (!variant) throw new Error('no staged image');
  return variant;
}

interface ReviewEventRow {
  kind: string;
  imageId: string;
  propertyId: string;
  styledFromId: string;
  canonicalStyle: string;
  aiJobId: string;
  actorUserId: string;
  objectKey: string;
  reason: string | null;
  at: Date;
}
const reviewEvents = (imageIds: readonly string[]) =>
  world.platform.rows<ReviewEventRow>(
    'select * from property_image_review_events where "imageId" = any($1) order by at',
    [imageIds],
  );

interface DocumentImage {
  imageId: string;
  url: string;
  isStyled: boolean;
  disclosureLabel: string | null;
}
/** The pictures of the listing's search document, when it has the current version. */
async function searchedImages(propertyId: string): Promise<DocumentImage[]> {
  await eventually(
    async () => {
      const [row] = await world.platform.rows<{ searchDirtyAt: Date | null; searchVersion: string }>(
        'select "searchDirtyAt", "searchVersion"::text from properties where id = $1',
        [propertyId],
      );
      const written = await world.kv.hget(`psearch:property:${propertyId}`, 'documentVersion');
      if (row?.searchDirtyAt === null && written === row.searchVersion) return true;
      throw new Error(
        `version ${written} of ${row?.searchVersion}, dirty ${row?.searchDirtyAt?.toISOString()}`,
      );
    },
    { what: 'the search document' },
  );
  return JSON.parse((await world.kv.hget(`psearch:property:${propertyId}`, 'images')) ?? 'null');
}

async function storedChecksum(objectKey: string): Promise<string> {
  const { client, bucket } = world.platform.bucket;
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: objectKey }));
  return createHash('sha256')
    .update((await Body?.transformToByteArray()) ?? '')
    .digest('hex');
}

describe('one decision', () => {
  test('approve and reject at once from two webs, fifty images in parallel: exactly one wins each time', async () => {
    const groups = await Promise.all(Array.from({ length: 9 }, () => stagedImages(CANONICAL_STYLES)));
    const images = groups.flatMap(({ variants }) => variants).slice(0, 50);
    expect(images).toHaveLength(50);
    const rounds = await Promise.all(
      images.map(async (image, index) => {
        // In half of the rounds the other web sends first.
        const calls = [() => approve(image.id, index % 2), () => reject(image.id, (index + 1) % 2)];
        const answers = await Promise.all((index % 4 < 2 ? calls : calls.toReversed()).map((call) => call()));
        const [approved, rejected] = index % 4 < 2 ? answers : answers.toReversed();
        return { image, approved, rejected };
      }),
    );
    const events = await reviewEvents(images.map(({ id }) => id));
    const wins = { APPROVED: 0, REJECTED: 0 };
    for (const { image, approved, rejected } of rounds) {
      const [event, ...others] = events.filter(({ imageId }) => imageId === image.id);
      expect(others).toEqual([]);
      const row = await imageRow(world, image.id);
      if (approved?.status === 200) {
        wins.APPROVED += 1;
        expect([rejected?.status, rejected?.errorCode]).toEqual([409, 'NOT_PENDING_REVIEW']);
        expect(event?.kind).toBe('APPROVED');
        expect(row).toMatchObject({ reviewStatus: 'APPROVED', reviewedByUserId: userId });
      } else {
        wins.REJECTED += 1;
        expect([approved?.status, approved?.errorCode]).toEqual([404, 'NOT_FOUND']);
        expect([rejected?.status, rejected?.data]).toEqual([200, { imageId: image.id, rejected: true }]);
        expect(event?.kind).toBe('REJECTED');
        expect(row).toBeUndefined();
      }
    }
    expect(wins.APPROVED + wins.REJECTED).toBe(50);
    await drainAll(world);
    expect(await unreferencedKeys(world)).toEqual([]);
    const stored = await storedKeys(world);
    for (const { image, approved } of rounds)
      expect(stored.includes(image.objectKey)).toBe(approved?.status === 200);
  });

  test('approved again, at once and later: success each time, one event, nothing changes', async () => {
    const { id } = await stagedImage();
    const answers = await Promise.all([approve(id, 0), approve(id, 1), approve(id, 0)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const row = await imageRow(world, id);
    expect(row?.reviewedAt).toBeInstanceOf(Date);
    const late = await approve(id, 1);
    for (const { data } of [...answers, late])
      expect(data).toEqual({
        imageId: id,
        reviewStatus: 'APPROVED',
        reviewedByUserId: userId,
        reviewedAt: row?.reviewedAt?.toISOString(),
      });
    expect(await imageRow(world, id)).toEqual(row);
    expect((await reviewEvents([id])).map(({ kind }) => kind)).toEqual(['APPROVED']);
    expect((await journalOf(world, id)).map(({ eventType }) => eventType)).toEqual(['CREATED', 'APPROVE']);
  });

  test('an approved image cannot be rejected', async () => {
    const { id, objectKey } = await stagedImage();
    await approve(id);
    const refused = await reject(id, 1);
    expect([refused.status, refused.errorCode]).toEqual([409, 'NOT_PENDING_REVIEW']);
    expect(refused.body.error.json.data).toMatchObject({
      code: 'CONFLICT',
      messageKey: 'staging.notPendingReview',
    });
    expect(await imageRow(world, id)).toMatchObject({ reviewStatus: 'APPROVED' });
    expect(await outboxOf(world, [objectKey])).toEqual([]);
    expect((await reviewEvents([id])).map(({ kind }) => kind)).toEqual(['APPROVED']);
  });

  test('rejected: the row is deleted with an event, the drain deletes the object, and the snapshot is kept', async () => {
    const image = await stagedImage('LUXURY');
    expect((await reject(image.id, 1, 'The sofa floats.')).status).toBe(200);
    expect(await imageRow(world, image.id)).toBeUndefined();
    const [item, ...others] = await outboxOf(world, [image.objectKey]);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ reason: 'STAGED_IMAGE_DELETED' });
    await drainAll(world);
    expect(await outboxOf(world, [image.objectKey])).toMatchObject([
      { status: 'DELETED', processedAt: expect.any(Date) },
    ]);
    expect(await storedKeys(world)).not.toContain(image.objectKey);
    expect(await reviewEvents([image.id])).toMatchObject([
      {
        kind: 'REJECTED',
        imageId: image.id,
        propertyId: world.propertyId,
        styledFromId: image.styledFromId,
        canonicalStyle: 'LUXURY',
        aiJobId: image.aiJobId,
        actorUserId: userId,
        objectKey: image.objectKey,
        reason: 'The sofa floats.',
      },
    ]);
    const again = await reject(image.id);
    expect([again.status, again.errorCode]).toEqual([404, 'NOT_FOUND']);
    expect(await reviewEvents([image.id])).toHaveLength(1);
  });
});

describe('what the public sees', () => {
  test('no private image; an approved one with its label and unchanged bytes', async () => {
    const propertyId = await createListing(world.agent);
    const { originalImageId, variants } = await stagedImages(
      ['MODERN', 'FARMHOUSE', 'LUXURY'],
      world.agent,
      propertyId,
    );
    const original = {
      imageId: originalImageId,
      isStyled: false,
      disclosureLabel: null,
      imageOf: 'Living Room',
    };
    // A rebuild requested while the variants are private.
    await world.platform.rows(`update properties set "publicRemarks" = 'Bright.' where id = $1`, [
      propertyId,
    ]);
    expect(await searchedImages(propertyId)).toMatchObject([original]);

    const [shown, hidden, refused] = variants;
    const before = await storedChecksum(shown?.objectKey ?? '');
    expect(before).toBe(shown?.outputChecksum);
    await Promise.all([approve(shown?.id ?? '', 0), reject(refused?.id ?? '', 1)]);
    const images = await eventually(
      async () => {
        const seen = await searchedImages(propertyId);
        return seen.length === 2 && seen;
      },
      { what: 'the approved image in the search document' },
    );
    expect(images).toEqual([
      { ...original, url: `${world.platform.urls[0]}/api/images/${originalImageId}` },
      {
        imageId: shown?.id,
        url: `${world.platform.urls[0]}/api/images/${shown?.id}`,
        isStyled: true,
        disclosureLabel: DISCLOSURE_LABEL,
        imageOf: 'Living Room',
      },
    ]);
    const fields = await world.kv.hgetall(`psearch:property:${propertyId}`);
    expect(JSON.stringify(fields)).not.toContain(hidden?.id);
    expect(fields.coverImageId).toBe(originalImageId);
    expect(await storedChecksum(shown?.objectKey ?? '')).toBe(before);
    const row = await imageRow(world, shown?.id ?? '');
    expect(row).toEqual({
      ...shown,
      reviewStatus: 'APPROVED',
      reviewedByUserId: userId,
      reviewedAt: row?.reviewedAt,
      version: 2,
    });

    await world.agent.request('DELETE', `/api/property-images/${originalImageId}`);
    await eventually(async () => (await searchedImages(propertyId)).length === 0, {
      what: 'the document without pictures',
    });
  });

  test('the agent sees private and approved ones, each with its label', async () => {
    const { originalImageId, variants } = await stagedImages(['INDUSTRIAL', 'TRADITIONAL']);
    await approve(variants[0]?.id ?? '');
    const listed = await on(1).query('ai.listStagedVariants', { originalImageId });
    const byId = new Map(listed.data.items.map((item: { imageId: string }) => [item.imageId, item]));
    expect(byId.size).toBe(2);
    expect(byId.get(variants[0]?.id)).toMatchObject({
      reviewStatus: 'APPROVED',
      disclosureLabel: DISCLOSURE_LABEL,
    });
    expect(byId.get(variants[1]?.id)).toMatchObject({
      reviewStatus: 'PENDING_REVIEW',
      disclosureLabel: DISCLOSURE_LABEL,
    });
  });
});

describe('who may decide', () => {
  test('an assigned agent as well as the owner', async () => {
    const assistant = await signIn(world.platform, { web: 1 });
    const assistantId = (await assistant.query('users.getMe')).data.id;
    const { id } = await stagedImage();
    const before = await on(0, assistant).mutate('ai.approveStagedVariant', { imageId: id });
    expect([before.status, before.errorCode]).toEqual([404, 'NOT_FOUND']);
    await world.platform.rows(
      'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
      [world.propertyId, assistantId],
    );
    const after = await on(0, assistant).mutate('ai.approveStagedVariant', { imageId: id });
    expect(after.data).toMatchObject({ reviewStatus: 'APPROVED', reviewedByUserId: assistantId });
    await world.platform.rows('delete from property_agents where "agentId" = $1', [assistantId]);
  });

  test('another user gets, byte for byte, the answer for an id that does not exist, everywhere', async () => {
    const { originalImageId, variants } = await stagedImages(['MODERN', 'LUXURY']);
    const [pending, approved] = variants;
    await approve(approved?.id ?? '');
    const aiJobId = pending?.aiJobId ?? '';
    const otherUser = await signIn(world.platform, { web: 1 });
    const customer = await signIn(world.platform, { agent: false });
    const photo = await roomPhoto(3);
    const image = { originalImageId, pending: pending?.id ?? '', approved: approved?.id ?? '' };

    type Look = (person: Person, id: string) => Promise<Answer>;
    const procedure =
      (kind: 'query' | 'mutate', name: string, input: (id: string) => unknown): Look =>
      (person, id) =>
        person[kind](name, input(id));
    const route =
      (method: string, body?: string): Look =>
      (person, id) =>
        person.request(method, `/api/property-images/${id}`, body === undefined ? {} : { body });
    const assignment = (id: string) => ({
      assignments: [{ originalImageId: id, roomType: 'OFFICE', style: 'MODERN' }],
    });
    const imageId = (id: string) => ({ imageId: id });
    const LOOKS: [string, Look, string[]][] = [
      ['submit', procedure('mutate', 'ai.submitRoomStaging', assignment), Object.values(image)],
      ['approve', procedure('mutate', 'ai.approveStagedVariant', imageId), Object.values(image)],
      ['reject', procedure('mutate', 'ai.rejectStagedVariant', imageId), Object.values(image)],
      ['job', procedure('query', 'ai.getStagingJob', (id) => ({ aiJobId: id })), [aiJobId]],
      ['cancel', procedure('mutate', 'ai.cancelStagingJob', (id) => ({ aiJobId: id })), [aiJobId]],
      [
        'jobs',
        procedure('query', 'ai.listStagingJobs', (propertyId) => ({ propertyId })),
        [world.propertyId],
      ],
      [
        'variants',
        procedure('query', 'ai.listStagedVariants', (propertyId) => ({ propertyId })),
        [world.propertyId],
      ],
      [
        'variants of an original',
        procedure('query', 'ai.listStagedVariants', (id) => ({ originalImageId: id })),
        Object.values(image),
      ],
      [
        'update',
        procedure('mutate', 'properties.update', (propertyId) => ({ propertyId, listPrice: 1 })),
        [world.propertyId],
      ],
      [
        'set status',
        procedure('mutate', 'properties.setStatus', (propertyId) => ({
          propertyId,
          standardStatus: 'Withdrawn',
        })),
        [world.propertyId],
      ],
      ['upload', (person, propertyId) => person.upload(propertyId, photo), [world.propertyId]],
      ['cover', route('PATCH', JSON.stringify({ isMain: true })), Object.values(image)],
      ['no cover', route('PATCH', JSON.stringify({ isMain: false })), Object.values(image)],
      ['delete', route('DELETE'), Object.values(image)],
    ];
    const shape = ({ status, text, headers }: Answer) => ({
      status,
      text,
      headers: [...headers.keys()].sort(),
      type: headers.get('content-type'),
      cache: headers.get('cache-control'),
    });
    const everything = () =>
      world.platform.rows(
        `select (select json_agg(i order by i.id) from property_images i where i."propertyId" = $1) as images,
           (select json_agg(j order by j.id) from ai_jobs j where j."propertyId" = $1) as jobs,
           (select json_agg(e order by e.id) from property_image_review_events e where e."propertyId" = $1) as reviews,
           (select "listPrice" || "standardStatus" from properties where id = $1) as listing`,
        [world.propertyId],
      );
    await photosChecked(world.platform);
    const before = await everything();
    for (const [name, look, ids] of LOOKS)
      for (const person of [otherUser, customer]) {
        const missing = shape(await look(on(0, person), randomUUID()));
        if (person === otherUser) expect([name, missing.status]).toEqual([name, 404]);
        expect([403, 404]).toContain(missing.status);
        for (const id of ids) {
          for (const web of [0, 1])
            expect([name, shape(await look(on(web, person), id))]).toEqual([name, missing]);
          expect(missing.text).not.toContain(id);
        }
      }
    expect(await everything()).toEqual(before);
  });
});
