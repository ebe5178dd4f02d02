import { styleText } from 'node:util';
import { type DemoJob, elapsedMs, isOver, seconds } from './job.ts';

/** The output of the demo: a terminal, or a pipe. */
export interface Screen {
  write(text: string): void;
  /** True redraws the lines of the jobs in place. */
  redraws: boolean;
  columns: number;
  rows: number;
  colours: boolean;
}

/** Shows the progress of jobs: lines redrawn in place on a terminal, one line per change in a pipe. */
export interface Progress {
  /** Call it after every look at the jobs; `now` is ms since the epoch. */
  show(jobs: readonly DemoJob[], now: number): void;
  /** A sentence that stays, above the lines of the jobs. */
  note(text: string, now: number): void;
  /** Leaves the last lines on the screen. */
  end(): void;
}

const ERASE_BELOW = '\u001b[J';
const up = (lines: number) => (lines === 0 ? '' : `\u001b[${lines}A`);

export function createProgress(screen: Screen, startedAt: number): Progress {
  return screen.redraws ? redrawing(screen, startedAt) : appending(screen, startedAt);
}

function redrawing(screen: Screen, startedAt: number): Progress {
  let drawn: string[] = [];
  const draw = (lines: string[], above: string[] = []) => {
    const all = [...above, ...lines].map((line) => `${line}\n`).join('');
    screen.write(`${up(drawn.length)}\r${ERASE_BELOW}${all}`);
    drawn = lines;
  };
  return {
    show: (jobs, now) => draw(linesThatFit(screen, jobs, now)),
    note: (text, now) => draw(drawn, [stamped(text, now - startedAt)]),
    end() {
      drawn = [];
    },
  };
}

function appending(screen: Screen, startedAt: number): Progress {
  const last = new Map<string, string>();
  return {
    show(jobs, now) {
      for (const job of jobs) {
        const state = stateOf(job);
        if (last.get(job.aiJobId) === state) continue;
        last.set(job.aiJobId, state);
        screen.write(`${stamped(`#${job.number} ${job.photo.name}: ${state}`, now - startedAt)}\n`);
      }
    },
    note: (text, now) => screen.write(`${stamped(text, now - startedAt)}\n`),
    end() {},
  };
}

/** `PROCESSING, attempt 1 RUNNING` */
function stateOf({ seen }: DemoJob): string {
  const attempt = seen.attempts.at(-1);
  const last = attempt === undefined ? '' : `, attempt ${attempt.attemptNumber} ${attempt.status}`;
  return `${seen.status}${last}${seen.errorCode === null ? '' : `, ${seen.errorCode}`}`;
}

/** Lines that have scrolled off the top cannot be redrawn: a long list is shortened to the jobs that change. */
function linesThatFit(screen: Screen, jobs: readonly DemoJob[], now: number): string[] {
  const room = Math.max(1, screen.rows - 2);
  if (jobs.length <= room) return jobs.map((job) => paint(screen, job, now));
  const moving = jobs.filter((job) => !isOver(job) && job.seen.status !== 'PENDING').slice(0, room - 1);
  const over = jobs.filter(isOver).length;
  const waiting = jobs.filter(({ seen }) => seen.status === 'PENDING').length;
  const rest = `      ${over} of ${jobs.length} over, ${waiting} waiting`;
  return [...moving.map((job) => paint(screen, job, now)), rest];
}

/** Shorter than the terminal's width: a wrapped line could not be redrawn. */
function paint({ columns, colours }: Screen, job: DemoJob, now: number): string {
  const { number, photo } = job;
  const head = `  ${String(number).padStart(2)}  ${photo.name.slice(0, 28).padEnd(28)}  ${photo.style.padEnd(12)}  `;
  const line = `${head}${seconds(elapsedMs(job, now)).padStart(7)}  ${stateOf(job)}`.slice(0, columns - 1);
  return colours ? styleText(colourOf(job), line, { validateStream: false }) : line;
}

function colourOf({ seen }: DemoJob) {
  switch (seen.status) {
    case 'SUCCESS':
      return 'green';
    case 'FAILED':
      return 'red';
    case 'CANCELED':
    case 'CANCEL_REQUESTED':
      return 'yellow';
    case 'PENDING':
      return 'gray';
    default:
      return 'cyan';
  }
}

function stamped(text: string, ms: number): string {
  return `[${(ms / 1000).toFixed(1).padStart(5)} s] ${text}`;
}
