import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type LockedPackage, ownPackages, ROOT, withDependencies } from './lock-file.ts';

/**
 * The committed list of what is deployed (`packages.json`). A package that an update brings along needs a new line, so
 * it is seen.
 */
const LIST = z.object({
  /** Dependencies of `package.json`, each with the reason for it. */
  direct: z.record(z.string(), z.string().min(1)),
  /** What the direct ones need. */
  indirect: z.array(z.string()),
  /** Development dependencies whose code is built into the site, each with the reason for it. */
  bundled: z.record(z.string(), z.string().min(1)),
  /** What the bundled ones need, and production does not. */
  bundledIndirect: z.array(z.string()),
});
export type PackageList = z.infer<typeof LIST>;

const MANIFEST = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof MANIFEST>;

const read = (path: string): unknown => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'));

/** The list of this repository. */
export const ownList = (): PackageList => LIST.parse(read('ops/release/packages.json'));
/** The dependencies of this repository's `package.json`. */
export const ownManifest = (): Manifest => MANIFEST.parse(read('package.json'));

/** The packages that `npm ci --omit=dev` installs, on whichever platform. */
export const productionPackages = (all: readonly LockedPackage[]): LockedPackage[] =>
  all.filter(({ dev }) => !dev);

/** Everything that may be in a release: installed, or built into the site. */
export function deployedPackages(): LockedPackage[] {
  const all = ownPackages();
  const production = productionPackages(all);
  const bundled = withDependencies(all, Object.keys(ownList().bundled));
  return [...new Set([...production, ...bundled])];
}

/** Every difference between the list and what the lock file brings, as a sentence. */
export function listProblems(list: PackageList, manifest: Manifest, all: readonly LockedPackage[]): string[] {
  const production = namesOf(productionPackages(all));
  const direct = Object.keys(manifest.dependencies);
  const bundled = Object.keys(list.bundled);
  const built = namesOf(withDependencies(all, bundled));
  return [
    ...differences('direct', Object.keys(list.direct), direct),
    ...differences('indirect', list.indirect, without(production, direct)),
    ...differences('bundledIndirect', list.bundledIndirect, without(built, [...bundled, ...production])),
    ...without(bundled, Object.keys(manifest.devDependencies)).map(
      (name) => `bundled: ${name} is no development dependency`,
    ),
  ];
}

const namesOf = (packages: readonly LockedPackage[]): string[] => packages.map(({ name }) => name);

const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));

function differences(part: string, listed: readonly string[], present: readonly string[]): string[] {
  return [
    ...without(present, listed).map((name) => `${part}: ${name} is not on the list`),
    ...without(listed, present).map((name) => `${part}: ${name} is on the list, but not in the lock file`),
  ];
}
