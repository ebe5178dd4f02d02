import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { createDispatcher, createRescuer } from '../../../supervisors/sweepers/dispatcher.ts';
import { watchPauseSwitch } from '../../../supervisors/sweepers/pause-switch-watch.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { unfinished } from '../../support/worlds/fake-provider.ts';
import { connectionLost } from '../../support/worlds/faulty-store.ts';
import { createRecordingReporter, everyTurn } from '../../support/worlds/recording-ports.ts';
import { closeWorlds, openWorld, type RunnerWorld, submit } from '../../support/worlds/runner-world.ts';

/** The pause switch in a worker: while paused no purchase begins, everything else goes on. */
const EVERY_MS = 1_000;
const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const origin = { by: 'operator:ada', note: 'the provider is down' };
const move = async (
  world: Pick<RunnerWorld, 'actorSystem' | 'time'>,
  type: 'PAUSE_ASKED' | 'RESUME_ASKED',
) => {
  const event = { type, at: world.time.now() };
  const delivery = await world.actorSystem.deliver({ to: 'startGate', id: PAUSE_SWITCH_ID, event }, origin);
  expect(delivery.outcome).toBe('applied');
};
const setGate = (status: 'OPEN' | 'PAUSED') =>
  database.pool.query('update start_gate set status = $1', [status]);

describe('a worker', () => {
  test('buys nothing while paused; after the pause the job starts and is bought once', async () => {
    let open = false;
    const world = openWorld(database, { startsAllowed: () => open });
    const jobId = await submit(database);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['PENDING.PROVIDER_DISABLED']);
    open = true;
    const dispatcher = createDispatcher({
      store: database.store,
      clock: world.time,
      timers: world.time,
      reporter: world.reporter,
      queue: world.queue,
      intervalMs: 7_000,
      startsAllowed: () => open,
      inTurn: everyTurn,
      kind: 'staging',
    });
    world.time.advance(4_000);
    await dispatcher.start();
    await eventually(() => world.queue.enqueued.some((one) => one.jobId === jobId), { what: 'an entry' });
    void world.start(jobId);
    await world.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
    expect(world.provider.creates).toHaveLength(1);
    await dispatcher.stop(AbortSignal.timeout(0));
  });

  test('does not send a purchase reserved before the pause, and sends it once after the pause', async () => {
    let open = true;
    const closing = (name: string) => {
      if (name === 'after-reserve') open = false;
    };
    const world = openWorld(database, { startsAllowed: () => open, checkpoint: closing });
    const jobId = await submit(database);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
    expect(world.provider.creates).toEqual([]);
    const rescuer = createRescuer({
      store: database.store,
      clock: world.time,
      timers: world.time,
      reporter: world.reporter,
      runner: world.runner,
      callOthers: async () => {},
      intervalMs: 7_000,
      startsAllowed: () => open,
    });
    await rescuer.start();
    await eventually(() => world.time.sleeping().includes(7_000), { what: 'a sweep', intervalMs: 2 });
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
    open = true;
    world.time.advance(7_000);
    await world.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
    expect(world.provider.creates).toHaveLength(1);
    await rescuer.stop(AbortSignal.timeout(0));
  });

  test('goes on canceling what was bought before the pause', async () => {
    let open = true;
    const world = openWorld(database, { startsAllowed: () => open });
    let stopped = false;
    world.provider.answerGet = (predictionId) => ({
      kind: 'found',
      prediction: stopped
        ? { kind: 'canceled', predictionId, providerStatus: 'canceled' }
        : unfinished(predictionId),
    });
    const jobId = await submit(database);
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
    open = false;
    stopped = true;
    const event = { type: 'CANCEL_ASKED', at: world.time.now() } as const;
    await world.actorSystem.deliver({ to: 'stagingJob', id: jobId, event }, origin);
    await world.reaches(jobId, 'CANCELED', 'CANCELED');
  });
});

describe('the watch', () => {
  const opened: { time: ManualTime; stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const { stop } of opened.splice(0)) await stop();
  });
  const open = async (
    store: Pick<typeof database.store, 'read'> = database.store,
    { idleMs = EVERY_MS }: { idleMs?: number } = {},
  ) => {
    const time = createManualTime();
    const reporter = createRecordingReporter();
    const watch = watchPauseSwitch({
      look: async () => ({
        sight: { server, wasSilent, certainUntil: time.now() },
        pauseSwitch: await store.read('startGate', PAUSE_SWITCH_ID),
      }),
      actorSystem: openWorld(database).actorSystem,
      clock: time,
      timers: time,
      reporter,
      node: 'n-1',
      intervalMs: EVERY_MS,
      idleMs,
      looksForAll: () => false,
    });
    const service = watch.service();
    opened.push({ time, stop: () => service.stop(AbortSignal.timeout(0)) });
    return { time, reporter, watch, service };
  };
  let server = '';
  let wasSilent = false;
  beforeEach(() => {
    wasSilent = false;
    server = '7/00000001';
  });
  const looked = ({ time }: { time: ManualTime }) =>
    eventually(() => time.sleeping().includes(EVERY_MS), { what: 'a look', intervalMs: 2 });

  test('reads the pause switch during its start, and nothing begins before that', async () => {
    const it = await open();
    expect(it.watch.isOpen()).toBe(false);
    await it.service.start();
    expect(it.watch.isOpen()).toBe(true);
    await setGate('PAUSED');
    const late = await open();
    await late.service.start();
    expect(late.watch.isOpen()).toBe(false);
  });

  test('follows a change within one interval, in both directions', async () => {
    const it = await open();
    await it.service.start();
    await looked(it);
    const world = openWorld(database);
    await move(world, 'PAUSE_ASKED');
    it.time.advance(EVERY_MS);
    await eventually(() => !it.watch.isOpen(), { what: 'the closed gate' });
    await looked(it);
    await move(world, 'RESUME_ASKED');
    it.time.advance(EVERY_MS);
    await eventually(() => it.watch.isOpen(), { what: 'the open gate' });
  });

  test('looks less often without decisions, and again before one', async () => {
    let looks = 0;
    const read: typeof database.store.read = (kind, id) => {
      looks += 1;
      return database.store.read(kind, id);
    };
    const it = await open({ read }, { idleMs: 5 * EVERY_MS });
    await it.service.start();
    await looked(it);
    const pass = async () => {
      it.time.advance(EVERY_MS);
      await looked(it);
    };
    for (let second = 1; second < 5; second += 1) await pass();
    expect(looks).toBe(1);
    await setGate('PAUSED');
    expect(it.watch.isOpen()).toBe(true);
    await it.watch.refresh();
    expect([it.watch.isOpen(), looks]).toEqual([false, 2]);
    await it.watch.refresh();
    expect(looks).toBe(2);
    // What was decided may still be under way.
    for (let second = 1; second < 5; second += 1) await pass();
    await eventually(() => looks === 6, { what: 'a look in each second' });
  });

  test('closes by itself on another database server, and says since when purchases are uncertain', async () => {
    const it = await open();
    await it.service.start();
    await looked(it);
    expect(it.watch.isOpen()).toBe(true);
    server = '7/00000002';
    it.time.advance(EVERY_MS);
    await eventually(() => !it.watch.isOpen(), { what: 'the closed gate' });
    const row = await database.store.read('startGate', PAUSE_SWITCH_ID);
    expect(row).toMatchObject({
      state: 'CHECKING',
      context: { server: '7/00000001', newServer: '7/00000002', certainUntil: it.time.now() },
    });
  });

  test('does not open on a first server that was promoted', async () => {
    server = '7/00000002';
    wasSilent = true;
    const it = await open();
    await it.service.start();
    expect(it.watch.isOpen()).toBe(false);
    await looked(it);
    expect(it.watch.isOpen()).toBe(false);
    const row = await database.store.read('startGate', PAUSE_SWITCH_ID);
    const context = { server: null, newServer: server, certainUntil: it.time.now() };
    expect(row).toMatchObject({ state: 'CHECKING', context });
  });

  test('a worker that starts after the promotion, and has seen no other server, closes it', async () => {
    const before = await open();
    await before.service.start();
    server = '7/00000002';
    const it = await open();
    await it.service.start();
    expect(it.watch.isOpen()).toBe(false);
    expect(await database.store.read('startGate', PAUSE_SWITCH_ID)).toMatchObject({
      state: 'CHECKING',
      context: { server: '7/00000001', newServer: server },
    });
  });

  test('closes by itself on a server that was away for a while, once', async () => {
    const it = await open();
    await it.service.start();
    await looked(it);
    wasSilent = true;
    it.time.advance(EVERY_MS);
    await eventually(() => !it.watch.isOpen(), { what: 'the closed gate' });
    const closed = await database.store.read('startGate', PAUSE_SWITCH_ID);
    expect(closed).toMatchObject({
      state: 'CHECKING',
      context: { server, newServer: server, certainUntil: it.time.now() },
    });
    await looked(it);
    it.time.advance(EVERY_MS);
    await looked(it);
    expect((await database.store.read('startGate', PAUSE_SWITCH_ID))?.version).toBe(closed?.version);
  });

  test('keeps the last value during a database outage, and reads again afterwards', async () => {
    let away = false;
    const it = await open({
      read: (kind, id) => (away ? Promise.reject(connectionLost()) : database.store.read(kind, id)),
    });
    await it.service.start();
    await looked(it);
    away = true;
    it.time.advance(EVERY_MS);
    await eventually(() => it.reporter.problems.length > 0, { what: 'a problem' });
    await looked(it);
    expect(it.watch.isOpen()).toBe(true);
    await setGate('PAUSED');
    away = false;
    it.time.advance(EVERY_MS);
    await eventually(() => !it.watch.isOpen(), { what: 'the closed gate' });
  });

  test('a missing row means paused', async () => {
    const it = await open({ read: async () => null });
    await it.service.start();
    expect(it.watch.isOpen()).toBe(false);
  });

  test('a worker that cannot read it does not start', async () => {
    const it = await open({ read: () => Promise.reject(connectionLost()) });
    await expect(it.service.start()).rejects.toThrow();
  });
});
