import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ImageReviewEvent,
  imageReviewMachine,
  initialImageReview,
} from '../../../machines/image-review.ts';
import { step } from '../../../machines/step.ts';
import type { ActorSystem } from '../../../supervisors/actors/deliver.ts';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import { seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { IMAGE_REVIEW_EVENTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';
import { expectJournalCovers } from './journal-coverage.ts';
import { machinePaths } from './machine-paths.ts';
import { expectVariantsSeen } from './staging-host.ts';
import { newOriginal, type StagingModel } from './staging-model.ts';
import * as people from './staging-people.ts';
import { expectedRows, expectInvariants, keysOf, readRows } from './staging-rows.ts';
import { quietActorSystem } from './staging-scene.ts';

/**
 * Every shortest path of a review on the database, and by two agents over HTTP; other users see nothing at any step.
 */
const PATHS = machinePaths<ImageReviewEvent>({ machine: imageReviewMachine, events: IMAGE_REVIEW_EVENTS });
const clock = setClock();
let actorSystem: ActorSystem;
let agents: [Person, Person];
let otherUser: Person;
const host = useApiHost({ overrides: clock.overrides });
beforeAll(async () => {
  actorSystem = quietActorSystem(host.pool);
  agents = [await host.signedIn(), await host.signedIn()];
  otherUser = await host.signedIn();
});

interface Scene {
  propertyId: string;
  originalId: string;
  imageId: string;
  model: StagingModel;
}
async function openScene(): Promise<Scene> {
  const [owner, colleague] = agents;
  const propertyId = await seedProperty(host.pool, { ownerAgentId: owner.id });
  await host.rows(
    'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
    [propertyId, colleague.id],
  );
  const original = await seedOriginal(host.pool, { propertyId });
  const imageId = await seedVariant(host.pool, original);
  const model = newOriginal(original);
  model.images.push({
    id: imageId,
    version: 0,
    state: 'PENDING_REVIEW',
    style: 'MODERN',
    jobId: null,
    objectKey: `staged/${imageId}.jpg`,
    context: initialImageReview,
  });
  return { propertyId, originalId: original.imageId, imageId, model };
}
const expectSame = async ({ originalId, model }: Scene) =>
  expect(await readRows(host.pool, { imageId: originalId, keys: keysOf(model) })).toEqual(
    expectedRows(model),
  );

/** The person's action for each event of the machine. */
function sayToModel({ model, imageId }: Scene, event: ImageReviewEvent): people.Answered {
  const { at } = event;
  if (event.type === 'APPROVE') return people.approve(model, { imageId, by: event.byUserId, at });
  if (event.type === 'REJECT') return people.reject(model, { imageId, by: event.byUserId, at });
  if (event.type === 'WITHDRAW' || event.type === 'LIFT')
    return people.askWithdrawal(model, { imageId, event });
  if (event.type === 'APPROVAL_CONSENTED' || event.type === 'REPORTS_DISMISSED') {
    people.changeWithdrawal(model, { imageId, event });
    return { status: 200 };
  }
  return people.deleteOriginal(model, { at });
}
/** What reports and operators say. */
const isPastHttp = (event: ImageReviewEvent): boolean =>
  'by' in event ? event.by !== 'AGENT' : ['APPROVAL_CONSENTED', 'REPORTS_DISMISSED'].includes(event.type);
const byAgent = (event: ImageReviewEvent, { id }: Person): ImageReviewEvent =>
  'byUserId' in event ? { ...event, byUserId: id } : event;

describe('every path of a review', () => {
  test.each(PATHS)('on the database: $title', async ({ events }) => {
    const scene = await openScene();
    for (const event of events.map((one) => byAgent(one, agents[0]))) {
      if (event.type === 'ORIGINAL_DELETED')
        await deleteOriginal(actorSystem, { imageId: scene.originalId, at: event.at, by: 'web' });
      else {
        const { outcome } = await actorSystem.deliver(
          { to: 'imageReview', id: scene.imageId, event },
          { by: 'web' },
        );
        const [image] = scene.model.images;
        expect(outcome).toBe(image ? step(imageReviewMachine, image, event).outcome : 'missing');
      }
      sayToModel(scene, event);
      await expectSame(scene);
    }
  });

  test.each(PATHS)('over HTTP, by two agents in turn: $title', async ({ events }) => {
    const scene = await openScene();
    for (const [index, one] of events.entries()) {
      const agent = agents[index % 2 === 0 ? 0 : 1];
      const event = byAgent(one, agent);
      clock.at = event.at;
      if (isPastHttp(event)) {
        const { imageId: id } = scene;
        await actorSystem.deliver({ to: 'imageReview', id, event }, { by: 'web' });
        sayToModel(scene, event);
        await expectSame(scene);
        continue;
      }
      expect((await sayOverHttp(otherUser, scene, event)).status).toBe(404);
      const answer = await sayOverHttp(agent, scene, event);
      const { status, errorCode, data = {} } = sayToModel(scene, event);
      expect([answer.status, answer.errorCode, answer.data ?? {}]).toMatchObject([status, errorCode, data]);
      await expectSame(scene);
      await expectVariantsSeen(agents[1], scene.model, scene.propertyId);
    }
  });

  test('a lift is refused to everyone once the photo was submitted again, and the rows stay', async () => {
    const scene = await openScene();
    const { imageId, originalId, model } = scene;
    const [owner, colleague] = agents;
    const at = AT;
    clock.at = at;
    const say = async (agent: Person, event: ImageReviewEvent) => {
      const { status, errorCode } = await sayOverHttp(agent, scene, event);
      const expected = sayToModel(scene, event);
      expect([status, errorCode]).toEqual([expected.status, expected.errorCode]);
      await expectSame(scene);
      return errorCode;
    };
    await say(owner, { type: 'APPROVE', at, byUserId: owner.id, roomDiffers: false });
    await say(owner, { type: 'WITHDRAW', at, by: 'AGENT' });
    const assignments = [{ originalImageId: originalId, roomType: 'LIVING_ROOM', style: 'MODERN' }];
    const { data } = await colleague.mutate('ai.submitRoomStaging', { assignments });
    people.submit(model, { style: 'MODERN', grouped: false, freshId: data.results[0].aiJobId });
    expect(
      await say(colleague, { type: 'LIFT', at, by: 'AGENT', superseded: true, roomDiffers: false }),
    ).toBe('WITHDRAWAL_STANDS');
    const event = { type: 'LIFT', at, by: 'OPERATOR', superseded: true, roomDiffers: false } as const;
    const { outcome } = await actorSystem.deliver({ to: 'imageReview', id: imageId, event }, { by: 'ada' });
    expect([outcome, people.changeWithdrawal(model, { imageId, event })]).toEqual(['ignored', 'ignored']);
    await expectSame(scene);
  });

  test('a second kind of room is refused while the photo is shown as another, and the rows stay', async () => {
    const scene = await openScene();
    const { imageId, originalId, model } = scene;
    const [owner, colleague] = agents;
    const at = AT;
    clock.at = at;
    const original = { imageId: originalId, propertyId: scene.propertyId };
    const dining = await seedVariant(host.pool, original, {
      style: 'LUXURY',
      canonicalStyle: 'LUXURY',
      roomType: people.roomIn('LUXURY'),
    });
    model.images.push({
      id: dining,
      version: 0,
      state: 'PENDING_REVIEW',
      style: 'LUXURY',
      jobId: null,
      objectKey: `staged/${dining}.jpg`,
      context: initialImageReview,
    });
    const say = async (agent: Person, about: string, event: ImageReviewEvent) => {
      const { status, errorCode } = await sayOverHttp(agent, { ...scene, imageId: about }, event);
      const expected = sayToModel({ ...scene, imageId: about }, event);
      expect([status, errorCode]).toEqual([expected.status, expected.errorCode]);
      await expectSame(scene);
      return errorCode;
    };
    const approve = ({ id }: Person) => ({ type: 'APPROVE', at, byUserId: id, roomDiffers: false }) as const;
    const lift = { type: 'LIFT', at, by: 'AGENT', superseded: false, roomDiffers: false } as const;
    await say(owner, imageId, approve(owner));
    expect(await say(colleague, dining, approve(colleague))).toBe('ROOM_DIFFERS');
    await say(owner, imageId, { type: 'WITHDRAW', at, by: 'AGENT' });
    await say(colleague, dining, approve(colleague));
    expect(await say(owner, imageId, lift)).toBe('ROOM_DIFFERS');
    const event = { ...lift, by: 'OPERATOR' } as const;
    const { outcome } = await actorSystem.deliver({ to: 'imageReview', id: imageId, event }, { by: 'ada' });
    expect([outcome, people.changeWithdrawal(model, { imageId, event })]).toEqual(['ignored', 'ignored']);
    await say(colleague, dining, { type: 'WITHDRAW', at, by: 'AGENT' });
    expect(await say(owner, imageId, lift)).toBeUndefined();
    await expectSame(scene);
  });

  test('the paths took every transition of the table', () => expectJournalCovers(host.pool, 'imageReview'));

  test('no invariant is broken', () => expectInvariants(host.pool, AT));
});

function sayOverHttp(person: Person, { imageId, originalId }: Scene, event: ImageReviewEvent) {
  if (event.type === 'APPROVE') return person.mutate('ai.approveStagedVariant', { imageId });
  if (event.type === 'REJECT')
    return person.mutate('ai.rejectStagedVariant', {
      imageId,
      ...(event.reason ? { reason: event.reason } : {}),
    });
  if (event.type === 'WITHDRAW') return person.mutate('ai.withdrawStagedVariant', { imageId });
  if (event.type === 'LIFT') return person.mutate('ai.liftWithdrawal', { imageId });
  return person.send('DELETE', `/api/property-images/${originalId}`);
}
