import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/**
 * The problems of the files, row by row. The first lines are kept for the screen; all of them are written to the
 * file of `--errors`. Memory is bounded, whatever a file contains.
 */
export interface Problems {
  /** Records a row that is left out, and why. */
  failed(file: string, line: number, reasons: readonly string[]): void;
  /** Records a row that is imported although it looks odd. */
  odd(file: string, line: number, reason: string): void;
  readonly failedRows: number;
  readonly warnings: number;
  /** The lines for the screen. */
  summary(): string[];
  /** Closes the file. @throws when it could not be written */
  end(): Promise<void>;
}

const SHOWN = 20;

/** @throws when the file of `errorsFile` cannot be made */
export async function collectProblems(errorsFile: string | undefined): Promise<Problems> {
  const file = errorsFile === undefined ? undefined : await openFile(errorsFile);
  const shown: Record<'error' | 'warning', string[]> = { error: [], warning: [] };
  const counts = { error: 0, warning: 0 };
  const note = (kind: 'error' | 'warning', place: string, what: string) => {
    const text = `${place}: ${kind === 'error' ? '' : 'warning: '}${what}`;
    file?.write(`${text}\n`);
    counts[kind] += 1;
    if (shown[kind].length < SHOWN) shown[kind].push(text);
  };
  return {
    failed: (name, line, reasons) => note('error', `${name}:${line}`, reasons.join('; ')),
    odd: (name, line, reason) => note('warning', `${name}:${line}`, reason),
    get failedRows() {
      return counts.error;
    },
    get warnings() {
      return counts.warning;
    },
    summary: () => [
      ...shown.warning,
      ...rest(counts.warning, 'warnings', errorsFile),
      ...shown.error,
      ...rest(counts.error, 'rows that were left out', errorsFile),
    ],
    async end() {
      if (file === undefined) return;
      file.end();
      await finished(file);
    },
  };
}

function rest(count: number, what: string, errorsFile: string | undefined): string[] {
  if (count <= SHOWN) return [];
  const where =
    errorsFile === undefined ? 'give --errors <file> to have them all' : `all are in ${errorsFile}`;
  return [`… and ${count - SHOWN} more ${what}; ${where}`];
}

async function openFile(path: string): Promise<WriteStream> {
  const stream = createWriteStream(path, { encoding: 'utf8' });
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', reject);
  });
  // When the disk fills up later, closing the file reports it.
  stream.on('error', () => undefined);
  return stream;
}
