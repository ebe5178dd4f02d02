import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DOWNLOAD_BACKOFF_BASE_MS, LISTED_GAP_MS, SERVER_SETTLE_MS } from '../../../machines/limits.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { lookAround } from '../../../persistence/actors/worker-look.ts';
import { awaitedPurchases } from '../../../persistence/jobs/awaited-purchases.ts';
import { checkPurchases } from '../../../persistence/jobs/purchase-standings.ts';
import { createPurchaseLister } from '../../../src/provider/purchase-list.ts';
import type { ListedPurchase } from '../../../supervisors/ports.ts';
import { createPurchaseCheck } from '../../../supervisors/sweepers/purchase-check.ts';
import { onPromotedServer } from '../../support/database/promoted-server.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { foundAs, unfinished } from '../../support/worlds/fake-provider.ts';
import { OUTPUT } from '../../support/worlds/job-driver.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { closeWorlds, openWorld, type RunnerWorld, submit } from '../../support/worlds/runner-world.ts';

/** The comparison of purchases with the provider's list, after the database server changed. */
const EVERY_MS = 2_000;
const SETTLE_MS = 75_000;
const OLD = '7/00000001';
const NEW = '7/00000002';
const database = useStoreDatabase();
const opened: (() => Promise<void>)[] = [];
beforeEach(() => database.clear());
afterEach(async () => {
  for (const stop of opened.splice(0)) await stop();
  await closeWorlds();
});

const gate = async () => {
  const row = await database.store.read('startGate', PAUSE_SWITCH_ID);
  if (row === null) throw new Error('no pause switch');
  return row;
};

/** The server changed just now, and was certain until `gapMs` before. */
async function afterFailover(world: RunnerWorld, { gapMs = 5_000 } = {}) {
  const at = world.time.now();
  for (const [server, certainUntil] of [
    [OLD, at - gapMs],
    [NEW, at - gapMs],
  ] as const)
    await world.actorSystem.deliver(
      {
        to: 'startGate',
        id: PAUSE_SWITCH_ID,
        event: { type: 'SERVER_SEEN', at, server, wasSilent: false, certainUntil },
      },
      { by: 'worker:n-1' },
    );
  expect((await gate()).state).toBe('CHECKING');
}

/** The sweeper over the given list. `sweep` lets it look once more. */
async function openCheck(world: RunnerWorld, listed: ListedPurchase[] | 'unavailable') {
  const list = { now: listed, asked: [] as { createdAfter: number }[] };
  const check = createPurchaseCheck({
    store: database.store,
    purchases: {
      async list(range) {
        list.asked.push(range);
        return list.now;
      },
    },
    awaited: () => awaitedPurchases(database.pool),
    chance: { id: randomUUID },
    standings: (purchases) => checkPurchases(database.pool, purchases),
    provider: world.provider,
    takeTurn: (_, work) => work(),
    actorSystem: world.actorSystem,
    clock: world.time,
    timers: world.time,
    reporter: world.reporter,
    node: 'n-1',
    settleMs: SETTLE_MS,
    intervalMs: EVERY_MS,
  });
  opened.push(() => check.stop(AbortSignal.timeout(0)));
  const looked = () =>
    eventually(() => world.time.sleeping().includes(EVERY_MS), { what: 'a look', intervalMs: 2 });
  await check.start();
  await looked();
  return {
    list,
    async sweep(ms = EVERY_MS) {
      world.time.advance(ms);
      await looked();
    },
  };
}

async function purchaseOf(
  jobId: string,
  { attemptId = randomUUID(), ...more }: Partial<ListedPurchase> = {},
): Promise<ListedPurchase> {
  const { rows } = await database.pool.query<{ originalImageId: string; prompt: string }>(
    'select "originalImageId", prompt from ai_room_staging_jobs where "aiJobId" = $1',
    [jobId],
  );
  return {
    predictionId: `p-${attemptId}`,
    providerStatus: 'processing',
    isOver: false,
    isOurs: true,
    attemptId,
    textJobId: null,
    ...rows[0]!,
    ...more,
  };
}

const quarantined = ({ time }: RunnerWorld, jobId: string) =>
  database.store.quarantine({ jobId, at: time.now(), error: 'x' });
async function leased({ time }: RunnerWorld, jobId: string) {
  const request = { jobId, owner: 'node-z', at: time.now(), ttlMs: 86_400_000 };
  expect(await database.store.acquireLease(request)).not.toBeNull();
}
/** After a first attempt that failed. */
async function backingOff(world: RunnerWorld, jobId: string) {
  const first = openWorld(database, { time: world.time });
  first.provider.answerGet = (predictionId) =>
    foundAs({ kind: 'failed', predictionId, providerStatus: 'failed', errorCode: 'PROVIDER_FAILED' });
  await first.start(jobId);
  expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
}

/** A text as the provider's list shows it: without a callback and without a picture. */
async function textOf(prompt: string): Promise<ListedPurchase> {
  const body = { id: 'p', status: 'processing', input: { prompt }, webhook: null };
  const http = {
    call: async () => ({ status: 200, retryAfter: undefined, body: { next: null, results: [body] } }),
    close: async () => {},
  };
  const lister = createPurchaseLister({ http, reporter: createRecordingReporter() }, 'https://ours.example');
  const { signal } = new AbortController();
  const listed = await lister.list({ createdAfter: 0, createdBefore: 1, signal });
  if (typeof listed === 'string') throw new Error(listed);
  return listed[0]!;
}

describe('a purchase that the server has forgotten', () => {
  test('is adopted by its attempt, which counts as not sent', async () => {
    let mayBuy = true;
    const world = openWorld(database, {
      startsAllowed: () => mayBuy,
      checkpoint(name) {
        if (name === 'after-reserve') mayBuy = false;
      },
    });
    const jobId = await submit(database);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
    await afterFailover(world);
    const attemptId = (await world.read(jobId)).attempts[0]!.id;
    const check = await openCheck(world, [await purchaseOf(jobId, { attemptId })]);
    await check.sweep(SETTLE_MS);
    const { attempts } = await world.read(jobId);
    expect(attempts).toMatchObject([
      { state: 'RUNNING', context: { providerPredictionId: `p-${attemptId}` } },
    ]);
    expect(await gate()).toMatchObject({ state: 'OPEN', context: { server: NEW, newServer: null } });
  });

  test('is given to its job, which counts as never started, under the id of the purchase', async () => {
    const world = openWorld(database, { startsAllowed: () => false });
    const jobId = await submit(database);
    await afterFailover(world);
    const purchase = await purchaseOf(jobId);
    const check = await openCheck(world, [purchase]);
    await check.sweep(SETTLE_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    const { job, attempts } = await world.read(jobId);
    expect(attempts).toMatchObject([
      { id: purchase.attemptId, context: { providerPredictionId: purchase.predictionId } },
    ]);
    expect(job.lease).toBeNull();
    expect(world.provider.creates).toEqual([]);
  });

  test('is overdue and downloaded like others: one failed download buys nothing again', async () => {
    let mayBuy = false;
    const world = openWorld(database, { startsAllowed: () => mayBuy });
    const jobId = await submit(database);
    await afterFailover(world);
    const check = await openCheck(world, [await purchaseOf(jobId)]);
    await check.sweep(SETTLE_MS);
    mayBuy = true;
    let downloads = 0;
    world.collector.answer = () =>
      ++downloads === 1 ? { kind: 'download-failed' } : { kind: 'stored', output: OUTPUT };
    await world.runner.rescue([jobId]);
    await eventually(() => downloads === 1, { what: 'a download' });
    // The check sleeps as long between its looks.
    const asLong = () => world.time.sleeping().filter((ms) => ms === DOWNLOAD_BACKOFF_BASE_MS);
    await eventually(() => asLong().length === 2, { what: 'its back-off' });
    await check.sweep(DOWNLOAD_BACKOFF_BASE_MS);
    await world.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
    expect(world.provider.creates).toEqual([]);
  });

  test('is a second one of a purchase under way: the switch opens, both are noted, no third is bought', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = (predictionId) => foundAs(unfinished(predictionId));
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
    await afterFailover(world);
    const [first] = (await world.read(jobId)).attempts;
    const check = await openCheck(world, [
      await purchaseOf(jobId, { predictionId: 'p-second' }),
      await purchaseOf(jobId, { attemptId: first!.id, predictionId: first!.context.providerPredictionId! }),
    ]);
    await check.sweep(SETTLE_MS);
    expect((await gate()).state).toBe('OPEN');
    expect((await world.read(jobId)).attempts[0]!.context.strayPredictionId).toBe('p-second');
    expect(world.reporter.alerts).toMatchObject([{ alert: 'stray_prediction' }]);
    world.provider.answerGet = (predictionId) =>
      foundAs({ kind: 'failed', predictionId, providerStatus: 'failed', errorCode: 'PROVIDER_FAILED' });
    await check.sweep(10_000);
    await world.reaches(jobId, 'FAILED', 'FAILED');
    expect(world.provider.creates).toHaveLength(1);
  });

  test.each([
    ['is quarantined', quarantined],
    ['is held by another worker', leased],
    ['backs off', backingOff],
  ])('is given at once to a job that %s', async (_, make) => {
    const world = openWorld(database, { startsAllowed: () => false });
    const jobId = await submit(database);
    await make(world, jobId);
    await afterFailover(world);
    const purchase = await purchaseOf(jobId);
    const check = await openCheck(world, [purchase]);
    await check.sweep(SETTLE_MS);
    expect((await gate()).state).toBe('OPEN');
    expect((await world.read(jobId)).attempts.at(-1)).toMatchObject({
      id: purchase.attemptId,
      state: 'RUNNING',
      context: { providerPredictionId: purchase.predictionId },
    });
  });

  test('of a job that is being canceled is canceled and named', async () => {
    const world = openWorld(database, { startsAllowed: () => false });
    const jobId = await submit(database);
    await backingOff(world, jobId);
    const event = { type: 'CANCEL_ASKED', at: world.time.now() } as const;
    await world.actorSystem.deliver({ to: 'stagingJob', id: jobId, event }, { by: 'user:a' });
    await afterFailover(world);
    const purchase = await purchaseOf(jobId);
    const check = await openCheck(world, [purchase]);
    await check.sweep(SETTLE_MS);
    expect((await gate()).state).toBe('OPEN');
    expect(world.provider.cancels).toEqual([purchase.predictionId]);
    expect(world.reporter.alerts).toMatchObject([
      { alert: 'purchase_unknown', fields: { predictionId: purchase.predictionId } },
    ]);
  });

  test('of a job whose rows fail is set aside with its job', async () => {
    const world = openWorld(database, { startsAllowed: () => false });
    const jobId = await submit(database);
    await database.pool.query(
      `insert into actor_transitions
         ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
       select 'stagingJob', id, version + 1, 'X', '{}', 'A', 'B', now(), 'by hand' from ai_jobs where id = $1`,
      [jobId],
    );
    await afterFailover(world);
    const check = await openCheck(world, [await purchaseOf(jobId)]);
    await check.sweep(SETTLE_MS);
    expect((await gate()).state).toBe('OPEN');
    expect((await world.read(jobId)).job.quarantined).toBe(true);
  });

  test('of a text is adopted by the id of its job in the prompt', async () => {
    const world = openWorld(database, { startsAllowed: () => false, kind: 'descriptionJob' });
    const jobId = await submit(database, 'descriptionJob');
    await afterFailover(world);
    const prompt = `Write.\n\nReference for our books, never part of the text: ${jobId}`;
    const text = { ...(await textOf(prompt)), predictionId: 'p-text' };
    const check = await openCheck(world, [text]);
    await check.sweep(SETTLE_MS);
    expect((await gate()).state).toBe('OPEN');
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
    expect((await world.read(jobId)).attempts[0]!.context.providerPredictionId).toBe('p-text');
  });

  test('of no job is canceled and named, but never one of another installation', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    await afterFailover(world);
    const unknown = { originalImageId: randomUUID() };
    const check = await openCheck(world, [
      await purchaseOf(jobId, { ...unknown, predictionId: 'p-ours' }),
      await purchaseOf(jobId, { ...unknown, predictionId: 'p-over', isOver: true }),
      await purchaseOf(jobId, { ...unknown, predictionId: 'p-theirs', isOurs: false }),
    ]);
    await check.sweep(SETTLE_MS);
    expect(world.provider.cancels).toEqual(['p-ours']);
    const { rows } = await database.pool.query(
      `select event, note from actor_transitions where "actorKind" = 'startGate' order by seq desc limit 1`,
    );
    expect(rows).toMatchObject([
      {
        event: { type: 'CHECK_PASSED', adopted: 0, forgotten: ['p-over', 'p-ours'] },
        note: 'the database server changed: 0 purchases adopted, 2 without a job',
      },
    ]);
  });
});

/** Claimed just before the server changed, by a worker that is gone. */
async function interrupted(world: RunnerWorld, cause: 'restart' | 'transport') {
  world.provider.answerCreate = () => ({ kind: 'unknown', cause });
  const jobId = await submit(database);
  void world.start(jobId);
  await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
  return jobId;
}

describe('a claim that the list does not show', () => {
  test.each([
    ['is taken back when its sender is gone', 'restart', 'RESERVED'],
    ['stays when the wire failed: it may still arrive', 'transport', 'UNCONFIRMED'],
  ] as const)('%s', async (_, cause, state) => {
    let mayBuy = true;
    const world = openWorld(database, { startsAllowed: () => mayBuy });
    const jobId = await interrupted(world, cause);
    mayBuy = false;
    await afterFailover(world);
    const check = await openCheck(world, []);
    await check.sweep(SETTLE_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', state]);
    expect((await gate()).state).toBe('OPEN');
  });
});

describe('the comparison', () => {
  test('begins when creates of the server before have ended, and reads the list from before the last certain instant', async () => {
    const world = openWorld(database);
    const at = world.time.now();
    await afterFailover(world);
    const check = await openCheck(world, []);
    await check.sweep(SETTLE_MS - EVERY_MS);
    expect(check.list.asked).toEqual([]);
    await check.sweep();
    expect(check.list.asked).toMatchObject([{ createdAfter: at - 5_000 - SERVER_SETTLE_MS }]);
    expect((await gate()).state).toBe('OPEN');
  });

  test('is made again after a list that could not be read', async () => {
    const world = openWorld(database);
    await afterFailover(world);
    const check = await openCheck(world, 'unavailable');
    await check.sweep(SETTLE_MS);
    expect((await gate()).state).toBe('CHECKING');
    check.list.now = [];
    await check.sweep();
    expect((await gate()).state).toBe('OPEN');
  });

  test('is left to a person after a gap that the list no longer names; resumed, the server is trusted', async () => {
    const world = openWorld(database);
    await afterFailover(world, { gapMs: LISTED_GAP_MS + 1 });
    await openCheck(world, []);
    expect((await gate()).state).toBe('UNCERTAIN');
    const event = { type: 'RESUME_ASKED', at: world.time.now() } as const;
    await world.actorSystem.deliver(
      { to: 'startGate', id: PAUSE_SWITCH_ID, event },
      { by: 'operator:ada', note: 'compared by hand' },
    );
    expect(await gate()).toMatchObject({ state: 'OPEN', context: { server: NEW } });
  });
});

test.each([
  ['is not trusted', `update start_gate set server = '${OLD}'`],
  [
    'was silent',
    `with silent as (update server_heartbeat set at = clock_timestamp() - interval '31 seconds')
     update start_gate set server = current_server()`,
  ],
])('a claim on a server that %s is refused, and nothing is sent', async (_, change) => {
  const world = openWorld(database);
  const jobId = await submit(database);
  await database.pool.query(change);
  void world.start(jobId);
  await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'RESERVED');
  await eventually(() => world.reporter.transitions.some(({ outcome }) => outcome === 'limited'), {
    what: 'a refused claim',
  });
  expect(world.provider.creates).toEqual([]);
  await database.pool.query(`with heard as (update server_heartbeat set at = clock_timestamp())
    update start_gate set server = current_server()`);
  world.time.advance(1_000);
  await world.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
  expect(world.provider.creates).toHaveLength(1);
});

test('a standby that is promoted before it knows a trusted server adopts what the one before has bought', async () => {
  await onPromotedServer(database.pool, async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    const { sight } = await lookAround(database.pool);
    const at = world.time.now();
    const event = { type: 'SERVER_SEEN', at, ...sight, certainUntil: at - 5_000 } as const;
    await world.actorSystem.deliver({ to: 'startGate', id: PAUSE_SWITCH_ID, event }, { by: 'worker:n-1' });
    expect(await gate()).toMatchObject({ state: 'CHECKING', context: { server: null, newServer: NEW } });
    const purchase = await purchaseOf(jobId);
    const { sweep } = await openCheck(world, [purchase]);
    await sweep(SETTLE_MS);
    expect(await gate()).toMatchObject({ state: 'OPEN', context: { server: NEW } });
    const { attempts } = await world.read(jobId);
    expect(attempts.map(({ context }) => context.providerPredictionId)).toEqual([purchase.predictionId]);
    expect(world.provider.creates).toEqual([]);
  });
});

test('a claim that no standby has is taken back, and nothing is sent', async () => {
  const standbys = 0;
  const world = openWorld(database, {
    confirmClaim: async () => standbys > 0,
    startsAllowed: () => world.reporter.transitions.length < 6 || standbys > 0,
  });
  const jobId = await submit(database);
  await world.start(jobId);
  expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
  expect((await world.read(jobId)).attempts[0]!.context.sendTries).toBe(0);
  expect(world.provider.creates).toEqual([]);
});
