import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedis } from '../../../ops/dev/stack/redis.ts';
import { createPace } from '../../../src/provider/pace.ts';
import { createManualTime } from '../../support/manual-time.ts';
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

/** The waits of so many calls of each process, which take their places in turn. */
async function waitsOf(processes: number, calls: number, suffix: string): Promise<number[]> {
  const waits: number[] = [];
  const time = createManualTime();
  const timers = { sleep: async (ms: number) => void waits.push(ms) };
  const paces = Array.from({ length: processes }, () => createPace({ redis, suffix, clock: time, timers }));
  for (let call = 0; call < calls; call += 1) for (const pace of paces) await pace(signal);
  return waits;
}

test('twenty calls of all processes begin at once, the next twenty a second later, and so on', async () => {
  const before = Date.now();
  const waits = await waitsOf(2, 30, ':two-processes');
  const tookMs = Date.now() - before;
  expect(waits).toHaveLength(40);
  // The store's clock goes on while the places are taken.
  for (const [index, wait] of waits.entries()) {
    const due = (1 + Math.floor(index / 20)) * 1_020;
    expect(wait).toBeLessThanOrEqual(due);
    expect(wait).toBeGreaterThanOrEqual(due - tookMs - 1);
  }
});

test('without the key-value store, a process keeps the pace alone', async () => {
  await server.stop();
  const waits = await waitsOf(1, 50, ':alone');
  expect(waits).toEqual([...Array(20).fill(1_020), ...Array(10).fill(2_040)]);
});
