import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockHolder } from './launcher-lock.ts';
import { isAlive } from './process-identity.ts';

/** The addresses of a local stack that another process has started. */
export interface RunningStack {
  dataDir: string;
  databaseUrl: string;
}

/**
 * The stack that runs on this data directory now, from its launcher's file; undefined when none runs. The file of a
 * killed launcher is ignored.
 */
export function runningStack(dataDir = '.data'): RunningStack | undefined {
  const folder = resolve(dataDir);
  const holder = lockHolder(folder);
  if (holder === undefined || !isAlive(holder)) return undefined;
  try {
    const { databaseUrl } = JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8')) as RunningStack;
    return { dataDir: folder, databaseUrl };
  } catch {
    // The stack is starting, or stopping.
    return undefined;
  }
}
