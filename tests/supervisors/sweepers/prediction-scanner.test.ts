import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  MAX_SCAN_PAUSE_MS,
  MIN_SCAN_PAUSE_MS,
  RECONCILE_WINDOW_MS,
  SCAN_TURN_MS,
} from '../../../machines/limits.ts';
import { ledgerOf } from '../../../ops/simulator/control-client.ts';
import type { AwaitedPurchase } from '../../../persistence/jobs/awaited-purchases.ts';
import { createProviderHttp, type ProviderHttp } from '../../../src/provider/http.ts';
import { createPredictionLister } from '../../../src/provider/prediction-lister.ts';
import type { Message } from '../../../supervisors/actors/messages.ts';
import type { PredictionLister } from '../../../supervisors/ports.ts';
import {
  inScanTurn,
  SCAN_TURN,
  type ScannerPorts,
  scanInTurn,
  type TakeTurn,
} from '../../../supervisors/sweepers/prediction-scanner.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { createFakeLister } from '../../support/worlds/fake-provider.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { openSimulator, type TestSimulator, TOKEN } from '../../support/worlds/simulator-harness.ts';

/** How often the provider's list is read does not depend on how many purchases wait. */
const { signal } = new AbortController();

function unconfirmed(since: number): AwaitedPurchase {
  const id = randomUUID();
  return {
    type: 'ROOM_STAGING',
    id,
    jobId: randomUUID(),
    state: 'UNCONFIRMED',
    sentAt: since - 1_000,
    unconfirmedSince: since,
    goneSince: null,
    predictionId: null,
  };
}

/** Turns by the rule of `persistence/actors/sweep-turns.ts`, in virtual time; `begun` are those of scans. */
function turnsOf(time: ManualTime, begun: number[]): TakeTurn {
  const rows = new Map<string, { beganAt: number; heldUntil: number }>();
  return async ({ name, everyMs, holdMs }, work) => {
    const now = time.now();
    const { beganAt, heldUntil } = rows.get(name) ?? { beganAt: Number.NEGATIVE_INFINITY, heldUntil: 0 };
    if (now < heldUntil || now < beganAt + everyMs) return false;
    rows.set(name, { beganAt: now, heldUntil: now + holdMs });
    if (name === SCAN_TURN.name) begun.push(now);
    await work();
    rows.set(name, { beganAt: now, heldUntil: 0 });
    return true;
  };
}

interface Installation {
  time: ManualTime;
  awaited: AwaitedPurchase[];
  begun: number[];
  told: Message[];
  workers: ScannerPorts[];
}

function installation(lister: PredictionLister, workers = 3): Installation {
  const time = createManualTime();
  const begun: number[] = [];
  const told: Message[] = [];
  const self: Installation = { time, awaited: [], begun, told, workers: [] };
  const takeTurn = turnsOf(time, begun);
  self.workers = Array.from({ length: workers }, (_, index) => ({
    lister,
    takeTurn,
    clock: time,
    timers: time,
    reporter: createRecordingReporter(),
    node: `node-${index}`,
    awaited: async () => self.awaited,
    actorSystem: {
      async deliver(message: Message) {
        told.push(message);
        return { outcome: 'applied', state: 'UNCONFIRMED', version: 1 };
      },
    },
  }));
  return self;
}

/** All workers look every two seconds, until the time is over. */
async function pass(self: Installation, ms: number): Promise<void> {
  for (const end = self.time.now() + ms; self.time.now() < end; self.time.advance(2_000))
    for (const worker of self.workers) await scanInTurn(worker, signal);
}

describe('500 unconfirmed purchases and three workers', () => {
  let simulator: TestSimulator;
  let http: ProviderHttp;
  beforeEach(async () => {
    simulator = await openSimulator();
    http = createProviderHttp({ baseUrl: simulator.url, apiToken: TOKEN });
  });
  afterEach(async () => {
    await http.close();
    await simulator.close();
  });

  test('cost at most 20 scans in the window, one list call each; the first scan after the window decides for all', async () => {
    const reporter = createRecordingReporter();
    const self = installation(createPredictionLister({ http, reporter }));
    self.awaited = Array.from({ length: 500 }, () => unconfirmed(self.time.now()));
    await pass(self, RECONCILE_WINDOW_MS);
    const inWindow = self.begun.length;
    expect(inWindow).toBeGreaterThan(10);
    expect(inWindow).toBeLessThanOrEqual(20);
    const lists = (await ledgerOf(simulator.url)).filter(({ kind }) => kind === 'list');
    expect(lists).toHaveLength(inWindow);
    expect(self.told).toEqual([]);
    await pass(self, MAX_SCAN_PAUSE_MS + 4_000);
    const decided = self.told.flatMap(({ event }) => (event.type === 'NOT_LISTED' ? event.scanBeganAt : []));
    expect(decided).toHaveLength(500);
    const [since] = self.awaited.map(({ unconfirmedSince }) => unconfirmedSince ?? 0);
    expect(Math.min(...decided)).toBeGreaterThanOrEqual((since ?? 0) + RECONCILE_WINDOW_MS);
  });
});

test('a reader of the list that scans again and again does not keep the scanner from its turn', async () => {
  const lister = createFakeLister();
  const self = installation(lister, 1);
  const [scanner] = self.workers;
  // Of this age its pause is the longest.
  self.awaited = [unconfirmed(self.time.now() - RECONCILE_WINDOW_MS + 600_000)];
  for (const end = self.time.now() + 600_000; self.time.now() < end; ) {
    await inScanTurn(scanner!, signal, async () => {});
    for (const until = self.time.now() + 10_000; self.time.now() < until; self.time.advance(1_000))
      if (self.time.sleeping().length === 0) void scanInTurn(scanner!, signal);
      else await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
  expect(lister.lists.length).toBeGreaterThanOrEqual(600_000 / (MAX_SCAN_PAUSE_MS * 2));
});

test('without unconfirmed purchases there is no scan', async () => {
  const self = installation(createFakeLister());
  await pass(self, 600_000);
  expect(self.begun).toEqual([]);
});

test('pauses grow from five seconds to a minute; a new purchase resets them', async () => {
  const self = installation(createFakeLister());
  self.awaited = [unconfirmed(self.time.now())];
  await pass(self, 600_000);
  const pauses = () => self.begun.slice(1).map((at, index) => at - (self.begun[index] ?? 0));
  expect(pauses().at(-1)).toBeGreaterThanOrEqual(MAX_SCAN_PAUSE_MS);
  const before = self.begun.length;
  self.awaited = [...self.awaited, unconfirmed(self.time.now())];
  await pass(self, 20_000);
  expect(self.begun.length - before).toBeGreaterThanOrEqual(2);
  expect(Math.min(...pauses())).toBeGreaterThanOrEqual(MIN_SCAN_PAUSE_MS);
});

test('a worker that dies during a scan blocks the others only until its turn expires', async () => {
  const dying: PredictionLister = { list: () => new Promise(() => {}) };
  const self = installation(createFakeLister(), 1);
  const [living] = self.workers;
  if (!living) throw new Error('no worker');
  self.awaited = [unconfirmed(self.time.now())];
  void scanInTurn({ ...living, lister: dying }, signal);
  await new Promise((resolve) => setImmediate(resolve));
  expect(self.begun).toHaveLength(1);
  const beganAt = self.begun[0] ?? 0;
  await pass(self, SCAN_TURN_MS + 10_000);
  expect(self.begun[1]).toBeGreaterThanOrEqual(beganAt + SCAN_TURN_MS);
});

test('a stopped scanner aborts its scan and reports nothing about what it did not read', async () => {
  const stopping = new AbortController();
  const lister: PredictionLister = {
    list: ({ signal: cut }) =>
      new Promise((resolve) =>
        cut.addEventListener('abort', () => resolve({ predictions: [], complete: false }), { once: true }),
      ),
  };
  const self = installation(lister, 1);
  const [worker] = self.workers;
  if (!worker) throw new Error('no worker');
  self.awaited = [unconfirmed(self.time.now() - RECONCILE_WINDOW_MS)];
  const scan = scanInTurn(worker, stopping.signal);
  await new Promise((resolve) => setImmediate(resolve));
  stopping.abort();
  await scan;
  expect(self.told).toEqual([]);
});
