import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { readActor } from '../../../../../persistence/console/actors.ts';
import {
  seedComparison,
  seedOriginal,
  seedStagingJob,
  seedVariant,
} from '../../../../support/database/seed.ts';
import { journalOf } from '../../../../support/database/store-database.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { seedNewOwner } from '../../../../support/worlds/listing-offers.ts';

let agent: Person;
let assigned: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
  assigned = await host.signedIn();
});

async function pending(overrides: Record<string, unknown> = {}) {
  const { propertyId, imageId } = await host.listing(agent);
  await host.rows('insert into property_agents values ($1, $2)', [propertyId, assigned.id]);
  const variantId = await seedVariant(host.pool, { propertyId, imageId }, overrides);
  return { propertyId, originalId: imageId, variantId };
}
const eventsOf = (imageId: string) =>
  host.rows(
    'select kind, "actorUserId", reason, "objectKey", at from property_image_review_events where "imageId" = $1',
    [imageId],
  );
const noted = (event: string, imageId: string) =>
  host.lines.filter((line) => line.event === event && line.imageId === imageId);

describe('ai.listStagedVariants', () => {
  test('lists the variants of a property and of one original', async () => {
    const { propertyId, originalId, variantId } = await pending({ outputWidth: 1024, outputHeight: 1024 });
    const other = await seedOriginal(host.pool, { propertyId, position: 1 });
    const second = await seedVariant(host.pool, other, {
      position: 1,
      canonicalStyle: null,
      style: 'no-furniture',
    });
    const ofProperty = await agent.query('ai.listStagedVariants', { propertyId });
    expect(ofProperty.data.items.map(({ imageId }: { imageId: string }) => imageId)).toEqual([
      variantId,
      second,
    ]);
    const { data } = await assigned.query('ai.listStagedVariants', { originalImageId: originalId });
    expect(data.items).toEqual([
      {
        imageId: variantId,
        styledFromId: originalId,
        canonicalStyle: 'MODERN',
        style: 'Modern',
        submittedStyle: null,
        legacyStyle: null,
        roomType: 'LIVING_ROOM',
        reviewStatus: 'PENDING_REVIEW',
        withdrawnAt: null,
        withdrawnBy: null,
        provenanceUrl: null,
        url: `https://api.example.com/api/images/${variantId}`,
        originalUrl: `https://api.example.com/api/images/${originalId}`,
        disclosureLabel: 'AI · Virtually staged',
        disclosureText: 'AI · Virtually staged',
        outputWidth: 1024,
        outputHeight: 1024,
        drift: null,
        createdAt: '2026-01-15T12:00:00.000Z',
      },
    ]);
    expect(
      (await agent.query('ai.listStagedVariants', { originalImageId: other.imageId })).data.items,
    ).toHaveLength(1);
    expect((await agent.query('ai.listStagedVariants', { originalImageId: variantId })).status).toBe(404);
  });

  test('shows the style of an old picture: its label, the requested style, and the old name', async () => {
    const { propertyId, originalId: imageId } = await pending();
    const original = { propertyId, imageId, objectKey: '', providerInputKey: '' };
    const { jobId } = await seedStagingJob(host.pool, {
      original,
      canonicalStyle: 'SCANDINAVIAN',
      job: { status: 'SUCCESS', phase: null },
      details: { submittedStyle: 'Japandi', legacyStyle: 'Japandi' },
    });
    const old = [
      { style: 'SCANDINAVIAN', canonicalStyle: 'SCANDINAVIAN', aiJobId: jobId },
      { style: 'no-furniture', canonicalStyle: null },
      { style: 'french_country', canonicalStyle: 'FARMHOUSE' },
      { style: 'steam punk', canonicalStyle: null },
    ];
    for (const columns of old)
      await seedVariant(host.pool, original, { ...columns, reviewStatus: 'APPROVED', roomType: null });
    const expected = [
      { canonicalStyle: 'FARMHOUSE', style: 'French country', legacyStyle: 'french_country' },
      { canonicalStyle: 'MODERN', style: 'Modern', legacyStyle: null },
      { canonicalStyle: 'SCANDINAVIAN', style: 'Japandi', legacyStyle: 'Japandi' },
      { canonicalStyle: null, style: 'No furniture', legacyStyle: 'no-furniture' },
      { canonicalStyle: null, style: 'Steam punk', legacyStyle: 'steam punk' },
    ].map((one) => ({ ...one, submittedStyle: one.legacyStyle }));
    const { data } = await agent.query('ai.listStagedVariants', { originalImageId: imageId });
    const byStyle = (a: { style: string }, b: { style: string }) => (a.style < b.style ? -1 : 1);
    expect(data.items.toSorted(byStyle)).toMatchObject(expected.toSorted(byStyle));
    const shown = (await host.anonymous().query('properties.getDetail', { propertyId })).data.images;
    const staged = shown.filter(({ isStyled }: { isStyled: boolean }) => isStyled);
    expect(staged.toSorted(byStyle)).toMatchObject(
      expected
        .filter(({ style }) => style !== 'Modern')
        .map(({ canonicalStyle: _, ...one }) => one)
        .toSorted(byStyle),
    );
    const legacy = data.items.find(({ style }: { style: string }) => style === 'Japandi');
    expect(await readActor(host.pool, 'imageReview', legacy.imageId)).toMatchObject({
      beside: { legacyStyle: 'Japandi' },
    });
    expect(await readActor(host.pool, 'stagingJob', jobId)).toMatchObject({
      beside: { legacyStyle: 'Japandi' },
    });
  });

  test('requires exactly one of the two', async () => {
    const { propertyId, originalId } = await pending();
    for (const input of [{}, { propertyId, originalImageId: originalId }])
      expect((await agent.query('ai.listStagedVariants', input)).status).toBe(400);
  });
});

describe('ai.approveStagedVariant', () => {
  test('works for an assigned agent; a repeat changes nothing', async () => {
    const { propertyId, variantId } = await pending();
    const answer = await assigned.mutate('ai.approveStagedVariant', { imageId: variantId });
    expect(answer.data).toEqual({
      imageId: variantId,
      reviewStatus: 'APPROVED',
      reviewedByUserId: assigned.id,
      reviewedAt: expect.stringMatching(/Z$/),
    });
    const again = await agent.mutate('ai.approveStagedVariant', { imageId: variantId });
    expect(again.status).toBe(200);
    expect(again.data).toEqual(answer.data);
    expect(await eventsOf(variantId)).toMatchObject([{ kind: 'APPROVED', actorUserId: assigned.id }]);
    expect(await journalOf(host.pool, 'imageReview', variantId)).toHaveLength(1);
    expect(host.searched.filter((id) => id === propertyId)).toHaveLength(1);
    expect(noted('ai_room_staging.variant_approved', variantId)).toMatchObject([{ userId: assigned.id }]);
    const [property] = await host.rows<{ searchDirtyAt: Date | null }>(
      'select "searchDirtyAt" from properties where id = $1',
      [propertyId],
    );
    expect(property?.searchDirtyAt).toBeInstanceOf(Date);
  });
});

/** As above, and compared with its photo. */
async function compared() {
  const seeded = await pending();
  await seedComparison(host.pool, seeded.variantId);
  return seeded;
}

describe('ai.approveStagedVariants', () => {
  test('answers each picture by itself, in the order of the call', async () => {
    const [waiting, approved, theirs] = [await compared(), await pending(), await pending()];
    const otherAgent = await host.signedIn();
    const before = (await assigned.mutate('ai.approveStagedVariant', { imageId: approved.variantId })).data;
    await seedNewOwner(host.pool, { propertyId: theirs.propertyId, ownerAgentId: otherAgent.id });
    await host.rows('delete from property_agents where "propertyId" = $1', [theirs.propertyId]);
    const unknown = randomUUID();
    const order = [unknown, waiting.variantId, theirs.variantId, approved.variantId, waiting.originalId];
    const answer = await agent.mutate('ai.approveStagedVariants', { imageIds: order });
    const refused = { reviewStatus: null, reviewedByUserId: null, reviewedAt: null, errorCode: 'NOT_FOUND' };
    expect(answer.data.results).toEqual([
      { imageId: unknown, ...refused },
      {
        imageId: waiting.variantId,
        reviewStatus: 'APPROVED',
        reviewedByUserId: agent.id,
        reviewedAt: expect.stringMatching(/Z$/),
        errorCode: null,
      },
      { imageId: theirs.variantId, ...refused },
      { ...before, errorCode: null },
      { imageId: waiting.originalId, ...refused },
    ]);
    expect(await eventsOf(waiting.variantId)).toMatchObject([{ kind: 'APPROVED', actorUserId: agent.id }]);
    expect(await eventsOf(approved.variantId)).toMatchObject([
      { kind: 'APPROVED', actorUserId: assigned.id },
    ]);
    expect(await eventsOf(theirs.variantId)).toEqual([]);
    expect(await journalOf(host.pool, 'imageReview', waiting.variantId)).toHaveLength(1);
    expect(host.searched).toContain(waiting.propertyId);
    expect(noted('ai_room_staging.variant_approved', waiting.variantId)).toMatchObject([
      { userId: agent.id },
    ]);
    const again = await agent.mutate('ai.approveStagedVariants', { imageIds: order });
    expect(again.data).toEqual(answer.data);
    expect(await eventsOf(waiting.variantId)).toHaveLength(1);
  });

  test('does not approve a picture that is not compared, or whose room moved; each may be approved alone', async () => {
    const pictures = [await pending(), await pending()].map(({ variantId }) => variantId);
    await seedComparison(host.pool, pictures[1], ['GEOMETRY_MOVED']);
    const { data } = await agent.mutate('ai.approveStagedVariants', { imageIds: pictures });
    expect(data.results).toMatchObject([{ errorCode: 'NOT_COMPARED' }, { errorCode: 'GEOMETRY_MOVED' }]);
    for (const imageId of pictures)
      expect((await agent.mutate('ai.approveStagedVariant', { imageId })).data.reviewStatus).toBe('APPROVED');
  });

  test('the same picture twice is approved once', async () => {
    const { variantId } = await compared();
    const { data } = await agent.mutate('ai.approveStagedVariants', { imageIds: [variantId, variantId] });
    expect(data.results[1]).toEqual(data.results[0]);
    expect(await eventsOf(variantId)).toHaveLength(1);
  });

  test('two agents at once: one event a picture, and both get the same answer', async () => {
    const variants: string[] = [];
    for (let index = 0; index < 12; index += 1) variants.push((await compared()).variantId);
    const [first, second] = await Promise.all([
      agent.mutate('ai.approveStagedVariants', { imageIds: variants }),
      assigned.mutate('ai.approveStagedVariants', { imageIds: variants.toReversed() }),
    ]);
    expect(second?.data.results.toReversed()).toEqual(first?.data.results);
    for (const variantId of variants) {
      expect(await eventsOf(variantId)).toMatchObject([{ kind: 'APPROVED' }]);
      expect(await journalOf(host.pool, 'imageReview', variantId)).toHaveLength(1);
    }
    const reviewers = first?.data.results.map((one: { reviewedByUserId: string }) => one.reviewedByUserId);
    // Each began at another end, so each has decided some.
    expect(new Set(reviewers)).toEqual(new Set([agent.id, assigned.id]));
  });

  test('takes one to fifty pictures, and nothing else', async () => {
    const { variantId } = await compared();
    const many = Array.from({ length: 51 }, () => variantId);
    for (const input of [{ imageIds: [] }, { imageIds: many }, { imageIds: [variantId], imageId: variantId }])
      expect((await agent.mutate('ai.approveStagedVariants', input)).errorCode).toBe('INVALID_INPUT');
    expect(await eventsOf(variantId)).toEqual([]);
    expect((await agent.mutate('ai.approveStagedVariants', { imageIds: many.slice(1) })).status).toBe(200);
  });
});

describe('ai.rejectStagedVariant', () => {
  test('writes the audit, removes the row and queues the object in one transaction', async () => {
    const { propertyId, variantId, originalId } = await pending();
    const answer = await agent.mutate('ai.rejectStagedVariant', {
      imageId: variantId,
      reason: 'Sofa blocks the door\nbadly',
    });
    expect(answer.data).toEqual({ imageId: variantId, rejected: true });
    expect(await host.rows('select 1 from property_images where id = $1', [variantId])).toEqual([]);
    expect(await eventsOf(variantId)).toMatchObject([
      {
        kind: 'REJECTED',
        actorUserId: agent.id,
        reason: 'Sofa blocks the door\nbadly',
        objectKey: `staged/${variantId}.jpg`,
      },
    ]);
    expect(
      await host.rows('select reason, status from storage_deletion_outbox where "objectKey" = $1', [
        `staged/${variantId}.jpg`,
      ]),
    ).toEqual([{ reason: 'STAGED_IMAGE_DELETED', status: 'PENDING' }]);
    const transactions = await host.rows(
      `select xmin::text from property_image_review_events where "imageId" = $1
       union select xmin::text from storage_deletion_outbox where "objectKey" = $2`,
      [variantId, `staged/${variantId}.jpg`],
    );
    expect(transactions).toHaveLength(1);
    expect(host.searched).toContain(propertyId);
    expect(noted('ai_room_staging.variant_rejected', variantId)).toHaveLength(1);
    // The same style may be requested again.
    const submitted = await agent.mutate('ai.submitRoomStaging', {
      assignments: [{ originalImageId: originalId, roomType: 'OFFICE', style: 'MODERN' }],
    });
    expect(submitted.data.results[0].disposition).toBe('ENQUEUED');
    expect((await agent.mutate('ai.rejectStagedVariant', { imageId: variantId })).status).toBe(404);
  });

  test('an approved variant no longer waits for review', async () => {
    const { variantId } = await pending();
    await agent.mutate('ai.approveStagedVariant', { imageId: variantId });
    const answer = await agent.mutate('ai.rejectStagedVariant', { imageId: variantId });
    expect([answer.status, answer.errorCode]).toEqual([409, 'NOT_PENDING_REVIEW']);
    expect(answer.body.error.json.data.code).toBe('CONFLICT');
    expect(await eventsOf(variantId)).toHaveLength(1);
  });

  test('text that the database cannot store is rejected as input', async () => {
    const { variantId } = await pending();
    for (const reason of ['a\u0000b', '\udc00', 'x'.repeat(1001)]) {
      const answer = await agent.mutate('ai.rejectStagedVariant', { imageId: variantId, reason });
      expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    }
  });
});

test('of simultaneous approve and reject exactly one wins, and each caller gets a clear answer', async () => {
  for (let round = 0; round < 15; round += 1) {
    const { variantId } = await pending();
    const calls = [
      agent.mutate('ai.approveStagedVariant', { imageId: variantId }),
      assigned.mutate('ai.rejectStagedVariant', { imageId: variantId }),
    ];
    const [approved, rejected] = await Promise.all(round % 2 === 0 ? calls : calls.toReversed()).then(
      (answers) => (round % 2 === 0 ? answers : answers.toReversed()),
    );
    const events = await eventsOf(variantId);
    expect(events).toHaveLength(1);
    const rowsLeft = await host.rows('select 1 from property_images where id = $1', [variantId]);
    if (approved?.status === 200) {
      expect(rejected?.errorCode).toBe('NOT_PENDING_REVIEW');
      expect(rowsLeft).toHaveLength(1);
    } else {
      expect([approved?.status, rejected?.status]).toEqual([404, 200]);
      expect(rowsLeft).toHaveLength(0);
    }
  }
});
