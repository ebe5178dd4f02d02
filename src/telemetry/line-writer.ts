import { writeSync } from 'node:fs';

/** How long a full pipe may block the process, once, until its reader continues. */
const PATIENCE_MS = 1_000;
const LOOK_AGAIN_MS = 10;

/**
 * Writes lines to a file descriptor. A line that cannot be written, because the disk is full or the reader is gone or
 * blocked, is dropped and never fails its caller. The next line starts on a new line, and another one states how many were
 * dropped.
 * @param write as `fs.writeSync`
 */
export function createLineWriter(fd: number, write: (fd: number, bytes: Uint8Array) => number = writeSync) {
  let lost = 0;
  let isCut = false;
  const writeAll = (text: string): void => {
    let rest: Uint8Array = Buffer.from(isCut ? `\n${text}` : text);
    for (let waitedMs = 0; rest.length > 0; ) {
      try {
        rest = rest.subarray(write(fd, rest));
        isCut = true;
      } catch (error) {
        // A reader that blocked one line gets no patience for the next one.
        if (lost > 0 || waitedMs >= PATIENCE_MS || !isBusy(error)) throw error;
        pause(LOOK_AGAIN_MS);
        waitedMs += LOOK_AGAIN_MS;
      }
    }
    isCut = false;
  };
  return {
    write(line: string): void {
      try {
        writeAll(line);
        if (lost === 0) return;
        const linesLost = lost;
        lost = 0;
        writeAll(`${JSON.stringify({ level: 'warn', linesLost, msg: 'lines could not be written' })}\n`);
      } catch {
        lost += 1;
      }
    },
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** Blocks the process: lines are written in order. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
