import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
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
