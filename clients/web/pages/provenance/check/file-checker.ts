import type { CheckedFile, CheckProblem } from './check-file.ts';

export type Checked = CheckedFile | { readonly problem: CheckProblem };

export interface CheckRequest {
  readonly file: File;
  /** As `readManifest` takes it. */
  readonly authority: string | null;
}

/** What the worker says, one after the other. Loading its library is the network's time. */
export type CheckAnswer =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded' }
  | { readonly state: 'checked'; readonly checked: Checked }
  | { readonly state: 'failed'; readonly problem: CheckProblem };

/** The browser's worker, as far as it is used here. */
type CheckWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

interface FileCheckerOptions {
  readonly openWorker: () => CheckWorker;
  /** Calls `run` after so many milliseconds; the function returned calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** A picture of 50 MB takes two seconds on a phone. */
export const LONGEST_CHECK_MS = 20_000;

/**
 * Checks files in a worker, one at a time: a file that is chosen later ends the check of the one before. A worker that takes
 * too long, or too much memory, is ended, and the next file gets a new one.
 */
export function createFileChecker({ openWorker, after }: FileCheckerOptions) {
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
        let stopTimer = (): void => {};
        const settle = (checked: Checked, isOver: boolean): void => {
          stopTimer();
          giveUp = null;
          if (isOver) end();
          resolve(checked);
        };
        const stop = (): void => settle({ problem: 'provenance.check.gaveUp' }, true);
        const startTimer = (): void => {
          stopTimer = after(LONGEST_CHECK_MS, stop);
        };
        giveUp = stop;
        worker.onerror = () => settle({ problem: 'provenance.check.notLoaded' }, true);
        worker.onmessage = ({ data }: MessageEvent<CheckAnswer>) => {
          if (data.state === 'loading') stopTimer();
          else if (data.state === 'loaded') startTimer();
          else if (data.state === 'checked') settle(data.checked, false);
          else settle({ problem: data.problem }, true);
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
