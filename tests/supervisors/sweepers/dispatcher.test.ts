import { afterEach, beforeEach, expect, test } from 'vitest';
import { PURCHASE_KIND_NAMES } from '../../../machines/purchase-kinds.ts';
import { createDispatcher, createRescuer } from '../../../supervisors/sweepers/dispatcher.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { foundAs, unfinished } from '../../support/worlds/fake-provider.ts';
import { connectionLost } from '../../support/worlds/faulty-store.ts';
import { everyTurn } from '../../support/worlds/recording-ports.ts';
import {
  closeWorlds,
  openWorld,
  type RunnerWorld,
  storeOf,
  submit,
} from '../../support/worlds/runner-world.ts';

const INTERVAL = 7_000;
const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const sweepPorts = (world: RunnerWorld, enabled = true) => ({
  store: database.store,
  clock: world.time,
  timers: world.time,
  reporter: world.reporter,
  queue: world.queue,
  runner: world.runner,
  callOthers: async () => {},
  intervalMs: INTERVAL,
  startsAllowed: () => enabled,
  inTurn: everyTurn,
  kind: 'staging',
});
const swept = (world: RunnerWorld) =>
  eventually(() => world.time.sleeping().includes(INTERVAL), { what: 'the end of a sweep', intervalMs: 2 });

test.each(PURCHASE_KIND_NAMES)(
  'every due job missing from the queue is enqueued again, except recently submitted ones (%s)',
  async (kind) => {
    const world = openWorld(database, { kind });
    const jobIds = await Promise.all([1, 2, 3].map(() => submit(database, kind)));
    const known = String(jobIds[0]);
    world.queue.known.add(known);
    const young = await submit(database, kind, { createdAt: world.time.now() + 2_000 });
    world.time.advance(4_000);
    const dispatcher = createDispatcher({ ...sweepPorts(world), store: storeOf(database, kind) });
    await dispatcher.start();
    await swept(world);
    expect(world.queue.enqueued.map(({ jobId }) => jobId).toSorted()).toEqual(jobIds.slice(1).toSorted());
    expect(world.reporter.counts.dispatcher_repairs).toBe(2);

    world.queue.known.clear();
    world.time.advance(INTERVAL);
    await swept(world);
    expect([...world.queue.known].toSorted()).toEqual([...jobIds, young].toSorted());
    await dispatcher.stop(AbortSignal.timeout(0));
  },
);

test('a sweep checks the oldest page and one more; after a queue loss it checks all waiting jobs', async () => {
  const world = openWorld(database);
  const waiting = 1_700;
  await database.pool.query(
    `insert into ai_jobs (type, status, phase, "dedupeKey", "createdAt", "updatedAt")
     select 'ROOM_STAGING', 'PENDING', 'QUEUED', n::text, $2::timestamptz + n * interval '1 ms', $2
     from generate_series(1, $1::int) n`,
    [waiting, new Date(world.time.now())],
  );
  world.time.advance(60_000);
  let asked: number[] = [];
  const store = {
    ...database.store,
    dueJobs: async (page: Parameters<typeof database.store.dueJobs>[0]) => {
      const due = await database.store.dueJobs(page);
      asked.push(due.length);
      return due;
    },
  };
  const dispatcher = createDispatcher({ ...sweepPorts(world), store });
  const nextSweep = async () => {
    asked = [];
    world.time.advance(INTERVAL);
    await swept(world);
    return asked;
  };
  await dispatcher.start();
  await swept(world);
  expect(world.queue.known.size).toBe(waiting);

  const looked: number[][] = [];
  for (let sweep = 0; sweep < 4; sweep += 1) looked.push(await nextSweep());
  expect(looked).toEqual([
    [500, 500],
    [500, 500],
    [500, 200],
    [500, 500],
  ]);
  expect(world.queue.enqueued).toHaveLength(waiting);

  world.queue.known.clear();
  expect(await nextSweep()).toEqual([500, 500, 500, 200]);
  expect(world.queue.known.size).toBe(waiting);
  expect(world.queue.enqueued).toHaveLength(2 * waiting);
  await dispatcher.stop(AbortSignal.timeout(0));
});

test('with the flag off only jobs that are not yet in PROVIDER_DISABLED are enqueued', async () => {
  const world = openWorld(database, { enabled: false });
  const [knows, fresh] = [await submit(database), await submit(database)];
  await world.start(knows);
  world.time.advance(4_000);
  const dispatcher = createDispatcher(sweepPorts(world, false));
  await dispatcher.start();
  await swept(world);
  expect(world.queue.enqueued).toEqual([{ jobId: fresh, delayMs: 0 }]);
  await dispatcher.stop(AbortSignal.timeout(0));
});

test('an unavailable queue is retried', async () => {
  const world = openWorld(database);
  await submit(database);
  world.time.advance(4_000);
  const away = new Error('queue away');
  world.queue.failing = away;
  const dispatcher = createDispatcher({ ...sweepPorts(world), isOutage: (error) => error === away });
  await dispatcher.start();
  await swept(world);
  expect(world.reporter.counts.sweep_failures).toBe(1);
  world.queue.failing = null;
  world.time.advance(INTERVAL);
  await swept(world);
  expect(world.queue.enqueued).toHaveLength(1);
  await dispatcher.stop(AbortSignal.timeout(0));
});

test('jobs in progress without a lease are rescued, up to the number of slots', async () => {
  const jobIds = await abandoned(3);
  const world = openWorld(database, { owner: 'node-b', concurrency: 2 });
  world.provider.answerGet = (id) => foundAs(unfinished(id));
  let calls = 0;
  const callOthers = async () => {
    calls += 1;
  };
  const rescuer = createRescuer({ ...sweepPorts(world), callOthers });
  await rescuer.start();
  await swept(world);
  await eventually(() => world.runner.running() === 2 && calls === 1, { what: 'two adopted jobs' });
  expect(world.reporter.counts.jobs_adopted).toBe(2);

  world.provider.answerGet = (predictionId) =>
    foundAs({ kind: 'canceled', predictionId, providerStatus: 'canceled' });
  world.time.advance(INTERVAL);
  await eventually(() => world.runner.running() === 0, { what: 'free slots' });
  await swept(world);
  world.time.advance(INTERVAL);
  for (const jobId of jobIds) await world.reaches(jobId, 'RETRYING.BACKOFF', 'FAILED');
  expect(world.reporter.counts.jobs_adopted).toBe(3);
  expect(world.provider.creates).toEqual([]);
  await rescuer.stop(AbortSignal.timeout(0));
});

test('the rescuer retries while the database is unavailable', async () => {
  const world = openWorld(database);
  let away = 1;
  const store = {
    ...database.store,
    orphanedJobs: async (page: Parameters<typeof database.store.orphanedJobs>[0]) => {
      away -= 1;
      if (away >= 0) throw connectionLost();
      return database.store.orphanedJobs(page);
    },
  };
  const rescuer = createRescuer({ ...sweepPorts(world), store });
  await rescuer.start();
  await swept(world);
  world.time.advance(INTERVAL);
  await swept(world);
  expect(world.reporter.counts.sweep_failures).toBe(1);
  await rescuer.stop(AbortSignal.timeout(0));
});

test('jobs are taken over by the page: one statement for their leases and their rows', async () => {
  const jobIds = await abandoned(20);
  const asked: number[] = [];
  const { store } = database;
  const counting = {
    ...store,
    acquireLease: () => Promise.reject(new Error('a lease was taken alone')),
    acquireLeases: (request: Parameters<typeof store.acquireLeases>[0]) => {
      asked.push(request.jobIds.length);
      return store.acquireLeases(request);
    },
    readJob: () => Promise.reject(new Error('a job was read alone')),
  };
  const world = openWorld(database, { concurrency: 100, owner: 'node-b', store: counting });
  world.provider.answerGet = (id) => foundAs(unfinished(id));
  const rescuer = createRescuer(sweepPorts(world));
  await rescuer.start();
  await eventually(() => world.provider.gets.length === jobIds.length, { what: 'a poll of each job' });
  expect(asked).toEqual([20]);
  await rescuer.stop(AbortSignal.timeout(0));
});

test('a job that makes the takeover of many fail does not hold up the others', async () => {
  const [poison, ...others] = await abandoned(5);
  const { store } = database;
  const world = openWorld(database, {
    concurrency: 100,
    owner: 'node-b',
    store: {
      ...store,
      acquireLeases: () => Promise.reject(new Error('one of these rows is damaged')),
      acquireLease: (request) =>
        request.jobId === poison
          ? Promise.reject(new Error('this row is damaged'))
          : store.acquireLease(request),
    },
  });
  world.provider.answerGet = (id) => foundAs(unfinished(id));
  const rescuer = createRescuer(sweepPorts(world));
  await rescuer.start();
  await eventually(() => world.provider.gets.length === others.length, { what: 'the others at work' });
  expect(world.runner.running()).toBe(others.length);
  await rescuer.stop(AbortSignal.timeout(0));
});

test('crashes that are recorded at once are bounded, so that none times out waiting for a connection', async () => {
  const jobIds = await abandoned(100, { marked: true });
  const open: (() => void)[] = [];
  const { store } = database;
  const world = openWorld(database, {
    concurrency: 100,
    owner: 'node-b',
    store: {
      ...store,
      transaction: async (work) => {
        await new Promise<void>((resolve) => open.push(resolve));
        return store.transaction(work);
      },
    },
  });
  world.collector.answer = () => new Promise(() => {});
  const rescuer = createRescuer(sweepPorts(world));
  await rescuer.start();
  await eventually(() => open.length === 32, { what: 'the first crashes' });
  await swept(world);
  expect([world.runner.running(), open.length]).toEqual([100, 32]);
  let begun = 0;
  await eventually(
    () => {
      for (; begun < open.length; begun += 1) open[begun]?.();
      return begun >= jobIds.length;
    },
    { what: 'the last crash' },
  );
  await rescuer.stop(AbortSignal.timeout(0));
});

/** Jobs that a worker held when it died, with a prediction under way; `marked` when a pass of local work was, too. */
async function abandoned(count: number, { marked = false } = {}): Promise<string[]> {
  const jobIds = await Promise.all(Array.from({ length: count }, () => submit(database)));
  const at = new Date(MANUAL_EPOCH);
  await database.pool.query(
    `insert into ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "providerPredictionId", "providerStatus",
       "objectKey", "sentAt", version)
     select gen_random_uuid(), id, 1, (case when $2 then 'COLLECTING' else 'RUNNING' end)::ai_provider_attempt_status,
       'p-' || id, 'processing', case when $2 then 'staged/' || id || '.jpg' end, $3, 2
     from ai_jobs where id = any($1)`,
    [jobIds, marked, at],
  );
  await database.pool.query(
    `update ai_jobs set status = 'PROCESSING', phase = 'ATTEMPT', version = 1, "leaseOwner" = 'gone', "leaseEpoch" = 1,
       "leaseExpiresAt" = $3, "localPass" = case when $2 then 'collect-output' end, "localPassAlone" = false,
       "localPassVersion" = 2
     where id = any($1)`,
    [jobIds, marked, at],
  );
  return jobIds.toSorted();
}
