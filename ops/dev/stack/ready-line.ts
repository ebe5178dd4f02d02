import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Child, logTail } from './child.ts';
import { StackError } from './lifecycle.ts';

export interface ReadyLineOptions {
  dataDir?: string | undefined;
  timeoutMs?: number;
  /** Every line of standard output, the ready line included. */
  onLine?: (line: string) => void;
}

/**
 * Waits for the one JSON line that our child programs print when they listen, and keeps reading their output.
 * @param accept returns undefined for any other line
 * @throws StackError START_FAILED when the child ends or prints no such line in time
 */
export function readyLine<T>(
  child: Child,
  accept: (line: Record<string, unknown>) => T | undefined,
  { dataDir, timeoutMs = 30_000, onLine }: ReadyLineOptions,
): Promise<T> {
  const complaints: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      clearTimeout(timer);
      const said = [...complaints, dataDir === undefined ? '' : logTail(dataDir, child.name)]
        .join('\n')
        .trim();
      reject(
        new StackError('START_FAILED', `${child.name} ${what}.${said === '' ? '' : ` It said:\n${said}`}`),
      );
    };
    const timer = setTimeout(() => fail(`did not become ready within ${timeoutMs} ms`), timeoutMs);
    eachLine(child.process.stderr, (line) => void (complaints.length < 40 && complaints.push(line)));
    eachLine(child.process.stdout, (line) => {
      onLine?.(line);
      const accepted = accept(parseObject(line));
      if (accepted === undefined) return;
      clearTimeout(timer);
      resolve(accepted);
    });
    void child.exited.then(({ code, signal }) => fail(`ended at once (${signal ?? `code ${code}`})`));
  });
}

/** Calls `take` for every line of a stream. */
export function eachLine(stream: Readable | null, take: (line: string) => void): void {
  if (stream) createInterface({ input: stream }).on('line', take);
}

/** The JSON object in a line, or an empty one. */
export function parseObject(line: string): Record<string, unknown> {
  if (!line.startsWith('{')) return {};
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
