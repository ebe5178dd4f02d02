import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_WITHDRAWALS } from '../../../../machines/limits.ts';
import { drawSampleRoom } from '../../../../ops/simulator/pictures/room-drawings.ts';
import type { ActorSystem } from '../../../../supervisors/actors/deliver.ts';
import { seedProperty, seedVariant } from '../../../support/database/seed.ts';
import { journalOf } from '../../../support/database/store-database.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { movableClock } from '../../../support/pictures/kept-copies.ts';
import { ask, storedOriginal, storedVariant } from '../../../support/pictures/stored-pictures.ts';
import { quietActorSystem } from '../../../verification/model/staging-scene.ts';

/** Withdrawing over HTTP (docs/contract.md#withdrawing). */
const clock = movableClock();
let agent: Person;
let stranger: Person;
let bytes: Buffer;
let actorSystem: ActorSystem;
const host = useApiHost({ overrides: { clock } });
beforeAll(async () => {
  agent = await host.signedIn();
  stranger = await host.signedIn();
  actorSystem = quietActorSystem(host.pool);
  bytes = await drawSampleRoom('LIVING_ROOM', { width: 1024, height: 768, seed: 1 });
});

let propertyId: string;
let originalId: string;
let imageId: string;
beforeEach(async () => {
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, latitude: 47.6, longitude: -122.3 });
  const original = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
  originalId = original.imageId;
  imageId = await storedVariant(host, original, { reviewStatus: 'PENDING_REVIEW', bytes, format: 'jpeg' });
});

const approve = () => agent.mutate('ai.approveStagedVariant', { imageId });
const withdraw = (person = agent) => person.mutate('ai.withdrawStagedVariant', { imageId });
const lift = (person = agent) => person.mutate('ai.liftWithdrawal', { imageId });
const byOther = (by: 'REPORTS' | 'OPERATOR') =>
  actorSystem.deliver(
    { to: 'imageReview', id: imageId, event: { type: 'WITHDRAW', at: Date.now(), by } },
    { by },
  );
const liftByOperator = () =>
  actorSystem.deliver(
    { to: 'imageReview', id: imageId, event: { type: 'LIFT', at: Date.now(), by: 'OPERATOR' } },
    { by: 'operator:ada', note: 'looked at it' },
  );
const shownImages = async (person: Person | null = null) => {
  const asked = await (person ?? host.anonymous()).query('properties.getDetail', { propertyId });
  return asked.data.images.map((image: { imageId: string }) => image.imageId);
};

describe('who may do what', () => {
  test('a picture that waits for its review is answered like an unknown id', async () => {
    for (const answer of [await withdraw(), await lift()])
      expect([answer.status, answer.errorCode]).toEqual([404, 'NOT_FOUND']);
    const unknown = await agent.mutate('ai.withdrawStagedVariant', { imageId: randomUUID() });
    expect([unknown.status, unknown.errorCode]).toEqual([404, 'NOT_FOUND']);
  });

  test('others find nothing to withdraw or to lift', async () => {
    await approve();
    for (const answer of [await withdraw(stranger), await lift(stranger)])
      expect([answer.status, answer.errorCode]).toEqual([404, 'NOT_FOUND']);
    expect((await withdraw(host.anonymous())).status).toBe(401);
  });

  test.each(['REPORTS', 'OPERATOR'] as const)(
    'an agent cannot lift a withdrawal by %s, an operator can',
    async (by) => {
      await approve();
      await byOther(by);
      expect(await lift()).toMatchObject({ status: 409, errorCode: 'WITHDRAWAL_STANDS' });
      expect((await liftByOperator()).outcome).toBe('applied');
      expect((await lift()).data).toMatchObject({ withdrawnAt: null, withdrawnBy: null });
    },
  );

  test('reports take over what an agent withdrew', async () => {
    await approve();
    expect((await withdraw()).data).toMatchObject({ withdrawnBy: 'AGENT' });
    await byOther('REPORTS');
    expect((await withdraw()).data).toMatchObject({ withdrawnBy: 'REPORTS' });
    expect((await lift()).errorCode).toBe('WITHDRAWAL_STANDS');
  });

  test('an agent lifts all but the last of the withdrawals', async () => {
    await approve();
    for (let time = 1; time < MAX_WITHDRAWALS; time += 1) {
      expect((await withdraw()).status).toBe(200);
      expect((await lift()).status).toBe(200);
    }
    await withdraw();
    expect((await lift()).errorCode).toBe('WITHDRAWAL_STANDS');
    expect((await liftByOperator()).outcome).toBe('applied');
  });
});

test('its review stays as it was; the journal tells the rest', async () => {
  await approve();
  await withdraw();
  await withdraw();
  await lift();
  await lift();
  const events = await host.rows('select kind from property_image_review_events where "imageId" = $1', [
    imageId,
  ]);
  expect(events).toEqual([{ kind: 'APPROVED' }]);
  const journal = await journalOf(host.pool, 'imageReview', imageId);
  expect(journal.map(({ eventType, toState, actedBy }) => [eventType, toState, actedBy])).toEqual([
    ['APPROVE', 'APPROVED', `user:${agent.id}`],
    ['WITHDRAW', 'WITHDRAWN', `user:${agent.id}`],
    ['LIFT', 'APPROVED', `user:${agent.id}`],
  ]);
  const records = await host.rows(
    'select "approvedByUserId" as by from provenance_records where "stagedImageId" = $1',
    [imageId],
  );
  expect(records).toEqual([{ by: agent.id }]);
});

test('what is withdrawn is private: image addresses of every size, kept renditions, pages', async () => {
  await approve();
  const paths = ['', '?w=64', '?w=640&format=webp', '?w=64&format=avif'].map(
    (query) => `/api/images/${imageId}${query}`,
  );
  const statuses = async () => Promise.all(paths.map(async (path) => (await ask(host, path)).status));
  expect(await statuses()).toEqual(paths.map(() => 200));
  expect(await shownImages()).toEqual([originalId, imageId]);
  await withdraw();
  clock.forgetKept();
  expect(await statuses()).toEqual(paths.map(() => 404));
  const asked = await ask(host, paths[1] ?? '', { headers: { 'if-none-match': '*' } });
  expect(asked.status).toBe(404);
  expect(await shownImages()).toEqual([originalId]);
  expect(await shownImages(stranger)).toEqual([originalId]);
  // Its own agents still see it, to decide about it.
  expect((await ask(host, paths[1] ?? '', { as: agent })).status).toBe(200);
  const { data } = await agent.query('ai.listStagedVariants', { propertyId });
  expect(data.items).toMatchObject([{ imageId, reviewStatus: 'APPROVED', withdrawnBy: 'AGENT' }]);
  await lift();
  expect(await statuses()).toEqual(paths.map(() => 200));
});

describe('the same photo and style again', () => {
  const submit = async () => {
    const { data } = await agent.mutate('ai.submitRoomStaging', {
      assignments: [{ originalImageId: originalId, roomType: 'LIVING_ROOM', style: 'MODERN' }],
    });
    return data.results[0];
  };

  test('begins a new job, and from then on the withdrawal stands, for operators as well', async () => {
    await approve();
    expect(await submit()).toMatchObject({ disposition: 'style_exists' });
    await withdraw();
    expect(await submit()).toMatchObject({ disposition: 'ENQUEUED' });
    expect((await lift()).errorCode).toBe('WITHDRAWAL_STANDS');
    expect((await liftByOperator()).outcome).toBe('ignored');
  });

  test('a result beside it keeps it withdrawn, whichever job made it', async () => {
    await approve();
    await withdraw();
    await seedVariant(host.pool, { imageId: originalId, propertyId });
    expect((await lift()).errorCode).toBe('WITHDRAWAL_STANDS');
  });

  test('lifting and submitting at once: one of them wins', async () => {
    await approve();
    for (let round = 0; round < 5; round += 1) {
      await withdraw();
      const [lifted, submitted] = await Promise.all([lift(), submit()]);
      if (lifted.status === 200) expect(submitted.disposition).toBe('style_exists');
      else {
        expect([lifted.errorCode, submitted.disposition]).toEqual(['WITHDRAWAL_STANDS', 'ENQUEUED']);
        return;
      }
    }
  });
});
