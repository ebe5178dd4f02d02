import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCALES } from '../../../i18n/languages.ts';
import { renderSignInMail } from '../../../src/mail/sign-in-mail.ts';
import { OWN_SITE } from '../../../src/site/read-site.ts';
import type { Site } from '../../../src/site/site.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/** A site in Spain: Spanish without a prefix, euros, square meters (docs/contract.md#languages-and-units). */
const ORIGIN = 'https://api.example.com';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** 100 square meters, as the database and the filters convert them. */
const HUNDRED_IN_FEET = 100 / 0.09290304;

let host: ApiHost;
let agent: Person;
let madrid: string;
beforeAll(async () => {
  host = await startApiHost({ settings: { SITE_ENABLED: 'true', SITE_DIR: siteWith(SPAIN) } });
  agent = await host.signedIn({ phone: '612 34 56 78' });
  madrid = (await agent.mutate('properties.create', { ...HOME, livingArea: 100 })).data.propertyId;
});
afterAll(() => host.stop());

const SPAIN: Partial<Site> & Pick<Site, 'languages' | 'defaultLanguage'> = {
  languages: ['es', 'en'],
  defaultLanguage: 'es',
  currency: 'EUR',
  areaUnits: 'Square Meters',
  country: 'ES',
  mapPlace: { latitude: 40.4168, longitude: -3.7038, zoom: 10 },
};
const HOME = {
  listPrice: 300_000,
  address: 'Calle Mayor 5',
  city: 'Madrid',
  stateOrProvince: 'Madrid',
  postalCode: '28013',
  propertyTimeZoneName: 'Europe/Madrid',
};

/** The repository's own site with other settings, and the texts of its languages. */
function siteWith(changes: typeof SPAIN): string {
  const folder = temporaryDirectory();
  cpSync(OWN_SITE, folder, { recursive: true });
  for (const locale of LOCALES)
    if (!changes.languages.includes(locale)) rmSync(join(folder, 'texts', locale), { recursive: true });
  const file = join(folder, 'site.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...changes }));
  return folder;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  host.anonymous().send('GET', path, { headers: { ...BROWSER, ...headers } });
const languageOf = ({ text }: { readonly text: string }) => /<html lang="(\w+)"/.exec(text)?.[1];
/** The page that the service worker shows without a connection. */
const offlinePage = ({ text }: { readonly text: string }): string =>
  JSON.parse(/^const PAGE = (".*");$/m.exec(text)?.[1] ?? 'null');
const linksIn = (text: string) =>
  [...text.matchAll(/<link rel="(?:canonical|alternate)"[^>]*>/g)].map(
    ([link]) => `${/hrefLang="([^"]+)"/i.exec(link)?.[1] ?? 'canonical'} ${/href="([^"]+)"/.exec(link)?.[1]}`,
  );

test('the default language has no prefix, and everything that names addresses says so', async () => {
  const path = `/properties/${madrid}`;
  const [spanish, english] = [await get(path), await get(`/en${path}`)];
  expect([spanish.status, languageOf(spanish), english.status, languageOf(english)]).toEqual([
    200,
    'es',
    200,
    'en',
  ]);
  const alternates = [`es ${ORIGIN}${path}`, `en ${ORIGIN}/en${path}`, `x-default ${ORIGIN}${path}`];
  expect(linksIn(spanish.text)).toEqual([`canonical ${ORIGIN}${path}`, ...alternates]);
  expect(linksIn(english.text)).toEqual([`canonical ${ORIGIN}/en${path}`, ...alternates]);
  expect(spanish.text).toContain('property="og:locale" content="es_ES"');
  const sitemap = await get(`/sitemaps/${madrid.slice(0, 2)}.xml`);
  expect(sitemap.text).toContain(`<loc>${ORIGIN}${path}</loc>`);
  expect(sitemap.text).toContain(`hreflang="en" href="${ORIGIN}/en${path}"`);
  const robots = (await get('/robots.txt')).text;
  expect([robots.includes('Disallow: /en/menu'), robots.includes('/es/')]).toEqual([true, false]);
  expect(JSON.parse((await get('/manifest.webmanifest')).text)).toMatchObject({ lang: 'es', start_url: '/' });
  expect(offlinePage(await get('/service-worker.js'))).toMatch(
    /<html lang="es">.*<section lang="es">.*<section lang="en">/,
  );
  const unknown = [await get('/no/such/page'), await get('/en/no/such/page')];
  expect(unknown.map((page) => [page.status, languageOf(page)])).toEqual([
    [404, 'es'],
    [404, 'en'],
  ]);
});

test('addresses from before lead to the same page, and never to another host', async () => {
  const found = [];
  for (const path of [
    '/es',
    '/es/',
    '/es/search?beds=2',
    '/es?x=1',
    '/es//evil.example',
    '/es/%5Cevil',
    '/es/x/y',
  ]) {
    const { status, headers } = await get(path);
    found.push([status, headers.get('location')]);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
  }
  expect(found).toEqual([
    [308, '/'],
    [308, '/'],
    [308, '/search?beds=2'],
    [308, '/?x=1'],
    [308, '/evil.example'],
    [308, '/%5Cevil'],
    [308, '/x/y'],
  ]);
});

test('only the first page follows the browser’s wishes, and no shared cache keeps what it answers', async () => {
  const answers = [];
  for (const [path, headers] of [
    ['/', { 'accept-language': 'en-GB,en;q=0.9' }],
    ['/', { 'accept-language': 'fr' }],
    ['/', {}],
    ['/', { 'accept-language': 'en', cookie: 'language=es' }],
    ['/', { 'accept-language': 'es', cookie: 'a=b; language=en' }],
    ['/', { 'accept-language': 'en', cookie: 'language=xx' }],
    ['/search', { 'accept-language': 'en' }],
    ['/en', { 'accept-language': 'es' }],
  ] as const) {
    const answer = await get(path, headers as Record<string, string>);
    const { status, headers: given } = answer;
    answers.push([status, given.get('location') ?? languageOf(answer), given.get('cache-control')]);
    expect(given.get('vary')).toBe('Accept-Encoding');
  }
  const [own, forAll] = ['private, no-cache', 'public, max-age=30, stale-while-revalidate=30'];
  expect(answers).toEqual([
    [302, '/en', 'private, no-store'],
    [200, 'es', own],
    [200, 'es', own],
    [200, 'es', own],
    [302, '/en', 'private, no-store'],
    [200, 'es', own],
    [200, 'es', forAll],
    [200, 'en', forAll],
  ]);
});

test('new listings are in the units of the site, and those in another currency are refused', async () => {
  const created = await agent.query('properties.getMine', { propertyId: madrid });
  expect(created.data).toMatchObject({
    currency: 'EUR',
    country: 'ES',
    livingAreaUnits: 'Square Meters',
    lotSizeUnits: 'Square Meters',
  });
  const refused = await agent.mutate('properties.create', { ...HOME, currency: 'USD' });
  expect([refused.status, refused.body.error.json.data.fields]).toEqual([
    400,
    { currency: ['Prices on this site are in EUR.'] },
  ]);
  const wrongCode = await agent.mutate('properties.update', { propertyId: madrid, postalCode: '98101' });
  expect(wrongCode.body.error.json.data.fields).toEqual({
    postalCode: ['A postal code of ES is written like 28013.'],
  });
  // One from before the currency was another keeps its price, and may be moved to the site's.
  const old = await seedProperty(host.pool, { ownerAgentId: agent.id, currency: 'USD' });
  const change = (listing: object) => agent.mutate('properties.update', { propertyId: old, ...listing });
  expect((await change({ yearBuilt: 1999, currency: 'USD' })).status).toBe(200);
  expect((await change({ currency: 'GBP' })).status).toBe(400);
  expect((await change({ currency: 'EUR', listPrice: 90_000 })).status).toBe(200);
});

test('pages show every home in square meters and euros, with the figure of its record', async () => {
  const feet = await seedProperty(host.pool, {
    ...HOME,
    ownerAgentId: agent.id,
    address: 'Calle Menor 7',
    currency: 'EUR',
    country: 'ES',
    livingArea: 2_152.78,
    livingAreaUnits: 'Square Feet',
  });
  const { text } = await get(`/properties/${feet}`);
  const plain = text.replaceAll(/<!-- -->|\u00a0/g, (part) => (part === '\u00a0' ? ' ' : ''));
  for (const part of ['Calle Menor 7, 28013 Madrid', '300.000 €', '200 m² (2153 ft²', '1500 € / m²'])
    expect(plain).toContain(part);
  expect(plain).toContain('href="tel:+34612345678"');
  const search = await get('/search?minArea=100&maxPrice=400000');
  expect(search.text).toContain('name="minArea" value="100"/><span class="filters-unit">m²<');
  expect(search.text.replaceAll('\u00a0', ' ')).toContain('Hasta 400.000 €');
  expect(search.text).toContain('100 m² o más');
});

test('filters are in the units of the site, exact at their ends, whatever unit a home has', async () => {
  const place = { city: 'Bordeaux', country: 'FR', currency: 'EUR', latitude: 44.84, longitude: -0.58 };
  const at = (livingArea: number, livingAreaUnits: string, more: object = {}) =>
    seedProperty(host.pool, { ...place, livingArea, livingAreaUnits, listPrice: 200_000, ...more });
  const homes = new Map([
    [await at(100, 'Square Meters'), '100 m²'],
    [await at(99.99, 'Square Meters'), '99.99 m²'],
    [await at(Math.ceil(HUNDRED_IN_FEET * 100) / 100, 'Square Feet'), '100 m² in feet'],
    [await at(Math.floor(HUNDRED_IN_FEET * 100) / 100, 'Square Feet'), 'less in feet'],
    [await at(100, 'Square Meters', { currency: 'USD' }), 'in dollars'],
  ]);
  const box = { west: -0.6, south: 44.8, east: -0.5, north: 44.9 };
  const find = async (filters: object) => {
    const input = { filters: { location: { box }, ...filters }, sort: 'LIVING_AREA_DESC' };
    const { data } = await host.anonymous().query('search.list', input);
    return data.items.map(({ propertyId }: { propertyId: string }) => homes.get(propertyId)).toSorted();
  };
  expect(await find({ livingArea: { min: 100 } })).toEqual(['100 m²', '100 m² in feet', 'in dollars']);
  expect(await find({ livingArea: { max: 100 } })).toEqual([
    '100 m²',
    '99.99 m²',
    'in dollars',
    'less in feet',
  ]);
  expect(await find({ livingArea: { min: 100 }, areaUnits: 'Square Feet' })).toHaveLength(5);
  // A price of the site is none of another currency.
  expect(await find({ livingArea: { min: 100 }, price: { max: 200_000 } })).toEqual([
    '100 m²',
    '100 m² in feet',
  ]);
  expect(await find({ price: { max: 200_000 }, currency: 'USD' })).toEqual(['in dollars']);
  expect((await host.anonymous().query('search.getFilterCatalog', {})).data).toMatchObject({
    currency: 'EUR',
    areaUnits: 'Square Meters',
  });
});

test('mails lead to the pages of their reader’s language', () => {
  const signIn = {
    userId: agent.id,
    signedInAt: Date.parse('2026-11-29T12:00:00Z'),
    client: 'Firefox',
    system: null,
    network: null,
  };
  const links = (['es', 'en'] as const).map((locale) => {
    const { open, times } = renderSignInMail({
      signIn,
      locale,
      site: { ...host.config.site, origin: ORIGIN },
    });
    return [open.address, times?.[0]?.slice(0, 23)];
  });
  expect(links).toEqual([
    [`${ORIGIN}/menu`, '29 de noviembre de 2026'],
    [`${ORIGIN}/en/menu`, 'November 29, 2026 at 12'],
  ]);
});

test('with one language there is nothing to choose: every other address leads to it, and all caches keep it', async () => {
  const site = { languages: ['en'], defaultLanguage: 'en', name: 'Casas & Mar' } as const;
  const only = await startApiHost({ settings: { SITE_ENABLED: 'true', SITE_DIR: siteWith(site) } });
  try {
    const ask = (path: string, headers = {}) =>
      only.anonymous().send('GET', path, { headers: { ...BROWSER, ...headers } });
    const first = await ask('/', { 'accept-language': 'es' });
    expect([first.status, first.headers.get('cache-control'), linksIn(first.text)]).toEqual([
      200,
      'public, max-age=30, stale-while-revalidate=30',
      [`canonical ${ORIGIN}/`],
    ]);
    const moved = await ask('/es/search');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/search']);
    expect((await ask('/menu')).text).not.toContain('Español');
    const offline = offlinePage(await ask('/service-worker.js'));
    expect(offline).toMatch(/^<!DOCTYPE html><html lang="en">.*<title>Casas &amp; Mar<\/title>/);
    expect(offline.match(/<section/g)).toHaveLength(1);
  } finally {
    await only.stop();
  }
});
