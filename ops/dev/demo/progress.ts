import { type DemoJob, stamped } from './job.ts';

/** Shows the progress of the jobs: a line for each change. */
export interface Progress {
  /** Call it after every look at the jobs; `now` is ms since the epoch. */
  show(jobs: readonly DemoJob[], now: number): void;
  note(text: string, now: number): void;
}

export function createProgress(write: (text: string) => void, startedAt: number): Progress {
  const last = new Map<string, string>();
  const note = (text: string, now: number) => write(`${stamped(text, now - startedAt)}\n`);
  return {
    note,
    show(jobs, now) {
      for (const job of jobs) {
        const state = stateOf(job);
        if (last.get(job.aiJobId) === state) continue;
        last.set(job.aiJobId, state);
        note(`#${job.number} ${job.photo.name}: ${state}`, now);
      }
    },
  };
}

/** `PROCESSING, attempt 1 RUNNING` */
function stateOf({ seen }: DemoJob): string {
  const attempt = seen.attempts.at(-1);
  const last = attempt === undefined ? '' : `, attempt ${attempt.attemptNumber} ${attempt.status}`;
  return `${seen.status}${last}${seen.errorCode === null ? '' : `, ${seen.errorCode}`}`;
}
