import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { OWN_SITE } from '../../../src/site/read-site.ts';
import { axeFindings } from './site-window.ts';
import { describeSite } from './site-world.ts';

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
    colors: { primary: '#0f766e' },
    typefaces: { display: { family: 'Inter' }, body: { family: 'Inter' } },
  }),
);
writeFileSync(join(FOLDER, 'logo.svg'), logo('#134e4a'));
writeFileSync(join(FOLDER, 'logo-dark.svg'), logo('#99f6e4'));
writeFileSync(
  join(FOLDER, 'icon.svg'),
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M0 0h32v32H0z" fill="#0f766e"/></svg>',
);
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Names of machines that stay (docs/contract.md#names-for-machines). */
const OF_MACHINES = /proscenium\.(?:device|provider)|__Host-proscenium|x-proscenium-client-ip/gi;
const named = (text: string): string[] =>
  text.replaceAll(OF_MACHINES, '').match(/.{0,40}proscenium.{0,40}/gi) ?? [];

/** A browser's page, a program's JSON, and every file that stands at a fixed address. */
const PATHS = [
  '/',
  '/search',
  '/about',
  '/privacy',
  '/terms',
  '/contact',
  '/sign-in',
  '/provenance/log',
  '/unknown',
  '/es/about',
  '/manifest.webmanifest',
  '/service-worker.js',
  '/robots.txt',
  '/sitemap.xml',
  '/api/trpc/disclosure.profiles',
  '/api/unknown',
  '/healthz',
];

describeSite(
  'the site of another operator',
  (site) => {
    test('no page, file or answer names the software where a person reads it', async () => {
      const { home } = site();
      const paths = [
        ...PATHS,
        `/properties/${home.propertyId}`,
        `/provenance/${home.staged}`,
        `/api/images/${home.staged}?w=640`,
        `/api/properties/${home.propertyId}/disclosure.zip`,
      ];
      for (const path of paths)
        for (const accept of ['text/html', 'application/json']) {
          const answer = await fetch(site().url + path, { headers: { accept } });
          const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1');
          const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie').join('\n');
          expect([path, accept, named(headers + bytes)]).toEqual([path, accept, []]);
        }
      const picture = await fetch(`${site().url}/api/images/${home.staged}?w=640`);
      const marks = Buffer.from(await picture.arrayBuffer()).toString('utf8');
      expect(marks).toContain('<rdf:li>Casas &amp; Mar</rdf:li>');
      const manifest = (await (await fetch(`${site().url}/manifest.webmanifest`)).json()) as { name: string };
      expect(manifest).toMatchObject({ name: 'Casas & Mar', theme_color: '#0f766e' });
    });

    test('icons are drawn from its own, and its files are kept for ever', async () => {
      const png = await fetch(`${site().url}/icon-180.png`);
      expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
      const { data, info } = await sharp(Buffer.from(await png.arrayBuffer()))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([info.width, info.height, [...data.subarray(0, 3)]]).toEqual([180, 180, [0x0f, 0x76, 0x6e]]);
      const ico = Buffer.from(await (await fetch(`${site().url}/favicon.ico`)).arrayBuffer());
      expect(ico.readUInt16LE(2)).toBe(1);
      const document = await (await fetch(`${site().url}/`, { headers: { accept: 'text/html' } })).text();
      const address = /\/site\/[0-9a-f]{12}\/logo\.svg/.exec(document)?.[0] ?? '';
      const file = await fetch(site().url + address);
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect(file.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect((await fetch(`${site().url}/site/000000000000/logo.svg`)).status).toBe(404);
      expect((await fetch(`${site().url}/site/..%2F..%2Fsite.json/x`)).status).toBe(404);
    });

    test.each([390, 1280] as const)(
      'its logo, color and typeface are on the pages, in both themes, at %i',
      async (width) => {
        for (const theme of ['light', 'dark'] as const) {
          const window = await site().open({ width, theme });
          const { page } = window;
          const refused: string[] = [];
          page.on('console', (line) => {
            if (/Content Security Policy/.test(line.text())) refused.push(line.text());
          });
          for (const path of ['/', `/properties/${site().home.propertyId}`, '/about']) {
            expect(await window.go(path)).toBe(200);
            expect([path, await axeFindings(page)]).toEqual([path, []]);
            expect(named(await page.locator('body').innerText())).toEqual([]);
            expect(await page.title()).toMatch(/Casas & Mar$/);
            const look = await page.evaluate<{ primary: string; display: string; logos: string[] }>(`(() => {
            const style = getComputedStyle(document.documentElement);
            const shown = [...document.querySelectorAll('.shell-logo')].filter(
              (one) => getComputedStyle(one).display !== 'none',
            );
            return {
              primary: style.getPropertyValue('--primary-solid'),
              display: style.getPropertyValue('--typeface-display'),
              logos: shown.map((one) => one.getAttribute('src').split('/').at(-1)),
            };
          })()`);
            expect(look.primary).toBe('#0f766e');
            expect(look.display).toMatch(/^.?Inter Variable/);
            expect(look.logos).toEqual([theme === 'light' ? 'logo.svg' : 'logo-dark.svg']);
          }
          expect(await page.locator('.shell-operator').innerText()).toContain(
            'Casas y Mar Inmobiliaria, S.L. · License API 4711',
          );
          expect(refused).toEqual([]);
          await window.close();
        }
      },
    );

    test('its name signs mails and the data that people download', async () => {
      const window = await site().open({ width: 1280 });
      const { page } = window;
      await window.go('/sign-in');
      await page.getByLabel('Email address').fill('maria@example.com');
      await page.getByRole('button', { name: 'Email me a code' }).click();
      await page.getByLabel('Code').waitFor();
      expect(site().codeFor('maria@example.com')).toMatch(/^\d{6}$/);
      const mail = site().mailTo('maria@example.com');
      expect(mail.subject).toBe('Your Casas & Mar sign-in code');
      expect(named(`${mail.subject} ${mail.text} ${mail.html}`)).toEqual([]);
      await window.close();
    });
  },
  { SITE_DIR: FOLDER },
);
