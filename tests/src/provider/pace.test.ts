import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedis } from '../../../ops/dev/stack/redis.ts';
import { createPace } from '../../../src/provider/pace.ts';
import { createManualTime, MANUAL_EPOCH } from '../../support/manual-time.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis({ dataDir: temporaryDirectory(), durable: false, diesWithLauncher: true });
  redis = new Redis(server.url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const { signal } = new AbortController();

const CALLS = 20;
const WITHIN_MS = 1_050;

test('at most twenty calls of all processes begin in a second', async () => {
  const calls = 30;
  const waits: number[] = [];
  const time = createManualTime();
  const timers = { sleep: async (ms: number) => void waits.push(ms) };
  const paces = [1, 2].map(() => createPace({ redis, suffix: ':two', clock: time, timers }));
  const before = Date.now();
  for (let call = 0; call < calls; call += 1)
    for (const pace of paces) {
      await pace(signal);
      time.advance(1_000);
    }
  const tookMs = Date.now() - before;
  expect(waits).toHaveLength(2 * calls - CALLS);
  // The store's clock goes on while the places are taken.
  for (const [index, wait] of waits.entries()) {
    const due = (1 + Math.floor(index / CALLS)) * WITHIN_MS;
    expect(wait).toBeLessThanOrEqual(due);
    expect(wait).toBeGreaterThanOrEqual(due - tookMs - 1);
  }
});

test('a process that was held up does not begin more calls in a second either', async () => {
  const time = createManualTime();
  const began: number[] = [];
  const timers = {
    async sleep(ms: number) {
      time.advance(ms);
      // For the store, the next places have fallen due meanwhile.
      if (began.length === CALLS) await redis.del('provider-calls:held-up');
    },
  };
  const pace = createPace({ redis, suffix: ':held-up', clock: time, timers });
  for (let call = 0; call < 5 * CALLS; call += 1) {
    await pace(signal);
    began.push(time.now());
  }
  const spans = began.slice(CALLS).map((at, index) => at - (began[index] ?? 0));
  expect(Math.min(...spans)).toBeGreaterThanOrEqual(WITHIN_MS);
});

test('a call counts from when the next is asked for, because a busy process sends it late', async () => {
  const time = createManualTime();
  const timers = { sleep: async (ms: number) => void time.advance(ms) };
  const pace = createPace({ redis, suffix: ':late', clock: time, timers });
  await pace(signal);
  const lateMs = 700;
  time.advance(lateMs);
  for (let call = 1; call < CALLS; call += 1) await pace(signal);
  // For the store, the next place has fallen due meanwhile.
  await redis.del('provider-calls:late');
  await pace(signal);
  expect(time.now() - MANUAL_EPOCH).toBe(lateMs + WITHIN_MS);
});

test('without the key-value store, a process keeps the pace alone', async () => {
  await server.stop();
  const time = createManualTime();
  const timers = { sleep: async (ms: number) => void time.advance(ms) };
  const pace = createPace({ redis, suffix: ':alone', clock: time, timers });
  for (let call = 0; call < 50; call += 1) {
    await pace(signal);
    expect(time.now() - MANUAL_EPOCH).toBe(Math.floor(call / CALLS) * WITHIN_MS);
  }
});
