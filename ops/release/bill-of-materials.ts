import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { type LockedPackage, ROOT } from './lock-file.ts';

const COMPONENT = z.looseObject({
  'bom-ref': z.string(),
  licenses: z.array(z.unknown()).optional(),
  properties: z.array(z.looseObject({ name: z.string() })).default([]),
});
const DEPENDENCY = z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) });
const BILL = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(COMPONENT),
  dependencies: z.array(DEPENDENCY),
});
/** npm marks what the site was built from so, and a scanner would leave it out. */
const FOR_DEVELOPMENT = 'cdx:npm:package:development';

/**
 * The bill of materials of a release in CycloneDX's JSON: what npm says of the installed packages, without those that
 * are not in the release.
 */
export function billOfMaterials(packages: readonly LockedPackage[]): string {
  const json = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const bill = BILL.parse(JSON.parse(json));
  const root = bill.metadata.component;
  const byReference = new Map(packages.map((one) => [referenceOf(one), one]));
  const kept = new Set([root['bom-ref'], ...byReference.keys()]);
  const components = bill.components
    .filter((one) => kept.has(one['bom-ref']))
    .map((one) => ({
      ...one,
      // npm leaves out a license without an identifier in SPDX's list.
      licenses: one.licenses ?? [{ license: { name: byReference.get(one['bom-ref'])?.license } }],
      properties: one.properties.filter(({ name }) => name !== FOR_DEVELOPMENT),
    }));
  const found = new Set(components.map((one) => one['bom-ref']));
  const missing = [...byReference.keys()].filter((one) => !found.has(one));
  if (missing.length > 0) throw new Error(`npm's bill of materials lacks ${missing.join(', ')}`);
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm names the folder.
  const metadata = { ...bill.metadata, component: { ...root, name: 'proscenium' } };
  return `${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`;
}

/** An alias is known by the name of the package behind it. */
const referenceOf = ({ registryName, version }: LockedPackage): string => `${registryName}@${version}`;
