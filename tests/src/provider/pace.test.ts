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

test('calls of all processes begin one after another, at most twenty in a second', async () => {
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
  expect(waits).toHaveLength(2 * calls - 1);
  // The store's clock goes on while the places are taken.
  for (const [index, wait] of waits.entries()) {
    const due = (1 + index) * 51;
    expect(wait).toBeLessThanOrEqual(due);
    expect(wait).toBeGreaterThanOrEqual(due - tookMs - 1);
  }
});

test('a process that was held up begins its calls one after another, too', async () => {
  const time = createManualTime();
  const began: number[] = [];
  const timers = { sleep: async (ms: number) => void time.advance(ms + (began.length === 1 ? 900 : 0)) };
  const pace = createPace({ redis, suffix: ':held-up', clock: time, timers });
  for (let call = 0; call < 5; call += 1) {
    await pace(signal);
    began.push(time.now());
  }
  const pauses = began.slice(1).map((at, index) => at - (began[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
});

test('without the key-value store, a process keeps the pace alone', async () => {
  await server.stop();
  const time = createManualTime();
  const timers = { sleep: async (ms: number) => void time.advance(ms) };
  const pace = createPace({ redis, suffix: ':alone', clock: time, timers });
  for (let call = 0; call < 50; call += 1) {
    await pace(signal);
    expect(time.now() - MANUAL_EPOCH).toBe(call * 51);
  }
});
