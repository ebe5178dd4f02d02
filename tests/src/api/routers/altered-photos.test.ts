import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperations } from '../../../../src/operations/catalogue.ts';
import { seedOriginal, seedStagingJob, seedVariant } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { quietActorSystem } from '../../../verification/model/staging-scene.ts';

/** `properties.declareAltered` over HTTP (docs/contract.md#altered-photos). */
let agent: Person;
let visitor: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
  visitor = await host.signedIn();
});

let propertyId: string;
let imageId: string;
beforeEach(async () => {
  ({ propertyId, imageId } = await host.listing(agent));
});
const KIND = 'Virtual Staging - Item Addition';
const declare = (input: object = {}, person = agent) =>
  person.mutate('properties.declareAltered', { imageId, kind: KIND, ...input });
const approve = (id: string) => agent.mutate('ai.approveStagedVariant', { imageId: id });
const lift = (id: string) => agent.mutate('ai.liftWithdrawal', { imageId: id });
const shown = async () =>
  (await host.anonymous().query('properties.getDetail', { propertyId })).data.images.map(
    (image: { imageId: string }) => image.imageId,
  );

test('a declared photo has its label next to its original, and is staged no more', async () => {
  const between = await seedOriginal(host.pool, { propertyId, position: 1 });
  const altered = await seedOriginal(host.pool, { propertyId, position: 2 });
  expect(await shown()).toEqual([imageId, between.imageId, altered.imageId]);
  const answer = await declare({ imageId: altered.imageId, originalImageId: imageId });
  expect(answer.data).toEqual({
    imageId: altered.imageId,
    alteration: KIND,
    alterationBy: 'AGENT',
    alteredFromId: imageId,
  });
  expect(await shown()).toEqual([imageId, altered.imageId, between.imageId]);
  const { data } = await host.anonymous().query('properties.getDetail', { propertyId });
  expect(data.images[1]).toMatchObject({ disclosureLabel: 'Virtually staged', alteredFromId: imageId });
  const assignments = [{ originalImageId: altered.imageId, roomType: 'OFFICE', style: 'MODERN' }];
  expect((await agent.mutate('ai.submitRoomStaging', { assignments })).errorCode).toBe('IMAGE_NOT_ORIGINAL');
  const mine = await agent.query('properties.getMine', { propertyId });
  expect(mine.data.photos[2]).toMatchObject({ alteredFromId: imageId, stagingRefusal: 'IMAGE_NOT_ORIGINAL' });
});

test('its pictures are neither approved nor shown again until it is taken back', async () => {
  const approved = await seedVariant(host.pool, { propertyId, imageId }, { reviewStatus: 'APPROVED' });
  const waiting = await seedVariant(host.pool, { propertyId, imageId }, { canonicalStyle: 'LUXURY' });
  expect(await shown()).toContain(approved);
  await declare();
  expect(await shown()).not.toContain(approved);
  expect(await approve(waiting)).toMatchObject({ status: 409, errorCode: 'PHOTO_ALTERED' });
  const several = await agent.mutate('ai.approveStagedVariants', { imageIds: [waiting] });
  expect(several.data.results).toMatchObject([{ errorCode: 'PHOTO_ALTERED' }]);
  expect(await lift(approved)).toMatchObject({ status: 409, errorCode: 'PHOTO_ALTERED' });
  const byOperator = await quietActorSystem(host.pool).deliver(
    { to: 'imageReview', id: approved, event: { type: 'LIFT', at: Date.now(), by: 'OPERATOR' } },
    { by: 'operator:ada', note: 'looked at it' },
  );
  expect(byOperator.outcome).toBe('ignored');
  expect((await declare({ kind: null })).data).toMatchObject({ alteration: null, alterationBy: null });
  expect(await shown()).not.toContain(approved);
  expect([(await lift(approved)).status, (await approve(waiting)).status]).toEqual([200, 200]);
  expect(await shown()).toEqual(expect.arrayContaining([approved, waiting]));
});

describe('refusals', () => {
  test('say what is wrong with the input', async () => {
    const staged = await seedVariant(host.pool, { propertyId, imageId });
    const other = await host.listing(visitor);
    expect(await declare({ kind: 'None' })).toMatchObject({ status: 400, errorCode: 'INVALID_INPUT' });
    expect(await declare({ kind: null, originalImageId: randomUUID() })).toMatchObject({
      errorCode: 'INVALID_INPUT',
    });
    expect(await declare({ imageId: staged })).toMatchObject({ errorCode: 'INVALID_INPUT' });
    for (const originalImageId of [other.imageId, staged, imageId, randomUUID()])
      expect(await declare({ originalImageId })).toMatchObject({ errorCode: 'INVALID_INPUT' });
    expect(await declare({ imageId: other.imageId })).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
    expect(await declare({}, visitor)).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  });

  test.each(['FILE', 'FEED'])('the word of a %s is taken back by an operator only', async (word) => {
    const altered = await seedOriginal(host.pool, {
      propertyId,
      position: 1,
      alteration: 'Model Home',
      alterationBy: word,
    });
    for (const kind of [null, KIND])
      expect(await declare({ imageId: altered.imageId, kind })).toMatchObject({
        status: 409,
        errorCode: 'ALTERATION_STANDS',
      });
    const operation = createOperations({
      pool: host.pool,
      actorSystem: quietActorSystem(host.pool),
      clock: { now: () => Date.now() },
      outputHosts: [],
      confirmation: null,
      scrub: (text) => text,
    }).find('take-back-alteration');
    expect(await operation?.preview(altered.imageId)).toMatchObject({
      outcome: 'applies',
      kind: 'photo',
      from: { state: 'ALTERED' },
      to: { state: 'UNALTERED' },
    });
    const asking = { by: 'ada', reason: 'the camera writes this' };
    expect(await operation?.run(altered.imageId, asking)).toMatchObject({
      outcome: 'applied',
      state: 'UNALTERED',
      version: 1,
    });
    expect(await operation?.run(altered.imageId, asking)).toMatchObject({
      outcome: 'ignored',
      why: 'The photo is not altered.',
    });
    expect(await operation?.run(randomUUID(), asking)).toMatchObject({ outcome: 'missing' });
    expect(
      await host.rows('select before, after, by from photo_alteration_events where "imageId" = $1', [
        altered.imageId,
      ]),
    ).toEqual([{ before: 'Model Home', after: null, by: 'operator:ada' }]);
    expect(
      await host.rows('select act, by, reason from operator_acts where "propertyId" = $1', [propertyId]),
    ).toEqual([{ act: 'take-back-alteration', by: 'operator:ada', reason: asking.reason }]);
  });
});

test('an open job of the photo is canceled', async () => {
  const { jobId } = await seedStagingJob(host.pool, {
    original: { imageId, propertyId, objectKey: '', providerInputKey: '' },
  });
  await declare();
  expect(await host.rows('select status from ai_jobs where id = $1', [jobId])).toEqual([
    { status: 'CANCELED' },
  ]);
});
