import type { CheckedFile, CheckProblem } from './check-file.ts';
import type { Comparison } from './pixels/likeness.ts';
import type { PictureAddresses } from './pixels/record-pictures.ts';

export type Checked = CheckedFile | { readonly problem: CheckProblem };

export interface CheckRequest {
  readonly file: File;
  readonly pictures: PictureAddresses;
}

/** What the worker says, one after the other. `loading` to `loaded` is the network's time. */
export type CheckAnswer =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded' }
  | { readonly state: 'read'; readonly checked: Checked }
  | { readonly state: 'compared'; readonly comparison: Comparison }
  | { readonly state: 'failed'; readonly problem: CheckProblem };

/** The browser's worker, as far as it is used here. */
type CheckWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

interface FileCheckerOptions {
  readonly openWorker: () => CheckWorker;
  readonly now: () => number;
  /** Calls `run` after so many milliseconds; the function returned calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** All work on one file. A picture of 20 MB takes a second on a phone, and many on a busy old one. */
export const LONGEST_CHECK_MS = 15_000;
/** The library has nine megabytes, which is a minute on a slow connection. */
export const LONGEST_LOAD_MS = 60_000;

/**
 * Checks files in a worker, one at a time: a file that is chosen later ends the check of the one before. A worker that takes
 * too long, or too much memory, is ended, and the next file gets a new one. What was read by then is shown.
 */
export function createFileChecker({ openWorker, now, after }: FileCheckerOptions) {
  let worker: CheckWorker | null = null;
  let giveUp: (() => void) | null = null;
  const end = (): void => {
    worker?.terminate();
    worker = null;
  };
  return {
    check(request: CheckRequest): Promise<Checked> {
      giveUp?.();
      return new Promise((resolve) => {
        worker ??= openWorker();
        let read: CheckedFile | null = null;
        let left = LONGEST_CHECK_MS;
        let startedAt = now();
        let stopTimer = (): void => {};
        const settle = (checked: Checked, isOver: boolean): void => {
          stopTimer();
          giveUp = null;
          if (isOver) end();
          resolve(checked);
        };
        const fail = (problem: CheckProblem): void =>
          settle(
            read === null
              ? { problem }
              : { ...read, comparison: problem === 'provenance.check.notLoaded' ? 'notLoaded' : 'gaveUp' },
            true,
          );
        const stop = (): void => fail('provenance.check.gaveUp');
        const waitForLoad = (): void => {
          stopTimer();
          left -= now() - startedAt;
          stopTimer = after(LONGEST_LOAD_MS, () => fail('provenance.check.notLoaded'));
        };
        const startTimer = (): void => {
          stopTimer();
          startedAt = now();
          stopTimer = after(Math.max(0, left), stop);
        };
        giveUp = stop;
        worker.onerror = () => fail('provenance.check.notLoaded');
        worker.onmessage = ({ data }: MessageEvent<CheckAnswer>) => {
          if (data.state === 'loading') waitForLoad();
          else if (data.state === 'loaded') startTimer();
          else if (data.state === 'failed') fail(data.problem);
          else if (data.state === 'compared') {
            if (read !== null) settle({ ...read, comparison: data.comparison }, false);
          } else if ('problem' in data.checked) settle(data.checked, false);
          else read = data.checked;
        };
        startTimer();
        worker.postMessage(request);
      });
    },
    /** Ends what is under way. */
    close(): void {
      giveUp?.();
      end();
    },
  };
}
