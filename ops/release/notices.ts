import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type LockedPackage, ROOT } from './lock-file.ts';
import { LEGAL } from './package-files.ts';

const TEXTS = join(ROOT, 'ops/release/license-texts');
const RULE = '='.repeat(80);
const PERSON = z.union([
  z.string(),
  z.object({ name: z.string().default('') }).transform(({ name }) => name),
]);
const MANIFEST = z.object({
  author: PERSON.default(''),
  homepage: z.string().default(''),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).default(''),
});

/**
 * The notices of everything in a release: each package with its license, its copyright and its texts.
 * @throws Error for a license that must be quoted, and whose text neither the package nor this folder has
 */
export function thirdPartyNotices(packages: readonly LockedPackage[]): string {
  const sections = packages
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((one) => `${RULE}\n${sectionOf(one)}`);
  const head = `This release contains the software below, each part under its own license.`;
  return `${[head, ...sections].join('\n\n')}\n`;
}

function sectionOf({ path, name, version, license }: LockedPackage): string {
  const folder = join(ROOT, path);
  const { author, homepage, repository } = MANIFEST.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const head = [`${name} ${version}`, `License: ${license}`, homepage || repository].filter(
    (line) => line !== '',
  );
  const files = readdirSync(folder).filter((file) => LEGAL.test(file));
  const texts =
    files.length > 0
      ? files.map((file) => readFileSync(join(folder, file), 'utf8'))
      : [
          ...(author === '' ? [] : [`Copyright: ${author}`]),
          ...licensingOf(folder),
          standardText(license, name),
        ];
  return [head.join('\n'), ...texts.map((text) => text.trim())].join('\n\n');
}

/** What the README of a package without a license file says about licenses: binaries list their parts there. */
function licensingOf(folder: string): string[] {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  if (readme === undefined) return [];
  const [, section] =
    /^#+ *licen[cs].*\n([\s\S]*?)(?=^#|$(?![\s\S]))/im.exec(readFileSync(join(folder, readme), 'utf8')) ?? [];
  return section === undefined ? [] : [section];
}

function standardText(license: string, name: string): string {
  try {
    return readFileSync(join(TEXTS, `${license}.txt`), 'utf8');
  } catch (cause) {
    throw new Error(`${name} has no license file, and ops/release/license-texts no ${license}.txt`, {
      cause,
    });
  }
}
