import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';

/** The files and packages (`package:zod`) that each file loads when it runs. Paths are relative to the repository. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const SOURCE = /\.(?:ts|tsx|mjs|cjs)$/;
/** What is erased before a file runs. `tsc` finds a wrong type in any file, so no test has to. */
const TYPES_ONLY = /^(?:import|export) type [^;]*;/gm;
/** A path in quotes: an import, or a file that is read or started by `new URL(path, import.meta.url)`. */
const RELATIVE_PATH = /['"`](\.{1,2}\/[^'"`\n$?]*)/g;
const BARE_IMPORT = /(?:\bfrom |\bimport |\bimport\(|\brequire\()\s*['"]([^'".][^'"]*)['"]/g;
const BUILT_IN = new Set(builtinModules);

/** Reads the graph of `files` (every file of the repository, as git lists them) below `root`. */
export function readImportGraph(root: string, files: readonly string[]): ImportGraph {
  const known = new Set(files);
  const graph = new Map<string, ReadonlySet<string>>();
  for (const file of files) {
    if (SOURCE.test(file)) graph.set(file, loadedBy(file, readFileSync(join(root, file), 'utf8'), known));
  }
  return graph;
}

function loadedBy(file: string, text: string, known: ReadonlySet<string>): Set<string> {
  const code = text.replace(TYPES_ONLY, '');
  const loaded = new Set<string>();
  for (const [, path = ''] of code.matchAll(RELATIVE_PATH)) {
    const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
    if (known.has(target)) loaded.add(target);
    // A folder: its files are read by names that are made at run time. The root itself names nothing.
    else if (target !== '.') for (const one of filesBelow(target, known)) loaded.add(one);
  }
  for (const [, name = ''] of code.matchAll(BARE_IMPORT)) {
    if (!name.startsWith('node:') && !BUILT_IN.has(name)) loaded.add(`package:${packageOf(name)}`);
  }
  return loaded;
}

const filesBelow = (folder: string, known: ReadonlySet<string>): string[] =>
  [...known].filter((file) => file.startsWith(`${folder}/`));

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** `changed`, and every file that loads one of them directly or through others. */
export function dependentsOf(graph: ImportGraph, changed: Iterable<string>): Set<string> {
  const loaders = new Map<string, string[]>();
  for (const [file, loaded] of graph) {
    for (const one of loaded) {
      const list = loaders.get(one);
      if (list) list.push(file);
      else loaders.set(one, [file]);
    }
  }
  const found = new Set(changed);
  for (const file of found) for (const loader of loaders.get(file) ?? []) found.add(loader);
  return found;
}
