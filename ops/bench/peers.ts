import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../dev/stack/role-process.ts';

/** The packages that only benchmarks use, installed in a folder of their own. */
export interface Peers {
  /** Where they are installed; the programs of `ops/bench/peers/` lie there, too, and are run there. */
  readonly directory: string;
  /** Imports an installed package. Untyped: the product's compiler does not know it. */
  // biome-ignore lint/suspicious/noExplicitAny: its types are not installed with the product
  load(name: string): Promise<any>;
}

const SOURCE = join(REPOSITORY, 'ops/bench/peers');
const DIRECTORY = join(REPOSITORY, '.bench/peers');
const MARK = '.installed';

/**
 * Installs `ops/bench/peers/package-lock.json` into `.bench/peers` unless that very lock is there already, and brings
 * the peers' programs up to date.
 * @throws Error with npm's last words when it cannot install
 */
export async function installPeers(print: (line: string) => void): Promise<Peers> {
  const lock = await readFile(join(SOURCE, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  const present = await readFile(join(DIRECTORY, MARK), 'utf8').catch(() => '');
  if (present !== wanted) {
    print('installing the peers into .bench/peers (once)');
    await rm(DIRECTORY, { recursive: true, force: true });
    await mkdir(DIRECTORY, { recursive: true });
    await cp(SOURCE, DIRECTORY, { recursive: true });
    await npmInstall();
    await writeFile(join(DIRECTORY, MARK), wanted);
  }
  await cp(SOURCE, DIRECTORY, { recursive: true });
  const resolve = createRequire(join(DIRECTORY, 'package.json')).resolve;
  return { directory: DIRECTORY, load: (name) => import(pathToFileURL(resolve(name)).href) };
}

/** Scripts of packages stay unrun: none of the peers needs one. */
function npmInstall(): Promise<void> {
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: DIRECTORY,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    npm.once('error', reject);
    npm.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`npm could not install the peers:\n${words}`)),
    );
  });
}
