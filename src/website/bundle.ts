/** The built site (`npm run site`): its server module, and the browser's files. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadedOnce } from '../loaded-once.ts';
import type { InlineTexts, SiteRenderer } from './renderer.ts';

/** A file that browsers load. Its name holds a hash of its content. */
export interface Asset {
  readonly type: string;
  readonly plain: StoredBytes;
  /** Null for files that do not become smaller. */
  readonly brotli: StoredBytes | null;
  readonly gzip: StoredBytes | null;
}

/** Read by the first request for them and then kept: most files are never asked for in most of their forms. */
export type StoredBytes = () => Promise<Uint8Array>;

export interface SiteBundle {
  readonly renderer: SiteRenderer;
  readonly inline: InlineTexts;
  /** By path, such as `assets/entry-client-1a2b3c.js`. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Thrown at the start. */
class SiteMissing extends Error {
  readonly code = 'SITE_NOT_BUILT';
}

/** Beside the server module: the inline scripts and styles that browsers may run. */
export const INLINE_TEXTS = 'inline-texts.json';
const BUILT_SITE = fileURLToPath(new URL('../../dist/site', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** @throws SiteMissing when the site was not built */
export async function loadSite(folder: string = BUILT_SITE): Promise<SiteBundle> {
  const server = join(folder, 'server/entry-server.js');
  if (!existsSync(server))
    throw new SiteMissing(`The site is not built. Run "npm run site", or set SITE_ENABLED=false.`);
  return {
    renderer: (await import(pathToFileURL(server).href)) as SiteRenderer,
    inline: JSON.parse(await readFile(join(folder, 'server', INLINE_TEXTS), 'utf8')) as InlineTexts,
    assets: assetsIn(join(folder, 'client')),
  };
}

function assetsIn(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  const bytesOf = (path: string): StoredBytes => loadedOnce(() => readFile(path));
  const bytesIfAny = (path: string): StoredBytes | null => (existsSync(path) ? bytesOf(path) : null);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    assets.set(name.replaceAll('\\', '/'), {
      type,
      plain: bytesOf(path),
      brotli: bytesIfAny(`${path}.br`),
      gzip: bytesIfAny(`${path}.gz`),
    });
  }
  return assets;
}
