import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In a folder that git leaves out and that `npm ci` empties. */
const PROGRAMS = fileURLToPath(new URL('../../../node_modules/.cache/programs', import.meta.url));

/** For apt's index, its cache, the packages, and what is in them. */
const PARTS = ['lists/partial', 'cache/archives/partial', 'debs', 'root'];

/**
 * Installs a program of Debian's packages without root: apt downloads and verifies what is missing, with an index of its
 * own, and the packages are unpacked into a folder. Only for a program that finds its files relative to the system's
 * libraries; no script of a package runs.
 * @param within the folder for programs
 * @returns the path of a script that starts the program; undefined when it could not be installed
 */
export function installPrivately(
  { program, packages }: { program: string; packages: readonly string[] },
  within = PROGRAMS,
): string | undefined {
  const home = join(within, program);
  const start = join(home, 'start');
  if (existsSync(start)) return start;
  // Two processes may need it at once: each makes its own, and the first one stays.
  const folder = `${home}.${process.pid}`;
  try {
    for (const part of PARTS) mkdirSync(join(folder, part), { recursive: true });
  } catch {
    // A checkout of another user: the caller says what to install.
    return undefined;
  }
  const made = unpack(packages, folder) && existsSync(join(folder, 'root/usr/bin', program));
  if (made) {
    const libraries = sharedLibraries(join(folder, 'root/usr/lib')).map((path) => path.replace(folder, home));
    const script = [
      '#!/bin/sh',
      `export LD_LIBRARY_PATH='${libraries.join(':')}'`,
      `exec '${join(home, 'root/usr/bin', program)}' "$@"`,
    ];
    writeFileSync(join(folder, 'start'), `${script.join('\n')}\n`, { mode: 0o755 });
    if (!existsSync(home)) renameSync(folder, home);
  }
  rmSync(folder, { recursive: true, force: true });
  return made ? start : undefined;
}

/** Downloads the packages with what they need and the system lacks. @returns whether all are unpacked in `root` */
function unpack(packages: readonly string[], folder: string): boolean {
  const apt = (...args: string[]): string | null => {
    const own = [`Dir::State::Lists=${folder}/lists`, `Dir::Cache=${folder}/cache`, 'Debug::NoLocking=1'];
    const options = own.flatMap((one) => ['-o', one]);
    const { status, stdout } = spawnSync('apt-get', [...options, ...args], {
      cwd: join(folder, 'debs'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return status === 0 ? stdout : null;
  };
  if (apt('update') === null) return false;
  const plan = apt('--simulate', '--no-install-recommends', 'install', ...packages);
  const names = [...(plan ?? '').matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
  if (names.length === 0 || apt('download', ...names) === null) return false;
  return readdirSync(join(folder, 'debs')).every(
    (deb) =>
      spawnSync('dpkg-deb', ['-x', join(folder, 'debs', deb), join(folder, 'root')], { stdio: 'ignore' })
        .status === 0,
  );
}

/** Folders with shared libraries. */
function sharedLibraries(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const own = entries.some(({ name }) => /\.so(?:\.|$)/.test(name)) ? [folder] : [];
  return [
    ...own,
    ...entries.filter((one) => one.isDirectory()).flatMap(({ name }) => sharedLibraries(join(folder, name))),
  ];
}
