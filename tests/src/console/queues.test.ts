import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queueNames } from '../../../src/queues/names.ts';
import { createBlockingRedis } from '../../../src/queues/redis.ts';
import { opsUrlOf } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';

/** The queue dashboard of a real worker, over its real ops server. */
const PASSWORD = 'correct-horse-battery';
const authorization = `Basic ${Buffer.from(`operator:${PASSWORD}`).toString('base64')}`;
const names = () => queueNames(platform.queueSuffix);

let platform: TestPlatform;
let url: string;
let connection: Redis;
let legacy: Queue;

beforeAll(async () => {
  platform = await startTestPlatform({ webs: 0, workers: 0 });
  const credentials = { QUEUE_DASHBOARD_USER: 'operator', QUEUE_DASHBOARD_PASSWORD: PASSWORD };
  url = await opsUrlOf(platform, await platform.startWorker(credentials));
  connection = createBlockingRedis(platform.kvUrl, () => {});
  legacy = new Queue(names().descriptions, { connection });
});
afterAll(async () => {
  await legacy.obliterate({ force: true });
  await legacy.close();
  connection.disconnect();
  await platform.stop();
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { authorization, ...init.headers } });

describe('access', () => {
  test.for(['/queues', '/queues/', '/queues/api/queues', '/queues/static/favicon.ico', '/queues/queue/x'])(
    '%s is unknown to unauthenticated callers',
    async (path) => {
      const wrong = Buffer.from('operator:wrong').toString('base64');
      const unknown = await (await fetch(`${url}/no-such-path`)).text();
      for (const headers of [new Headers(), new Headers({ authorization: `Basic ${wrong}` })]) {
        const answer = await fetch(`${url}${path}`, { headers });
        expect(answer.status).toBe(404);
        expect(answer.headers.get('www-authenticate')).toBeNull();
        expect(await answer.text()).toBe(unknown);
      }
    },
  );
});

describe('the page', () => {
  test('loads nothing from another host, and its policy forbids it', async () => {
    const answer = await ask('/queues');
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });

  test('its scripts and styles come from this server, with their content types', async () => {
    const page = await (await ask('/queues')).text();
    const assets = [...page.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      const answer = await ask(`/queues/${asset}`);
      expect(answer.status, asset).toBe(200);
      if (asset?.endsWith('.js')) expect(answer.headers.get('content-type')).toContain('javascript');
      if (asset?.endsWith('.css')) expect(answer.headers.get('content-type')).toContain('text/css');
      await answer.arrayBuffer();
    }
  });

  test.for([
    '/queues/static/../package.json',
    '/queues/static/..%2f..%2f..%2fpackage.json',
    '/queues/static/%2e%2e/index.ejs',
  ])('no other file can be read as %s', async (path) => {
    const answer = await ask(path);
    expect(await answer.text()).not.toMatch(/bull-board\/ui|__UI_CONFIG__.*<%/);
    expect(answer.headers.get('content-type') ?? '').not.toContain('json');
  });
});

describe('entries', () => {
  const secret = 'https://bucket.example.com/room.jpg?X-Amz-Signature=abc';
  const imageId = randomUUID();

  test('are shown as ids only, whatever data an older release stored in them', async () => {
    await legacy.pause();
    const entry = await legacy.add(
      'stage-room',
      { imageId, email: 'ada@example.com', url: secret, nested: { name: 'Ada' } },
      { jobId: 'old-message', delay: 3_600_000 },
    );
    await entry.log('ada@example.com asked for it');
    const list = await ask(
      `/queues/api/queues?activeQueue=${encodeURIComponent(names().descriptions)}&status=delayed&page=1&jobsPerPage=10`,
    );
    const one = await ask(`/queues/api/queues/${names().descriptions}/old-message`);
    const logs = await ask(`/queues/api/queues/${names().descriptions}/old-message/logs`);
    const flow = await ask(`/queues/api/queues/${names().descriptions}/old-message/flow`);
    const texts = await Promise.all([list, one, logs, flow].map((answer) => answer.text()));
    for (const text of texts) expect(text).not.toMatch(/ada@|Ada|Amz|bucket\.example/);
    for (const text of texts.slice(0, 2)) {
      expect(text).toContain(imageId);
      expect(text).toContain('"fieldsNotShown":3');
    }
    expect(texts[2]).toBe('[]');
  });

  test('an error that may contain an address is hidden, a plain one is shown', async () => {
    for (const [jobId, reason] of [
      ['spoke', `could not fetch ${secret} for ada@example.com`],
      ['plain', 'style: means nothing that can be generated'],
    ] as const) {
      await legacy.add('other', {}, { jobId });
      await connection.hset(legacy.toKey(jobId), {
        failedReason: reason,
        stacktrace: JSON.stringify([reason]),
      });
    }
    const spoke = await (await ask(`/queues/api/queues/${names().descriptions}/spoke`)).text();
    expect(spoke).not.toMatch(/ada@|Amz/);
    expect(spoke).toContain('not shown');
    const plain = await (await ask(`/queues/api/queues/${names().descriptions}/plain`)).text();
    expect(plain).toContain('style: means nothing that can be generated');
  });

  test('the drain is listed among the schedulers, without its template', async () => {
    const text = await (await ask('/queues/api/job-schedulers')).text();
    expect(text).toContain('drain-deletion-outbox');
    expect(text).not.toContain('template');
  });
});

test('all four queues are shown, each read-only', async () => {
  const { queues } = (await (await ask('/queues/api/queues?page=1&jobsPerPage=10')).json()) as {
    queues: { name: string; readOnlyMode: boolean; allowRetries: boolean }[];
  };
  const { staging, descriptions, search, storage } = names();
  expect(queues.map(({ name }) => name).toSorted()).toEqual(
    [staging, descriptions, search, storage].toSorted(),
  );
  for (const queue of queues) expect(queue).toMatchObject({ readOnlyMode: true, allowRetries: false });
});

describe('nothing can be changed', () => {
  const changes: [string, string][] = [
    ['PUT', '/api/queues/pause'],
    ['PUT', '/api/queues/Q/pause'],
    ['PUT', '/api/queues/Q/empty'],
    ['PUT', '/api/queues/Q/obliterate'],
    ['PUT', '/api/queues/Q/promote'],
    ['PUT', '/api/queues/Q/retry/failed'],
    ['PUT', '/api/queues/Q/clean/delayed'],
    ['PUT', '/api/queues/Q/rate-limit/release'],
    ['PUT', '/api/queues/Q/J/promote'],
    ['PUT', '/api/queues/Q/J/clean'],
    ['PUT', '/api/queues/Q/J/retry'],
    ['PATCH', '/api/queues/Q/J/update-data'],
    ['POST', '/api/queues/Q/add'],
    ['DELETE', '/api/queues/Q/J'],
  ];
  test.for(changes)('%s %s', async ([method, path]) => {
    const place = path.replace('Q', names().descriptions).replace('J', 'old-message');
    const answer = await ask(`/queues${place}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', data: {}, jobData: {}, force: true }),
    });
    expect(answer.status).toBe(405);
    expect(await legacy.getJob('old-message')).toMatchObject({ data: { imageId: expect.any(String) } });
    expect(await (await legacy.getJob('old-message'))?.getState()).toBe('delayed');
    expect(await legacy.isPaused()).toBe(true);
  });
});
