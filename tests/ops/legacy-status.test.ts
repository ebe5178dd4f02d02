import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBlockingRedis } from '../../src/queues/redis.ts';
import { createDatabase, type TestDatabase } from '../support/database/database.ts';
import { seedStagingJob } from '../support/database/seed.ts';
import { kvUrl } from '../support/platform/stack.ts';

const SUFFIX = `-${randomUUID()}`;
let database: TestDatabase;
let pool: pg.Pool;
let redis: Redis;
let queue: Queue;
beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  redis = createBlockingRedis(kvUrl(), () => {});
  queue = new Queue(`ai${SUFFIX}`, { connection: redis });
});
afterAll(async () => {
  await queue.obliterate({ force: true });
  await queue.close();
  redis.disconnect();
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('delete from ai_jobs');
  await queue.obliterate({ force: true });
});

const CONFIRMED = ['--clients-canonical', '--client-floor-reached'];
const status = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const given = { DATABASE_URL: database.url, KV_URL: kvUrl(), QUEUE_SUFFIX: SUFFIX, ...env };
    const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    const options = { env: { PATH: process.env.PATH, ...known } };
    execFile(process.execPath, ['ops/cli/legacy-status.ts', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });
const daysAgo = (days: number) => Date.now() - days * 86_400_000;
const submitted = (submittedStyle: string | null, days: number) =>
  seedStagingJob(pool, { createdAt: daysAgo(days), details: { submittedStyle } });

describe('legacy:status', () => {
  test('all four conditions hold: the bridge may end; our own entries and old or canonical jobs do not prevent it', async () => {
    await queue.add('describe-listing', { aiJobId: randomUUID() });
    for (const style of ['MODERN', 'modern', ' Luxury ', null]) await submitted(style, 1);
    await submitted('loft', 31);
    const { code, text } = await status(CONFIRMED);
    expect(text).toContain('The legacy bridge may end.');
    expect(text.match(/holds/g)).toHaveLength(4);
    expect(code).toBe(0);
  });

  test('conditions that only people can confirm stay open until they do', async () => {
    const { code, text } = await status([]);
    expect(code).toBe(1);
    expect(text.match(/not confirmed/g)).toHaveLength(2);
    expect(text).toContain('The legacy bridge must stay.');
    expect((await status(['--clients-canonical'])).code).toBe(1);
    expect((await status(['--client-floor-reached'])).code).toBe(1);
  });

  test('an alias used in the last 30 days prevents it and is named with its time', async () => {
    await submitted('loft', 29);
    await submitted('Mid-Century Modern', 3);
    const { code, text } = await status([...CONFIRMED, '--json']);
    expect(code).toBe(1);
    const { mayEnd, conditions } = JSON.parse(text);
    expect(mayEnd).toBe(false);
    expect(conditions[0]).toMatchObject({
      name: 'noAliases',
      state: 'does not hold',
      numbers: { jobs: 2, latestAt: expect.stringMatching(/^20\d\d-/) },
    });
    expect(conditions.slice(1).map(({ state }: { state: string }) => state)).toEqual([
      'holds',
      'holds',
      'holds',
    ]);
  });

  test.each(['waiting', 'prioritized', 'delayed', 'failed', 'active'])(
    'a stage-room entry that is %s prevents it',
    async (state) => {
      const options = {
        ...(state === 'delayed' ? { delay: 3_600_000 } : {}),
        ...(state === 'prioritized' ? { priority: 5 } : {}),
      };
      const entry = await queue.add('stage-room', { imageId: 'x' }, options);
      if (state === 'failed' || state === 'active') {
        const token = randomUUID();
        const { Worker } = await import('bullmq');
        const worker = new Worker(queue.name, null, { connection: redis, autorun: false });
        const taken = await worker.getNextJob(token);
        if (state === 'failed') await taken?.moveToFailed(new Error('no'), token, false);
        await worker.close();
      }
      const { code, text } = await status([...CONFIRMED, '--json']);
      expect(code).toBe(1);
      const { conditions } = JSON.parse(text);
      expect(conditions[2]).toMatchObject({ name: 'queueEmpty', state: 'does not hold' });
      expect(conditions[2].numbers[state === 'prioritized' ? 'waiting' : state]).toBe(1);
      await queue.remove(String(entry.id));
    },
  );

  test('prints its help, and reports missing settings and unreachable services', async () => {
    expect(await status(['--help'])).toMatchObject({ code: 0, text: expect.stringContaining('Usage') });
    expect(await status(['--nonsense'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('nonsense'),
    });
    expect(await status([], { DATABASE_URL: '' })).toMatchObject({
      code: 2,
      text: expect.stringContaining('DATABASE_URL is not set'),
    });
    expect(await status([], { KV_URL: '' })).toMatchObject({
      code: 2,
      text: expect.stringContaining('KV_URL is not set'),
    });
    expect(await status([], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toMatchObject({
      code: 2,
      text: expect.stringContaining('cannot be read'),
    });
    expect(await status([], { KV_URL: 'redis://127.0.0.1:1' })).toMatchObject({
      code: 2,
      text: expect.stringContaining('key-value store at KV_URL cannot be read'),
    });
  });
});
