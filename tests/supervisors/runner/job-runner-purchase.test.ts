import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RECONCILE_WINDOW_MS } from '../../../machines/limits.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime } from '../../support/manual-time.ts';
import {
  createFakeProvider,
  foundAs,
  predictionOf,
  unfinished,
  untilAborted,
} from '../../support/worlds/fake-provider.ts';
import { connectionLost, faultyStore, type StoreFault } from '../../support/worlds/faulty-store.ts';
import {
  closeWorlds,
  LOOK_MS,
  openWorld,
  POLL_MS,
  type RunnerWorld,
  submit,
} from '../../support/worlds/runner-world.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const TTL = 15_000;
const eventsOf = async (world: RunnerWorld, jobId: string) => {
  const attempt = (await world.read(jobId)).attempts[0];
  const journal = await journalOf(database.pool, 'providerAttempt', String(attempt?.id));
  return journal.map(({ eventType }) => eventType);
};

/** Another worker takes the lease; the next heartbeat of this process detects it. */
async function loseLease(world: RunnerWorld, jobId: string): Promise<void> {
  world.time.advance(TTL);
  const at = world.time.now();
  expect(await database.store.acquireLease({ jobId, owner: 'thief', at, ttlMs: TTL })).not.toBeNull();
  await world.leases.start();
  world.time.advance(5_000);
  await eventually(() => world.leases.held() === 0, { what: 'the loss of the lease' });
}

describe('the claim before the POST', () => {
  test('under a lease that another worker has taken is rejected, and nothing is sent', async () => {
    const time = createManualTime();
    const world = openWorld(database, {
      time,
      leaseTtlMs: TTL,
      async checkpoint(name) {
        if (name !== 'before-claim') return;
        time.advance(TTL);
        const taken = await database.store.acquireLease({
          jobId,
          owner: 'thief',
          at: time.now(),
          ttlMs: TTL,
        });
        expect(taken).not.toBeNull();
      },
    });
    const jobId = await submit(database);
    const run = world.start(jobId);
    await world.asleep(500);
    expect([world.provider.creates, await world.states(jobId)]).toEqual([
      [],
      ['PROCESSING.ATTEMPT', 'RESERVED'],
    ]);
    expect(world.reporter.transitions).toContainEqual({
      kind: 'providerAttempt',
      event: 'SEND_CLAIMED',
      outcome: 'stale',
    });
    await world.leases.start();
    time.advance(5_000);
    await run;
    expect((await world.read(jobId)).job.lease).toMatchObject({ owner: 'thief' });
  });

  test('is void when the lease is lost right after it: neither this runner nor the next one sends', async () => {
    const time = createManualTime();
    const world = openWorld(database, {
      time,
      leaseTtlMs: TTL,
      async checkpoint(name) {
        if (name === 'after-claim') await loseLease(world, jobId);
      },
    });
    const { provider } = world;
    const jobId = await submit(database);
    await world.start(jobId);
    const next = openWorld(database, { time, provider, owner: 'node-b' });
    time.advance(TTL);
    await next.runner.rescue([jobId]);
    await next.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
    expect(provider.creates).toEqual([]);
    expect((await world.read(jobId)).attempts[0]?.context).toMatchObject({
      unconfirmedCause: 'restart',
      sendTries: 1,
    });
  });

  for (const point of ['after-claim', 'before-post'] as const)
    test(`is undone when the process is stopped ${point}; the next runner buys once`, async () => {
      let stopped: Promise<void> | null = null;
      const world = openWorld(database, {
        checkpoint(name) {
          if (name === point) stopped = world.runner.stop(AbortSignal.timeout(25_000));
        },
      });
      const jobId = await submit(database);
      await world.start(jobId);
      await stopped;
      expect([world.provider.creates, await world.states(jobId)]).toEqual([
        [],
        ['PROCESSING.ATTEMPT', 'RESERVED'],
      ]);
      expect(await eventsOf(world, jobId)).toEqual(['CREATED', 'SEND_CLAIMED', 'SEND_WITHDRAWN']);
      const next = openWorld(database, { owner: 'node-b' });
      await next.runner.rescue([jobId]);
      await next.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
      expect(next.provider.creates).toHaveLength(1);
    });

  test('is undone when purchases are switched off right after it', async () => {
    let on = true;
    const world = openWorld(database, {
      startsAllowed: () => on,
      checkpoint(name) {
        if (name === 'before-post') on = false;
      },
    });
    const jobId = await submit(database);
    await world.start(jobId);
    expect([world.provider.creates, await world.states(jobId)]).toEqual([
      [],
      ['PROCESSING.ATTEMPT', 'RESERVED'],
    ]);
  });

  const withFaults = (...faults: StoreFault[]) =>
    openWorld(database, { store: faultyStore(database.store, faults) });

  test('whose answer was lost is proven by its token, and sent once', async () => {
    const world = withFaults({ event: 'SEND_CLAIMED', kind: 'lost-answer', times: 1 });
    const jobId = await submit(database);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
    expect(await eventsOf(world, jobId)).toEqual([
      'CREATED',
      'SEND_CLAIMED',
      'PREDICTION_CREATED',
      'PREDICTION_SUCCEEDED',
      'OUTPUT_STORED',
    ]);
  });

  test('that was not committed is made again, and sent once', async () => {
    const world = withFaults({ event: 'SEND_CLAIMED', kind: 'not-committed', times: 2 });
    const jobId = await submit(database);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
  });

  test('of another worker proves nothing', async () => {
    const store = faultyStore(database.store, [{ event: 'SEND_CLAIMED', kind: 'not-committed', times: 1 }]);
    const world = openWorld(database, {
      store: { ...store, lastSendToken: async () => 'a token of another worker' },
    });
    const jobId = await submit(database);
    const { answerCreate } = world.provider;
    world.provider.answerCreate = (attemptId) => {
      expect(world.reporter.transitions).toContainEqual({
        kind: 'providerAttempt',
        event: 'SEND_CLAIMED',
        outcome: 'applied',
      });
      return answerCreate(attemptId);
    };
    await world.start(jobId);
    expect(world.provider.creates).toHaveLength(1);
    expect(await eventsOf(world, jobId)).toContain('SEND_CLAIMED');
  });

  test('whose token cannot be read yet waits for the database', async () => {
    let away = 3;
    const store = faultyStore(database.store, [{ event: 'SEND_CLAIMED', kind: 'lost-answer', times: 1 }]);
    const world = openWorld(database, {
      store: {
        ...store,
        lastSendToken: async (attemptId) => {
          away -= 1;
          if (away >= 0) throw connectionLost();
          return database.store.lastSendToken(attemptId);
        },
      },
    });
    const jobId = await submit(database);
    const run = world.start(jobId);
    for (let wait = 0; wait < 3; wait += 1) {
      await world.asleep(500);
      expect(world.provider.creates).toEqual([]);
      world.time.advance(500);
    }
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
  });
});

describe('the answer to a purchase', () => {
  test('is delivered again until the database has accepted it', async () => {
    const store = faultyStore(database.store, [
      { event: 'PREDICTION_CREATED', kind: 'not-committed', times: 2 },
      { event: 'PREDICTION_CREATED', kind: 'lost-answer', times: 1 },
    ]);
    const world = openWorld(database, { store });
    const jobId = await submit(database);
    const run = world.start(jobId);
    for (let wait = 0; wait < 3; wait += 1) {
      await world.asleep(500);
      world.time.advance(500);
    }
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
    expect(world.reporter.problems).toHaveLength(3);
  });

  test('is delivered again as long as another transaction locks the rows', async () => {
    const store = faultyStore(database.store, [
      { event: 'PREDICTION_CREATED', kind: 'not-committed', times: 20, code: '55P03' },
    ]);
    const world = openWorld(database, { store });
    const jobId = await submit(database);
    const run = world.start(jobId);
    // Each time once without the lock and six times with it.
    for (let wait = 0; wait < 2; wait += 1) {
      await world.asleep(500);
      world.time.advance(500);
    }
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
    expect(await eventsOf(world, jobId)).not.toContain('RUNNER_RESTARTED');
  });

  test('a rejection that was recorded, but whose commit answer was lost, counts once', async () => {
    const store = faultyStore(database.store, [{ event: 'SEND_REFUSED', kind: 'lost-answer', times: 1 }]);
    const world = openWorld(database, { store });
    const { answerCreate } = world.provider;
    world.provider.answerCreate = () => ({
      kind: 'refused',
      errorCode: 'PROVIDER_THROTTLED',
      retryAfterMs: 7_000,
    });
    const jobId = await submit(database);
    const run = world.start(jobId);
    await world.asleep(500);
    world.provider.answerCreate = answerCreate;
    world.time.advance(500);
    await world.asleep(6_500);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
    world.time.advance(6_500);
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
  });

  test('that arrives after a takeover of the lease is still recorded; the other runner has not sent again', async () => {
    const time = createManualTime();
    const world = openWorld(database, { time, leaseTtlMs: TTL });
    const { provider } = world;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    provider.answerCreate = async (attemptId) => {
      await answered;
      return { kind: 'created', prediction: unfinished(predictionOf(attemptId)) };
    };
    provider.answerGet = (id) => foundAs(unfinished(id));
    const jobId = await submit(database);
    const run = world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'SENT');
    time.advance(TTL);
    const next = openWorld(database, { time, provider, owner: 'node-b' });
    await next.runner.rescue([jobId]);
    await next.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
    await next.asleep(LOOK_MS);
    answer();
    await next.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
    await eventually(() => provider.gets.length > 0, { what: 'a poll' });
    expect(provider.creates).toHaveLength(1);
    expect((await world.read(jobId)).attempts[0]?.context.providerPredictionId).toBe(
      predictionOf(String(provider.creates[0])),
    );
    void run;
  });
});

describe('stopping', () => {
  test('begins no new pass, lets the current one finish, and gives the leases back', async () => {
    const world = openWorld(database);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    world.provider.answerCreate = async (attemptId) => {
      await answered;
      return { kind: 'created', prediction: unfinished(predictionOf(attemptId)) };
    };
    const jobId = await submit(database);
    const waiting = await submit(database);
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'SENT');
    const deadline = AbortSignal.timeout(25_000);
    const stopped = Promise.all([world.runner.stop(deadline), world.runner.stop(deadline)]);
    expect(await world.runner.rescue([waiting])).toBe(false);
    await world.start(waiting);
    answer();
    await stopped;
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect(await world.states(waiting)).toEqual(['PENDING.QUEUED']);
    expect((await world.read(jobId)).job.lease).toBeNull();
    expect([world.provider.gets, world.runner.running(), world.time.sleeping()]).toEqual([[], 0, []]);
    await world.runner.done();
  });

  test('aborts a pass that waits for the provider when the grace period is over', async () => {
    const world = openWorld(database);
    world.provider.answerGet = async (_, signal) => {
      await untilAborted(signal);
      return { kind: 'unavailable', throttledMs: null };
    };
    const jobId = await submit(database);
    void world.start(jobId);
    await eventually(() => world.provider.gets.length === 1, { what: 'a poll' });
    await world.runner.stop(AbortSignal.abort());
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect((await world.read(jobId)).job.lease).toBeNull();
  });

  test('leaves a create in flight when the grace is over: the next runner records a restart and does not buy again', async () => {
    const time = createManualTime();
    const world = openWorld(database, { time, leaseTtlMs: TTL });
    const { provider } = world;
    provider.answerCreate = () => new Promise(() => {});
    const jobId = await submit(database);
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'SENT');
    let stopped = false;
    void world.runner.stop(AbortSignal.abort()).then(() => {
      stopped = true;
    });
    await eventually(
      () => {
        time.advanceToNextWake();
        return stopped;
      },
      { what: 'the end of the runner' },
    );
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'SENT']);
    time.advance(TTL);
    const next = openWorld(database, { time, provider, owner: 'node-b' });
    await next.runner.rescue([jobId]);
    await next.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
    await next.asleep(LOOK_MS);
    time.advance(RECONCILE_WINDOW_MS);
    await next.scan();
    await next.reaches(jobId, 'FAILED', 'LOST');
    const { context } = (await next.read(jobId)).attempts[0] ?? {};
    expect([context?.unconfirmedCause, provider.creates.length]).toEqual(['restart', 1]);
  });

  test('before the claim: nothing is claimed, the lease is given back, and the next worker buys once', async () => {
    const provider = createFakeProvider();
    const stopping = openWorld(database, {
      provider,
      checkpoint: (name) => {
        if (name === 'before-claim') stopping.runner.stopClaiming?.();
      },
    });
    const jobId = await submit(database);
    await stopping.start(jobId);
    await stopping.runner.stop(AbortSignal.timeout(1_000));
    expect([provider.creates, await eventsOf(stopping, jobId)]).toEqual([[], ['CREATED']]);
    expect((await stopping.read(jobId)).job.lease).toBeNull();
    const next = openWorld(database, { provider, owner: 'node-b' });
    expect(await next.runner.rescue([jobId])).toBe(true);
    await next.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
    expect(provider.creates).toHaveLength(1);
  });

  test('admits no job whose lease was still being taken', async () => {
    const { store } = database;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const acquireLease: ActorStore['acquireLease'] = async (request) => {
      await gate;
      return store.acquireLease(request);
    };
    const world = openWorld(database, { store: { ...store, acquireLease } });
    const jobId = await submit(database);
    const run = world.start(jobId);
    world.runner.stopClaiming?.();
    open();
    await run;
    expect(await world.states(jobId)).toEqual(['PENDING.QUEUED']);
    expect((await world.read(jobId)).job.lease).toBeNull();
  });

  test('wakes a waiting run', async () => {
    const world = openWorld(database);
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const jobId = await submit(database);
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    await world.runner.stop(AbortSignal.timeout(25_000));
    await run;
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect(world.reporter.problems).toEqual([]);
  });
});

describe('a runner without its dependencies', () => {
  test('waits until the database is available again, and goes on', async () => {
    const store = { ...database.store };
    const world = openWorld(database, { store });
    world.provider.answerGet = (predictionId) => {
      const { readJob } = database.store;
      let away = 3;
      store.readJob = async (jobId) => {
        away -= 1;
        if (away >= 0) throw connectionLost();
        return readJob(jobId);
      };
      world.provider.answerGet = (id) =>
        foundAs({
          kind: 'succeeded',
          predictionId: id,
          providerStatus: 'succeeded',
          outputUrl: 'https://replicate.delivery/x',
          text: null,
        });
      return foundAs(unfinished(predictionId));
    };
    const jobId = await submit(database);
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    world.time.advance(POLL_MS);
    for (let wait = 0; wait < 3; wait += 1) {
      await world.asleep(500);
      world.time.advance(500);
    }
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect((await world.read(jobId)).job.context.crashCount).toBe(0);
  });

  test('that has lost its lease decides nothing', async () => {
    const time = createManualTime();
    const world = openWorld(database, { time, leaseTtlMs: TTL });
    world.collector.answer = async (_, signal) => {
      await untilAborted(signal);
      return { kind: 'refused', errorCode: 'OUTPUT_INVALID', downloadBytes: 5 };
    };
    const jobId = await submit(database);
    const run = world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'COLLECTING');
    await loseLease(world, jobId);
    await run;
    expect(world.reporter.counts.leases_lost).toBe(1);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'COLLECTING']);
  });
});
