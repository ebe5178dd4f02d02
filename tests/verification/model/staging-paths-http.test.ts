import { describe, expect, test } from 'vitest';
import { useApiHost } from '../../support/http/api-host.ts';
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
  type NotingActorSystem,
  notingActorSystem,
  type StagingScene,
  sayToBoth,
} from './staging-scene.ts';

/**
 * The same paths over HTTP: an agent submits, cancels and deletes by procedures and routes, the provider
 * sends signed callbacks, and runners deliver their events directly. After each step the other agent's view
 * equals the model, and at the end the queue entries and the logged worker events do.
 */
const clock = setClock();
const host = useApiHost({ overrides: clock.overrides });

interface Visited extends StagingScene, NotingActorSystem {
  agent: Person;
  colleague: Person;
}

async function submitted(): Promise<Visited> {
  clock.at = AT;
  const [agent, colleague] = await Promise.all([host.signedIn(), host.signedIn()]);
  const { propertyId, imageId } = await host.listing(agent);
  await host.rows(
    'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
    [propertyId, colleague.id],
  );
  const assignments = [{ originalImageId: imageId, roomType: 'LIVING_ROOM', style: 'MODERN' }];
  const answer = await agent.mutate('ai.submitRoomStaging', { assignments });
  const [result] = answer.data.results;
  expect(result).toMatchObject({ disposition: 'ENQUEUED', stagedImageId: null });
  const jobId: string = result.aiJobId;
  await holdJob(host.pool, jobId, AT);
  const keys = { objectKey: `originals/${imageId}.jpg`, providerInputKey: `inputs/${imageId}.jpg` };
  const model = newScene({ job: jobId, ...keys });
  return { imageId, propertyId, jobId, model, agent, colleague, ...notingActorSystem(host.pool) };
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
  } else await sayToBoth({ pool: host.pool, actorSystem: scene.actorSystem }, scene, told);
}

/** What people and the provider cause is noted by the host, what runners cause by the scene's own actor system. */
function expectNotices({ jobId, model, notices }: Visited): void {
  const ofJob = <T extends { jobId: string }>(all: readonly T[]) => all.filter((one) => one.jobId === jobId);
  const own = notices();
  const logged = host.lines.flatMap(({ event, jobId: of }) => (event && of === jobId ? [event] : []));
  // What people did is logged as well, under names of its own.
  const byPipeline = logged.filter((event) => !event.startsWith('ai_room_staging.'));
  const events = [...byPipeline, ...ofJob(own.reports).map(({ event }) => event)];
  expect(events.toSorted()).toEqual(model.notices.reports.map(({ event }) => event).toSorted());
  expect([...ofJob(host.queue.enqueued), ...own.enqueued]).toEqual([
    { jobId, delayMs: 0 },
    ...model.notices.enqueued,
  ]);
  const removed = host.queue.removed.filter((id) => id === jobId);
  expect([...removed, ...own.removed]).toEqual(model.notices.removed);
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
    expectNotices(scene);
  });

  test('no invariant is broken', () => expectInvariants(host.pool, AT, CRASHES_ANYWHERE));
});
