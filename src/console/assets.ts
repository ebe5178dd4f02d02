import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Site } from '../site/site.ts';
import type { ConsoleEnv } from './context.ts';
import { STYLE_SHEETS } from './layout.ts';

const SCRIPT = 'text/javascript; charset=utf-8';
const own = (name: string): URL => new URL(`./assets/${name}`, import.meta.url);
/** Files in this folder, and htmx from its package. */
const FILES: readonly [name: string, file: URL, type: string][] = [
  ...STYLE_SHEETS.map((name): [string, URL, string] => [name, own(name), 'text/css; charset=utf-8']),
  ['console.js', own('console.js'), SCRIPT],
  ['htmx.js', new URL('./htmx.min.js', import.meta.resolve('htmx.org')), SCRIPT],
];

/** The files of the pages, each read once. */
export function assetPages({ files }: Pick<Site, 'files'>): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>().use(etag());
  for (const [name, file, type] of FILES) {
    const body = new Uint8Array(readFileSync(file));
    // Revalidated with each request: a page of a new release must not use files of an old one.
    const headers = { 'content-type': type, 'cache-control': 'private, no-cache' };
    app.get(`/${name}`, (c) => c.body(body, 200, headers));
  }
  const icon = files.get('icon.svg');
  if (icon !== undefined)
    app.get('/icon.svg', (c) =>
      c.body(new Uint8Array(icon.bytes), 200, {
        'content-type': icon.type,
        'cache-control': 'private, no-cache',
      }),
    );
  return app;
}
