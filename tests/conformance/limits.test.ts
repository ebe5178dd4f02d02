import { randomUUID } from 'node:crypto';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_PROVIDER_ATTEMPTS } from '../../machines/vocabulary.ts';
import { MAX_OUTPUT_BYTES } from '../../src/provider/output-download.ts';
import type { AppRouter } from '../../src/trpc/routers/app.ts';
import { STALE_THRESHOLDS } from '../../src/worker/alerts.ts';
import { rejection } from '../clients/typescript/client-under-test.ts';
import { type ApiHost, startApiHost } from '../src/web/api-host.ts';
import { signedPrediction } from './signed-prediction.ts';
import { browserHeaders, WAYS, wayOf } from './ways.ts';

/** platform.md, "Limits": what a client or the provider meets over HTTP, and the numbers behind the rest. */
let host: ApiHost;
/** A whole second, so that the edges of the window are exact. */
const now = Date.UTC(2026, 0, 15, 12);
beforeAll(async () => {
  host = await startApiHost({ overrides: { clock: { now: () => now } } });
});
afterAll(() => host.stop());

describe.each(WAYS)('by %s', (way) => {
  test('Non-terminal staging jobs per dedupeKey | 1', async () => {
    const agent = await host.signedIn();
    const { imageId } = await host.listing(agent);
    const client = wayOf(way, host, agent.cookie);
    const submit = async () => {
      const assignments = [{ originalImageId: imageId, roomType: 'OFFICE', style: 'LUXURY' }];
      return (await client.mutate('ai.submitRoomStaging', { assignments })).output.results[0];
    };
    const results = await Promise.all(Array.from({ length: 8 }, submit));
    const [first] = results;
    expect(results.filter(({ disposition }) => disposition === 'ENQUEUED')).toHaveLength(1);
    expect(new Set(results.map(({ aiJobId }) => aiJobId)).size).toBe(1);
    await client.mutate('ai.cancelStagingJob', { aiJobId: first.aiJobId });
    const next = await submit();
    expect(next.disposition).toBe('ENQUEUED');
    expect(next.aiJobId).not.toBe(first.aiJobId);
  });
});

test.each([
  [0, 404],
  [-300, 404],
  [300, 404],
  [-301, 401],
  [301, 401],
])('Webhook replay window | 5 minutes: signed %i s from now answers %i', async (seconds, status) => {
  // 404: it was verified, and nobody knows the attempt.
  const given = signedPrediction({ id: 'p1', status: 'succeeded' }, now + seconds * 1_000);
  const answer = await fetch(`${host.url}/api/webhooks/provider/staging/${randomUUID()}`, {
    method: 'POST',
    ...given,
  });
  expect(answer.status).toBe(status);
});

describe('Client calls | one request per call; no batching', () => {
  test.each([
    ['GET', 'users.getMe,users.getMe?batch=1&input=%7B%7D'],
    ['GET', 'users.getMe?batch=1'],
    ['GET', 'ai.getStagingCatalog?batch=1&input=%7B%220%22%3A%7B%7D%7D'],
    ['POST', 'users.updateProfile,users.updateProfile?batch=1'],
  ])('by fetch: %s %s', async (method, path) => {
    const { cookie } = await host.signedIn({ name: 'Before' });
    const body = JSON.stringify({ 0: { json: { name: 'One' } }, 1: { json: { name: 'Two' } } });
    const headers = { ...browserHeaders(host, cookie), 'content-type': 'application/json' };
    const answer = await fetch(`${host.url}/api/trpc/${path}`, {
      method,
      headers,
      ...(method === 'POST' ? { body } : {}),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { json: { data: { code: 'BAD_REQUEST', errorCode: 'INVALID_INPUT' } } },
    });
    expect((await wayOf('fetch', host, cookie).query('users.getMe')).output.name).toBe('Before');
  });

  test('by fetch: two paths without saying that it is a batch are no procedure', async () => {
    const answer = await fetch(`${host.url}/api/trpc/users.getMe,users.getMe`);
    expect(answer.status).toBe(404);
  });

  test('by @trpc/client with its batching link', async () => {
    const headers = browserHeaders(host, (await host.signedIn()).cookie);
    const link = httpBatchLink({ url: `${host.url}/api/trpc`, transformer: superjson, headers });
    const client = createTRPCClient<AppRouter>({ links: [link] });
    const errors = await Promise.all([
      rejection(client.users.getMe.query()),
      rejection(client.ai.getStagingCatalog.query()),
    ]);
    for (const error of errors) expect(error).toMatchObject({ data: { httpStatus: 400 } });
  });
});

/**
 * Rows that no request meets are numbers in the code. Start rate and the two concurrencies are settings of the worker,
 * whose defaults `tests/src/config.test.ts` holds; what they do is proven by `tests/platform/`. The type scale is the
 * apps' own.
 */
test.each([
  ['Provider attempts per logical staging job | 2', MAX_PROVIDER_ATTEMPTS, 2],
  ['Provider output download ceiling | 20 MiB', MAX_OUTPUT_BYTES, 20 * 1024 * 1024],
  ['Stale heartbeat thresholds | PENDING alert age: 5 minutes', STALE_THRESHOLDS.pendingMs, 300_000],
  [
    'Stale heartbeat thresholds | PROCESSING and CANCEL_REQUESTED: 2 minutes',
    STALE_THRESHOLDS.activeMs,
    120_000,
  ],
  ['Stale heartbeat thresholds | RETRYING: 5 minutes', STALE_THRESHOLDS.retryingMs, 300_000],
])('%s', (_row, value, expected) => expect(value).toBe(expected));
