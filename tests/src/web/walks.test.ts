import { createHmac, randomUUID } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { expect, onTestFinished, test } from 'vitest';
import { seedOriginal, seedStagingJob } from '../../support/database/seed.ts';
import { useApiHost, WEBHOOK_SECRET } from '../../support/http/api-host.ts';
import type { Answer } from '../../support/http/person.ts';

/**
 * How many files of the product one warm request enters: what a reader opens to follow it. V8 counts the functions that
 * ran. A bound that a change exceeds is a sign that a new layer came between.
 */
const host = useApiHost({ settings: { SITE_ENABLED: 'true' } });
const PRODUCT = /(?<!\/tests)\/((?:src|machines|persistence|supervisors|i18n)\/[^?]+\.ts)/;
const WARM_UP = 5;

/** The files that one request enters after some like it; the fewest of three, because timers run in between. */
async function walk(send: () => Promise<Answer>): Promise<string[]> {
  const inspector = new Session();
  inspector.connect();
  onTestFinished(() => inspector.disconnect());
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const once = async (): Promise<string[]> => {
    await inspector.post('Profiler.takePreciseCoverage');
    expect((await send()).status).toBe(200);
    const { result } = await inspector.post('Profiler.takePreciseCoverage');
    const entered = result.flatMap(({ url, functions }) => {
      const file = PRODUCT.exec(url)?.[1];
      const ran = functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
      return file !== undefined && ran ? [file] : [];
    });
    return [...new Set(entered)].toSorted();
  };
  for (let call = 0; call < WARM_UP; call += 1) expect((await send()).status).toBe(200);
  const walks = [await once(), await once(), await once()];
  const [shortest = []] = walks.toSorted((one, other) => one.length - other.length);
  if (process.env.SHOW_FIGURES) console.log(`${shortest.length} files\n${shortest.join('\n')}`);
  return shortest;
}

test('a submission enters at most 80 files', async () => {
  const agent = await host.signedIn();
  const { propertyId } = await host.listing(agent);
  const send = async () => {
    const originalImageId = (await seedOriginal(host.pool, { propertyId })).imageId;
    const assignments = [{ originalImageId, roomType: 'TV_ROOM', style: 'MODERN' }];
    return agent.mutate('ai.submitRoomStaging', { assignments });
  };
  expect((await walk(send)).length).toBeLessThanOrEqual(80);
});

test('a callback enters at most 62 files', async () => {
  const send = async () => {
    const { jobId } = await seedStagingJob(host.pool, {
      original: await seedOriginal(host.pool),
      job: { status: 'PROCESSING', phase: 'ATTEMPT' },
    });
    const [row] = await host.rows<{ id: string }>(
      `insert into ai_provider_attempts ("aiJobId", "attemptNumber", status, "sentAt", "sendTries")
       values ($1, 1, 'SENT', now(), 1) returning id`,
      [jobId],
    );
    const body = JSON.stringify({ id: randomUUID().replaceAll('-', ''), status: 'succeeded' });
    const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))];
    const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return host.anonymous().send('POST', `/api/webhooks/provider/staging/${row?.id}`, {
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
    });
  };
  expect((await walk(send)).length).toBeLessThanOrEqual(62);
});

test('a search enters at most 67 files', async () => {
  const anyone = host.anonymous();
  // Another search each time: an answer of the second before is cached.
  let price = 0;
  const send = () => {
    price += 1;
    return anyone.query('search.list', { filters: { price: { min: price } } });
  };
  expect((await walk(send)).length).toBeLessThanOrEqual(67);
});

test('a page of a home enters at most 69 files', async () => {
  const agent = await host.signedIn();
  const homes: string[] = [];
  for (let home = 0; home < WARM_UP + 3; home += 1) homes.push((await host.listing(agent)).propertyId);
  const anyone = host.anonymous();
  const send = () => anyone.send('GET', `/properties/${homes.pop()}`, { headers: { accept: 'text/html' } });
  expect((await walk(send)).length).toBeLessThanOrEqual(69);
});
