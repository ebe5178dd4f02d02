import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { syncCatalogs } from '../../i18n/sync-catalogs.ts';
import { catalog, createTranslator, preferredLocale } from '../../i18n/translator.ts';

test('variables are replaced once, and a missing one stays visible', () => {
  const { t } = createTranslator('en', 'user');
  expect(t('disclosure.altText', { room: 'Kitchen' })).toBe('AI, virtually staged: Kitchen');
  expect(t('disclosure.altText')).toContain('{{room}}');
  expect(t('disclosure.altText', { room: '{{room}} $& $1' })).toContain('{{room}} $& $1');
});

test('markup, options or keys inside a variable stay plain text', () => {
  const { t } = createTranslator('en', 'user');
  const room = `<b>&"'</b> $t(errors.internal) {{- room}}`;
  expect(t('disclosure.altText', { room })).toBe(`AI, virtually staged: ${room}`);
  const options = {
    lng: 'es',
    context: 'male',
    defaultValue: 'x',
    replace: 'y',
    ns: 'z',
    returnObjects: 'true',
  };
  expect(t('disclosure.altText', { ...options, room: 'Kitchen' })).toBe('AI, virtually staged: Kitchen');
  expect(createTranslator('es', 'user').t('disclosure.altText', { room: 'Sala' })).toBe(
    'IA, amueblado virtual: Sala',
  );
});

test('count picks the plural form in both languages', () => {
  const en = createTranslator('en', 'agent');
  const es = createTranslator('es', 'agent');
  expect(en.t('review.pending', { count: 1 })).toBe('1 picture to review');
  expect(en.t('review.pending', { count: 0 })).toBe('0 pictures to review');
  expect(es.t('review.pending', { count: 1 })).toBe('1 imagen por revisar');
  expect(es.t('review.pending', { count: 1_000_000 })).toBe('1,000,000 imágenes por revisar');
});

test('Spanish formats numbers and dates as in Mexico', () => {
  const es = createTranslator('es', 'user');
  expect(es.number(1234567.5)).toBe('1,234,567.5');
  const date = new Date('2026-10-19T00:00:00Z');
  expect(es.date(date, { dateStyle: 'long', timeZone: 'UTC' })).toBe('19 de octubre de 2026');
  expect(createTranslator('en', 'user').date(date, { dateStyle: 'long', timeZone: 'UTC' })).toBe(
    'October 19, 2026',
  );
});

test('an unknown key is shown as it is, even the name of an inherited property', () => {
  const { t, has } = createTranslator('es', 'user');
  expect(t('errors.neverHeardOf')).toBe('errors.neverHeardOf');
  expect(t('constructor')).toBe('constructor');
  expect([has('constructor'), has('staging.unavailable'), has('mail.otp.expiry')]).toEqual([
    false,
    true,
    true,
  ]);
});

test.each([
  [null, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['es-419,es;q=0.9,en;q=0.8', 'es'],
  ['fr;q=1, en;q=0.3, es;q=0.7', 'es'],
  ['es;q=0, en;q=0.1', 'en'],
  ['*', 'en'],
  ['es;q=abc', 'en'],
] as const)('Accept-Language %j means %s', (header, locale) => {
  expect(preferredLocale({ languages: ['en', 'es'], defaultLanguage: 'en' }, header)).toBe(locale);
});

test('the catalogs are copied to both apps under the file names they read, and a second copy changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'catalogs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const targets = {
    audience: 'user',
    ios: join(folder, 'Resources'),
    android: join(folder, 'assets'),
  } as const;
  const first = await syncCatalogs(targets);
  expect(await syncCatalogs(targets)).toEqual(first);
  expect(first).toEqual([
    join(folder, 'Resources', 'messages-en.json'),
    join(folder, 'assets', 'messages', 'en.json'),
    join(folder, 'Resources', 'messages-es.json'),
    join(folder, 'assets', 'messages', 'es.json'),
  ]);
  expect(JSON.parse(await readFile(first[3] ?? '', 'utf8'))).toEqual(catalog('user', 'es'));
});
