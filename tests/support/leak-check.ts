import { waitUntil } from '../../ops/dev/stack/lifecycle.ts';
import { openHandles } from './open-handles.ts';

/**
 * After the last test of every file, anything that the file left open fails it. Files of one worker share this module,
 * so the checks stay registered from one file to the next.
 */
type Check = () => Promise<string[]>;

const checks = new Map<string, Check>();
/** The processes of the worker, which no file ends. */
let workerProcesses: () => readonly number[] = () => [];
let isForWorker = false;
/** Closing is asynchronous for many drivers even after their `end()`. */
const CLOSING_PATIENCE_MS = 2_000;

/** Registers a check that returns one sentence for each thing left open, and closes it. */
export function onLeakCheck(what: string, check: Check): void {
  checks.set(what, check);
}

/**
 * Opens what belongs to this worker and not to the file that happens to run: no file leaks it, and the worker closes
 * it when it ends.
 */
export async function openForWorker<T>(
  open: () => Promise<T>,
  processesOf: (opened: T) => readonly number[],
): Promise<T> {
  isForWorker = true;
  try {
    const opened = await open();
    workerProcesses = () => processesOf(opened);
    return opened;
  } finally {
    isForWorker = false;
  }
}

/** What is open now, and which of it the file must close. */
export class Opened<T> {
  readonly #ofFile = new Set<T>();
  readonly #ofWorker = new Set<T>();

  add(thing: T): void {
    (isForWorker ? this.#ofWorker : this.#ofFile).add(thing);
  }

  /** False when it was closed before. */
  delete(thing: T): boolean {
    return this.#ofFile.delete(thing) || this.#ofWorker.delete(thing);
  }

  leaked(): T[] {
    return [...this.#ofFile];
  }
}

/** Closes everything that the file left open. @returns one sentence for each */
export async function closeLeaks(): Promise<string[]> {
  const leaks: string[] = [];
  for (const check of checks.values()) leaks.push(...(await check()));
  const handles = () => openHandles(workerProcesses());
  await waitUntil(() => handles().length === 0, { timeoutMs: CLOSING_PATIENCE_MS });
  const left = handles();
  // The next file of this worker does not answer for them.
  for (const handle of left) handle.end();
  return [...leaks, ...left.map(({ what }) => what)];
}
