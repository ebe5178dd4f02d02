import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { matchesEntityTag } from '../http/entity-tag.ts';
import type { ConsoleEnv } from './context.ts';
import { STYLE_SHEETS } from './layout.ts';

interface Asset {
  type: string;
  body: Uint8Array<ArrayBuffer>;
  tag: string;
}

/** The files of the pages, each read once: own ones beside this file, htmx as its package has it. */
export function assetPages(): Hono<ConsoleEnv> {
  const assets = new Map<string, Asset>([
    ...STYLE_SHEETS.map((name) => [name, asset(own(name), 'text/css; charset=utf-8')] as const),
    ['console.js', asset(own('console.js'), 'text/javascript; charset=utf-8')],
    ['icon.svg', asset(own('icon.svg'), 'image/svg+xml')],
    [
      'htmx.js',
      asset(new URL('./htmx.min.js', import.meta.resolve('htmx.org')), 'text/javascript; charset=utf-8'),
    ],
  ]);
  return new Hono<ConsoleEnv>().get('/:name', (c) => {
    const found = assets.get(c.req.param('name'));
    if (found === undefined) return c.notFound();
    // Asked for again each time: a new release must not meet the old one's files.
    c.header('cache-control', 'private, no-cache');
    c.header('etag', found.tag);
    if (matchesEntityTag(c.req.header('if-none-match'), found.tag)) return c.body(null, 304);
    return c.body(found.body, 200, { 'content-type': found.type });
  });
}

const own = (name: string): URL => new URL(`./assets/${name}`, import.meta.url);

function asset(file: URL, type: string): Asset {
  const body = new Uint8Array(readFileSync(file));
  return { type, body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
