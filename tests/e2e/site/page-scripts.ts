import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { LOCALES } from '../../../i18n/languages.ts';
import { sizesOfSite } from '../../../ops/dev/site/build.ts';
import type { SiteWindow } from './site-window.ts';

const CLIENT_FILES = fileURLToPath(new URL('../../../dist/site/client', import.meta.url));
/** What a page needs before it works, in bytes after gzip. */
const MOST_NEEDED = 150_000;
/** Each script that comes with something that the page shows later. */
const MOST_LATER = 30_000;
/** React alone is larger: a page with less was not counted. */
const LEAST_NEEDED = 100_000;

const sizeOf = (script: string): number => statSync(join(CLIENT_FILES, `${script}.gz`)).size;

/** Opens a page and compares its scripts with their bounds (docs/contract.md#site). */
export async function expectFewScripts(window: SiteWindow, path: string): Promise<void> {
  const loaded = new Set<string>();
  window.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js') && pathname.startsWith('/assets/')) loaded.add(pathname);
  });
  await window.go(path);
  await window.page.waitForLoadState('networkidle');
  // The document names what every page needs, and its header `link` the words and scripts of this one.
  const document = await window.page.request.get(path, { headers: { accept: 'text/html' } });
  const naming = `${document.headers().link} ${await document.text()}`;
  const named = new Set(naming.match(/\/assets\/[\w-]+\.js/g));
  const needed = [...loaded].filter((script) => named.has(script)).reduce((sum, one) => sum + sizeOf(one), 0);
  const large = [...loaded].filter((script) => !named.has(script) && sizeOf(script) > MOST_LATER);
  expect([path, needed <= MOST_NEEDED, needed > LEAST_NEEDED, needed, large]).toEqual([
    path,
    true,
    true,
    needed,
    [],
  ]);
}

/** Compares the scripts of every page, as the site was built, with the bound: in each language. */
export function expectFewScriptsInEveryLanguage(): void {
  const pages = sizesOfSite().filter(({ locale }) => locale !== null);
  expect(new Set(pages.map(({ locale }) => locale))).toEqual(new Set(LOCALES));
  const sizes = pages.map(({ page, locale, bytes }) => [page, locale, bytes] as const);
  expect(sizes.filter(([, , bytes]) => bytes > MOST_NEEDED || bytes < LEAST_NEEDED)).toEqual([]);
}
