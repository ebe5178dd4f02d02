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
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { InlineConfig, Manifest, Plugin } from 'vite';
import { writeRootFiles } from './site-root-files.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const OUT = join(ROOT, 'dist/site');
/** What the site is built from. Of `src` it takes types only. */
const INPUTS = [
  'clients/web',
  'clients/typescript',
  'i18n',
  'ops/dev/site-build.ts',
  'ops/dev/site-root-files.ts',
  'package-lock.json',
];
/** Kinds of files that compress well; pictures and fonts are compressed already. */
const COMPRESSIBLE = /\.(?:js|css|svg|json|webmanifest|txt)$/;

const ON_EVERY_PAGE =
  /node_modules\/@tanstack\/|clients\/web\/(?:entry-client|app\/|pages\/[\w-]+\/[\w-]+-(?:data|state)\.ts|pages\/listing\/staged-label|primitives\/(?:button|heart-button|icon|parts|picture|picture-files|property-card|status-tones)\.)/;

const MANIFEST = 'manifest.json';

/** JavaScript that the browser loads before a page works, in bytes after gzip. */
export interface PageSize {
  readonly page: string;
  readonly bytes: number;
}

/** Builds when anything has changed since the last build. @returns the sizes of what was built, or null */
export async function buildSite(): Promise<readonly PageSize[] | null> {
  const version = versionOf(INPUTS);
  const stamp = join(OUT, 'version');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return null;
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const fresh = mkdtempSync(join(ROOT, 'dist/building-'));
  const client = join(fresh, 'client');
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
      await build({ ...clientBuild(client), plugins: [react(), wordsOfPages()] });
      await build({ ...serverBuild(join(fresh, 'server'), builtClient(client)), plugins: [react()] });
    } finally {
      if (environment === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = environment;
    }
    const { manifest } = builtClient(client);
    rmSync(join(client, MANIFEST));
    await writeRootFiles(client, { icon: `/${fileOf(manifest, 'icons/icon.svg')}` });
    compress(client);
    writeFileSync(join(fresh, 'version'), version);
    const sizes = pageSizes(manifest, client);
    const old = `${fresh}-old`;
    if (existsSync(OUT)) renameSync(OUT, old);
    renameSync(fresh, OUT);
    rmSync(old, { recursive: true, force: true });
    return sizes;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Leaves out of the catalogs what only mails say, since every page loads one of them; and out of the agents' what
 * stands in the other one, since their pages load both.
 */
function wordsOfPages(): Plugin {
  const catalog = (audience: string, locale: string): Record<string, string> =>
    JSON.parse(readFileSync(join(ROOT, `i18n/${audience}/${locale}.json`), 'utf8'));
  return {
    name: 'words-of-pages',
    enforce: 'pre',
    transform(_, id) {
      const [, audience, locale] = /i18n\/(user|agent)\/(\w+)\.json$/.exec(id) ?? [];
      if (audience === undefined || locale === undefined) return null;
      const known = audience === 'agent' ? catalog('user', locale) : {};
      const words = Object.entries(catalog(audience, locale)).filter(
        ([key]) => !key.startsWith('mail.') && !(key in known),
      );
      return JSON.stringify(Object.fromEntries(words));
    },
  };
}

const common = (outDir: string): InlineConfig => ({
  configFile: false,
  root: join(ROOT, 'clients/web'),
  logLevel: 'warn',
  publicDir: false,
  mode: 'production',
  // The router's switch for styles in the document.
  define: { 'process.env.TSS_INLINE_CSS_ENABLED': JSON.stringify('true') },
  // The map's library is the largest part; it is loaded only when a map is shown.
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_200,
  },
});

function clientBuild(outDir: string): InlineConfig {
  const base = common(outDir);
  return {
    ...base,
    build: {
      ...base.build,
      manifest: MANIFEST,
      // The document preloads what a page needs; a list of the rest is larger than what it would save.
      modulePreload: false,
      rollupOptions: {
        input: join(ROOT, 'clients/web/entry-client.tsx'),
        // What every page needs is one file: together it compresses better than in twenty.
        output: { codeSplitting: { groups: [{ name: 'site', test: ON_EVERY_PAGE }] } },
      },
    },
  };
}

interface BuiltClient {
  readonly manifest: Manifest;
  /** All styles of the pages. */
  readonly styles: string;
}

function builtClient(folder: string): BuiltClient {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
  return { manifest, styles: readFileSync(join(folder, fileOf(manifest, 'style.css')), 'utf8') };
}

function fileOf(manifest: Manifest, key: string): string {
  const file = manifest[key]?.file;
  if (file === undefined) throw new Error(`The build has no ${key}`);
  return file;
}

function serverBuild(outDir: string, built: BuiltClient): InlineConfig {
  const base = common(outDir);
  return {
    ...base,
    define: {
      ...base.define,
      'process.env.NODE_ENV': JSON.stringify('production'),
      CLIENT: JSON.stringify({ manifest: routerManifest(built), scripts: scriptsByPage(built.manifest) }),
    },
    ssr: { noExternal: true },
    build: {
      ...base.build,
      ssr: join(ROOT, 'clients/web/entry-server.tsx'),
      minify: false,
      rollupOptions: { output: { entryFileNames: 'entry-server.js' } },
    },
  };
}

/** As the router's server takes it. */
interface RouterManifest {
  /** Styles that stand in the document, so that a page is drawn without waiting for another file. */
  readonly inlineCss: { readonly styles: Readonly<Record<string, string>> };
  readonly routes: Readonly<
    Record<
      string,
      {
        readonly css: readonly string[];
        readonly scripts: readonly { readonly attrs: object; readonly children: string }[];
      }
    >
  >;
}

const ENTRY = 'entry-client.tsx';

/** A file and everything that it imports when it is loaded. */
function filesOf(manifest: Manifest, key: string, seen: Set<string> = new Set()): string[] {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  return [chunk.file, ...(chunk.imports ?? []).flatMap((one) => filesOf(manifest, one, seen))];
}

/** What every page starts with. */
function routerManifest({ manifest, styles }: BuiltClient): RouterManifest {
  const href = `/${fileOf(manifest, 'style.css')}`;
  const scripts = filesOf(manifest, ENTRY).map((file) => `/${file}`);
  return {
    inlineCss: { styles: { [href]: styles } },
    routes: { __root__: { css: [href], scripts: [{ attrs: {}, children: starter(scripts) }] } },
  };
}

/** The first picture is waited for so long. */
const LONGEST_WAIT_MS = 2_500;

/**
 * The script in every document that loads the others. On a slow line everything that is loaded at once takes turns, so
 * the other pictures and the scripts come after the first picture: a page is looked at before it is used.
 * @param scripts the first one starts the pages
 */
function starter(scripts: readonly string[]): string {
  return `{
const first = document.querySelector('img[fetchpriority=high]');
const waits = first !== null && !first.complete;
const held = waits ? [...document.querySelectorAll('img[loading=lazy]')].map((one) => [one, one.srcset, one.getAttribute('src')]) : [];
for (const [one] of held) for (const name of ['srcset', 'src']) one.removeAttribute(name);
let hasStarted = false;
const start = () => {
  if (hasStarted) return;
  hasStarted = true;
  for (const [one, set, src] of held) {
    if (set) one.srcset = set;
    one.src = src;
  }
  for (const src of ${JSON.stringify(scripts)}.toReversed())
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
};
if (waits) {
  for (const end of ['load', 'error']) first.addEventListener(end, start);
  setTimeout(start, ${LONGEST_WAIT_MS});
} else start();
}`;
}

/** The catalog of each language and each page's own scripts, without those that every page loads. */
function scriptsByPage(manifest: Manifest): Record<string, string[]> {
  const common = new Set(filesOf(manifest, ENTRY));
  const own = (key: string): string[] =>
    filesOf(manifest, key)
      .filter((file) => !common.has(file))
      .map((file) => `/${file}`);
  const pages = pageKeys(manifest).map((key) => [key, own(key)] as const);
  const words = (['en', 'es'] as const).flatMap((locale) => [
    [locale, own(catalogKey(locale))] as const,
    [`agent-${locale}`, own(catalogKey(locale, 'agent'))] as const,
  ]);
  return Object.fromEntries([...pages, ...words]);
}

const catalogKey = (locale: string, audience = 'user'): string => `../../i18n/${audience}/${locale}.json`;
const wordsFor = (page: string): string[] =>
  page.startsWith('pages/studio/') ? [catalogKey('en'), catalogKey('en', 'agent')] : [catalogKey('en')];
const pageKeys = (manifest: Manifest): string[] =>
  Object.keys(manifest).filter((key) => key.startsWith('pages/') && key.endsWith('-page.tsx'));

function pageSizes(manifest: Manifest, client: string): PageSize[] {
  const gzipped = (files: Iterable<string>): number =>
    [...files]
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + readFileSync(join(client, `${file}.gz`)).length, 0);
  return pageKeys(manifest).map((page) => ({
    page,
    bytes: gzipped(new Set([ENTRY, ...wordsFor(page), page].flatMap((key) => filesOf(manifest, key)))),
  }));
}

/** Writes `.br` and `.gz` beside every file that compresses well. */
function compress(folder: string): void {
  for (const file of filesIn(folder)) {
    if (!COMPRESSIBLE.test(file)) continue;
    const bytes = readFileSync(file);
    const brotli = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
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
  const hash = createHash('sha256');
  for (const input of inputs) {
    const path = join(ROOT, input);
    const files = input.includes('.') ? [path] : filesIn(path);
    for (const file of files)
      hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}
