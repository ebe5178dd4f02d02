import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import {
  PAGE_PARTS,
  partsOfFolder,
  WORD_PARTS,
  type WordPart,
} from '../../../clients/web/words/word-parts.ts';
import { LOCALES, type Locale } from '../../../i18n/languages.ts';
import { starter } from './starter.ts';

/** Vite's table of the files that it built, as it is named in the folder of the build. */
export const MANIFEST = 'manifest.json';

/** What was built for browsers. */
export interface BuiltClient {
  readonly manifest: Manifest;
  /** All styles of the pages. */
  readonly styles: string;
}

export function builtClient(folder: string): BuiltClient {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
  return { manifest, styles: readFileSync(join(folder, fileOf(manifest, 'style.css')), 'utf8') };
}

function fileOf(manifest: Manifest, key: string): string {
  const file = manifest[key]?.file;
  if (file === undefined) throw new Error(`The build has no ${key}`);
  return file;
}

const ENTRY = 'entry-client.tsx';

/** A file and everything that it imports when it is loaded. */
function filesOf(manifest: Manifest, key: string, seen: Set<string> = new Set()): string[] {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  return [chunk.file, ...(chunk.imports ?? []).flatMap((one) => filesOf(manifest, one, seen))];
}

/** The script in every document. */
export const starterOf = ({ manifest }: BuiltClient): string =>
  starter(filesOf(manifest, ENTRY).map((file) => `/${file}`));

/** The catalog of each language and each page's own scripts, without those that every page loads. */
export function scriptsByPage(manifest: Manifest): Record<string, string[]> {
  const common = new Set(filesOf(manifest, ENTRY));
  const own = (key: string): string[] =>
    filesOf(manifest, key)
      .filter((file) => !common.has(file))
      .map((file) => `/${file}`);
  const pages = pageKeys(manifest).map((key) => [key, own(key)] as const);
  const words = LOCALES.flatMap((locale) => [
    [locale, own(catalogKey(locale))] as const,
    ...WORD_PARTS.map((part) => [`${part}-${locale}`, own(partKey(part, locale))] as const),
  ]);
  return Object.fromEntries([...pages, ...words]);
}

const catalogKey = (locale: string, audience = 'user'): string => `../../i18n/${audience}/${locale}.json`;
function partKey(part: WordPart, locale: string): string {
  if (PAGE_PARTS.some((one) => one === part)) return `${catalogKey(locale)}?${part}`;
  return catalogKey(locale, 'agent') + (part === 'studio' ? '' : `?${part}`);
}
/** The catalogs that a page needs, as its folder says. */
function wordsFor(page: string, locale: Locale): string[] {
  const folder = page.split('/').slice(1, -1).join('/');
  return [catalogKey(locale), ...partsOfFolder(folder).map((part) => partKey(part, locale))];
}
const pageKeys = (manifest: Manifest): string[] =>
  Object.keys(manifest).filter((key) => key.startsWith('pages/') && key.endsWith('-page.tsx'));

/** What the browser loads before a page works, or for a part of it that is shown later, in bytes after gzip. */
export interface PageSize {
  readonly page: string;
  /** Null for what is the same in every language. */
  readonly locale: Locale | null;
  readonly bytes: number;
}

export function pageSizes(manifest: Manifest, client: string): PageSize[] {
  const scripts = (keys: readonly string[]): string[] =>
    keys.flatMap((key) => filesOf(manifest, key)).filter((file) => file.endsWith('.js'));
  const gzipped = (files: Iterable<string>): number =>
    [...new Set(files)].reduce((sum, file) => sum + readFileSync(join(client, `${file}.gz`)).length, 0);
  const assets = readdirSync(join(client, 'assets')).map((name) => `assets/${name}`);
  const ofPages = new Set(scripts([ENTRY, ...pageKeys(manifest)]));
  const map = scripts([MAP]).filter((file) => !ofPages.has(file));
  return [
    ...pageKeys(manifest).flatMap((page) =>
      LOCALES.map((locale) => ({
        page,
        locale,
        bytes: gzipped(scripts([ENTRY, ...wordsFor(page, locale), page])),
      })),
    ),
    { page: MAP, locale: null, bytes: gzipped([...map, ...assets.filter((file) => MAP_PARTS.test(file))]) },
    {
      page: "the built-in map's background",
      locale: null,
      bytes: gzipped(assets.filter((file) => BACKGROUND.test(file))),
    },
  ];
}

/** What a page with a map loads when the map is shown: its scripts, the library's styles and its worker. */
const MAP = 'pages/search/search-map.tsx';
const MAP_PARTS = /\/maplibre-gl(?:-worker)?-[\w-]+\.(?:css|js)$/;
/** Outlines and streets. */
const BACKGROUND = /\.json$/;
