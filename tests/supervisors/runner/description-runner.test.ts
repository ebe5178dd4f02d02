import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_RUNNER_CRASHES } from '../../../machines/crashes.ts';
import { RECONCILE_WINDOW_MS } from '../../../machines/limits.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import type { CheckpointName } from '../../../supervisors/ports.ts';
import { createDispatcher } from '../../../supervisors/sweepers/dispatcher.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime } from '../../support/manual-time.ts';
import {
  createFakeTexts,
  listedText,
  openDescriptionWorld,
  textIdOf,
  unfinishedText,
  writtenText,
} from '../../support/worlds/description-world.ts';
import { faultyStore } from '../../support/worlds/faulty-store.ts';
import { createRecordingQueue, everyTurn } from '../../support/worlds/recording-ports.ts';
import { closeWorlds, forget, POLL_MS } from '../../support/worlds/runner-world.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const TTL = 15_000;
const newJob = async () => (await seedDescription(database.pool)).jobId;
/** A call that never answers, as that of a process that has just died. */
const never = () => new Promise<never>(() => {});

describe('a description', () => {
  test('is claimed, bought once, polled and stored; every step is in the journal and in the events', async () => {
    const world = openDescriptionWorld(database);
    const looks = [unfinishedText('x'), writtenText('x', 'A house with a garden.')];
    world.texts.answerGet = () => ({
      kind: 'found',
      prediction: looks.shift() ?? writtenText('x', 'A house with a garden.'),
    });
    const jobId = await newJob();
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    expect((await world.read(jobId)).state).toBe('PROCESSING.RUNNING');
    world.time.advance(POLL_MS);
    await run;
    const { state, context, lease } = await world.read(jobId);
    expect([state, context.text, lease]).toEqual(['SUCCESS', 'A house with a garden.', null]);
    expect(world.texts.creates).toEqual([jobId]);
    expect(await world.events(jobId)).toEqual([
      'WORKER_STARTED',
      'CREATED',
      'SEND_CLAIMED',
      'PREDICTION_CREATED',
      'PREDICTION_SUCCEEDED',
      'TEXT_STORED',
      'ATTEMPT_SUCCEEDED',
    ]);
    expect(world.reporter.reports.map(({ event }) => event)).toEqual([
      'worker_started',
      'prediction_created',
      'provider_terminal',
      'output_validated',
      'completed',
    ]);
  });

  test('waits while the flag is off, and starts when a worker with the flag on receives it', async () => {
    const off = openDescriptionWorld(database, { enabled: false });
    const jobId = await newJob();
    await off.start(jobId);
    expect((await off.read(jobId)).state).toBe('PENDING.PROVIDER_DISABLED');
    expect(off.texts.creates).toEqual([]);
    const on = openDescriptionWorld(database, { owner: 'node-b' });
    await on.start(jobId);
    expect((await on.read(jobId)).state).toBe('SUCCESS');
  });

  test('that was reserved before the flag went off is not sent', async () => {
    const on = openDescriptionWorld(database);
    on.texts.answerCreate = () => ({
      kind: 'refused',
      errorCode: 'PROVIDER_THROTTLED',
      retryAfterMs: 60_000,
    });
    const jobId = await newJob();
    void on.start(jobId);
    await on.asleep(60_000);
    await closeWorlds();
    const off = openDescriptionWorld(database, { enabled: false, owner: 'node-b' });
    off.time.advance(120_000);
    await off.runner.rescue([jobId]);
    await eventually(async () => off.runner.running() === 0, { what: 'the end of the run' });
    expect((await off.read(jobId)).state).toBe('PROCESSING.RESERVED');
    expect(off.texts.creates).toEqual([]);
  });

  test('that the provider rejects temporarily is sent again after the wait, up to the maximum number of sends', async () => {
    const world = openDescriptionWorld(database);
    world.texts.answerCreate = () => ({
      kind: 'refused',
      errorCode: 'PROVIDER_UNREACHABLE',
      retryAfterMs: null,
    });
    const jobId = await newJob();
    const run = world.start(jobId);
    for (const wait of [1_000, 4_000, 16_000]) {
      await world.asleep(wait);
      world.time.advance(wait);
    }
    await run;
    expect(world.texts.creates).toHaveLength(4);
    expect(await world.read(jobId)).toMatchObject({
      state: 'FAILED',
      context: { errorCode: 'PROVIDER_UNREACHABLE', sendTries: 4 },
    });
  });

  test('whose provider says "again at once" waits a second at least, and longer each time', async () => {
    const world = openDescriptionWorld(database);
    world.texts.answerCreate = () => ({
      kind: 'refused',
      errorCode: 'PROVIDER_THROTTLED',
      retryAfterMs: 0,
    });
    const jobId = await newJob();
    void world.start(jobId);
    for (const wait of [1_000, 2_000, 4_000]) {
      await world.asleep(wait);
      world.time.advance(wait);
    }
    await world.asleep(8_000);
    expect((await world.read(jobId)).context).toMatchObject({ sendTries: 4, throttledSends: 4 });
  });

  test('that is claimed during a shutdown is not sent, and its claim is undone', async () => {
    let stopped: Promise<void> | null = null;
    const world = openDescriptionWorld(database, {
      checkpoint(name) {
        if (name === 'before-post') stopped = world.runner.stop(AbortSignal.timeout(25_000));
      },
    });
    const jobId = await newJob();
    await world.start(jobId);
    await stopped;
    expect(world.texts.creates).toEqual([]);
    expect(await world.read(jobId)).toMatchObject({
      state: 'PROCESSING.RESERVED',
      context: { sendTries: 0 },
      lease: null,
    });
  });

  test('whose create hangs during a shutdown is left; the next process records a restart and does not send', async () => {
    const world = openDescriptionWorld(database);
    world.texts.answerCreate = () => new Promise(() => {});
    const jobId = await newJob();
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.SENT');
    let ended = false;
    void world.runner.stop(AbortSignal.abort()).then(() => {
      ended = true;
    });
    const look = () => {
      world.time.advanceToNextWake();
      return ended;
    };
    await eventually(look, { what: 'the end of the runner' });
    expect((await world.read(jobId)).state).toBe('PROCESSING.SENT');
    world.time.advance(TTL);
    const heir = openDescriptionWorld(database, { time: world.time, owner: 'node-b', texts: world.texts });
    await heir.runner.rescue([jobId]);
    await heir.reaches(jobId, 'PROCESSING.UNCONFIRMED');
    expect((await heir.read(jobId)).context.unconfirmedCause).toBe('restart');
    expect(world.texts.creates).toEqual([jobId]);
  });

  test('that is empty, canceled by the provider or failed ends FAILED with its code, without a retry', async () => {
    const world = openDescriptionWorld(database);
    const ends = [
      { get: writtenText('x', null), code: 'DESCRIPTION_EMPTY' },
      { get: { kind: 'canceled', predictionId: 'x', providerStatus: 'aborted' }, code: 'PROVIDER_CANCELED' },
      {
        get: {
          kind: 'failed',
          predictionId: 'x',
          providerStatus: 'failed',
          errorCode: 'PROVIDER_MODERATION',
        },
        code: 'PROVIDER_MODERATION',
      },
    ] as const;
    for (const { get, code } of ends) {
      world.texts.answerGet = () => ({ kind: 'found', prediction: get });
      const jobId = await newJob();
      await world.start(jobId);
      expect(await world.read(jobId)).toMatchObject({
        state: 'FAILED',
        context: { errorCode: code, text: null },
      });
    }
    expect(world.texts.creates).toHaveLength(ends.length);
  });

  test('whose listing is deleted is canceled together with its prediction', async () => {
    const world = openDescriptionWorld(database);
    world.texts.answerGet = (id) => ({
      kind: 'found',
      prediction:
        world.texts.cancels.length === 0
          ? unfinishedText(id)
          : { kind: 'canceled', predictionId: id, providerStatus: 'canceled' },
    });
    const { jobId, propertyId } = await seedDescription(database.pool);
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    await database.pool.query('delete from properties where id = $1', [propertyId]);
    world.time.advance(POLL_MS);
    await run;
    expect((await world.read(jobId)).state).toBe('CANCELED');
    expect(world.texts.cancels).toEqual([textIdOf(jobId)]);
  });

  test('whose listing is deleted is canceled even while purchases are switched off', async () => {
    const world = openDescriptionWorld(database, { enabled: false });
    const { jobId, propertyId } = await seedDescription(database.pool);
    await database.pool.query('delete from properties where id = $1', [propertyId]);
    await world.start(jobId);
    expect((await world.read(jobId)).state).toBe('CANCELED');
    expect(world.texts.creates).toEqual([]);
  });
});

/** Where a process may die, and how the next process ends the job. */
const CRASHES: { at: CheckpointName; creates: number; ends: string; errorCode?: string }[] = [
  { at: 'before-reserve', creates: 1, ends: 'SUCCESS' },
  { at: 'after-reserve', creates: 1, ends: 'SUCCESS' },
  { at: 'before-claim', creates: 1, ends: 'SUCCESS' },
  { at: 'after-claim', creates: 0, ends: 'FAILED', errorCode: 'PREDICTION_UNCONFIRMED' },
  { at: 'before-post', creates: 0, ends: 'FAILED', errorCode: 'PREDICTION_UNCONFIRMED' },
  { at: 'after-post', creates: 1, ends: 'SUCCESS' },
  { at: 'before-id-stored', creates: 1, ends: 'SUCCESS' },
  { at: 'after-id-stored', creates: 1, ends: 'SUCCESS' },
  { at: 'after-result-recorded', creates: 1, ends: 'SUCCESS' },
];

describe('a process that dies', () => {
  for (const { at, creates, ends, errorCode } of CRASHES)
    test(`${at}: bought ${creates} times in all, and the next process ends it ${ends}`, async () => {
      const texts = createFakeTexts();
      const bought = new Set<string>();
      const { answerCreate } = texts;
      texts.answerCreate = (jobId) => {
        bought.add(jobId);
        return answerCreate(jobId);
      };
      const time = createManualTime();
      const reached = Promise.withResolvers<void>();
      const dying = openDescriptionWorld(database, {
        time,
        texts,
        owner: 'dead',
        checkpoint(name) {
          if (name !== at) return;
          reached.resolve();
          return never();
        },
      });
      const jobId = await newJob();
      void dying.start(jobId);
      await reached.promise;
      forget(dying);
      time.advance(TTL);
      const heir = openDescriptionWorld(database, { time: createManualTime(time.now()), texts });
      if ((await heir.read(jobId)).state.startsWith('PENDING')) void heir.start(jobId);
      else if (!(await heir.runner.rescue([jobId]))) throw new Error('no slot');
      await eventually(
        async () => {
          heir.lister.predictions = [...bought].map(listedText);
          await heir.scan();
          if (heir.time.sleeping().length > 0) heir.time.advanceToNextWake();
          return (await heir.read(jobId)).state === ends;
        },
        { what: `the job to end ${ends}`, timeoutMs: 20_000, intervalMs: 2 },
      );
      expect(texts.creates).toHaveLength(creates);
      if (errorCode) {
        const { context } = await heir.read(jobId);
        expect(context).toMatchObject({ errorCode, unconfirmedCause: 'restart' });
        expect(heir.time.now() - Number(context.unconfirmedSince)).toBeGreaterThanOrEqual(
          RECONCILE_WINDOW_MS,
        );
        expect(heir.reporter.alerts.map(({ alert }) => alert)).toContain('attempt_lost');
      }
    });
});

describe('a lease that another worker has taken', () => {
  const thief = async (jobId: string, at: number) => {
    const leases = createPostgresLeases(database.pool, 'DESCRIPTION');
    expect(await leases.acquireLease({ jobId, owner: 'thief', at, ttlMs: TTL })).not.toBeNull();
  };

  test('before the claim: the claim is refused and nothing is sent', async () => {
    const time = createManualTime();
    const jobId = await newJob();
    const world = openDescriptionWorld(database, {
      time,
      async checkpoint(name) {
        if (name !== 'before-claim' || world.reporter.transitions.some(({ outcome }) => outcome === 'stale'))
          return;
        time.advance(TTL);
        await thief(jobId, time.now());
      },
    });
    void world.start(jobId);
    await eventually(
      () =>
        world.reporter.transitions.some(
          ({ event, outcome }) => event === 'SEND_CLAIMED' && outcome === 'stale',
        ),
      { what: 'the rejection of the claim' },
    );
    expect(world.texts.creates).toEqual([]);
    expect((await world.read(jobId)).state).toBe('PROCESSING.RESERVED');
  });

  test('after the POST: the prediction id is still stored, decisions are rejected', async () => {
    const time = createManualTime();
    const jobId = await newJob();
    const world = openDescriptionWorld(database, {
      time,
      async checkpoint(name) {
        if (name !== 'before-id-stored') return;
        time.advance(TTL);
        await thief(jobId, time.now());
      },
    });
    world.texts.answerGet = (predictionId) => ({
      kind: 'found',
      prediction: { kind: 'failed', predictionId, providerStatus: 'failed', errorCode: 'PROVIDER_FAILED' },
    });
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.RUNNING');
    await eventually(() => world.reporter.transitions.some(({ outcome }) => outcome === 'stale'), {
      what: 'a decision to be refused',
    });
    expect((await world.read(jobId)).state).toBe('PROCESSING.RUNNING');
    expect(world.texts.creates).toEqual([jobId]);
  });
});

describe('a database failure in between', () => {
  for (const event of ['SEND_CLAIMED', 'PREDICTION_CREATED', 'PREDICTION_SUCCEEDED', 'TEXT_STORED'])
    for (const kind of ['not-committed', 'lost-answer'] as const)
      test(`${event} ${kind}: still bought once, and it ends SUCCESS`, async () => {
        const world = openDescriptionWorld(database, {
          wrap: (store) => faultyStore(store, [{ event, kind, times: 1 }]),
        });
        const jobId = await newJob();
        void world.start(jobId);
        await eventually(
          async () => {
            if (world.time.sleeping().length > 0) world.time.advanceToNextWake();
            return (await world.read(jobId)).state === 'SUCCESS';
          },
          { what: 'the job to succeed', intervalMs: 2 },
        );
        expect(world.texts.creates).toEqual([jobId]);
      });

  test('a claim of another worker is no proof of ours: the create is not sent again', async () => {
    const world = openDescriptionWorld(database, {
      wrap: (store) => ({
        ...faultyStore(store, [{ event: 'SEND_CLAIMED', kind: 'lost-answer', times: 1 }]),
        lastSendToken: async () => 'a token of another worker',
      }),
    });
    const jobId = await newJob();
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.UNCONFIRMED');
    expect(world.texts.creates).toEqual([]);
  });
});

test('a job that crashes its runner repeatedly is failed, and the others go on', async () => {
  const world = openDescriptionWorld(database, {
    checkText(text) {
      if (text === 'poison') throw new Error('a bug');
      return { kind: 'good', text: String(text) };
    },
  });
  const poison = await newJob();
  world.texts.answerGet = (id) => ({
    kind: 'found',
    prediction: writtenText(id, id === textIdOf(poison) ? 'poison' : 'A home.'),
  });
  const run = world.start(poison);
  const other = await newJob();
  await world.start(other);
  expect((await world.read(other)).state).toBe('SUCCESS');
  for (let crash = 1; crash < MAX_RUNNER_CRASHES; crash += 1) {
    await world.asleep(1_000);
    world.time.advance(1_000);
  }
  await eventually(async () => (await world.read(poison)).state === 'FAILED', { what: 'the end' });
  world.time.advanceToNextWake();
  await run;
  expect((await world.read(poison)).context.errorCode).toBe('RUNNER_CRASHED');
  expect(world.texts.creates).toHaveLength(2);
});

test('the sweep enqueues again only what the queue has lost', async () => {
  const queue = createRecordingQueue();
  const time = createManualTime();
  const [known, lost] = [await newJob(), await newJob()];
  queue.known.add(known);
  time.advance(60_000);
  const reporter = openDescriptionWorld(database).reporter;
  const dispatcher = createDispatcher({
    store: createPostgresLeases(database.pool, 'DESCRIPTION'),
    clock: time,
    timers: time,
    reporter,
    queue,
    startsAllowed: () => true,
    intervalMs: 1_000,
    inTurn: everyTurn,
    kind: 'descriptions',
  });
  await dispatcher.start();
  await eventually(() => queue.enqueued.length > 0, { what: 'an entry' });
  expect(queue.enqueued.map(({ jobId }) => jobId)).toEqual([lost]);
  await dispatcher.stop(AbortSignal.timeout(0));
});
