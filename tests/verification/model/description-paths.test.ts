import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DescriptionJobContext,
  type DescriptionJobEvent,
  descriptionJobMachine,
  initialDescriptionJob,
} from '../../../machines/description-job.ts';
import { type ActorState, isFinalState, step } from '../../../machines/step.ts';
import { createDescriptionStore } from '../../../persistence/actors/postgres-description-store.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import { createDescriptionService } from '../../../supervisors/actors/description-desk.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { DESCRIPTION_JOB_EVENTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT, noWaiting } from '../../support/manual-time.ts';
import { markPass } from '../../support/worlds/job-driver.ts';
import { createRecordingQueue, createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';
import { expectJournalCovers } from './journal-coverage.ts';
import { machinePaths } from './machine-paths.ts';
import { CRASHES_ANYWHERE, expectInvariants } from './staging-rows.ts';
import { quarantine } from './staging-scene.ts';

/**
 * Shortest ways of a description: the agent asks for it over HTTP, its runner tells it what happened, and at each step
 * the row and what the other agent of the listing sees are what the machine says.
 */
type Description = ActorState<DescriptionJobContext>;
/** Crashes are counted, so ways with fewer of them are beginnings of the ones that end a job. */
const vertexOf = ({ state, context }: Description): string =>
  [
    state,
    context.crashCount,
    context.providerPredictionId !== null,
    context.strayPredictionId !== null,
    context.goneSince !== null,
    context.notListedAt !== null,
    ...(state === 'PROCESSING.SENT' || state === 'PROCESSING.RESERVED' ? [context.sendTries] : []),
  ].join();
const PATHS = machinePaths<DescriptionJobEvent>({
  machine: descriptionJobMachine,
  events: DESCRIPTION_JOB_EVENTS,
  vertexOf,
});

const clock = setClock();
let host: ApiHost;
/** Several, in rotation: what one agent may ask for in a day is limited. */
let agents: Person[];
let asked = 0;
beforeAll(async () => {
  host = await startApiHost({ overrides: clock.overrides });
  agents = await Promise.all(Array.from({ length: 4 }, () => host.signedIn()));
});
afterAll(() => host.stop());

async function requested() {
  const [owner, colleague] = [asked, asked + 1].map((n) => agents[n % agents.length] as Person) as [
    Person,
    Person,
  ];
  asked += 1;
  const propertyId = await seedProperty(host.pool, { ownerAgentId: owner.id });
  await host.rows('insert into property_agents ("propertyId", "agentId") values ($1, $2)', [
    propertyId,
    colleague.id,
  ]);
  const { data } = await owner.mutate('ai.requestDescription', { propertyId, locale: 'en' });
  expect(data.disposition).toBe('ENQUEUED');
  const jobId: string = data.aiJobId;
  const leases = createPostgresLeases(host.pool, 'DESCRIPTION');
  const taken = await leases.acquireLease({ jobId, owner: 'node-a', at: AT, ttlMs: 86_400_000 });
  return { colleague, propertyId, jobId, lease: taken?.lease };
}

const shown = ({ state, context }: Description) => ({
  status: state.split('.')[0],
  text: context.text,
  errorCode: state === 'FAILED' ? context.errorCode : null,
});

describe('every way of a description, over HTTP and on the database', () => {
  test.each(PATHS)('$title', async ({ events }) => {
    const { pool } = host;
    const { colleague, propertyId, jobId, lease } = await requested();
    const descriptions = createDescriptionStore(pool);
    const reporter = createRecordingReporter();
    const descriptionService = createDescriptionService({
      descriptions,
      reporter,
      queue: createRecordingQueue(),
      timers: noWaiting,
      chance: { jitter: () => 0 },
    });
    let model: Description = { state: 'PENDING.QUEUED', context: initialDescriptionJob };
    const states: string[] = [];
    for (const given of events) {
      const event = JSON.parse(JSON.stringify(given).replaceAll(/"(p-\d)"/g, `"${jobId}-$1"`));
      const decided = step(descriptionJobMachine, model, event);
      if (decided.outcome === 'applied') {
        model = decided.next;
        states.push(model.state);
      }
      if (event.type === 'RELEASE_ASKED') await quarantine(pool, { jobId, quarantined: event.quarantined });
      await markPass(pool, jobId, event);
      const message = event.type === 'RUNNER_CRASHED' ? { ...event, certain: event.alone } : event;
      const delivery = await descriptionService.deliver(jobId, message, {
        by: 'worker:node-a',
        ...(lease ? { lease } : {}),
      });
      // The runner that ended it has given the lease back: late claims are stale, late purchases are recorded.
      const late = decided.outcome === 'ignored' && isFinalState(descriptionJobMachine, model.state);
      const outcome = late && delivery.outcome === 'stale' ? 'stale' : decided.outcome;
      expect(delivery).toEqual({ outcome, state: model.state, version: states.length });
      expect(await descriptions.read(jobId)).toMatchObject({ ...model, version: states.length });
      const seen = await colleague.query('ai.getDescriptionJob', { aiJobId: jobId });
      expect([seen.status, seen.data]).toEqual([200, shown(model)]);
    }
    const journal = await host.rows<{ toState: string }>(
      'select "toState" from actor_transitions where "actorId" = $1 order by seq',
      [jobId],
    );
    expect(journal.map(({ toState }) => toState)).toEqual(states);
    const again = await colleague.mutate('ai.requestDescription', { propertyId, locale: 'en' });
    const isOver = isFinalState(descriptionJobMachine, model.state);
    expect([again.data.disposition, again.data.aiJobId === jobId]).toEqual(
      isOver ? ['ENQUEUED', false] : ['EXISTING', true],
    );
  });

  test('took every transition of the table', () => expectJournalCovers(host.pool, 'descriptionJob'));

  test('and no invariant is broken', () => expectInvariants(host.pool, AT, CRASHES_ANYWHERE));
});
