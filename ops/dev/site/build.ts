/**
 * Builds the site into `dist/site`: `client` for browsers, `server` for the web role. Finished files take the place of
 * the earlier build at once; a build whose inputs did not change is left as it is.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { INLINE_TEXTS } from '../../../src/website/bundle.ts';
import type { SiteRenderer } from '../../../src/website/renderer.ts';
import { knownInlineTexts } from './inline-texts.ts';
import { builtClient, MANIFEST, type PageSize, pageSizes } from './manifest.ts';
import { streetFiles } from './streets.ts';
import {
  bundledPackages,
  clientBuild,
  isForDevelopment,
  plainImports,
  serverBuild,
  wordsOfPages,
} from './vite-builds.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const OUT = join(ROOT, 'dist/site');
/** The file that names the packages whose code was built into the site. */
const PACKAGES = 'packages.json';
const SIZES = 'sizes.json';
/** What the site is built from. Of the rest of `src` it takes types only. */
const INPUTS = [
  'clients/web',
  'clients/typescript',
  'i18n',
  'machines/limits.ts',
  'machines/vocabulary.ts',
  'ops/dev/site',
  'ops/site',
  'ops/sample/map',
  'package-lock.json',
  'src/telemetry/report-filter.ts',
  'src/telemetry/scrub.ts',
];
/** Kinds of files that compress well; pictures and fonts are compressed already. */
const COMPRESSIBLE = /\.(?:js|css|svg|json|wasm|webmanifest|txt)$/;
/** The best quality takes seconds for each megabyte. */
const LARGE_BYTES = 2_000_000;

/** Builds when anything has changed since the last build. @returns the sizes of what was built, or null */
export async function buildSite(): Promise<readonly PageSize[] | null> {
  const version = versionOf(INPUTS);
  const stamp = join(OUT, 'version');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return null;
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const fresh = mkdtempSync(join(ROOT, 'dist/building-'));
  const client = join(fresh, 'client');
  const packages = new Set<string>();
  // The roles may run as another user.
  chmodSync(fresh, 0o755);
  try {
    // Loaded only here: most starts find the site built.
    const [{ build }, { default: react }] = await Promise.all([
      import('vite'),
      import('@vitejs/plugin-react'),
    ]);
    // React takes its form for development wherever this says anything else.
    const environment = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      const plugins = [react(), bundledPackages(packages)];
      await build({
        ...clientBuild(client),
        plugins: [...plugins, wordsOfPages(), plainImports(), streetFiles()],
      });
      await build({ ...serverBuild(join(fresh, 'server'), builtClient(client)), plugins });
    } finally {
      if (environment === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = environment;
    }
    const server = pathToFileURL(join(fresh, 'server/entry-server.js')).href;
    const inline = await knownInlineTexts((await import(server)) as SiteRenderer);
    writeFileSync(join(fresh, 'server', INLINE_TEXTS), JSON.stringify(inline));
    const { manifest } = builtClient(client);
    rmSync(join(client, MANIFEST));
    compress(client);
    writeFileSync(join(fresh, 'version'), version);
    writeFileSync(join(fresh, PACKAGES), JSON.stringify([...packages].sort()));
    const sizes = pageSizes(manifest, client);
    writeFileSync(join(fresh, SIZES), JSON.stringify(sizes));
    const old = `${fresh}-old`;
    if (existsSync(OUT)) renameSync(OUT, old);
    renameSync(fresh, OUT);
    rmSync(old, { recursive: true, force: true });
    return sizes;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The packages whose code is in the site that was built. */
export const packagesOfSite = (): string[] =>
  JSON.parse(readFileSync(join(OUT, PACKAGES), 'utf8')) as string[];

/** How much each page of the site that was built loads. */
export const sizesOfSite = (): PageSize[] => JSON.parse(readFileSync(join(OUT, SIZES), 'utf8')) as PageSize[];

/** Writes `.br` and `.gz` beside every file that compresses well. */
function compress(folder: string): void {
  for (const file of filesIn(folder)) {
    if (!COMPRESSIBLE.test(file)) continue;
    const bytes = readFileSync(file);
    const quality = bytes.length > LARGE_BYTES ? 9 : 11;
    const brotli = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: brotli }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A hash of all inputs: their paths and bytes. */
function versionOf(inputs: readonly string[]): string {
  const hash = createHash('sha256').update(String(isForDevelopment()));
  for (const input of inputs) {
    const path = join(ROOT, input);
    const files = input.includes('.') ? [path] : filesIn(path);
    for (const file of files)
      hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}
