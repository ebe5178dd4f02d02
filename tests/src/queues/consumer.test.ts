import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import { isOutage } from '../../../src/errors/outage.ts';
import { createConsumer, jobEntry } from '../../../src/queues/consumer.ts';
import { createDescriptionQueue } from '../../../src/queues/job-queue.ts';
import { ENTRY_OPTIONS, STAGE_ROOM_ENTRY } from '../../../src/queues/names.ts';
import { observeQueues } from '../../../src/queues/observed-queues.ts';
import { createBlockingRedis, createCommandRedis, settleRedis } from '../../../src/queues/redis.ts';
import { systemTimers } from '../../../src/time.ts';
import { eventually } from '../../support/eventually.ts';
import { openGate } from '../../support/platform/gates.ts';
import { kvUrl, temporaryDirectory } from '../../support/platform/stack.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

test('nothing follows an entry that is over, and what follows another one finds its id free', async () => {
  const redis = createBlockingRedis(kvUrl(), () => {});
  const queue = new Queue(`consumer-${randomUUID()}`, { connection: redis });
  const [over, waits] = [randomUUID(), randomUUID()];
  const followed: [string, boolean][] = [];
  const consumer = createConsumer({
    queue: queue.name,
    connect: () => createBlockingRedis(kvUrl(), () => {}),
    payload: jobEntry,
    handle: async ({ aiJobId }) => (aiJobId === over ? 'over' : null),
    settled: async ({ aiJobId }) => {
      followed.push([aiJobId, (await queue.getJob(aiJobId)) === undefined]);
    },
    reporter: createRecordingReporter(),
    timers: systemTimers,
    worker: { concurrency: 1 },
  });
  await consumer.start();
  for (const aiJobId of [over, waits])
    await queue.add(STAGE_ROOM_ENTRY, { aiJobId }, { ...ENTRY_OPTIONS, jobId: aiJobId });
  await eventually(() => followed.length > 0 && followed.at(-1)?.[0] === waits, { what: 'the second entry' });
  expect(followed).toEqual([[waits, true]]);
  await consumer.stop(AbortSignal.timeout(1_000));
  await queue.close();
  redis.disconnect();
});

test('a consumer that may not take entries leaves them to another one, and resumes when it may', async () => {
  const redis = createBlockingRedis(kvUrl(), () => {});
  const queue = new Queue(`consumer-${randomUUID()}`, { connection: redis });
  const handled: string[] = [];
  let mayTake = false;
  const open = (name: string, may: () => boolean) =>
    createConsumer({
      queue: queue.name,
      connect: () => createBlockingRedis(kvUrl(), () => {}),
      payload: jobEntry,
      handle: async () => {
        handled.push(name);
        return null;
      },
      reporter: createRecordingReporter(),
      timers: systemTimers,
      mayTake: may,
      worker: { concurrency: 1 },
    });
  const add = () => queue.add(STAGE_ROOM_ENTRY, { aiJobId: randomUUID() }, ENTRY_OPTIONS);
  const [skewed, right] = [open('skewed', () => mayTake), open('right', () => true)];
  await skewed.start();
  await add();
  await right.start();
  await eventually(() => handled.length === 1, { what: 'the entry' });
  expect(handled).toEqual(['right']);
  await right.stop(AbortSignal.timeout(1_000));
  mayTake = true;
  await add();
  await eventually(() => handled.length === 2, { what: 'the second entry' });
  expect(handled).toEqual(['right', 'skewed']);
  // One that waits to be allowed stops at once.
  mayTake = false;
  await add();
  await skewed.stop(AbortSignal.timeout(1_000));
  expect(handled).toHaveLength(2);
  await queue.close();
  redis.disconnect();
});

describe('a store that refuses', () => {
  let server: RedisServer;
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedis({ dataDir: temporaryDirectory(), durable: false });
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  /** The ways to refuse what a consumer asks, and back. */
  const refusals = [
    {
      how: 'is full',
      refuse: () => admin.config('SET', 'maxmemory', '1'),
      heal: () => admin.config('SET', 'maxmemory', '0'),
    },
    {
      how: 'is a replica',
      refuse: () => admin.replicaof('127.0.0.1', '9'),
      heal: () => admin.replicaof('NO', 'ONE'),
    },
    {
      how: 'has too few replicas',
      refuse: () => admin.config('SET', 'min-replicas-to-write', '1'),
      heal: () => admin.config('SET', 'min-replicas-to-write', '0'),
    },
  ];

  test.each(refusals)('because it $how is asked ever less often, and served again later', async (store) => {
    const rests: { ms: number; wake(): void }[] = [];
    const handled: string[] = [];
    const redis = createBlockingRedis(server.url, () => {});
    const queue = new Queue(`refused-${randomUUID()}`, { connection: redis });
    const aiJobId = randomUUID();
    await queue.add(STAGE_ROOM_ENTRY, { aiJobId }, { ...ENTRY_OPTIONS, jobId: aiJobId });
    await store.refuse();
    const reporter = createRecordingReporter();
    const consumer = createConsumer({
      queue: queue.name,
      connect: () => createBlockingRedis(server.url, () => {}),
      payload: jobEntry,
      handle: async ({ aiJobId }) => {
        handled.push(aiJobId);
        return null;
      },
      reporter,
      timers: { sleep: (ms) => new Promise((wake) => rests.push({ ms, wake })) },
      worker: { concurrency: 2 },
    });
    await consumer.start();
    for (const number of [1, 2, 3, 4, 5, 6, 7])
      await eventually(
        () => {
          if (rests.length === number - 1) rests.at(-1)?.wake();
          return rests.length === number;
        },
        { what: `rest ${number}`, timeoutMs: 10_000 },
      );
    expect(rests.map(({ ms }) => ms)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    await store.heal();
    rests.at(-1)?.wake();
    await eventually(() => handled.length === 1, { what: 'the entry', timeoutMs: 10_000 });
    await consumer.stop(AbortSignal.timeout(1_000));
    await queue.close();
    redis.disconnect();
  });

  test('at its first command is asked with a new one, until it answers', async () => {
    const handled: string[] = [];
    const redis = createBlockingRedis(server.url, () => {});
    const queue = new Queue(`refused-${randomUUID()}`, { connection: redis });
    const aiJobId = randomUUID();
    await queue.add(STAGE_ROOM_ENTRY, { aiJobId }, { ...ENTRY_OPTIONS, jobId: aiJobId });
    await admin.acl('SETUSER', 'blind', 'on', '>secret', '~*', '&*', '+@all', '-info');
    const refused = new URL(server.url);
    [refused.username, refused.password] = ['blind', 'secret'];
    let opened = 0;
    const consumer = createConsumer({
      queue: queue.name,
      connect() {
        opened += 1;
        return createBlockingRedis(opened < 3 ? refused.href : server.url, () => {});
      },
      payload: jobEntry,
      handle: async ({ aiJobId }) => {
        handled.push(aiJobId);
        return null;
      },
      reporter: createRecordingReporter(),
      timers: systemTimers,
      worker: { concurrency: 1 },
    });
    await consumer.start();
    await eventually(() => handled.length === 1, { what: 'the entry', timeoutMs: 10_000 });
    await consumer.stop(AbortSignal.timeout(1_000));
    await queue.close();
    redis.disconnect();
  });

  test('at the first use of a queue does not spoil the next one', async () => {
    const gate = await openGate(server.url);
    const redis = createCommandRedis(gate.through(server.url), () => {});
    const options = { redis, suffix: `-${randomUUID()}`, onProblem: () => {} };
    const queue = createDescriptionQueue(options);
    const observed = observeQueues(options);
    await settleRedis(redis, 3_000);
    gate.shut();
    await eventually(() => redis.status !== 'ready', { what: 'the connection to be lost' });
    const listeners: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(queue.enqueue([randomUUID()])).rejects.toSatisfy(isOutage);
      await expect(observed.depths()).rejects.toSatisfy(isOutage);
      listeners.push(redis.listenerCount('error'));
    }
    expect(new Set(listeners).size).toBe(1);
    gate.open();
    await settleRedis(redis, 10_000);
    await queue.enqueue([randomUUID()]);
    expect(await observed.depths()).toContainEqual({ queue: 'descriptions', state: 'waiting', entries: 1 });
    await queue.close();
    await observed.close();
    redis.disconnect();
    await gate.close();
  });
});
