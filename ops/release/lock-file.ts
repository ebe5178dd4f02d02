import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The repository's root, where the lock file and `node_modules` are. */
export const ROOT = new URL('../..', import.meta.url).pathname;

/** An installed package, as `package-lock.json` describes it. */
export interface LockedPackage {
  /** Where it is installed, such as `node_modules/a/node_modules/b`. */
  readonly path: string;
  /** The name by which it is imported. */
  readonly name: string;
  /** Its name in the registry, which an alias hides. */
  readonly registryName: string;
  readonly version: string;
  /** An SPDX expression; empty when the package declares none. */
  readonly license: string;
  /** Whether only development needs it. */
  readonly dev: boolean;
  /** Names of the packages that it needs; those of other platforms are among them. */
  readonly dependencies: readonly string[];
  /** Names of the packages that it requires whoever installs it to have. */
  readonly peers: readonly string[];
}

const NAMES = z.record(z.string(), z.string()).default({});
const ENTRY = z.object({
  name: z.string().optional(),
  version: z.string(),
  license: z.string().default(''),
  dev: z.boolean().default(false),
  dependencies: NAMES,
  optionalDependencies: NAMES,
  peerDependencies: NAMES,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean() })).default({}),
});
const LOCK = z.object({ packages: z.record(z.string(), z.unknown()) });
const INSIDE = 'node_modules/';

/** Reads the text of a lock file. */
export function lockedPackages(text: string): LockedPackage[] {
  const { packages } = LOCK.parse(JSON.parse(text));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => lockedPackage(path, entry));
}

function lockedPackage(path: string, entry: unknown): LockedPackage {
  const { dependencies, optionalDependencies, peerDependencies, ...own } = ENTRY.parse(entry);
  const name = path.slice(path.lastIndexOf(INSIDE) + INSIDE.length);
  return {
    path,
    name,
    registryName: own.name ?? name,
    version: own.version,
    license: own.license,
    dev: own.dev,
    dependencies: [...Object.keys(dependencies), ...Object.keys(optionalDependencies)],
    peers: Object.keys(peerDependencies).filter((peer) => own.peerDependenciesMeta[peer]?.optional !== true),
  };
}

/** The packages of this repository's lock file. */
export const ownPackages = (): LockedPackage[] =>
  lockedPackages(readFileSync(`${ROOT}package-lock.json`, 'utf8'));

/** The packages with these names at the root, and everything that they need, each once. */
export function withDependencies(all: readonly LockedPackage[], names: readonly string[]): LockedPackage[] {
  const byPath = new Map(all.map((one) => [one.path, one]));
  const found = new Map<string, LockedPackage>();
  const visit = (from: string, name: string): void => {
    const one = resolved(byPath, from, name);
    if (one === undefined || found.has(one.path)) return;
    found.set(one.path, one);
    for (const dependency of one.dependencies) visit(one.path, dependency);
  };
  for (const name of names) visit('', name);
  return [...found.values()];
}

/** What an import of `name` finds from the folder of a package: the nearest one, from the inside out. */
function resolved(byPath: ReadonlyMap<string, LockedPackage>, from: string, name: string) {
  for (let folder = from; ; folder = outside(folder)) {
    const one = byPath.get(`${folder === '' ? '' : `${folder}/`}${INSIDE}${name}`);
    if (one !== undefined || folder === '') return one;
  }
}

const outside = (folder: string): string => folder.slice(0, Math.max(0, folder.lastIndexOf(`/${INSIDE}`)));
