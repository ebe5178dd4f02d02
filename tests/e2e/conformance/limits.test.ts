import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { describe, expect, test } from 'vitest';
import { PURCHASE_KINDS } from '../../../machines/purchase-kinds.ts';
import { LIMITS } from '../../../ops/codegen/api/limits.ts';
import { inertServices } from '../../../ops/codegen/api/procedures.ts';
import type { AppRouter } from '../../../src/api/routers/app.ts';
import type { HttpMethod } from '../../../src/http/message.ts';
import { MAX_OUTPUT_BYTES } from '../../../src/images/decoding/picture-bounds.ts';
import { avatarRoutes } from '../../../src/images/uploads/avatar-routes.ts';
import { propertyImageRoutes } from '../../../src/images/uploads/photo-routes.ts';
import { stagingWebhookRoutes } from '../../../src/provider/webhook-route.ts';
import { STALE_THRESHOLDS } from '../../../src/telemetry/alerts.ts';
import { authRoutes } from '../../../src/web/auth-routes.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { rejection } from '../../support/http/client-under-test.ts';
import { signedPrediction } from '../../support/worlds/signed-prediction.ts';
import { browserHeaders, WAYS, wayOf } from './ways.ts';

/**
 * docs/api.md#limits: the limits that clients and the provider see over HTTP, and the numbers of the others.
 */
/** A whole second, so that the edges of the window are exact. */
const now = Date.UTC(2026, 0, 15, 12);
const host = useApiHost({ overrides: { clock: { now: () => now } } });

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
  // 404: it was verified, and the attempt is unknown.
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

  test('by fetch: two paths without the batch parameter are no procedure', async () => {
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
 * Limits that no request can show are compared with the code. Start rate and the two concurrencies are
 * settings of the worker: `tests/src/config/config.test.ts` checks their defaults, `tests/e2e/platform/`
 * their effect. The type scale belongs to the apps.
 */
test.each([
  ['Provider attempts per logical staging job | 2', PURCHASE_KINDS.stagingJob.attempts, 2],
  ['Provider output download ceiling | 20 MiB', MAX_OUTPUT_BYTES, 20 * 1024 * 1024],
  ['Stale heartbeat thresholds | PENDING alert age: 5 minutes', STALE_THRESHOLDS.pendingMs, 300_000],
  [
    'Stale heartbeat thresholds | PROCESSING and CANCEL_REQUESTED: 2 minutes',
    STALE_THRESHOLDS.activeMs,
    120_000,
  ],
  ['Stale heartbeat thresholds | RETRYING: 5 minutes', STALE_THRESHOLDS.retryingMs, 300_000],
])('%s', (_row, value, expected) => expect(value).toBe(expected));

describe('docs/api.md, "Limits"', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const documented = (what: string): string => {
    const line = page.split('\n').find((one) => one.startsWith(`| ${what} |`));
    return line?.split(' | ')[1] ?? 'not in docs/api.md';
  };
  const routes = [
    ...avatarRoutes(inertServices(), inertServices() as never),
    ...propertyImageRoutes(inertServices(), inertServices() as never),
    ...authRoutes(inertServices() as never, 'https://api.example.com'),
    ...stagingWebhookRoutes(inertServices() as never),
  ];
  const routeOf = (method: HttpMethod, path: string) => {
    const found = routes.find(
      (one) => one.path.startsWith(path) && (one.methods === '*' || one.methods.includes(method)),
    );
    return { bytes: found?.bodyLimit ?? 0, seconds: (found?.bodyTimeoutMs ?? 30_000) / 1000 };
  };

  test('the page has every row with the value of the code', () => {
    for (const [what, limit, beyond] of LIMITS) expect(page).toContain(`| ${what} | ${limit} | ${beyond} |`);
    expect(LIMITS.length).toBeGreaterThan(35);
  });

  // The numbers are repeated here, so that a change in the code must be made here as well.
  test.each([
    ['request line and headers together', '16 KiB, 90 headers'],
    ['levels of an input, the envelope included', '32'],
    ['keys and elements of an input', '5,000'],
    ['suggestions (`search.suggestLocations`)', '8'],
    ['photos in one call of `ai.submitRoomStaging`', '20'],
    ['a side of a picture', '16,384 px'],
    ['pixels of a picture', '60 megapixels'],
    ['pixels of a HEIC picture', '50 megapixels'],
    ['the longer side by the shorter one', '20:1'],
    ['short side of a photo that is staged', '512 px at least'],
    ['longer side of a photo that is staged in its own shape, by the shorter one', '3:1'],
    ['answers kept for repeats, of one person', '1,000, for 24 hours'],
    ['codes from one network', '5 a minute'],
    ['wrong tries with the cookie that the code belongs to', '3 a code'],
    ['jobs of an agent in an hour', '120 (`AI_STAGING_QUOTA_HOUR`)'],
    ['jobs of an agent in a day', '400 (`AI_STAGING_QUOTA_DAY`)'],
    ['jobs of an agent in the first 24 hours as one', '60 (`AI_STAGING_QUOTA_FIRST_DAY`)'],
    ['jobs of all agents in a day', '5,000 (`AI_STAGING_QUOTA_PLATFORM_DAY`)'],
    ['open jobs of an agent', '100 (`AI_STAGING_OPEN_JOBS_PER_AGENT`)'],
    ['listings of an agent in a day', '50 (`LISTINGS_PER_AGENT_DAY`)'],
    ['photos of a listing', '200 (`PHOTOS_PER_LISTING`)'],
    ['tour requests of a customer for a listing in a day', '3 (`TOUR_REQUESTS_PER_LISTING_DAY`)'],
  ])('%s | %s', (what, limit) => expect(documented(what)).toBe(limit));

  test.each([
    ['body of sign-in', '64 KiB, whole within 30 s', routeOf('POST', '/api/auth'), 64 * 1024],
    [
      ...(['body of a callback of the provider', '1 MiB, whole within 10 s'] as const),
      ...([routeOf('POST', '/api/webhooks'), 1024 * 1024] as const),
    ],
    [
      ...(['photo of a listing', '25 MiB, and 64 KiB of form; whole within 180 s'] as const),
      ...([routeOf('POST', '/api/property-images'), 25 * 1024 * 1024 + 64 * 1024] as const),
    ],
    [
      ...(['avatar', '10 MiB, and 64 KiB of form; whole within 120 s'] as const),
      ...([routeOf('PUT', '/api/users/avatar'), 10 * 1024 * 1024 + 64 * 1024] as const),
    ],
  ])('%s | %s, also in its route', (what, limit, route, bytes) => {
    expect(documented(what)).toBe(limit);
    expect(route).toEqual({ bytes, seconds: Number(/(\d+) s$/.exec(limit)?.[1]) });
  });

  test('search.suggestLocations accepts the documented length', async () => {
    const shape = /#### search\.suggestLocations\n[^#]*/.exec(page)?.[0] ?? '';
    expect(shape).toContain('text: string 2..200;');
    expect(shape).toContain('latitude?: number -90..90 | null; longitude?: number -180..180 | null');
    expect(shape).toContain('LocationSuggestion[..8]');
    const person = host.anonymous();
    const statusOf = async (input: unknown) => (await person.query('search.suggestLocations', input)).status;
    expect(await statusOf({ text: 'ab' })).toBe(200);
    expect(await statusOf({ text: 'a'.repeat(200), latitude: 90, longitude: -180 })).toBe(200);
    for (const wrong of [
      { text: 'a' },
      { text: ' a ' },
      { text: 'a'.repeat(201) },
      { text: 'ab', latitude: 90.1, longitude: 0 },
      { text: 'ab', latitude: 0, longitude: -180.1 },
      { text: 'ab', latitude: 0 },
    ])
      expect(await statusOf(wrong), JSON.stringify(wrong)).toBe(400);
  });
});
