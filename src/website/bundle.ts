/** The built site (`npm run site`): its server module, and the browser's files, read once and kept in memory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SiteRenderer } from './renderer.ts';

/** A file that browsers load. Its name holds a hash of its content. */
export interface Asset {
  readonly type: string;
  readonly plain: Uint8Array;
  /** Null for files that do not become smaller. */
  readonly brotli: Uint8Array | null;
  readonly gzip: Uint8Array | null;
}

export interface SiteBundle {
  readonly renderer: SiteRenderer;
  /** By path, such as `assets/entry-client-1a2b3c.js`. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Thrown at the start. */
class SiteMissing extends Error {
  readonly code = 'SITE_NOT_BUILT';
}

const BUILT_SITE = fileURLToPath(new URL('../../dist/site', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
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
    assets: assetsIn(join(folder, 'client')),
  };
}

function assetsIn(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  const bytesOf = (path: string): Uint8Array | null => (existsSync(path) ? readFileSync(path) : null);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    assets.set(name.replaceAll('\\', '/'), {
      type,
      plain: readFileSync(path),
      brotli: bytesOf(`${path}.br`),
      gzip: bytesOf(`${path}.gz`),
    });
  }
  return assets;
}
