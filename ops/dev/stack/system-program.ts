import { spawnSync } from 'node:child_process';
import { StackError } from './lifecycle.ts';
import { installPrivately } from './private-install.ts';

/** A program of the operating system that npm does not install. */
export interface SystemProgram {
  /** Its name in PATH. */
  program: string;
  /** Its usual name, for the instruction. */
  title: string;
  /** The packages that contain it, by package manager; a missing manager does not offer it. */
  packages: Partial<Record<PackageManager, readonly string[]>>;
  /** Whether it runs from any folder: then no root is needed to install it. */
  runsAnywhere?: boolean;
  /** Arguments with which the program exits at once with success; default `--version`. */
  probe?: readonly string[];
}

const PACKAGE_MANAGERS = {
  // Two test files may need a program at once; the second waits for the first instead of failing.
  'apt-get': [
    ['apt-get', 'update'],
    ['apt-get', '-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends'],
  ],
  dnf: [['dnf', 'install', '-y']],
  apk: [['apk', 'add']],
} as const;
type PackageManager = keyof typeof PACKAGE_MANAGERS;

/** The command to install by hand, for the named systems. */
const BY_HAND: Record<PackageManager, string> = {
  'apt-get': 'Debian/Ubuntu: sudo apt-get install',
  dnf: 'Fedora: sudo dnf install',
  apk: 'Alpine: apk add',
};

/** Receives the notices of an installation. */
export type Announce = (line: string) => void;

/**
 * Ensures that there is a program: found in PATH, or installed with the distribution's package manager when it is missing
 * and installation is allowed, or else unpacked from Debian's packages into a folder of this checkout.
 * @returns its name, or its path
 * @throws StackError BINARY_MISSING with the one thing to do by hand
 */
export function systemProgram(wanted: SystemProgram, announce: Announce): string {
  const { program, probe = ['--version'], runsAnywhere = false } = wanted;
  if (runs(program, probe)) return program;
  const managers = Object.keys(wanted.packages) as PackageManager[];
  const manager = managers.find((name) => runs(name, ['--version']));
  const prefix = rootPrefix();
  if (manager === undefined) throw missing(wanted);
  if (prefix === undefined) {
    if (manager !== 'apt-get' || !runsAnywhere) throw missing(wanted);
    announce(`${program} is missing; downloading it from Debian's packages for this checkout`);
    const path = installPrivately({ program, packages: wanted.packages[manager] ?? [] });
    if (path !== undefined && runs(path, probe)) return path;
    throw missing(wanted);
  }
  const commands: readonly (readonly string[])[] = PACKAGE_MANAGERS[manager];
  for (const [at, command] of commands.entries()) {
    const packages = at === commands.length - 1 ? (wanted.packages[manager] ?? []) : [];
    const [first = '', ...args] = [...prefix, ...command, ...packages];
    announce(`${program} is missing; running: ${[first, ...args].join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status } = spawnSync(first, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    // An index that another process is updating is fresh enough; only the installation matters.
    if (status !== 0 && packages.length > 0) throw missing(wanted);
  }
  if (runs(program, probe)) return program;
  throw missing(wanted);
}

function missing({ program, title, packages }: SystemProgram): StackError {
  const ways = (Object.entries(packages) as [PackageManager, readonly string[]][]).map(
    ([manager, names]) => `${BY_HAND[manager]} ${names.join(' ')}`,
  );
  return new StackError(
    'BINARY_MISSING',
    `${title} is missing: there is no ${program} in PATH. Install it (${ways.join('; ')}) and run this again.`,
  );
}

/** What to put before a command to run it as root; undefined when we may not without a password. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return runs('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
