import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError, waitUntil } from './lifecycle.ts';
import { identify, isAlive, type ProcessIdentity, signal } from './process-identity.ts';

/**
 * Owns `<dataDir>/processes/`: one file per child process, written in the same tick as the spawn and removed when
 * the child has ended. After a kill -9 of the launcher, the next start finds the orphans by these files. When the
 * process of a file has ended, or its pid belongs to another process now, the file is removed and nothing is
 * signalled.
 */
export interface ProcessRecord extends ProcessIdentity {
  name: string;
  launcher: ProcessIdentity;
  /** The signal that stops this program cleanly. */
  stopSignal: NodeJS.Signals;
}

const STOP_PATIENCE_MS = 10_000;

/** Writes the record of a child. */
export function recordProcess(dataDir: string, record: ProcessRecord): void {
  mkdirSync(recordsDir(dataDir), { recursive: true });
  writeAtomically(recordFile(dataDir, record.name), JSON.stringify(record));
}

/** Removes the record of `name` if it still belongs to that process. */
export function forgetProcess(dataDir: string, name: string, identity: ProcessIdentity): void {
  const record = readRecord(recordFile(dataDir, name));
  if (record?.pid === identity.pid && record.startedAt === identity.startedAt) {
    rmSync(recordFile(dataDir, name), { force: true });
  }
}

/**
 * Stops what an earlier run left: all recorded children, or the one called `name`.
 * @returns the names of those that were still running
 * @throws StackError ALREADY_RUNNING when the launcher of such a child is alive
 */
export async function stopLeftovers(dataDir: string, name?: string): Promise<string[]> {
  const records = readRecords(dataDir).filter((record) => name === undefined || record.name === name);
  const stopped: string[] = [];
  for (const record of records) {
    if (isAlive(record)) {
      if (isAlive(record.launcher)) {
        throw new StackError(
          'ALREADY_RUNNING',
          `${record.name} in ${dataDir} already runs as process ${record.pid}, started by process ${record.launcher.pid}.`,
        );
      }
      stopped.push(record.name);
      await end(record, record.stopSignal);
    }
    rmSync(recordFile(dataDir, record.name), { force: true });
  }
  return stopped;
}

/** Ends a process: sends `asked`, and kills it when it has not ended within `patienceMs`. */
export async function end(
  identity: ProcessIdentity,
  asked: NodeJS.Signals,
  patienceMs = STOP_PATIENCE_MS,
): Promise<void> {
  if (!signal(identity, asked)) return;
  if (await waitUntil(() => !isAlive(identity), { timeoutMs: patienceMs })) return;
  signal(identity, 'SIGKILL');
  await waitUntil(() => !isAlive(identity), { timeoutMs: STOP_PATIENCE_MS });
}

/** The identity of the process that runs this code. */
export function ownIdentity(): ProcessIdentity {
  const own = identify(process.pid);
  if (own === undefined)
    throw new StackError('START_FAILED', 'Cannot read the start time of my own process.');
  return own;
}

/** Writes a file atomically, readable for its owner only. */
export function writeAtomically(file: string, text: string): void {
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, file);
}

function readRecords(dataDir: string): ProcessRecord[] {
  let files: string[];
  try {
    files = readdirSync(recordsDir(dataDir));
  } catch {
    return [];
  }
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => readRecord(join(recordsDir(dataDir), file)))
    .filter((record) => record !== undefined);
}

function readRecord(file: string): ProcessRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord;
  } catch {
    return undefined;
  }
}

function recordsDir(dataDir: string): string {
  return join(dataDir, 'processes');
}

function recordFile(dataDir: string, name: string): string {
  return join(recordsDir(dataDir), `${name}.json`);
}
