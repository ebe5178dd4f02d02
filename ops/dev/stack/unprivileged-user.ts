import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackError } from './lifecycle.ts';

/** A system user without power, for PostgreSQL, which refuses to run as root. */
export interface UnprivilegedUser {
  name: string;
  uid: number;
  gid: number;
}

// `postgres` is there where the distribution's own server is installed, `nobody` practically everywhere.
const CANDIDATES = ['postgres', 'nobody'];
const CREATED = 'proscenium';

/**
 * Whom PostgreSQL runs as: undefined (ourselves) for an ordinary user, an existing or newly created system user for root.
 * @throws StackError NO_UNPRIVILEGED_USER
 */
export function unprivilegedUser(): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = CANDIDATES.map(lookUp).find((user) => user !== undefined) ?? lookUp(CREATED);
  if (found !== undefined) return found;
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', CREATED]);
  const created = lookUp(CREATED);
  if (created !== undefined) return created;
  throw new StackError(
    'NO_UNPRIVILEGED_USER',
    `PostgreSQL refuses to run as root, there is no user ${CANDIDATES.join(' or ')}, and useradd could not create one. ` +
      'Run this as an ordinary user instead.',
  );
}

/** Whether `user` can reach `path`, every directory above it included. */
export function canReach(user: UnprivilegedUser, path: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'test -x "$1" && test -r "$1"', 'sh', path], {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  return probe.status === 0;
}

/** Whether `user` can walk through the directory `path` (search permission on it and everything above). */
export function canPass(user: UnprivilegedUser, path: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', path], {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  return probe.status === 0;
}

/**
 * A directory outside the checkout for what `user` must read or own when the checkout is closed to it (under /root):
 * the same `key` gives the same place. It is root's, and others can pass but not list it.
 */
export function placeOutside(key: string): string {
  const base = existsSync('/var/lib') ? '/var/lib/proscenium-stack' : join(tmpdir(), 'proscenium-stack');
  mkdirSync(base, { recursive: true });
  chmodSync(base, 0o711);
  return join(base, createHash('sha256').update(key).digest('hex').slice(0, 16));
}

/** `directory` itself when `user` can read it, otherwise a copy of it that `user` can read. */
export function readableFor(user: UnprivilegedUser, directory: string, version: string): string {
  if (canReach(user, directory)) return directory;
  const copy = placeOutside(`${directory} ${version}`);
  if (existsSync(copy)) return copy;
  const fresh = `${copy}.${process.pid}.new`;
  cpSync(directory, fresh, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', fresh]);
  try {
    renameSync(fresh, copy);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another launcher finished the same copy first.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function lookUp(name: string): UnprivilegedUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { name, uid: Number(uid), gid: Number(gid) };
}
