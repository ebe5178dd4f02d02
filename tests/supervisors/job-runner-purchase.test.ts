import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { createManualTime } from '../harness/manual-time.ts';
import { journalOf, openStoreDatabase, type StoreDatabase } from '../persistence/store-database.ts';
import { foundAs, predictionOf, unfinished, untilAborted } from './fake-provider.ts';
import { connectionLost, faultyStore, type StoreFault } from './faulty-store.ts';
import { closeWorlds, openWorld, POLL_MS, type RunnerWorld, submit } from './runner-world.ts';

let database: StoreDatabase;
beforeAll(async () => {
  database = await openStoreDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.clear());
afterEach(closeWorlds);

const TTL = 15_000;
const eventsOf = async (world: RunnerWorld, jobId: string) => {
  const attempt = (await world.read(jobId)).attempts[0];
  const journal = await journalOf(database.pool, 'providerAttempt', String(attempt?.id));
  return journal.map(({ eventType }) => eventType);
};

/** Somebody else takes the lease while this process is not looking; its next heartbeat tells it so. */
async function loseLease(world: RunnerWorld, jobId: string): Promise<void> {
  world.time.advance(TTL);
  const at = world.time.now();
  expect(await database.store.acquireLease({ jobId, owner: 'thief', at, ttlMs: TTL })).not.toBeNull();
  await world.leases.start();
  world.time.advance(5_000);
  await eventually(() => world.leases.held() === 0, { what: 'the loss of the lease' });
}

test('of a whole purchase only the start and the result take a transaction; the claim and the answer do not', async () => {
  let transactions = 0;
  const { transaction } = database.store;
  const counting: typeof transaction = (work) => {
    transactions += 1;
    return transaction(work);
  };
  const world = openWorld(database, { store: { ...database.store, transaction: counting } });
  const jobId = await submit(database);
  await world.start(jobId);
  expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
  expect([world.provider.creates.length, transactions]).toEqual([1, 2]);
});

describe('the claim before the POST', () => {
  test('under a lease that somebody else has taken is refused, and nothing is sent', async () => {
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
      ...{ kind: 'providerAttempt', event: 'SEND_CLAIMED', outcome: 'stale' },
    });
    await world.leases.start();
    time.advance(5_000);
    await run;
    expect((await world.read(jobId)).job.lease).toMatchObject({ owner: 'thief' });
  });

  test('is worth nothing when the lease is lost right after it; the next runner never sends it again', async () => {
    const time = createManualTime();
    const world = openWorld(database, {
      time,
      leaseTtlMs: TTL,
      async checkpoint(name) {
        if (name === 'after-claim') await loseLease(world, jobId);
      },
    });
    const { provider } = world;
    let cutOff = false;
    provider.answerCreate = (_, signal) => {
      cutOff = signal.aborted;
      return { kind: 'unknown' };
    };
    const jobId = await submit(database);
    await world.start(jobId);
    expect(cutOff).toBe(true);
    const next = openWorld(database, { time, provider, owner: 'node-b' });
    time.advance(TTL);
    next.runner.tryAdopt(jobId);
    await next.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
    expect(provider.creates).toHaveLength(1);
    expect((await world.read(jobId)).attempts[0]?.context).toMatchObject({
      unconfirmedCause: 'restart',
      sendTries: 1,
    });
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
      ...['SEND_CLAIMED', 'PREDICTION_CREATED', 'PREDICTION_SUCCEEDED', 'OUTPUT_STORED'],
    ]);
  });

  test('that was not committed is made anew, and sent once', async () => {
    const world = withFaults({ event: 'SEND_CLAIMED', kind: 'not-committed', times: 2 });
    const jobId = await submit(database);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
  });

  test('of somebody else proves nothing', async () => {
    const store = faultyStore(database.store, [{ event: 'SEND_CLAIMED', kind: 'not-committed', times: 1 }]);
    const world = openWorld(database, {
      store: { ...store, lastSendToken: async () => 'a token of somebody else' },
    });
    const jobId = await submit(database);
    const { answerCreate } = world.provider;
    world.provider.answerCreate = (attemptId, signal) => {
      expect(world.reporter.transitions).toContainEqual({
        ...{ kind: 'providerAttempt', event: 'SEND_CLAIMED', outcome: 'applied' },
      });
      return answerCreate(attemptId, signal);
    };
    await world.start(jobId);
    expect(world.provider.creates).toHaveLength(1);
    expect(await eventsOf(world, jobId)).toContain('SEND_CLAIMED');
  });

  test('whose proof cannot be read yet waits for the database', async () => {
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
  test('is delivered again until the database hears it', async () => {
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

  test('a refusal that was heard, but whose answer was lost, counts once', async () => {
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

  test('that comes after the lease was taken over is still recorded; the other runner has not sent again', async () => {
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
    next.runner.tryAdopt(jobId);
    await next.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
    await next.asleep(POLL_MS);
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
  test('begins no pass, lets the one in hand finish, and gives the leases back', async () => {
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
    const stopped = Promise.all([world.runner.stop(25_000), world.runner.stop(25_000)]);
    expect(world.runner.tryAdopt(waiting)).toBe(false);
    await world.start(waiting);
    answer();
    await stopped;
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect(await world.states(waiting)).toEqual(['PENDING.QUEUED']);
    expect((await world.read(jobId)).job.lease).toBeNull();
    expect([world.provider.gets, world.runner.running(), world.time.sleeping()]).toEqual([[], 0, []]);
    await world.runner.done();
  });

  test('past the grace cuts the pass off; a cut-off send counts as sent', async () => {
    const world = openWorld(database);
    world.provider.answerCreate = async (_, signal) => {
      await untilAborted(signal);
      return { kind: 'unknown' };
    };
    const jobId = await submit(database);
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'SENT');
    const stopped = world.runner.stop(25_000);
    await world.asleep(25_000);
    world.time.advance(25_000);
    await stopped;
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'UNCONFIRMED']);
    expect((await world.read(jobId)).job.lease).toBeNull();
  });

  test('wakes a run that waits', async () => {
    const world = openWorld(database);
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const jobId = await submit(database);
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    await world.runner.stop(25_000);
    await run;
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect(world.reporter.problems).toEqual([]);
  });
});

describe('a runner without its neighbours', () => {
  test('waits for a database that is away, and goes on', async () => {
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
        });
      return foundAs(unfinished(predictionId));
    };
    const jobId = await submit(database);
    const run = world.start(jobId);
    for (let wait = 0; wait < 3; wait += 1) {
      await world.asleep(500);
      world.time.advance(500);
    }
    await world.asleep(POLL_MS - 1_500);
    world.time.advance(POLL_MS - 1_500);
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect((await world.read(jobId)).job.context.crashCount).toBe(0);
  });

  test('that has lost its lease decides nothing', async () => {
    const time = createManualTime();
    const world = openWorld(database, { time, leaseTtlMs: TTL });
    world.collector.answer = async (_, signal) => {
      await untilAborted(signal);
      return { kind: 'refused', errorCode: 'OUTPUT_INVALID' };
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
