import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  GONE_PATIENCE_MS,
  MAX_THROTTLE_WAIT_MS,
  MAX_THROTTLED_SENDS,
  PREDICTION_FORGOTTEN_MS,
  PREDICTION_OVERDUE_MS,
  RECONCILE_WINDOW_MS,
} from '../../../machines/limits.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { BOTH_KINDS } from '../../support/worlds/both-kinds.ts';
import {
  finished,
  foundAs,
  listedFor,
  predictionOf,
  unfinished,
  written,
} from '../../support/worlds/fake-provider.ts';
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

const textOf = async (jobId: string) =>
  (
    await database.pool.query<{ text: string | null }>(
      'select text from ai_description_jobs where "aiJobId" = $1',
      [jobId],
    )
  ).rows[0]?.text;

describe('a job from the queue', () => {
  test.each(BOTH_KINDS)(
    '$kind: is bought once, collected once and finished',
    async ({ kind, ready, storedBy }) => {
      const world = openWorld(database, { kind });
      const looks = [unfinished];
      world.provider.answerGet = (id) => foundAs((looks.shift() ?? ready)(id));
      const jobId = await submit(database, kind);
      const run = world.start(jobId);
      await world.asleep(POLL_MS);
      expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
      world.time.advance(POLL_MS);
      await run;
      expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
      const { job, attempts } = await world.read(jobId);
      const attemptId = String(attempts[0]?.id);
      expect(world.provider.creates).toEqual([attemptId]);
      expect([world.collector.collected, await textOf(jobId)]).toEqual(
        kind === 'stagingJob' ? [[`staged/${attemptId}.jpg`], undefined] : [[], 'A home.'],
      );
      expect([job.lease, world.runner.running(), world.leases.held()]).toEqual([null, 0, 0]);
      expect(world.reporter.problems).toEqual([]);
      expect(await world.events(jobId)).toEqual([
        'WORKER_STARTED',
        'CREATED',
        'SEND_CLAIMED',
        'PREDICTION_CREATED',
        'PREDICTION_SUCCEEDED',
        storedBy,
        'ATTEMPT_SUCCEEDED',
      ]);
      expect(world.reporter.reports.map(({ event }) => event)).toEqual([
        'worker_started',
        'prediction_created',
        'provider_terminal',
        'output_validated',
        'completed',
      ]);
    },
  );

  test('asks the database for no more than it must', async () => {
    const asked: string[] = [];
    const noting = Object.entries(database.store).map(([name, ask]) => [
      name,
      (...given: never[]) => {
        asked.push(name);
        return ask(...given);
      },
    ]);
    const world = openWorld(database, { store: Object.fromEntries(noting) });
    const jobId = await submit(database);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(asked).toEqual([
      'acquireLease',
      'writeAsSeen',
      'moveAttemptAsSeen',
      'moveAttemptAsSeen',
      'moveAttemptAsSeen',
      'markLocalPass',
      'writeAsSeen',
    ]);
  });

  test('a job with two queue entries at once and a third later is bought once', async () => {
    const world = openWorld(database);
    const other = openWorld(database, { owner: 'node-b', provider: world.provider });
    const jobId = await submit(database);
    await Promise.all([world.start(jobId), world.start(jobId), other.start(jobId)]);
    await world.start(jobId);
    await other.start(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
  });

  test('is polled at the interval, and at once after a callback', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    expect(world.provider.gets).toHaveLength(1);
    world.time.advance(POLL_MS);
    await eventually(() => world.provider.gets.length === 2, { what: 'a second poll' });
    await world.asleep(POLL_MS);

    world.time.advance(1_000);
    world.runner.nudge(jobId);
    await world.asleep(POLL_MS - 1_000);
    expect(world.provider.gets).toHaveLength(2);

    world.provider.answerGet = (id) => foundAs(finished(id));
    const { attempts } = await world.read(jobId);
    await world.actorSystem.deliver(
      {
        to: 'providerAttempt',
        id: String(attempts[0]?.id),
        event: {
          type: 'CALLBACK_RECEIVED',
          at: world.time.now() + 1,
          providerStatus: 'succeeded',
          predictionId: String(attempts[0]?.context.providerPredictionId),
        },
      },
      { by: 'provider' },
    );
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.time.sleeping()).toEqual([]);
  });

  test('that fails in a retryable way waits for the queue, and its second purchase is the last', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = (predictionId) =>
      foundAs({ kind: 'failed', predictionId, providerStatus: 'failed', errorCode: 'PROVIDER_FAILED' });
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    expect(world.queue.enqueued).toEqual([{ jobId, delayMs: 30_000 }]);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    world.time.advance(30_000);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    await world.start(jobId);
    expect(world.provider.creates).toHaveLength(2);
  });

  const noText = { predictionId: 'x', providerStatus: 'failed' };
  test.each([
    ['empty', written('x', null), 'DESCRIPTION_EMPTY'],
    ['canceled by the provider', { ...noText, kind: 'canceled' }, 'PROVIDER_CANCELED'],
    ['rejected', { ...noText, kind: 'failed', errorCode: 'PROVIDER_MODERATION' }, 'PROVIDER_MODERATION'],
  ] as const)(
    'a text that is %s fails the job with its code, without a second purchase',
    async (...given) => {
      const [, answer, errorCode] = given;
      const world = openWorld(database, { kind: 'descriptionJob' });
      world.provider.answerGet = () => foundAs(answer);
      const jobId = await submit(database, 'descriptionJob');
      await world.start(jobId);
      expect((await world.read(jobId)).job).toMatchObject({ state: 'FAILED', context: { errorCode } });
      expect(await textOf(jobId)).toBeNull();
      expect(world.provider.creates).toHaveLength(1);
    },
  );

  test('more jobs than slots wait for a slot', async () => {
    const world = openWorld(database, { concurrency: 2 });
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const jobIds = await Promise.all([1, 2, 3].map(() => submit(database)));
    const runs = jobIds.map((jobId) => world.start(jobId));
    await world.asleep(POLL_MS, POLL_MS);
    expect(world.runner.running()).toBe(2);
    expect(await world.runner.rescue([String(jobIds[2])])).toBe(false);
    world.provider.answerGet = (id) => foundAs(finished(id));
    world.time.advance(POLL_MS);
    await Promise.all(runs);
    // The rescuer may have held the third job's lease when its entry came; then the dispatcher enqueues it
    // again.
    await eventually(
      async () => {
        await world.start(String(jobIds[2]));
        return (await world.states(String(jobIds[2]))).join() === 'SUCCESS,SUCCEEDED';
      },
      { what: 'the third job to end' },
    );
    for (const jobId of jobIds) expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
  });
});

test('as many orphans as there are slots are taken before the next queue entry, even if the queue is never empty', async () => {
  const gone = openWorld(database);
  gone.provider.answerGet = (id) => foundAs(unfinished(id));
  const orphans = [await submit(database), await submit(database), await submit(database)] as const;
  const ended = new Set<string>();
  const ends = async (world: typeof gone, jobId: string) =>
    void ended.add(String((await world.read(jobId)).attempts[0]?.context.providerPredictionId));
  for (const orphan of orphans) {
    void gone.start(orphan);
    await gone.reaches(orphan, 'PROCESSING.ATTEMPT', 'RUNNING');
    await ends(gone, orphan);
  }
  await closeWorlds();

  const world = openWorld(database, { concurrency: 2 });
  world.provider.answerGet = (id) => foundAs(ended.has(id) ? finished(id) : unfinished(id));
  const busy = [await submit(database), await submit(database)];
  const next = await submit(database);
  for (const jobId of busy) void world.start(jobId);
  await world.asleep(POLL_MS, POLL_MS);
  void world.start(next);
  expect(await world.runner.rescue(orphans)).toBe(false);
  for (const jobId of busy) await ends(world, jobId);
  world.time.advance(POLL_MS);
  for (const orphan of orphans.slice(0, 2)) await world.reaches(orphan, 'SUCCESS', 'SUCCEEDED');
  await world.reaches(next, 'PROCESSING.ATTEMPT', 'RUNNING');
  expect(await world.states(orphans[2])).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
});

describe.each(BOTH_KINDS)('with the flag off: $kind', ({ kind }) => {
  test('a job moves to PROVIDER_DISABLED, and nothing is bought until a worker with the flag on gets it', async () => {
    const world = openWorld(database, { kind, enabled: false });
    const jobId = await submit(database, kind);
    await world.start(jobId);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['PENDING.PROVIDER_DISABLED']);
    expect(world.provider.creates).toEqual([]);
    expect((await world.read(jobId)).job.lease).toBeNull();
    await openWorld(database, { kind, owner: 'node-b' }).start(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
  });

  test('a reserved attempt stays reserved, and what was bought is still collected', async () => {
    const before = openWorld(database, {
      kind,
      checkpoint: (name) => {
        if (name === 'before-claim') throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
      },
    });
    const reserved = await submit(database, kind);
    void before.start(reserved);
    await before.reaches(reserved, 'PROCESSING.ATTEMPT', 'RESERVED');
    await closeWorlds();

    const buying = openWorld(database, { kind });
    buying.provider.answerGet = (id) => foundAs(unfinished(id));
    const bought = await submit(database, kind);
    void buying.start(bought);
    await buying.reaches(bought, 'PROCESSING.ATTEMPT', 'RUNNING');
    await closeWorlds();

    const world = openWorld(database, { kind, enabled: false });
    for (const jobId of [reserved, bought]) expect(await world.runner.rescue([jobId])).toBe(true);
    await world.reaches(bought, 'SUCCESS', 'SUCCEEDED');
    await eventually(() => world.runner.running() === 0, { what: 'an idle runner' });
    expect(await world.states(reserved)).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
    expect(world.provider.creates).toEqual([]);
  });
});

describe('a create without a plain success', () => {
  test('throttled: the same attempt is sent again after the wait, and the queue is slowed', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    const { answerCreate } = world.provider;
    world.provider.answerCreate = () => ({
      kind: 'refused',
      errorCode: 'PROVIDER_THROTTLED',
      retryAfterMs: 7_000,
    });
    const run = world.start(jobId);
    await world.asleep(7_000);
    expect([await world.states(jobId), world.queue.pauses]).toEqual([
      ['PROCESSING.ATTEMPT', 'RESERVED'],
      [7_000],
    ]);
    world.time.advance(6_999);
    world.runner.nudge(jobId);
    await world.asleep(1);
    expect(world.provider.creates).toHaveLength(1);
    world.provider.answerCreate = answerCreate;
    world.time.advance(1);
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(new Set(world.provider.creates).size).toBe(1);
    expect(world.provider.creates).toHaveLength(2);
  });

  test.each(BOTH_KINDS)(
    '$kind: throttled with a wait of 0: a second at least, doubled each time, and bounded',
    async ({ kind, afterFailure }) => {
      const world = openWorld(database, { kind });
      const jobId = await submit(database, kind);
      world.provider.answerCreate = () => ({
        kind: 'refused',
        errorCode: 'PROVIDER_THROTTLED',
        retryAfterMs: 0,
      });
      const run = world.start(jobId);
      const from = world.time.now();
      for (let throttle = 1; throttle < MAX_THROTTLED_SENDS; throttle += 1) {
        const wait = Math.min(1_000 * 2 ** (throttle - 1), MAX_THROTTLE_WAIT_MS);
        await world.asleep(wait);
        expect(world.provider.creates).toHaveLength(throttle);
        world.time.advance(wait);
      }
      await run;
      expect(await world.states(jobId)).toEqual([afterFailure, 'FAILED']);
      expect(world.provider.creates).toHaveLength(MAX_THROTTLED_SENDS);
      expect(world.time.now() - from).toBeGreaterThan(50 * 60_000);
    },
  );

  test('throttled repeatedly, then unreachable: throttles do not use up the retries for an unreachable provider', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerCreate = () => ({
      kind: 'refused',
      errorCode: world.provider.creates.length <= 5 ? 'PROVIDER_THROTTLED' : 'PROVIDER_UNREACHABLE',
      retryAfterMs: null,
    });
    const run = world.start(jobId);
    for (const wait of [10_000, 20_000, 40_000, 80_000, 160_000, 1_000, 4_000, 16_000]) {
      await world.asleep(wait);
      world.time.advance(wait);
    }
    await run;
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    expect((await world.read(jobId)).attempts[0]?.context).toMatchObject({
      errorCode: 'PROVIDER_UNREACHABLE',
      sendTries: 9,
      throttledSends: 5,
    });
  });

  test.each(BOTH_KINDS)(
    '$kind: unreachable: 1, 4 and 16 seconds, then the attempt gives up in a retryable way',
    async ({ kind, afterFailure }) => {
      const world = openWorld(database, { kind });
      const jobId = await submit(database, kind);
      world.provider.answerCreate = () => ({
        kind: 'refused',
        errorCode: 'PROVIDER_UNREACHABLE',
        retryAfterMs: null,
      });
      const run = world.start(jobId);
      for (const wait of [1_000, 4_000, 16_000]) {
        await world.asleep(wait);
        world.time.advance(wait);
      }
      await run;
      expect(await world.states(jobId)).toEqual([afterFailure, 'FAILED']);
      expect(world.provider.creates).toHaveLength(4);
    },
  );

  test('permanently rejected: the job fails, and is not sent again', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerCreate = () => ({
      kind: 'refused',
      errorCode: 'PROVIDER_BILLING',
      retryAfterMs: null,
    });
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['FAILED', 'FAILED']);
    expect((await world.read(jobId)).job.context.errorCode).toBe('PROVIDER_BILLING');
    expect(world.provider.creates).toHaveLength(1);
  });

  /** A job in UNCONFIRMED whose create was not answered, and the id of its attempt. */
  const unconfirmed = async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerCreate = () => ({ kind: 'unknown', cause: 'transport' });
    const run = world.start(jobId);
    await world.asleep(LOOK_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'UNCONFIRMED']);
    return { world, jobId, run, attemptId: String((await world.read(jobId)).attempts[0]?.id) };
  };

  test('whose answer was lost is never sent again, found by a scan and collected', async () => {
    const { world, jobId, run, attemptId } = await unconfirmed();
    world.lister.predictions = [listedFor(attemptId)];
    await world.scan();
    world.time.advance(LOOK_MS);
    await run;
    const { attempts } = await world.read(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(attempts[0]?.context.providerPredictionId).toBe(predictionOf(attemptId));
    expect(world.provider.creates).toHaveLength(1);
  });

  test('unknown and never found: LOST by the first complete scan after the window, counted as bought', async () => {
    const { world, jobId, run } = await unconfirmed();
    world.time.advance(RECONCILE_WINDOW_MS - 1);
    await world.scan();
    await world.asleep(LOOK_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'UNCONFIRMED']);
    world.time.advance(LOOK_MS);
    await world.asleep(LOOK_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'UNCONFIRMED']);
    await world.scan();
    await run;
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'LOST']);
    expect(world.reporter.alerts).toMatchObject([{ alert: 'attempt_lost' }]);
  });

  test('unknown while no scan is complete: waits without a limit and buys nothing', async () => {
    const { world, jobId, run } = await unconfirmed();
    world.lister.complete = false;
    for (const hours of [1, 24]) {
      world.time.advance(hours * 3_600_000);
      await world.scan();
      await world.asleep(LOOK_MS);
      expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'UNCONFIRMED']);
    }
    world.lister.complete = true;
    await world.scan();
    await run;
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'LOST']);
  });
});

describe('a provider that answers 404 for an existing prediction', () => {
  const gone404 = async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = () => ({ kind: 'gone' });
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    return { world, jobId, run, attemptId: String((await world.read(jobId)).attempts[0]?.id) };
  };
  const context = async ({ world, jobId }: { world: RunnerWorld; jobId: string }) =>
    (await world.read(jobId)).attempts[0]?.context;

  test('buys nothing during ten seconds of 404, and then accepts the next answer', async () => {
    const { world, jobId, run } = await gone404();
    const since = world.time.now();
    world.time.advance(POLL_MS);
    await world.asleep(POLL_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect(await context({ world, jobId })).toMatchObject({ goneSince: since });
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    world.time.advance(POLL_MS);
    await eventually(async () => (await context({ world, jobId }))?.goneSince === null, {
      what: 'the 404 to be taken back',
    });
    world.provider.answerGet = (id) => foundAs(finished(id));
    await world.asleep(POLL_MS);
    world.time.advance(POLL_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
  });

  test('is not believed without a complete scan, nor when the scan shows the prediction', async () => {
    const { world, jobId, attemptId } = await gone404();
    world.time.advance(GONE_PATIENCE_MS);
    await world.asleep(POLL_MS);
    world.lister.complete = false;
    await world.scan();
    world.lister.complete = true;
    world.lister.predictions = [listedFor(attemptId)];
    await world.scan();
    world.time.advance(POLL_MS);
    await world.asleep(POLL_MS);
    expect(world.lister.lists).toHaveLength(2);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect(await context({ world, jobId })).toMatchObject({ notListedAt: null });
  });

  test('is believed after five minutes of 404 and a complete scan without the prediction', async () => {
    const { world, jobId, run } = await gone404();
    await world.scan();
    expect(world.lister.lists).toHaveLength(0);
    world.time.advance(GONE_PATIENCE_MS);
    await world.asleep(POLL_MS);
    await world.scan();
    await run;
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    expect(await context({ world, jobId })).toMatchObject({ errorCode: 'OUTPUT_UNAVAILABLE' });
  });
});

describe('a prediction that outlives its deadline', () => {
  test('fails only when the provider confirms our cancellation', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    world.time.advance(PREDICTION_OVERDUE_MS);
    await world.asleep(POLL_MS);
    expect(world.provider.cancels).toHaveLength(1);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    world.time.advance(PREDICTION_FORGOTTEN_MS);
    await world.asleep(POLL_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    world.provider.answerGet = (id) =>
      foundAs({ kind: 'canceled', predictionId: id, providerStatus: 'canceled' });
    world.time.advance(POLL_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
  });

  test('is collected when it finished before the cancellation arrived', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    world.provider.answerGet = (id) =>
      foundAs(world.provider.cancels.length > 0 ? finished(id) : unfinished(id));
    world.time.advance(PREDICTION_OVERDUE_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
  });
});
