import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RECONCILE_WINDOW_MS } from '../../../machines/limits.ts';
import type { PurchaseKind } from '../../../machines/purchase-kinds.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { BOTH_KINDS } from '../../support/worlds/both-kinds.ts';
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
  storeOf,
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

/** Another worker takes the lease once it has expired. */
async function stealLease(time: ManualTime, jobId: string, kind: PurchaseKind = 'stagingJob'): Promise<void> {
  time.advance(TTL);
  const request = { jobId, owner: 'thief', at: time.now(), ttlMs: TTL };
  expect(await storeOf(database, kind).acquireLease(request)).not.toBeNull();
}

/** Another worker takes the lease; the next heartbeat of this process detects it. */
async function loseLease(world: RunnerWorld, jobId: string): Promise<void> {
  await stealLease(world.time, jobId);
  await world.leases.start();
  world.time.advance(5_000);
  await eventually(() => world.leases.held() === 0, { what: 'the loss of the lease' });
}

describe('the claim before the POST', () => {
  test.each(BOTH_KINDS)(
    '$kind: under a lease that another worker has taken is rejected, and nothing is sent',
    async ({ kind }) => {
      const time = createManualTime();
      const world = openWorld(database, {
        kind,
        time,
        leaseTtlMs: TTL,
        async checkpoint(name) {
          if (name !== 'before-claim') return;
          await stealLease(time, jobId, kind);
        },
      });
      const jobId = await submit(database, kind);
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
    },
  );

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

  test.each(
    BOTH_KINDS.flatMap(({ kind }) =>
      (['after-claim', 'before-post'] as const).map((point) => ({ kind, point })),
    ),
  )('$kind: is undone when the process is stopped $point; the next runner buys once', async (given) => {
    const { kind, point } = given;
    let stopped: Promise<void> | null = null;
    const world = openWorld(database, {
      kind,
      checkpoint(name) {
        if (name === point) stopped = world.runner.stop(AbortSignal.timeout(25_000));
      },
    });
    const jobId = await submit(database, kind);
    await world.start(jobId);
    await stopped;
    expect([world.provider.creates, await world.states(jobId)]).toEqual([
      [],
      ['PROCESSING.ATTEMPT', 'RESERVED'],
    ]);
    expect(await eventsOf(world, jobId)).toEqual(['CREATED', 'SEND_CLAIMED', 'SEND_WITHDRAWN']);
    const { job, attempts } = await world.read(jobId);
    expect([job.lease, attempts[0]?.context.sendTries]).toEqual([null, 0]);
    const next = openWorld(database, { kind, owner: 'node-b' });
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

  test.each(BOTH_KINDS)(
    '$kind: whose answer was lost is not sent while the last claim is of another worker',
    async ({ kind }) => {
      const store = faultyStore(storeOf(database, kind), [
        { event: 'SEND_CLAIMED', kind: 'lost-answer', times: 1 },
      ]);
      const world = openWorld(database, {
        kind,
        store: { ...store, lastSendToken: async () => 'a token of another worker' },
      });
      const jobId = await submit(database, kind);
      void world.start(jobId);
      await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
      expect(world.provider.creates).toEqual([]);
    },
  );

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

test.each(BOTH_KINDS)(
  '$kind: a runner whose lease was taken after the POST stores the prediction and decides nothing',
  async ({ kind }) => {
    const time = createManualTime();
    const jobId = await submit(database, kind);
    const world = openWorld(database, {
      kind,
      time,
      leaseTtlMs: TTL,
      checkpoint: (name) => (name === 'before-id-stored' ? stealLease(time, jobId, kind) : undefined),
    });
    world.provider.answerGet = (predictionId) =>
      foundAs({ kind: 'failed', predictionId, providerStatus: 'failed', errorCode: 'PROVIDER_FAILED' });
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
    await eventually(() => world.reporter.transitions.some(({ outcome }) => outcome === 'stale'), {
      what: 'a decision to be rejected',
    });
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect(world.provider.creates).toHaveLength(1);
  },
);

describe.each(BOTH_KINDS)('a database failure: $kind', ({ kind, storedBy }) => {
  for (const event of ['SEND_CLAIMED', 'PREDICTION_CREATED', 'PREDICTION_SUCCEEDED', storedBy])
    for (const fault of ['not-committed', 'lost-answer'] as const)
      test(`${event} ${fault}: bought once, and the job succeeds`, async () => {
        const store = faultyStore(storeOf(database, kind), [{ event, kind: fault, times: 1 }]);
        const world = openWorld(database, { kind, store });
        const jobId = await submit(database, kind);
        void world.start(jobId);
        await eventually(
          async () => {
            if (world.time.sleeping().length > 0) world.time.advanceToNextWake();
            return (await world.states(jobId)).join() === 'SUCCESS,SUCCEEDED';
          },
          { what: 'the job to succeed', intervalMs: 2 },
        );
        expect(world.provider.creates).toHaveLength(1);
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

  test.each(BOTH_KINDS)(
    '$kind: leaves a create in flight when the grace is over: the next runner records a restart and does not buy again',
    async ({ kind }) => {
      const time = createManualTime();
      const world = openWorld(database, { kind, time, leaseTtlMs: TTL });
      const { provider } = world;
      provider.answerCreate = () => new Promise(() => {});
      const jobId = await submit(database, kind);
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
      const next = openWorld(database, { kind, time, provider, owner: 'node-b' });
      await next.runner.rescue([jobId]);
      await next.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
      await next.asleep(LOOK_MS);
      time.advance(RECONCILE_WINDOW_MS);
      await next.scan();
      await next.reaches(jobId, 'FAILED', 'LOST');
      const { context } = (await next.read(jobId)).attempts[0] ?? {};
      expect([context?.unconfirmedCause, provider.creates.length]).toEqual(['restart', 1]);
    },
  );

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
