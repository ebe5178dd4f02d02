import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { queueNames } from '../../../src/queues/names.ts';
import { createBlockingRedis } from '../../../src/queues/redis.ts';
import { opsUrlOf } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';

/** The queue dashboard in a browser: its scripts must work under our Content-Security-Policy. */
const found = findChromium();
const missing = 'missing' in found ? found.missing : null;
const authorization = `Basic ${Buffer.from('operator:correct-horse-battery').toString('base64')}`;

let platform: TestPlatform;
let url: string;
let browser: Browser;
let connection: Redis;
let legacy: Queue;

beforeAll(async () => {
  if ('missing' in found) return;
  platform = await startTestPlatform({ webs: 0, workers: 0 });
  const worker = await platform.startWorker({
    QUEUE_DASHBOARD_USER: 'operator',
    QUEUE_DASHBOARD_PASSWORD: 'correct-horse-battery',
  });
  url = await opsUrlOf(platform, worker);
  connection = createBlockingRedis(platform.kvUrl, () => {});
  legacy = new Queue(queueNames(platform.queueSuffix).descriptions, { connection });
  await legacy.add('stage-room', { email: 'ada@example.com' }, { jobId: 'old-message', delay: 3_600_000 });
  browser = await launchChromium(found.path);
}, 600_000);
afterAll(async () => {
  if (missing !== null) return;
  await browser?.close();
  await legacy.obliterate({ force: true });
  await legacy.close();
  connection.disconnect();
  await platform.stop();
});
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''));

/** A page that records the browser's errors and the hosts of its requests. */
async function watchedPage(colorScheme: 'light' | 'dark', width: number) {
  const context: BrowserContext = await browser.newContext({
    colorScheme,
    viewport: { width, height: 900 },
    extraHTTPHeaders: { authorization },
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  return { context, page, complaints, hosts };
}

test.for([
  ['light', 1280],
  ['dark', 390],
] as const)('shows queues and entries, %s at %d pixels', async ([scheme, width]) => {
  const { context, page, complaints, hosts } = await watchedPage(scheme, width);
  const { descriptions, staging } = queueNames(platform.queueSuffix);
  await page.goto(`${url}/queues`);
  await page.getByText(staging).first().waitFor();
  await page.goto(`${url}/queues/queue/${descriptions}?status=delayed`);
  await page.getByText('old-message').first().waitFor();
  await page.goto(`${url}/queues/queue/${descriptions}/old-message`);
  await page.getByText('fieldsNotShown').first().waitFor();
  expect(await page.content()).not.toContain('ada@example.com');
  await page.goto(`${url}/queues/job-schedulers`);
  await page.getByText('drain-deletion-outbox').first().waitFor();
  expect(complaints).toEqual([]);
  expect([...hosts]).toEqual([new URL(url).host]);
  await context.close();
});
