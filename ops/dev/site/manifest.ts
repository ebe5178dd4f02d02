import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from 'vite';
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
  const words = (['en', 'es'] as const).flatMap((locale) => [
    [locale, own(catalogKey(locale))] as const,
    [`agent-${locale}`, own(catalogKey(locale, 'agent'))] as const,
    [`provenance-${locale}`, own(provenanceKey(locale))] as const,
  ]);
  return Object.fromEntries([...pages, ...words]);
}

const catalogKey = (locale: string, audience = 'user'): string => `../../i18n/${audience}/${locale}.json`;
const provenanceKey = (locale: string): string => `${catalogKey(locale)}?provenance`;
/** The studio says what everyone reads, and what only agents do; provenance pages have words of their own too. */
function wordsFor(page: string): string[] {
  if (page.startsWith('pages/studio/')) return [catalogKey('en'), catalogKey('en', 'agent')];
  return page.startsWith('pages/provenance/') ? [catalogKey('en'), provenanceKey('en')] : [catalogKey('en')];
}
const pageKeys = (manifest: Manifest): string[] =>
  Object.keys(manifest).filter((key) => key.startsWith('pages/') && key.endsWith('-page.tsx'));

/** JavaScript that the browser loads before a page works, in bytes after gzip. */
export interface PageSize {
  readonly page: string;
  readonly bytes: number;
}

export function pageSizes(manifest: Manifest, client: string): PageSize[] {
  const gzipped = (files: Iterable<string>): number =>
    [...files]
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + readFileSync(join(client, `${file}.gz`)).length, 0);
  return pageKeys(manifest).map((page) => ({
    page,
    bytes: gzipped(new Set([ENTRY, ...wordsFor(page), page].flatMap((key) => filesOf(manifest, key)))),
  }));
}
