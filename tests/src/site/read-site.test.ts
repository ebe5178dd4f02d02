import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { raw } from 'hono/html';
import { afterEach, expect, test } from 'vitest';
import { catalog, createTranslator, speakFor } from '../../../i18n/translator.ts';
import { operate } from '../../../ops/cli/operate.ts';
import { loadWorkerConfig, settingFingerprints } from '../../../src/config/config.ts';
import { layout, type PageContext } from '../../../src/console/layout.ts';
import { stagedXmp } from '../../../src/images/marks/xmp.ts';
import { changedRoles, contrastProblems } from '../../../src/site/colors.ts';
import { OWN_SITE, ownSite, problemLine, readSite } from '../../../src/site/read-site.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Json = Record<string, unknown>;

/** A copy of the repository's site with other settings and files; a null file is removed. */
function siteWith(settings: Json, files: Readonly<Record<string, string | Buffer | null>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  folders.push(folder);
  cpSync(OWN_SITE, folder, { recursive: true });
  const own = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8')) as Json;
  const given = Object.fromEntries(
    Object.entries({ ...own, ...settings }).filter(([, one]) => one !== undefined),
  );
  writeFileSync(join(folder, 'site.json'), JSON.stringify(given, null, 2));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
  }
  return folder;
}

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M0 0h120v40H0z"/></svg>';
const FONT = Buffer.from('wOF2 and what follows');

test('a site has its settings, texts with its name, colors, typefaces and files', () => {
  const folder = siteWith(
    {
      name: 'Harbor & Homes',
      colors: { primary: '#0f766e', roles: { danger: { light: '#a01010', dark: '#ffb0a8' } } },
      typefaces: { display: { family: 'Mine', file: 'mine.woff2' }, body: { family: 'Fraunces' } },
      languages: ['es'],
      defaultLanguage: 'es',
      tagline: { es: 'Casas en la costa' },
    },
    {
      'logo.svg': LOGO,
      'logo-dark.svg': LOGO,
      'mine.woff2': FONT,
      'messages/es.json': JSON.stringify({ 'discovery.lead': 'Casas de {{siteName}}' }),
    },
  );
  const { site, problems } = readSite(folder);
  expect(problems).toEqual([]);
  expect(site).toMatchObject({ name: 'Harbor & Homes', tagline: { en: 'Casas en la costa' } });
  expect([...(site?.texts.keys() ?? [])]).toEqual(['privacy.es', 'terms.es', 'contact.es', 'about.es']);
  expect(site?.texts.get('about.es')).toContain('# Sobre Harbor & Homes');
  expect(site?.messages.es).toEqual({ 'discovery.lead': 'Casas de {{siteName}}' });
  const styles = site?.styles ?? '';
  const address = site?.files.get('mine.woff2')?.address ?? '';
  expect(address).toMatch(/^\/site\/[0-9a-f]{12}\/mine\.woff2$/);
  expect(styles).toContain(`@font-face{font-family:"Mine";src:url(${address})`);
  expect(styles).toContain('--primary-solid:#0f766e;');
  expect(styles).toContain('--danger:#a01010;');
  expect(styles).toMatch(/--typeface-display:"Mine",.*Georgia.*--typeface-body:'Fraunces Variable'/);
  expect(styles).toMatch(/@media screen and \(prefers-color-scheme:dark\).*--danger:#ffb0a8;/);
});

test('the own site looks as the build does, and another site has another fingerprint', () => {
  const own = ownSite();
  expect(own.styles).toBe('');
  expect(readSite(siteWith({})).site?.texts).toEqual(own.texts);
  const changed = readSite(siteWith({}, { 'texts/en/about.md': '# About\n' })).site;
  expect(changed?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(changed?.fingerprint).not.toBe(own.fingerprint);
});

test.each([
  '#4f46e5',
  '#0f766e',
  '#f59e0b',
  '#000000',
  '#ffffff',
  '#ff0000',
  '#777777',
  '#10ff40',
  '#0000ff',
])('every role that follows from %s can be read in both themes', (primary) => {
  expect(contrastProblems({ primary, roles: {} })).toEqual([]);
  expect(Object.keys(changedRoles({ primary, roles: {} })).length > 0).toBe(primary !== '#4f46e5');
});

test('a site with fourteen mistakes is refused with fourteen lines, by the roles and by the command', async () => {
  const folder = siteWith(
    {
      nmae: 'Harbor Homes',
      supportEmail: 'nowhere',
      colors: {
        primary: '#0f766e',
        roles: { text: { light: '#cccccc', dark: '#f3f2ef' }, focus: { light: '#0f766e', dark: '#5eead4' } },
      },
      currency: 'DOLLARS',
      typefaces: { display: { family: 'Comic Sans' }, body: { family: 'Inter' } },
      phone: 5,
      defaultLanguage: 'fr',
    },
    {
      'icon.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">\n<script>alert(1)</script></svg>',
      'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 20"><path d="M0 0"/></svg>',
      'logo-dark.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image href="https://x.example/a.png"/></svg>',
      'texts/es/terms.md': null,
      'texts/en/privacy.md': '# Privacy\n\nWe <b>never</b> sell data.\n',
      'messages/en.json':
        '{\n  "discovery.leed": "Homes",\n  "mail.digest.subject_one": "{{number}} news"\n}',
    },
  );
  const { site, problems } = readSite(folder);
  const lines = problems.map(problemLine);
  expect(site).toBeNull();
  const expected = [
    /^site\.json:\d+: nmae: unknown key/,
    /^site\.json:\d+: supportEmail: .*such as "help@example\.com"/,
    /^site\.json:\d+: currency: expected a currency of ISO 4217, such as "EUR"/,
    /^site\.json:\d+: typefaces\.display: expected a bundled family/,
    /^site\.json:\d+: phone: expected string, found 5/,
    /^site\.json:\d+: defaultLanguage: /,
    /^site\.json:\d+: colors\.roles\.text: expected a contrast of at least 4\.5 to 1, found \d\.\d+: text #cccccc on \w+/,
    /^icon\.svg:2: expected a picture without scripts/,
    /^logo\.svg:1: expected a picture one to 6 times as wide as high/,
    /^logo-dark\.svg:1: expected no reference outside of the picture, found .*x\.example/,
    /^texts\/es\/terms\.md:1: expected the text "terms" in the language es/,
    /^texts\/en\/privacy\.md:3: expected no HTML/,
    /^messages\/en\.json:2: discovery\.leed: unknown key/,
    /^messages\/en\.json:3: mail\.digest\.subject_one: expected the variables \{\{count\}\}, found \{\{number\}\}/,
  ];
  for (const one of expected) expect(lines).toContainEqual(expect.stringMatching(one));
  expect(lines, lines.join('\n')).toHaveLength(expected.length);
  const field = readFileSync(join(folder, 'site.json'), 'utf8').split('\n');
  for (const [key] of [['nmae'], ['currency'], ['defaultLanguage']] as const) {
    const line = lines.find((text) => text.includes(`: ${key}: `));
    expect(field[Number(line?.split(':')[1]) - 1]).toContain(`"${key}"`);
  }
  expect(() => loadWorkerConfig({ SITE_DIR: folder })).toThrow(/SITE_DIR: icon\.svg:2: expected a picture/);
  const said: string[] = [];
  const screen = { out: () => {}, err: (text: string) => void said.push(text) };
  const { signal } = new AbortController();
  expect(await operate({ args: ['brand-check'], environment: { SITE_DIR: folder }, screen, signal })).toBe(1);
  expect(said.slice(0, -1)).toEqual(lines);
});

test.each([
  [
    'texts/en/terms.md',
    '# Terms\n\n[here](javascript:alert(1))\n',
    /^texts\/en\/terms\.md:3: expected an address/,
  ],
  ['texts/en/terms.md', '# Terms\n\n![a](https://x.example/a.png)\n', /:3: expected no picture/],
  [
    'texts/en/terms.md',
    '# Terms of {{compny}}\n',
    /:1: unknown variable \{\{compny\}\}, such as \{\{name\}\}/,
  ],
  ['texts/en/terms.md', 'Terms\n', /:1: expected a title/],
  ['icon.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32"/>', /expected a square/],
  ['icon.svg', '<svg viewBox="0 0 4 4" onload="alert(1)"/>', /event handlers/],
  ['icon.svg', '<svg viewBox="0 0 4 4"><style>@import "a.css";</style></svg>', /no reference outside/],
  ['icon.svg', `<svg viewBox="0 0 4 4">${' '.repeat(70_000)}</svg>`, /expected at most 65536 bytes/],
  ['icon.svg', 'GIF89a', /expected an SVG picture/],
  ['icon.svg', null, /expected the icon of the site/],
  ['logo.svg', LOGO, /^logo-dark\.svg:1: expected the logo for both themes/],
  ['logo-drak.svg', LOGO, /^logo-drak\.svg:1: unknown file/],
  ['messages/en.json', '{"discovery.lead": "<b>Homes</b>"}', /discovery\.lead: expected no HTML/],
  ['messages/en.json', '{\n"discovery.lead": }', /^messages\/en\.json:2: expected JSON/],
  [
    'messages/en.json',
    '{"mail.digest.subject_one": "{{count}} new"}',
    /expected mail\.digest\.subject_other too/,
  ],
  ['messages/en.json', '{"discovery.lead": ""}', /expected words/],
  ['site.json', '{\n  "name": "A"', /^site\.json:2: expected JSON/],
])('%# %s is refused', (file, text, expected) => {
  expect(readSite(siteWith({}, { [file]: text })).problems.map(problemLine)).toContainEqual(
    expect.stringMatching(expected),
  );
});

test('a folder that is not there is one problem, and a setting that all processes must share', () => {
  expect(readSite('/nowhere').problems.map(problemLine)).toEqual([
    'site.json:1: expected the folder of a site, such as ops/site, found none at /nowhere',
  ]);
  const fingerprintOf = (fingerprint: string) =>
    settingFingerprints({
      site: { ...ownSite(), fingerprint },
      providerInputs: {
        model: 'a/b',
        quality: 'low',
        framing: 'photo',
        aspectRatio: '1:1',
        outputFormat: 'jpeg',
        outputCompression: 90,
      },
      queueSuffix: '',
      claimDurability: 'local',
    }).SITE_DIR;
  expect(fingerprintOf('a')).not.toBe(fingerprintOf('b'));
});

test('no text in the catalogs names the software', () => {
  for (const audience of ['user', 'agent'] as const)
    for (const locale of ['en', 'es'] as const)
      expect(JSON.stringify(catalog(audience, locale))).not.toMatch(/proscenium/i);
});

test('the console, the marks and every text speak for the site of the process', async () => {
  const { t } = createTranslator('es', 'user');
  try {
    speakFor({
      name: 'Casas & Mar',
      country: 'US',
      messages: { es: { 'discovery.lead': 'Desde {{siteName}}' } },
    });
    expect([t('discovery.lead'), t('mail.otp.subject')]).toEqual([
      'Desde Casas & Mar',
      'Tu código de acceso de Casas & Mar',
    ]);
    const page = await layout({ env: { operator: 'ada' } } as PageContext, {
      title: 'Overview',
      section: 'overview',
      body: raw(''),
    });
    expect(String(page)).toContain('<title>Overview · Casas &amp; Mar console</title>');
    expect(String(page)).not.toMatch(/proscenium/i);
    expect(stagedXmp('https://homes.example/provenance/1', { isUnusual: true })).not.toMatch(/proscenium/i);
  } finally {
    speakFor({ name: 'Proscenium', country: 'US', messages: {} });
  }
});
