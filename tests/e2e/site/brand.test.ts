import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { OWN_SITE } from '../../../src/site/read-site.ts';
import { CREDENTIALS } from '../../support/http/console-host.ts';
import { readElsewhere } from '../../support/pictures/manifests.ts';
import { logged, opsUrlOf } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { STEADY } from '../../support/platform/staging-world.ts';
import { type Day, liveDay, type Reading, readOwnPages } from './brand-day.ts';
import { axeFindings, openSiteWindow } from './site-window.ts';

/** The same software for a brokerage in Spain, from its folder alone: name, looks, language, currency, units. */
const FOLDER = mkdtempSync(join(tmpdir(), 'other-site-'));
cpSync(OWN_SITE, FOLDER, { recursive: true });
const own = JSON.parse(readFileSync(join(FOLDER, 'site.json'), 'utf8')) as Record<string, unknown>;
const logo = (fill: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40"><path d="M4 36 20 6l16 30Z" fill="${fill}"/><path d="M50 12h100v4H50zM50 24h80v4H50z" fill="${fill}"/></svg>`;
writeFileSync(
  join(FOLDER, 'site.json'),
  JSON.stringify({
    ...own,
    name: 'Casas & Mar',
    legalName: 'Casas y Mar Inmobiliaria, S.L.',
    license: 'API 4711',
    address: 'Calle Mayor 1, 28013 Madrid, España',
    phone: '+34 910 00 00 00',
    colors: { primary: '#0f766e' },
    typefaces: { display: { family: 'Mar Grotesk', file: 'mar.woff2' }, body: { family: 'Inter' } },
    languages: ['es', 'en'],
    defaultLanguage: 'es',
    currency: 'EUR',
    areaUnits: 'Square Meters',
    country: 'ES',
    mapPlace: { latitude: 40.4168, longitude: -3.7038, zoom: 10 },
  }),
);
writeFileSync(join(FOLDER, 'logo.svg'), logo('#134e4a'));
writeFileSync(join(FOLDER, 'logo-dark.svg'), logo('#99f6e4'));
writeFileSync(
  join(FOLDER, 'icon.svg'),
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M0 0h32v32H0z" fill="#0f766e"/></svg>',
);
cpSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  join(FOLDER, 'mar.woff2'),
);
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Names of machines that stay (docs/contract.md#names-for-machines). */
const OF_MACHINES = /proscenium\.(?:device|provider)|__Host-proscenium|x-proscenium-client-ip/gi;
/** Where the software is named, each with what is around it. */
const naming = ({ where, text }: Reading): string[] =>
  (text.replaceAll(OF_MACHINES, '').match(/.{0,40}proscenium.{0,40}/gi) ?? []).map(
    (found) => `${where}: ${found}`,
  );

/** A browser's page, a program's JSON, and every file that is at a fixed address, by their statuses. */
const PATHS: Readonly<Record<string, number>> = {
  '/': 200,
  '/search': 200,
  '/about': 200,
  '/privacy': 200,
  '/terms': 200,
  '/contact': 200,
  '/sign-in': 200,
  '/favorites': 200,
  '/studio': 200,
  '/provenance/log': 200,
  '/unknown': 404,
  '/properties/unknown': 404,
  '/en': 200,
  '/en/search': 200,
  '/en/about': 200,
  '/en/unknown': 404,
  '/es/about': 308,
  '/legal/about.es.txt': 200,
  '/manifest.webmanifest': 200,
  '/service-worker.js': 200,
  '/robots.txt': 200,
  '/sitemap.xml': 200,
  '/.well-known/security.txt': 200,
  '/icon-192.png': 200,
  '/favicon.ico': 200,
  '/api/trpc/search.getFilterCatalog': 200,
  '/api/trpc/users.getMe': 401,
  '/api/unknown': 404,
  '/healthz': 200,
};

const chromium = findChromium();
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf('missing' in chromium)(`the site of another operator${why}`, () => {
  let browser: Browser;
  let platform: TestPlatform;
  let day: Day;
  const at = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(platform.urls[0] + path, init);

  beforeAll(async () => {
    browser = await launchChromium('path' in chromium ? chromium.path : '');
    platform = await startTestPlatform({
      workers: 0,
      settings: { SITE_DIR: FOLDER },
      webSettings: {
        SITE_ENABLED: 'true',
        ROBOTS: 'all',
        SECURITY_CONTACT: 'mailto:seguridad@example.org',
        MAIL_FROM: 'hola@example.org',
        ...testSigning().settings,
      },
    });
    const worker = await platform.startWorker({ ...STEADY, ...CREDENTIALS });
    day = await liveDay(platform, await opsUrlOf(platform, worker));
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test('in a whole day of agents, buyers and operators, nothing that a person reads names the software', async () => {
    const { readings, propertyId, staged, photo } = day;
    const pages = {
      ...PATHS,
      [`/properties/${propertyId}`]: 200,
      [`/en/properties/${propertyId}`]: 200,
      [`/provenance/${staged}`]: 200,
      [`/sitemaps/${propertyId.slice(0, 2)}.xml`]: 200,
      [`/api/images/${photo}?w=768`]: 200,
      [`/api/images/${staged}`]: 200,
      [`/api/images/${staged}?w=640`]: 200,
    };
    for (const [path, status] of Object.entries(pages))
      for (const accept of ['text/html', 'application/json']) {
        const answer = await at(path, { headers: { accept }, redirect: 'manual' });
        expect([path, answer.status]).toEqual([path, status]);
        const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1');
        const heads = [...answer.headers].filter(([name]) => name !== 'set-cookie').join('\n');
        readings.push({ where: `${path} as ${accept}`, text: `${heads}\n${bytes}` });
      }
    expect(await readOwnPages(browser, platform, day)).toEqual([]);
    for (const { msg } of logged(platform)) readings.push({ where: 'the log', text: String(msg) });

    const places = readings.map(({ where }) => where);
    for (const part of [
      'the mail “Tu código de acceso de Casas & Mar”',
      /^the mail .* with tour\.ics$/,
      "an export's README.txt",
      "an export's captions.json",
      /^the console's \/console\/actors\/stagingJob\/[\da-f-]{36}/,
      "the console's /console/ready",
      "the console's /queues",
      'the log',
    ])
      expect(places).toContainEqual(expect.stringMatching(part));
    expect(readings.flatMap(naming)).toEqual([]);
  });

  test('its name is in the marks and in the manifest of a picture, in the data of a page, and on the mails', async () => {
    const bytes = Buffer.from(await (await at(`/api/images/${day.staged}?w=768&format=jpeg`)).arrayBuffer());
    expect(bytes.toString('utf8')).toContain('<rdf:li>Casas &amp; Mar</rdf:li>');
    expect(readElsewhere(bytes)?.generator).toMatch(/^Casas & Mar \d/);
    const page = await (
      await at(`/properties/${day.propertyId}`, { headers: { accept: 'text/html' } })
    ).text();
    expect(page).toContain('<html lang="es"');
    expect(page).toContain('property="og:site_name" content="Casas &amp; Mar"');
    expect(page).toContain('application/ld+json');
    expect(page.replaceAll(/\u00a0|<!-- -->/g, (part) => (part === '\u00a0' ? ' ' : ''))).toContain(
      '420.000 €',
    );
    const manifest = (await (await at('/manifest.webmanifest')).json()) as { name: string };
    expect(manifest).toMatchObject({ name: 'Casas & Mar', lang: 'es', theme_color: '#0f766e' });
    const mails = day.readings.filter(({ where }) => /^the mail .*”$/.test(where));
    for (const { text } of mails) expect(text).toMatch(/^from: "?Casas & Mar"? <hola@example\.org>$/m);
  });

  test('icons are drawn from its own, and its files are kept for ever', async () => {
    const png = await at('/icon-180.png');
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { data, info } = await sharp(Buffer.from(await png.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, [...data.subarray(0, 3)]]).toEqual([180, 180, [0x0f, 0x76, 0x6e]]);
    const ico = Buffer.from(await (await at('/favicon.ico')).arrayBuffer());
    expect(ico.readUInt16LE(2)).toBe(1);
    const document = await (await at('/search', { headers: { accept: 'text/html' } })).text();
    const address = /\/site\/[0-9a-f]{12}\/logo\.svg/.exec(document)?.[0] ?? '';
    const file = await at(address);
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect(file.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await at('/site/000000000000/logo.svg')).status).toBe(404);
    expect((await at('/site/..%2F..%2Fsite.json/x')).status).toBe(404);
  });

  test.each([390, 1280] as const)(
    'its logo, color and typeface are on the pages, in both themes, at %i',
    async (width) => {
      for (const theme of ['light', 'dark'] as const) {
        const window = await openSiteWindow(browser, platform.urls[0] ?? '', { width, theme });
        const { page } = window;
        const refused: string[] = [];
        page.on('console', (line) => {
          if (/Content Security Policy/.test(line.text())) refused.push(line.text());
        });
        for (const path of ['/en', `/properties/${day.propertyId}`, '/about']) {
          expect(await window.go(path)).toBe(200);
          expect([path, await axeFindings(page)]).toEqual([path, []]);
          expect(await page.title()).toMatch(/Casas & Mar$/);
          const look = await page.evaluate<{
            primary: string;
            display: string;
            logos: string[];
            faces: number;
          }>(`(async () => {
            const style = getComputedStyle(document.documentElement);
            const shown = [...document.querySelectorAll('.shell-logo')].filter(
              (one) => getComputedStyle(one).display !== 'none',
            );
            return {
              primary: style.getPropertyValue('--primary-solid'),
              display: style.getPropertyValue('--typeface-display'),
              logos: shown.map((one) => one.getAttribute('src').split('/').at(-1)),
              faces: (await document.fonts.load('16px "Mar Grotesk"')).length,
            };
          })()`);
          expect(look.primary).toBe('#0f766e');
          expect(look.display).toMatch(/^.?Mar Grotesk/);
          expect(look.faces).toBe(1);
          expect(look.logos).toEqual([theme === 'light' ? 'logo.svg' : 'logo-dark.svg']);
        }
        expect(await page.locator('.shell-operator').innerText()).toContain(
          'Casas y Mar Inmobiliaria, S.L. · Licencia API 4711 · Calle Mayor 1, 28013 Madrid, España',
        );
        expect(refused).toEqual([]);
        await window.close();
      }
    },
  );
});
