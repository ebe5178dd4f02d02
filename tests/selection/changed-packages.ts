import { z } from 'zod';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      dependencies: z.record(z.string(), z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      peerDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
type Packages = z.infer<typeof lockFile>['packages'];

/**
 * The names of the packages whose entry in package-lock.json differs between two texts of it, and of those that need
 * one of them, directly or through others.
 */
export function changedPackages(before: string, after: string): Set<string> {
  const [old, now] = [before, after].map((text) => lockFile.parse(JSON.parse(text)).packages) as [
    Packages,
    Packages,
  ];
  const paths = new Set([...Object.keys(old), ...Object.keys(now)]);
  paths.delete('');
  const changed = new Set(
    [...paths]
      .filter((path) => JSON.stringify(old[path]) !== JSON.stringify(now[path]))
      .map((path) => nameOf(path)),
  );
  // A package that is added here may come before the one that needs it, so the set is walked until it grows no more.
  for (const name of changed) {
    for (const [path, entry] of Object.entries(now)) {
      const needs = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
      if (path !== '' && name in needs) changed.add(nameOf(path));
    }
  }
  return changed;
}

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
