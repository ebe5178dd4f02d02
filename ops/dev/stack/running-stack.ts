import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockHolder } from './launcher-lock.ts';
import { isAlive } from './process-identity.ts';

/** Where the parts of a local stack answer that another process has started. */
export interface RunningStack {
  dataDir: string;
  databaseUrl: string;
}

/**
 * The stack that runs on this data directory now, as its launcher has written it down; undefined when none does. What
 * a killed launcher left behind counts for nothing.
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
