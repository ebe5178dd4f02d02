import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Effect } from '../../../machines/effects.ts';
import { providerAttemptMachine } from '../../../machines/provider-attempt.ts';
import {
  initialProviderAttempt,
  type ProviderAttemptContext,
  type ProviderAttemptEvent,
} from '../../../machines/provider-attempt-model.ts';
import {
  initialJob,
  jobMachine,
  type StagingJobContext,
  type StagingJobEvent,
} from '../../../machines/staging-job.ts';
import { type ActorState, isFinalState, step } from '../../../machines/step.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import type { JobMessage } from '../../../supervisors/actors/messages.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { PROVIDER_ATTEMPT_EVENTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';
import { machinePaths } from './machine-paths.ts';
import { CRASHES_ANYWHERE, expectInvariants } from './staging-rows.ts';
import { quietActorSystem } from './staging-scene.ts';

/**
 * Shortest paths of a text's purchase: an agent requests it over HTTP, and its runner sends the events to the
 * attempt. At each step both rows and the other agent's view equal the model of the two machines.
 */
type Attempt = ActorState<ProviderAttemptContext>;
/** Texts have no callbacks and no objects; messages of the job reach the attempt through the job. */
const NOT_OF_TEXTS = new Set<string>([
  'CALLBACK_RECEIVED',
  'OUTPUT_STORED',
  'STORAGE_FAILED',
  'DOWNLOAD_FAILED',
]);
const FROM_THE_JOB = new Set<string>(['CANCEL', 'ABANDONED']);
const EVENTS = PROVIDER_ATTEMPT_EVENTS.filter(
  ({ type }) => !NOT_OF_TEXTS.has(type) && !FROM_THE_JOB.has(type),
).map((event) => (event.type === 'PREDICTION_SUCCEEDED' ? { ...event, objectKey: null } : event));
const vertexOf = ({ state, context }: Attempt): string =>
  [
    state,
    context.providerPredictionId !== null,
    context.strayPredictionId !== null,
    context.goneSince !== null,
    context.notListedAt !== null,
    state === 'SENT' || state === 'RESERVED' ? context.sendTries : '',
  ].join();
const PATHS = machinePaths<ProviderAttemptEvent>({
  machine: providerAttemptMachine,
  events: EVENTS,
  vertexOf,
});
/** The end of each path: unchanged, canceled by an operator, or canceled because its listing was deleted. */
const ENDS = ['CANCEL_ASKED', 'LISTING_GONE'] as const;

const clock = setClock();
/** Several agents in rotation, because requests of one agent are limited per day. */
let agents: Person[];
let asked = 0;
const host = useApiHost({ overrides: clock.overrides });
beforeAll(async () => {
  agents = await Promise.all(Array.from({ length: 6 }, () => host.signedIn()));
});

async function requested() {
  const [owner, colleague] = [asked, asked + 1].map((n) => agents[n % agents.length] as Person) as [
    Person,
    Person,
  ];
  asked += 1;
  const propertyId = await seedProperty(host.pool, { ownerAgentId: owner.id });
  await host.rows(
    'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
    [propertyId, colleague.id],
  );
  const { data } = await owner.mutate('ai.requestDescription', { propertyId, locale: 'en' });
  expect(data.disposition).toBe('ENQUEUED');
  const jobId: string = data.aiJobId;
  const leases = createPostgresLeases(host.pool, 'DESCRIPTION');
  const taken = await leases.acquireLease({ jobId, owner: 'node-a', at: AT, ttlMs: 86_400_000 });
  return { colleague, propertyId, jobId, lease: taken?.lease };
}

/** The job and its attempt as supervisors/actors/advance-job.ts wires them. */
class Model {
  job: ActorState<StagingJobContext> = {
    state: 'PENDING.QUEUED',
    context: initialJob('descriptionJob'),
  };
  attempt: Attempt | null = null;
  text: string | null = null;

  sendToJob(event: StagingJobEvent): boolean {
    const decided = step(jobMachine, this.job, event);
    if (decided.outcome === 'ignored') return false;
    this.job = decided.next;
    for (const effect of decided.effects) this.#apply(effect);
    return true;
  }

  sendToAttempt(event: ProviderAttemptEvent): boolean {
    if (this.attempt === null) return false;
    const decided = step(providerAttemptMachine, this.attempt, event);
    if (decided.outcome === 'ignored') return false;
    this.attempt = decided.next;
    for (const effect of decided.effects) this.#apply(effect);
    return true;
  }

  #apply(effect: Effect): void {
    if (effect.type === 'reserveAttempt')
      this.attempt = { state: 'RESERVED', context: initialProviderAttempt(1) };
    if (effect.type === 'sendToAttempt' && !this.#isOver()) this.sendToAttempt(effect.params);
    if (effect.type === 'sendToJob') this.sendToJob(effect.params);
    if (effect.type === 'storeText') this.text = effect.params.text;
    expect(['insertStagedImage']).not.toContain(effect.type);
  }

  #isOver = (): boolean => this.attempt === null || isFinalState(providerAttemptMachine, this.attempt.state);
}

async function walk(
  events: readonly ProviderAttemptEvent[],
  end: (typeof ENDS)[number] | null,
): Promise<void> {
  const { pool } = host;
  const { colleague, propertyId, jobId, lease } = await requested();
  const store = createPostgresActorStore(pool);
  const actorSystem = quietActorSystem(pool);
  const origin = { by: 'worker:node-a', ...(lease ? { lease } : {}) };
  const attemptId = randomUUID();
  const model = new Model();
  const expectSame = async () => {
    const seen = await store.readJob(jobId);
    expect(seen?.job).toMatchObject({ kind: 'descriptionJob', ...model.job });
    expect(seen?.attempts.map(({ state, context }) => ({ state, context }))).toEqual(
      model.attempt === null ? [] : [model.attempt],
    );
    const shown = await colleague.query('ai.getDescriptionJob', { aiJobId: jobId });
    const { state, context } = model.job;
    expect([shown.status, shown.data]).toEqual([
      200,
      {
        status: state.split('.')[0],
        text: model.text,
        errorCode: state === 'FAILED' ? context.errorCode : null,
      },
    ]);
  };
  const sendToJob = async (event: StagingJobEvent, message: JobMessage) => {
    const applied = model.sendToJob(event);
    const delivery = await actorSystem.deliver({ to: 'descriptionJob', id: jobId, event: message }, origin);
    if (applied) expect(delivery.outcome).toBe('applied');
    await expectSame();
  };
  const started = {
    type: 'WORKER_STARTED',
    at: AT,
    enabled: true,
    attemptId,
    queueAttempt: 1,
    waitedMs: 5,
  } as const;
  await sendToJob(started, { ...started, startsPerMinute: null });
  for (const given of events) {
    const event = JSON.parse(JSON.stringify(given).replaceAll(/"(p-\d)"/g, `"${jobId}-$1"`));
    const applied = model.sendToAttempt(event);
    const delivery = await actorSystem.deliver({ to: 'providerAttempt', id: attemptId, event }, origin);
    // Its runner has given the lease back: late claims are stale, late purchases are recorded.
    expect([applied ? ['applied'] : ['ignored', 'stale']]).toEqual([
      expect.arrayContaining([delivery.outcome]),
    ]);
    await expectSame();
  }
  if (end !== null) await sendToJob({ type: end, at: AT }, { type: end, at: AT });
  const again = await colleague.mutate('ai.requestDescription', { propertyId, locale: 'en' });
  const isOver = isFinalState(jobMachine, model.job.state);
  expect([again.data.disposition, again.data.aiJobId === jobId]).toEqual(
    isOver ? ['ENQUEUED', false] : ['EXISTING', true],
  );
}

describe('every path of a description, over HTTP and on the database', () => {
  test.each(PATHS)('$title', ({ events }) => walk(events, null));

  test('no invariant is broken', () => expectInvariants(host.pool, AT, CRASHES_ANYWHERE));
});

describe.each(ENDS)('%s in every state of a purchase', (end) => {
  const states = new Map(
    PATHS.map(({ events }) => {
      const model = new Model();
      model.attempt = { state: 'RESERVED', context: initialProviderAttempt(1) };
      for (const event of events) model.sendToAttempt(event);
      return [model.attempt.state, events];
    }),
  );
  test.each([...states])('%s', (_, events) => walk(events, end));
});
