import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActorSystem } from '../../../supervisors/actors/deliver.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';
import { callBack, expectSeen, expectVariantsSeen } from './staging-host.ts';
import { newScene, type PathEvent, tell } from './staging-inputs.ts';
import { STAGING_PATHS } from './staging-paths.ts';
import { CRASHES_ANYWHERE, expectInvariants } from './staging-rows.ts';
import {
  expectRows,
  freshIds,
  holdJob,
  quietActorSystem,
  type StagingScene,
  sayToBoth,
} from './staging-scene.ts';

/**
 * The same paths over HTTP: an agent submits, cancels and deletes by procedures and routes, the provider
 * sends signed callbacks, and runners deliver their events directly. After each step the other agent's view
 * equals the model.
 */
const clock = setClock();
let host: ApiHost;
let actorSystem: ActorSystem;
beforeAll(async () => {
  host = await startApiHost({ overrides: clock.overrides });
  actorSystem = quietActorSystem(host.pool);
});
afterAll(() => host.stop());

interface Visited extends StagingScene {
  agent: Person;
  colleague: Person;
}

async function submitted(): Promise<Visited> {
  clock.at = AT;
  const [agent, colleague] = await Promise.all([host.signedIn(), host.signedIn()]);
  const { propertyId, imageId } = await host.listing(agent);
  await host.rows('insert into property_agents ("propertyId", "agentId") values ($1, $2)', [
    propertyId,
    colleague.id,
  ]);
  const assignments = [{ originalImageId: imageId, roomType: 'LIVING_ROOM', style: 'MODERN' }];
  const answer = await agent.mutate('ai.submitRoomStaging', { assignments });
  const [result] = answer.data.results;
  expect(result).toMatchObject({ disposition: 'ENQUEUED', stagedImageId: null });
  const jobId: string = result.aiJobId;
  await holdJob(host.pool, jobId, AT);
  const keys = { objectKey: `originals/${imageId}.jpg`, providerInputKey: `inputs/${imageId}.jpg` };
  const model = newScene({ job: jobId, ...keys });
  return { imageId, propertyId, jobId, model, agent, colleague };
}

async function say(scene: Visited, told: PathEvent): Promise<void> {
  const { model, agent, imageId, jobId } = scene;
  if ('at' in told.event) clock.at = told.event.at;
  if (told.event.type === 'CANCEL_ASKED') {
    const { status, data } = await agent.mutate('ai.cancelStagingJob', { aiJobId: jobId });
    tell(model, told);
    expect([status, data.status]).toEqual([200, model.jobs[0]?.state.split('.')[0]]);
  } else if (told.event.type === 'ORIGINAL_DELETED') {
    const wasThere = model.original !== null;
    const { status } = await agent.send('DELETE', `/api/property-images/${imageId}`);
    tell(model, told);
    expect(status).toBe(wasThere ? 200 : 404);
  } else if (told.to === 'attempt' && told.event.type === 'CALLBACK_RECEIVED') {
    const attemptId = model.jobs[0]?.attempts[told.number - 1]?.id ?? '';
    const providerStatus = told.event.providerStatus ?? 'processing';
    await callBack(host, { ...told.event, attemptId });
    tell(model, { ...told, event: { ...told.event, providerStatus } });
  } else await sayToBoth({ pool: host.pool, actorSystem }, scene, told);
}

describe('every path of a job and its attempts, over HTTP', () => {
  test.each(STAGING_PATHS)('$title', async ({ told }) => {
    const scene = await submitted();
    const { model, colleague, propertyId } = scene;
    for (const word of [null, ...freshIds(told)]) {
      if (word !== null) await say(scene, word);
      const [job] = model.jobs;
      if (job) await expectSeen(colleague, model, { job, at: clock.at });
    }
    await expectVariantsSeen(colleague, model, propertyId);
    await expectRows(host.pool, scene);
  });

  test('no invariant is broken', () => expectInvariants(host.pool, AT, CRASHES_ANYWHERE));
});
