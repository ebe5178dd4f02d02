import type { LockedPackage } from './lock-file.ts';

/**
 * The licenses under which packages may be deployed. LGPL-3.0 is that of libvips and libheif: each is a library of its
 * own that can be replaced, and is built into no file of ours. MPL-2.0 is that of web-push: it covers that package's own
 * files, which are unchanged and built into no file of ours.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-0-Clause',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]);

/** Whether an SPDX expression leaves a choice of allowed licenses. */
export function isAllowed(expression: string): boolean {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner !== null) {
    const [whole, part = ''] = inner;
    return isAllowed(expression.replace(whole, isAllowed(part) ? 'MIT' : 'forbidden'));
  }
  return expression
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((license) => ALLOWED.has(license.trim())));
}

/** Every package whose license is not allowed, as a sentence. */
export const licenseProblems = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ license }) => !isAllowed(license))
    .map(
      ({ path, version, license }) => `${path} ${version}: the license ${license || '(none)'} is not allowed`,
    );
