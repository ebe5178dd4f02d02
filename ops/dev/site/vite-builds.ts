import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import {
  PAGE_PARTS,
  STUDIO_FOLDERS,
  WORDS_OF_FOLDER,
  WORDS_OF_PAGES,
} from '../../../clients/web/words/word-parts.ts';
import { type BuiltClient, MANIFEST, scriptsByPage, starterOf } from './manifest.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/**
 * The modules of the one file that every page loads; what they import comes along, React too. The table of pages reads
 * the data and state modules of all pages before their components. The primitives stand on nearly every page: in files
 * of their own each would be a further request on a slow line. Limits are a few bytes. What a page shows only after a press is not here.
 */
const ON_EVERY_PAGE =
  /node_modules\/@tanstack\/|machines\/|clients\/web\/(?:entry-client|(?:addresses|api|app|head|pictures|site|words)\/|session\/(?!favorites|invitation|provider-sign-in|recent-searches)|pages\/[\w-]+\/[\w-]+-(?:data|state)\.ts|pages\/listing\/gallery\/staged-label|primitives\/(?:button|choices|icon|later|parts|picture|sign-in-prompt|status-tones)\.)/;

/** Cards of homes, which most pages for buyers show. */
const OF_CARDS =
  /clients\/web\/(?:primitives\/(?:property-card|card-\w+|facade|mark-buttons|heart-button|hidden-homes)|session\/favorites)\./;

/** The modules that nearly every page of the studio loads, in one file for the same reasons. */
const ON_STUDIO_PAGES =
  /clients\/web\/pages\/studio\/(?:agents-only|for-all|studio-queries|use-act|workspace|photo-name|use-selection|staging\/use-listing-work)\./;

/** Words of mails, of the page without a connection and of other apps, and those that the API puts into its answers. */
const NOT_OF_PAGES =
  /^(?:mail|savedSearch|attempt|drift|job\.phase|market|place|webhook)\.|^offline\.(?:text|title)|^tour\.calendar|^openHouse\.calendar|^disclosure\.(?:altered|caveat|label|lookFirst|notLegalAdvice|outside|readme|requirement|stagedElsewhere|text|unmet|viewOriginal)/;

/** Words of the catalog for everyone that only pages of the studio say. */
const OF_THE_STUDIO =
  /^(?:furniture|imageOf|staging|style)\.|^room\.(?!unknown)|^errors\.(?:mismatchEnded|offerEnded|openHouse|tooMany(?:Open|Webhooks)|webhook)|^listing\.(?:settled|statusRefused)|^quota\.full/;

/** Whether only this folder of the studio says the key, or, without a folder, whether none alone does. */
function isOfFolder(key: string, folder: string | undefined): boolean {
  const folders = STUDIO_FOLDERS.filter((one) => WORDS_OF_FOLDER[one].test(key));
  return folder === undefined ? folders.length === 0 : folders.some((one) => one === folder);
}

/**
 * Leaves out of the catalogs what no page says itself, since every page loads one of them; and out of the agents' what
 * stands in the other one, since their pages load both. The words of some pages are catalogs of their own (word-parts.ts),
 * named like `user/en.json?provenance`.
 */
export function wordsOfPages(): Plugin {
  const catalog = (audience: string, locale: string): Record<string, string> =>
    JSON.parse(readFileSync(join(ROOT, `i18n/${audience}/${locale}.json`), 'utf8'));
  return {
    name: 'words-of-pages',
    enforce: 'pre',
    transform(_, id) {
      const [, audience, locale, only] = /i18n\/(user|agent)\/(\w+)\.json(?:\?(\w+))?$/.exec(id) ?? [];
      if (audience === undefined || locale === undefined) return null;
      const forAll = catalog('user', locale);
      const isHere = (key: string): boolean =>
        audience === 'user'
          ? !OF_THE_STUDIO.test(key) && PAGE_PARTS.find((part) => WORDS_OF_PAGES[part].test(key)) === only
          : (OF_THE_STUDIO.test(key) || !(key in forAll)) && isOfFolder(key, only);
      const words = Object.entries(catalog(audience, locale)).filter(
        ([key]) => !NOT_OF_PAGES.test(key) && isHere(key),
      );
      const text = JSON.stringify(Object.fromEntries(words));
      // With a query it is no JSON for the bundler.
      return only === undefined ? text : `export default ${text}`;
    },
  };
}

/** Vite's loader of a page's own styles and preloads: a build without either needs none of it. */
export const plainImports = (): Plugin => ({
  name: 'plain-imports',
  enforce: 'pre',
  transform: (_, id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null,
});

/** Adds the names of the packages whose code a build holds: their licenses belong to the release. */
export function bundledPackages(names: Set<string>): Plugin {
  return {
    name: 'bundled-packages',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        // A file, such as a typeface, is named as it came.
        for (const id of chunk.type === 'chunk' ? chunk.moduleIds : chunk.originalFileNames) {
          const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (name !== undefined) names.add(name);
        }
      }
    },
  };
}

/** True where the site is built for developers: it has rows that others never see. */
export const isForDevelopment = (): boolean => process.env.NODE_ENV === 'development';
const DEVELOPMENT = JSON.stringify(isForDevelopment());

const common = (outDir: string): InlineConfig => ({
  configFile: false,
  root: join(ROOT, 'clients/web'),
  logLevel: 'warn',
  publicDir: false,
  mode: 'production',
  define: { DEVELOPMENT },
  worker: { format: 'es' },
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

export function clientBuild(outDir: string): InlineConfig {
  const base = common(outDir);
  return {
    ...base,
    // React has had this itself since its version 18.
    resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
    build: {
      ...base.build,
      manifest: MANIFEST,
      // The document preloads what a page needs; a list of the rest is larger than what it would save.
      modulePreload: false,
      rollupOptions: {
        input: join(ROOT, 'clients/web/entry-client.tsx'),
        // What every page needs is one file: together it compresses better than in twenty.
        output: {
          codeSplitting: {
            groups: [
              { name: 'site', test: ON_EVERY_PAGE, priority: 1 },
              { name: 'cards', test: OF_CARDS },
              { name: 'studio', test: ON_STUDIO_PAGES },
            ],
          },
        },
      },
    },
  };
}

export function serverBuild(outDir: string, built: BuiltClient): InlineConfig {
  const base = common(outDir);
  return {
    ...base,
    define: {
      ...base.define,
      'process.env.NODE_ENV': JSON.stringify('production'),
      CLIENT: JSON.stringify({
        written: { styles: built.styles, starter: starterOf(built) },
        scripts: scriptsByPage(built.manifest),
      }),
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
