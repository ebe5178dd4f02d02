import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitTime } from '../../../src/time.ts';
import { linkAbort } from '../../../supervisors/concurrency/linked-abort.ts';
import { Semaphore } from '../../../supervisors/concurrency/semaphore.ts';
import { WakeableTimer } from '../../../supervisors/concurrency/wakeable-timer.ts';
import type { HeldJob } from '../../../supervisors/runner/held-job.ts';
import { pass } from '../../../supervisors/runner/job-pass.ts';
import { openStoreDatabase, type StoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { foundAs, unfinished } from '../../support/worlds/fake-provider.ts';
import { MANY_STARTS } from '../../support/worlds/job-driver.ts';
import { bothQueues } from '../../support/worlds/recording-ports.ts';
import { askingAlone, closeWorlds, openWorld, POLL_MS, submit } from '../../support/worlds/runner-world.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('a linked abort', () => {
  test('follows each of its sources, with their reason', () => {
    for (const which of [0, 1]) {
      const sources = [new AbortController(), new AbortController()];
      const link = linkAbort(...sources.map(({ signal }) => signal));
      expect(link.signal.aborted).toBe(false);
      sources[which]?.abort('why');
      expect([link.signal.aborted, link.signal.reason]).toEqual([true, 'why']);
    }
  });

  test('starts aborted when a source is, and can be aborted without aborting its sources', () => {
    expect(linkAbort(AbortSignal.abort('before')).signal.reason).toBe('before');
    const source = new AbortController();
    const link = linkAbort(source.signal);
    link.abort('own');
    expect([link.signal.reason, source.signal.aborted]).toEqual(['own', false]);
  });

  test('leaves no listener on its sources after its release, and no longer follows them', () => {
    const source = new AbortController();
    const [link, other] = [linkAbort(source.signal, source.signal), linkAbort(source.signal)];
    expect(listeners(source.signal)).toBe(1);
    link.release();
    expect(listeners(source.signal)).toBe(1);
    other.release();
    expect(listeners(source.signal)).toBe(0);
    source.abort();
    expect([link.signal.aborted, other.signal.aborted]).toEqual([false, false]);
  });

  test('is one of many on a source, and leaves the others linked after its release', () => {
    const source = new AbortController();
    const links = Array.from({ length: 3 }, () => linkAbort(source.signal));
    links[1]?.release();
    source.abort();
    expect(links.map(({ signal }) => signal.aborted)).toEqual([true, false, true]);
  });

  test('with a time limit aborts with a timeout reason, unless it was released', async () => {
    const [late, released] = [limitTime(5), limitTime(5)];
    released.release();
    await eventually(() => late.signal.aborted, { what: 'the limit' });
    expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(released.signal.aborted).toBe(false);
  });
});

describe('a thousand passes', () => {
  let database: StoreDatabase;
  beforeAll(async () => {
    database = await openStoreDatabase();
  });
  afterAll(() => database.close());
  beforeEach(() => database.clear());
  afterEach(closeWorlds);

  test('leave no listener on longer-lived signals', async () => {
    const world = openWorld(database);
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const jobId = await submit(database);
    void world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
    await world.asleep(POLL_MS);
    const ports = {
      ...world,
      kind: 'stagingJob' as const,
      queues: bothQueues(world.queue),
      checkText: () => ({ kind: 'good' as const, text: '' }),
      store: database.store,
      clock: world.time,
      timers: world.time,
      polls: askingAlone(world.provider),
      localWork: new Semaphore(),
      chance: { id: randomUUID, jitter: () => 0 },
      inputs: { prepare: async () => 'impossible' as const, dropLostReference: async () => false },
      checkpoint: () => {},
      startsAllowed: () => true,
      refreshStarts: async () => {},
      startsPerMinute: MANY_STARTS,
      concurrency: 1,
      pollIntervalMs: POLL_MS,
    };
    const [lost, draining, forced] = [new AbortController(), new AbortController(), new AbortController()];
    const stop = { draining: draining.signal, forced: forced.signal };
    const held: HeldJob = {
      jobId,
      lost: lost.signal,
      interrupted: false,
      failures: 0,
      seen: null,
      running: null,
      pause: null,
      nudges: 0,
      isOver: false,
      origin: { by: 'worker:node-a', lease: { owner: 'node-a', epoch: 1 } },
      timer: new WakeableTimer(world.time),
    };
    const before = world.provider.gets.length;
    for (let passes = 0; passes < 1_000; passes += 1) {
      expect(await pass(ports, held, stop)).toBe(POLL_MS);
      held.pause = null;
    }
    expect(world.provider.gets.length - before).toBe(1_000);
    expect([lost, draining, forced].map(({ signal }) => listeners(signal))).toEqual([0, 0, 0]);
  });
});
