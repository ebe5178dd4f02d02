import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { startApiHost, useApiHost } from '../../support/http/api-host.ts';

/** The site over HTTP: what each kind of address answers with, to whom, and who may keep it. */
let propertyId: string;
let hidden: string;
const ORIGIN = 'https://api.example.com';
const host = useApiHost({ settings: { SITE_ENABLED: 'true' } });
beforeAll(async () => {
  propertyId = await seedProperty(host.pool, { address: '5 Open Road', city: 'Springfield' });
  hidden = await seedProperty(host.pool, { standardStatus: 'Incomplete' });
});

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}, person = host.anonymous()) =>
  person.send('GET', path, { headers: { ...BROWSER, ...headers } });
/** Of the first page, where the language is chosen, see spanish-site.test.ts. */
const PUBLIC = () => [
  '/search',
  `/properties/${propertyId}`,
  `/properties/${propertyId}/photos`,
  '/privacy',
  '/terms',
  '/about',
  '/contact',
  '/es',
  '/es/search',
];

test('the first document of a process is drawn whole: no part of it is left to the browser', async () => {
  for (const path of ['/search?minPrice=900000000', ...PUBLIC()]) {
    const { text } = await get(path);
    // How React marks a part that it could not draw.
    expect([path, text.includes('<!--$!-->')]).toEqual([path, false]);
  }
});

test('public pages are the same bytes for everyone, may be kept by all, and set no cookie', async () => {
  const person = await host.signedIn({ name: 'Nosy Neighbor' });
  for (const path of PUBLIC()) {
    const [one, other, again] = [
      await get(path),
      await get(path, {}, person),
      await get(path, { 'accept-language': 'es' }),
    ];
    expect([path, one.status]).toEqual([path, 200]);
    expect(other.text).toBe(one.text);
    expect(again.text).toBe(one.text);
    for (const { headers } of [one, other]) {
      expect(headers.get('cache-control')).toBe('public, max-age=30, stale-while-revalidate=30');
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('vary')).toBe('Accept-Encoding');
    }
    expect(one.text).not.toContain('Nosy Neighbor');
  }
});

test('public pages are compressed for whom that can be', async () => {
  for (const path of PUBLIC()) {
    const { headers, body } = await request(host.url + path, {
      headers: { ...BROWSER, 'accept-encoding': 'gzip, deflate, br' },
    });
    expect([path, headers['content-encoding']]).toEqual([path, 'gzip']);
    const plain = await get(path);
    expect(gunzipSync(await body.bytes()).toString()).toBe(plain.text);
    expect(plain.headers.get('content-encoding')).toBeNull();
  }
});

test('pages of a person are kept by no one and differ in their nonce', async () => {
  for (const path of ['/favorites', '/inbox', '/tours', '/menu', '/sign-in', '/es/menu', '/compare']) {
    const [one, other] = [await get(path), await get(path)];
    expect([path, one.status]).toEqual([path, 200]);
    expect(one.headers.get('cache-control')).toBe('no-store');
    const nonce = ({ headers }: typeof one) =>
      /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1];
    expect(nonce(one)).toBeDefined();
    expect(nonce(one)).not.toBe(nonce(other));
    expect(one.text).toContain('content="noindex"');
  }
});

test('every page has the headers of a careful site', async () => {
  for (const path of [...PUBLIC(), '/menu', '/no-such-page']) {
    const { headers, text } = await get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).not.toMatch(/style-src [^;]*unsafe/);
    // Every inline script and style is allowed by name, and nothing else is.
    const inline = text.match(/<script(?![^>]*\s(?:src|type="application\/))|<style/g) ?? [];
    expect((policy.match(/'sha256-/g) ?? []).length + (policy.includes("'nonce-") ? inline.length : 0)).toBe(
      inline.length,
    );
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('permissions-policy')).toContain('microphone=()');
  }
});

test('of the query of a home’s page only the choice of pictures counts', async () => {
  const home = await seedProperty(host.pool);
  const original = await seedOriginal(host.pool, { propertyId: home });
  const staged = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
  const path = `/properties/${home}`;
  const plain = await get(path);
  expect(plain.text.includes(staged)).toBe(true);
  for (const query of ['?a=1', '?pictures=any', '?pictures=none', '?pictures=any&pictures=realOnly'])
    expect([query, (await get(path + query)).text === plain.text]).toEqual([query, true]);
  const real = await get(`${path}?pictures=realOnly`);
  expect(real.text.includes(staged)).toBe(false);
  expect(real.text.includes(original.imageId)).toBe(true);
  expect((await get(`${path}?b=2&pictures=realOnly&pictures=any`)).text === real.text).toBe(true);
  expect((await get(`/es${path}?pictures=realOnly`)).text.includes(staged)).toBe(false);
  expect(real.text).toContain(`<link rel="canonical" href="${ORIGIN}${path}"/>`);
});

test('the code of a printed page leads to the page, in its language', async () => {
  for (const path of [`/properties/${propertyId}`, `/es/properties/${propertyId}`]) {
    const { status, headers, text } = await get(`${path}/code.svg`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(text).toContain(`<title>${ORIGIN}${path}</title>`);
  }
  expect((await get('/properties/x/code.svg')).status).toBe(404);
});

test('a home’s page says what it is to search engines, and one without a public page is not found', async () => {
  const { text } = await get(`/properties/${propertyId}`);
  expect(text).toContain(`<link rel="canonical" href="${ORIGIN}/properties/${propertyId}"/>`);
  expect(text).toContain(`hrefLang="es" href="${ORIGIN}/es/properties/${propertyId}"`);
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({ '@type': 'RealEstateListing' });
  for (const path of [
    `/properties/${hidden}`,
    '/properties/00000000-0000-4000-8000-000000000000',
    '/properties/x',
  ]) {
    const { status, text: page } = await get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(page).toContain('Page not found');
  }
});

test('two homes of one house differ by their unit: heading, title, structured data and card', async () => {
  const unit = await seedProperty(host.pool, { address: '9 Elm Row', unitNumber: '4B', city: 'Seattle' });
  const { text } = await get(`/properties/${unit}`);
  expect(text).toMatch(/<h1[^>]*>9 Elm Row #4B, Seattle/);
  expect(text).toMatch(/<title>9 Elm Row #4B, Seattle/);
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '');
  expect(data).toMatchObject({
    name: '9 Elm Row #4B, Seattle',
    mainEntity: { address: { streetAddress: '9 Elm Row #4B', addressLocality: 'Seattle' } },
  });
  expect((await get('/search?minPrice=1')).text).toContain('9 Elm Row #4B, Seattle');
});

describe('unknown addresses', () => {
  test('are a page for browsers and JSON for programs', async () => {
    const page = await get('/es/no/such/page');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('lang="es"');
    const answer = await host.anonymous().send('GET', '/no/such/page');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
    expect((await get('/api/nothing')).headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const { headers } of [page, answer]) {
      expect(headers.get('vary')?.split(', ').toSorted()).toEqual(['Accept', 'Accept-Encoding']);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await host.anonymous().send('POST', '/search')).status).toBe(405);
  });

  test('share one answer, so that no caller can fill the memory with them', async () => {
    const [one, other] = [await get('/first-of-many'), await get('/second-of-many')];
    expect(one.text).toBe(other.text);
  });
});

test('addresses of a search that find the same homes are one page', async () => {
  const asked = ['minPrice=1&beds=2', 'utm_source=mail&beds=2&minPrice=1', 'beds=2&x=1&minPrice=1&sort=none'];
  const [first, ...others] = await Promise.all(asked.map((query) => get(`/search?${query}`)));
  for (const { text } of others) expect(text === first?.text).toBe(true);
  expect((await get('/search?minPrice=2&beds=2')).text === first?.text).toBe(false);
});

test('what the search cannot read in its address is dropped', async () => {
  const first = await get('/search');
  expect(first.text).toContain(`/properties/${propertyId}`);
  const forged = Buffer.from(JSON.stringify({ sort: 'NEWEST', keys: ['x'], id: 1 })).toString('base64url');
  for (const query of [
    'minPrice=abc&box=1,2&sort=DROP&feature=%00&cursor=wrong',
    'cursor=abc',
    `cursor=${forged}`,
  ]) {
    const { status, text } = await get(`/search?${query}`);
    expect([query, status, text.includes(`/properties/${propertyId}`)]).toEqual([query, 200, true]);
  }
});

describe('files', () => {
  test('with a hash are kept forever, compressed; the others for minutes', async () => {
    const page = await get('/');
    const script = /"(\/assets\/entry-client-[^"]+\.js)"/.exec(page.text)?.[1] ?? '';
    const file = await get(script, { 'accept-encoding': 'gzip, br' });
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-encoding')).toBe('br');
    expect((await get(script, { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
    expect((await get(script)).headers.get('content-encoding')).toBeNull();
    expect((await get('/manifest.webmanifest')).headers.get('cache-control')).toBe('public, max-age=300');
    expect((await get('/assets/no-such-file.js')).status).toBe(404);
    expect((await get('/assets/../../../package.json')).status).toBe(404);
  });

  test('every icon of the manifest is there, of the kind and size that it names', async () => {
    const manifest = JSON.parse((await get('/manifest.webmanifest')).text);
    expect(manifest.icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual([
      'any',
      '180x180',
      '192x192',
      '512x512',
    ]);
    for (const { src, sizes, type } of manifest.icons) {
      const { statusCode, headers, body } = await request(host.url + src);
      expect([src, statusCode, headers['content-type']]).toEqual([src, 200, type]);
      const { format, width, height } = await sharp(await body.bytes()).metadata();
      expect(type).toContain(format);
      if (sizes !== 'any') expect(`${width}x${height}`).toBe(sizes);
    }
  });

  test('the icon that browsers ask for without a page is there', async () => {
    const { statusCode, headers, body } = await request(`${host.url}/favicon.ico`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/x-icon']);
    const file = Buffer.from(await body.bytes());
    expect([...file.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 48, 48]);
    const { format, width, height } = await sharp(file.subarray(file.readUInt32LE(18))).metadata();
    expect([format, width, height]).toEqual(['png', 48, 48]);
  });

  test('the document holds its styles, and names its scripts and its first picture early', async () => {
    const home = await seedProperty(host.pool, { address: '7 Open Road', city: 'Springfield' });
    const { imageId } = await seedOriginal(host.pool, { propertyId: home, isMain: true });
    const { headers, text } = await get(`/properties/${home}`);
    expect(headers.get('link')).toContain('rel=modulepreload');
    const head = text.slice(0, text.indexOf('<body'));
    expect(head).toContain('<style');
    expect(head).not.toContain('rel="stylesheet"');
    expect(head).toMatch(
      new RegExp(`<link rel="preload" as="image" imageSrcSet="/api/images/${imageId}\\?w=384 384w`),
    );
  });
});

describe('what an identity provider posts', () => {
  const post = (path: string, body: string) =>
    host.anonymous().send('POST', path, {
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://appleid.apple.com',
        'sec-fetch-site': 'cross-site',
      },
    });

  test('goes on to the page, after the #, and only the fields that the page knows', async () => {
    for (const path of ['/sign-in', '/es/sign-in']) {
      const known = 'state=s%261&id_token=a.b.c&user=%7B%22name%22%3A1%7D&error=denied';
      const { status, headers, text } = await post(path, `code=secret&state=s%261&return=//evil&${known}`);
      expect([status, text]).toEqual([303, '']);
      expect(headers.get('location')).toBe(`${path}#${known}`);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect((await post('/sign-in', '')).headers.get('location')).toBe('/sign-in#');
  });

  test('is read up to 16 kB', async () => {
    const body = (bytes: number) => `code=${'a'.repeat(bytes - 'code='.length)}`;
    expect((await post('/sign-in', body(16_384))).status).toBe(303);
    const { status, errorCode } = await post('/sign-in', body(16_385));
    expect([status, errorCode]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

test('robots and sitemaps lead to every public page and home, and to nothing else', async () => {
  const robots = await get('/robots.txt');
  expect(robots.text).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
  expect(robots.text).toContain('Disallow: /menu');
  const index = await get('/sitemap.xml');
  const sections = [...index.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
  expect(sections).toHaveLength(257);
  const pages = await get(new URL(sections[0] ?? '').pathname);
  const listed = [...pages.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
  expect(listed.toSorted()).toEqual(
    ['/', '/about', '/contact', '/privacy', '/provenance/log', '/search', '/terms'].map(
      (path) => ORIGIN + path,
    ),
  );
  expect(pages.text).toContain(`hreflang="es" href="${ORIGIN}/es"/>`);
  expect(pages.text).toContain(`hreflang="es" href="${ORIGIN}/es/privacy"/>`);
  const of = (id: string) =>
    get(new URL(sections.find((url) => url.endsWith(`/${id.slice(0, 2)}.xml`)) ?? '').pathname);
  expect((await of(propertyId)).text).toContain(`${ORIGIN}/properties/${propertyId}`);
  expect((await of(hidden)).text).not.toContain(hidden);
  expect((await get('/sitemaps/zz.xml')).status).toBe(404);
});

test('texts of the operator are read by browsers, and nothing beside them', async () => {
  expect((await get('/legal/terms.es.txt')).text).toContain('# Términos de uso');
  expect((await get('/legal/..%2F..%2Fpackage.json')).status).toBe(404);
});

test('an empty installation greets its visitors without a command, in both languages', async () => {
  const empty = await startApiHost({ settings: { SITE_ENABLED: 'true' } });
  try {
    for (const [path, words] of [
      ['/', 'Homes are coming soon'],
      ['/es', 'Pronto habrá viviendas'],
    ] as const) {
      const { text } = await empty.anonymous().send('GET', path, { headers: BROWSER });
      expect(text).toContain(words);
      expect(text).not.toContain('npm run');
    }
  } finally {
    await empty.stop();
  }
});

test('switched off, no page is served', async () => {
  const off = await startApiHost();
  try {
    for (const path of ['/', '/search', '/robots.txt', '/assets/x.js'])
      expect((await off.anonymous().send('GET', path, { headers: BROWSER })).status).toBe(404);
    expect((await off.anonymous().query('search.list', {})).status).toBe(200);
  } finally {
    await off.stop();
  }
});
