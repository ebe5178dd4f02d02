import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CACHED_MS } from '../../../src/images/renditions/answer-cache.ts';
import { createCachePurger } from '../../../src/web/cache-purger.ts';
import { RENDERING_LIMITS } from '../../../src/website/rendering.ts';
import { seedProperty, seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { shareList, shownPictures } from '../../support/http/picture-surfaces.ts';
import { createSharedCache, type SharedCache } from '../../support/http/shared-cache.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { noisy } from '../../support/pictures/photo-fixtures.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { type SetClock, setClock } from '../../support/worlds/tour-visits.ts';

/** Staged pictures behind a cache that keeps all that it may (docs/contract.md#caches). */
const PLACE = { city: 'Cached', latitude: 47.6, longitude: -122.3 };
const AT_ORIGIN_MS = 2_000;
const IN_CACHES_MS = 60_000;
let host: ApiHost;
let clock: SetClock;
let agent: Person;
let customer: Person;
let sharedList: string;
let photo: Buffer;
beforeAll(async () => {
  clock = setClock();
  host = await startApiHost({ settings: { SITE_ENABLED: 'true' }, overrides: clock.overrides });
  agent = await host.signedIn();
  customer = await host.signedIn({ role: 'customer' });
  photo = await noisy(300, 200).jpeg().toBuffer();
});
afterAll(() => host.stop());

let propertyId: string;
let neighbor: string;
let original: Awaited<ReturnType<typeof storedOriginal>>;
let staged: string;
let cache: SharedCache;
beforeEach(async () => {
  // No process cache has anything of the test before.
  clock.at += 100_000;
  await host.rows('delete from cache_purges');
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, ...PLACE });
  neighbor = await seedProperty(host.pool, { ownerAgentId: agent.id, ...PLACE });
  original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  await storedOriginal(host, { propertyId: neighbor, bytes: photo, format: 'jpeg' });
  staged = await storedVariant(host, original, { bytes: photo, format: 'jpeg', reviewStatus: 'APPROVED' });
  await customer.mutate('favorites.add', { propertyId });
  sharedList = await shareList(customer);
  cache = createSharedCache(host.anonymous(), clock);
});

/** Every address that anyone may open and that shows the picture, names it, or links to it. */
const addresses = () => [
  `/api/images/${staged}`,
  `/api/images/${staged}?w=128&format=webp`,
  `/api/images/${staged}?w=256&format=jpeg`,
  ...['', '/es'].flatMap((language) => [
    language === '' ? '/' : language,
    `${language}/search`,
    `${language}/search?city=Cached`,
    `${language}/properties/${propertyId}`,
    `${language}/properties/${propertyId}?pictures=realFirst`,
    `${language}/properties/${neighbor}`,
    `${language}/provenance/${staged}`,
  ]),
  '/sitemap.xml',
  `/sitemaps/${propertyId.slice(0, 2)}.xml`,
];
/** Those of the addresses that show it: the record of provenance names it forever, and shows it only while it is public. */
async function shownAt(ask: (path: string) => Promise<{ status: number; text: string }>): Promise<string[]> {
  const shown: string[] = [];
  for (const path of addresses()) {
    const { status, text } = await ask(path);
    const isPicture = path.startsWith('/api/images/') && status === 200;
    if (isPicture || text.includes(`/api/images/${staged}`)) shown.push(path);
  }
  return shown;
}
const atOrigin = () => shownAt((path) => host.anonymous().send('GET', path));
const inCache = () => shownAt((path) => cache.get(path));
const inApi = async () =>
  Object.entries(
    await shownPictures({ visitor: host.anonymous(), customer, sharedList, propertyId, neighbor }),
  ).flatMap(([surface, ids]) => (ids.includes(staged) ? [surface] : []));
const hiding: Record<string, () => Promise<unknown>> = {
  'it is withdrawn': () => agent.mutate('ai.withdrawStagedVariant', { imageId: staged }),
  'its photo is deleted': () => agent.send('DELETE', `/api/property-images/${original.imageId}`),
  'its listing is hidden': () =>
    host.rows(`update properties set "hiddenFor" = '{TAKEN_DOWN}' where id = $1`, [propertyId]),
};

test.each(Object.entries(hiding))(
  'when %s, nothing shows it at the origin after two seconds, and no cache after a minute',
  async (_, hide) => {
    const before = await inCache();
    expect(before).toEqual(
      expect.arrayContaining(
        addresses()
          .filter((path) => /images|properties/.test(path))
          .slice(0, 3),
      ),
    );
    expect(before).toContain(`/properties/${propertyId}`);
    expect(before).toContain(`/provenance/${staged}`);
    expect(await inApi()).toHaveLength(8);
    await hide();
    // A copy that the process made just before, and that the cache gets at the last moment.
    clock.at += Math.min(CACHED_MS, RENDERING_LIMITS.freshMs) - 1;
    cache = createSharedCache(host.anonymous(), clock);
    await inCache();
    clock.at += AT_ORIGIN_MS - Math.min(CACHED_MS, RENDERING_LIMITS.freshMs) + 1;
    expect([await atOrigin(), await inApi()]).toEqual([[], []]);
    clock.at += IN_CACHES_MS / 2;
    await inCache();
    clock.at += IN_CACHES_MS / 2 - AT_ORIGIN_MS;
    expect(await inCache()).toEqual([]);
  },
);

test('a cache serves the picture and its pages itself, and asks again after a minute', async () => {
  // The first page depends on the language of the visitor.
  const paths = addresses().filter((path) => path !== '/' && !/sitemap|provenance/.test(path));
  await inCache();
  clock.at += 20_000;
  await inCache();
  expect(paths.filter((path) => !cache.hits.has(path))).toEqual([]);
  clock.at += 41_000;
  await inCache();
  expect(paths.filter((path) => cache.hits.has(path))).toEqual([]);
  // The picture is the same: the answer to the second question has no bytes.
  const { headers } = await host.anonymous().send('GET', `/api/images/${staged}`);
  const again = await host.anonymous().send('GET', `/api/images/${staged}`, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  expect([again.status, again.headers.get('cache-control')]).toEqual([
    304,
    'public, max-age=60, must-revalidate',
  ]);
});

/** A cache's address for purges, which answers with the statuses in turn and then with 204. */
async function purgeAddress(...statuses: number[]) {
  const taken: string[][] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const status = statuses.shift() ?? 204;
      const { surrogateKeys } = JSON.parse(body);
      expect([request.method, request.headers['surrogate-key']]).toEqual(['POST', surrogateKeys.join(' ')]);
      if (status === 204) taken.push(surrogateKeys);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/purge`, taken, close: () => server.close() };
}
const due = async () => (await host.rows<{ n: number }>('select count(*)::int as n from cache_purges'))[0]?.n;

test.each(Object.entries(hiding))(
  'when %s, a cache that is told forgets all of it at once',
  async (_, hide) => {
    await inCache();
    const told = await purgeAddress();
    const time = createManualTime(clock.at);
    const reporter = createRecordingReporter();
    const purger = createCachePurger({ pool: host.pool, url: told.url, timers: time, reporter });
    expect(await due()).toBe(0);
    await hide();
    expect(await due()).toBeGreaterThan(0);
    clock.at += AT_ORIGIN_MS;
    await purger.start();
    await eventually(async () => (await due()) === 0, { what: 'the purge to be taken' });
    told.close();
    cache.purge(told.taken.flat());
    // The record's page may be cached for five seconds.
    expect((await inCache()).filter((path) => !path.includes('/provenance/'))).toEqual([]);
    expect(reporter.problems).toEqual([]);
    await purger.stop(new AbortController().signal);
  },
);

test('a purge that the cache refuses is sent again, by whichever process comes next', async () => {
  const told = await purgeAddress(503);
  const reporter = createRecordingReporter();
  const purger = () =>
    createCachePurger({ pool: host.pool, url: told.url, timers: createManualTime(clock.at), reporter });
  await hiding['it is withdrawn']?.();
  const first = purger();
  await first.start();
  await eventually(() => reporter.problems.length === 1, { what: 'the refusal' });
  await first.stop(new AbortController().signal);
  expect([told.taken, await due()]).toEqual([[], 1]);
  await host.rows('update cache_purges set "nextTryAt" = clock_timestamp()');
  const next = purger();
  await next.start();
  await eventually(async () => (await due()) === 0, { what: 'the purge to be taken' });
  await next.stop(new AbortController().signal);
  expect(told.taken).toEqual([[`listing-${propertyId.slice(-12)}`]]);
  told.close();
});

test('a purge that no cache has taken for two minutes is given up, and reported; without an address it only goes', async () => {
  const refused = await purgeAddress();
  refused.close();
  const reporter = createRecordingReporter();
  const sweep = async (url: string | null) => {
    const purger = createCachePurger({ pool: host.pool, url, timers: createManualTime(clock.at), reporter });
    await purger.start();
    await eventually(async () => (await due()) === 0, { what: 'the rows to go' });
    await purger.stop(new AbortController().signal);
  };
  await hiding['it is withdrawn']?.();
  await host.rows(`update cache_purges set "requestedAt" = clock_timestamp() - interval '3 minutes'`);
  await sweep(refused.url);
  expect(reporter.problems).toHaveLength(1);
  await hiding['its photo is deleted']?.();
  expect(await due()).toBeGreaterThan(0);
  await sweep(null);
  expect(reporter.problems).toHaveLength(1);
});

test('changes that hide nothing purge nothing', async () => {
  await host.rows('update properties set "listPrice" = "listPrice" + 1 where id = $1', [propertyId]);
  await host.rows('update property_images set position = position + 1 where id = $1', [staged]);
  const pending = await seedVariant(host.pool, original, { style: 'LUXURY', canonicalStyle: 'LUXURY' });
  await agent.mutate('ai.rejectStagedVariant', { imageId: pending });
  expect(await due()).toBe(0);
});
