import { expect, test } from 'vitest';
import {
  formatTag,
  localeOfPath,
  pathIn,
  preferredLocale,
  type SiteLanguages,
  spoken,
  withoutLocale,
} from '../../i18n/languages.ts';

const SPANISH_FIRST: SiteLanguages = { languages: ['es', 'en'], defaultLanguage: 'es' };
const ENGLISH_ONLY: SiteLanguages = { languages: ['en'], defaultLanguage: 'en' };

test('the language is part of the address, and the default one is not', () => {
  const paths = ['/', '/en', '/en/search', '/entry', '/es/search'];
  expect(paths.map((path) => localeOfPath(SPANISH_FIRST, path))).toEqual(['es', 'en', 'en', 'es', 'es']);
  expect(paths.map(withoutLocale)).toEqual(['/', '/', '/search', '/entry', '/search']);
  const written = (['en', 'es'] as const).flatMap((locale) =>
    ['/', '/search'].map((path) => pathIn(SPANISH_FIRST, path, locale)),
  );
  expect(written).toEqual(['/en', '/en/search', '/', '/search']);
});

test('only what the site offers is spoken', () => {
  expect(spoken(ENGLISH_ONLY, 'es')).toBe('en');
  expect(spoken(SPANISH_FIRST, 'en')).toBe('en');
  expect(preferredLocale(ENGLISH_ONLY, 'es')).toBe('en');
  expect(preferredLocale(SPANISH_FIRST, 'fr, en;q=0.5')).toBe('en');
  expect(preferredLocale(SPANISH_FIRST, 'fr')).toBe('es');
});

test('numbers and days follow the country, where its way of the language is known everywhere', () => {
  expect([
    formatTag('es', 'ES'),
    formatTag('es', 'US'),
    formatTag('en', 'ES'),
    formatTag('en', 'GB'),
  ]).toEqual(['es-ES', 'es-MX', 'en-US', 'en-GB']);
});
