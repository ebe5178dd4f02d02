import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from './lifecycle.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { ownIdentity } from './process-records.ts';

/**
 * `<dataDir>/launcher.json` identifies the only launcher of a data directory. It is created completely (hard link)
 * or not at all. The file of a dead process is ignored and replaced.
 */

/**
 * Locks the data directory for this process.
 * @returns the function that unlocks it
 * @throws StackError ALREADY_RUNNING, with the pid of the process that has it
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'launcher.json');
  const own = ownIdentity();
  const mine = `${file}.${own.pid}`;
  writeFileSync(mine, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!linked(mine, file)) {
      const holder = lockHolder(dataDir);
      if (holder !== undefined && isAlive(holder)) throw alreadyRunning(dataDir, holder);
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (lockHolder(dataDir)?.startedAt === own.startedAt) rmSync(file, { force: true });
  };
}

/** The process that has, or had, the data directory; it may be dead. */
export function lockHolder(dataDir: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'launcher.json'), 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function alreadyRunning(dataDir: string, { pid }: ProcessIdentity): StackError {
  return new StackError(
    'ALREADY_RUNNING',
    `A local stack already runs on ${dataDir}: process ${pid} started it. ` +
      `Stop that one first (Ctrl-C in its terminal, or kill ${pid}), or use another data directory.`,
  );
}
