import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { buildSite, packagesOfSite } from '../dev/site/build.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { binaryProblem } from './http-server-binary.ts';
import { type LockedPackage, ownPackages, ROOT } from './lock-file.ts';
import { thirdPartyNotices } from './notices.ts';
import { copyPackage, isInstalled } from './package-files.ts';
import { deployedPackages, productionPackages } from './package-list.ts';
import { commandFiles } from './released-commands.ts';
import { megabytes, RELEASE_MB, sizeLine, tooLarge } from './sizes.ts';

export interface ReleaseOptions {
  /** The folder of the release; what it held is removed. */
  readonly to: string;
  /** False for an image whose base has Node.js. */
  readonly withNode: boolean;
}

/** The product: everything that its roles load, the texts of its pages, and what the console shows. */
const FOLDERS = [
  'i18n',
  'machines',
  'persistence',
  'supervisors',
  'src',
  'ops/deploy',
  'ops/site',
  'dist/site',
  'docs/runbooks',
];
const FILES = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'Procfile'];
const NODE = 'node_modules/node';
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
const BILL = 'bom.cdx.json';
const MANIFEST = z.looseObject({
  scripts: z.record(z.string(), z.string()),
  devDependencies: z.unknown(),
  allowScripts: z.unknown(),
  overrides: z.unknown(),
});

/**
 * Makes an unpacked release: a folder that runs where nothing else is installed.
 * @returns its sizes, line by line
 * @throws Error when it is too large, or holds what it must not
 */
export async function makeRelease({ to, withNode }: ReleaseOptions): Promise<string[]> {
  await buildSite();
  rmSync(to, { recursive: true, force: true });
  const modules = productionPackages(ownPackages()).filter(({ path }) => isInstalled(join(ROOT, path)));
  const copied = modules.filter(({ path }) => withNode || !isOfNode(path));
  for (const { path } of copied) copyPackage(join(ROOT, path), join(to, path));
  if (withNode) linkNode(to);
  copyProduct(to);
  const contents = [...new Set([...copied, ...packagesInSite()])];
  writeFileSync(join(to, NOTICES), thirdPartyNotices(contents));
  writeFileSync(join(to, BILL), billOfMaterials(contents));
  const problem = binaryProblem(to);
  if (problem !== undefined) throw new Error(problem);
  return sizesOf(to, withNode);
}

const isOfNode = (path: string): boolean => path === NODE || path.startsWith(`${NODE}/`);

/** The Procfile runs it by the name that npm gives it. */
function linkNode(to: string): void {
  mkdirSync(join(to, 'node_modules/.bin'), { recursive: true });
  symlinkSync('../node/bin/node', join(to, 'node_modules/.bin/node'));
  chmodSync(join(to, NODE, 'bin/node'), 0o755);
}

function copyProduct(to: string): void {
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(to, folder), { recursive: true });
  const commands = commandFiles();
  for (const file of [...FILES, ...commands]) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(to, file));
  }
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifestFor(commands), null, 2)}\n`);
}

/** Without scripts whose files are elsewhere, and without anything about development. */
function manifestFor(commands: readonly string[]): unknown {
  const {
    scripts,
    devDependencies: _,
    allowScripts: __,
    overrides: ___,
    ...rest
  } = MANIFEST.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const runs = ([, script]: [string, string]): boolean => commands.some((file) => script === `node ${file}`);
  return { ...rest, scripts: Object.fromEntries(Object.entries(scripts).filter(runs)) };
}

/** @throws Error when the site holds code of a package that is not on the list */
function packagesInSite(): LockedPackage[] {
  const deployed = deployedPackages();
  return packagesOfSite().map((name) => {
    const one = deployed.find(({ path }) => path === `node_modules/${name}`);
    if (one === undefined)
      throw new Error(`The site holds code of ${name}, which ops/release/packages.json does not list`);
    return one;
  });
}

function sizesOf(to: string, withNode: boolean): string[] {
  const modules = megabytes([join(to, 'node_modules')]);
  const node = withNode ? megabytes([join(to, NODE)]) : 0;
  const site = megabytes([join(to, 'dist')]);
  const whole = megabytes([to]);
  const size = whole - node;
  const problem = tooLarge(size, RELEASE_MB, 'The release without Node.js');
  if (problem !== undefined) throw new Error(problem);
  return [
    sizeLine(modules - node, 'modules'),
    sizeLine(site, 'site'),
    sizeLine(whole - modules - site, 'code, texts and lists'),
    sizeLine(size, `the release without Node.js, of at most ${RELEASE_MB}`),
    ...(withNode ? [sizeLine(node, 'Node.js')] : []),
  ];
}
