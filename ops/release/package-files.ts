import { cpSync, type Dirent, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HTTP_SERVER_BINARY } from './http-server-binary.ts';

/** Names of license files and notices. They travel with the code, whatever the kind of the file. */
export const LEGAL = /^(?:licen[cs]e|notice|copying|copyright)/i;
/** Only the platform's own binary of the HTTP server is loaded. */
const OTHER_SERVERS = /^uws_.+\.node$/;
/**
 * Source maps, typings and sources: Node.js runs no TypeScript below `node_modules`. Prose and settings of tools are
 * read by people who change the package.
 */
const NEVER_LOADED = /\.(?:map|tsx?|mts|cts|flow|md|markdown|tsbuildinfo)$/i;
/** Folders at the top of a package. Further down, such a name may be that of code. */
const NOT_CODE = new Set([
  '.github',
  'bench',
  'benchmark',
  'doc',
  'docs',
  'example',
  'examples',
  'test',
  'tests',
  '__tests__',
]);
const PACKAGES = 'node_modules';

/**
 * Copies an installed package without what never runs, and without the packages inside it.
 * @throws Error when a file cannot be copied
 */
export function copyPackage(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1);
    if (!entry.isFile() || !isNeeded(path, entry)) continue;
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(from, path), target);
  }
}

function isNeeded(path: string, { name }: Dirent): boolean {
  const [top = ''] = path.split('/');
  if (top === PACKAGES || (NOT_CODE.has(top) && top !== path)) return false;
  if (LEGAL.test(name)) return true;
  if (OTHER_SERVERS.test(name)) return name === HTTP_SERVER_BINARY;
  return !NEVER_LOADED.test(name);
}

/** Whether a folder exists; packages of other platforms are in the lock file, and not installed. */
export const isInstalled = (folder: string): boolean =>
  lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
