/**
 * What a crash says about a job. A crashing process interrupts all its jobs, so a crash counts against a job only if a
 * pass of local work on it was under way: preparing its input, downloading, decoding or storing its output, checking
 * its text. After three such crashes the job does local work alone in its process, and only a crash while it was alone
 * ends it.
 */
const LOCAL_PASSES = ['prepare-input', 'collect-output', 'check-text'] as const;
export type LocalPass = (typeof LOCAL_PASSES)[number];

/** A job that crashed its process this often works alone. */
export const CRASHES_BEFORE_ALONE = 3;
/** The crash that ends the job, if it was alone. */
export const MAX_RUNNER_CRASHES = 5;

export interface RunnerCrash {
  type: 'RUNNER_CRASHED';
  at: number;
  pass: LocalPass;
  /** Nothing else was worked on in that process, or the error was thrown by this very pass. */
  alone: boolean;
}

export const runsAlone = ({ crashCount }: { crashCount: number }): boolean =>
  crashCount >= CRASHES_BEFORE_ALONE;

/** Stops at the maximum; the job ends only by a crash while it was alone. */
export const countCrash = (crashCount: number): number => Math.min(crashCount + 1, MAX_RUNNER_CRASHES);

export const isLastCrash = ({ crashCount }: { crashCount: number }, { alone }: { alone: boolean }): boolean =>
  alone && crashCount + 1 >= MAX_RUNNER_CRASHES;

/**
 * The crash count with which attempt 2 begins: 0. Under the old rule (`afterOldCrash`) the count went on. Rows and
 * journals of that time stay unchanged: a job with a crash mark keeps its count.
 */
export const crashesBeforeAttempt2 = (job: { crashCount: number; crashMark: number | null }): number =>
  job.crashMark === null ? 0 : job.crashCount;

interface Crashed {
  crashCount: number;
  crashMark?: number | null;
  cancelRequestedAt?: number | null;
}

/**
 * The context after a crash under the old rule, which counted every crash without progress. Machines no longer use it.
 * Old journals still hold such crashes, which name no pass.
 */
export function afterOldCrash<C>(
  context: C,
  { event, to }: { event: { at: number; progressMark?: number }; to: string },
): C {
  const { crashCount, crashMark, cancelRequestedAt } = context as Crashed;
  const { at, progressMark } = event;
  const again = progressMark === undefined || progressMark === crashMark;
  return {
    ...context,
    crashCount: again ? crashCount + 1 : 1,
    ...(progressMark === undefined ? {} : { crashMark: progressMark }),
    ...(to === 'FAILED' || to === 'CANCELED' ? { finishedAt: at } : {}),
    ...(to === 'FAILED' ? { errorCode: 'RUNNER_CRASHED' } : {}),
    ...(to === 'FAILED' && progressMark === undefined ? { nextSendAt: null } : {}),
    ...(to === 'CANCELED'
      ? { cancelRequestedAt: cancelRequestedAt ?? at, canceledAt: at, retryAt: null }
      : {}),
  };
}
