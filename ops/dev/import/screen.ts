/**
 * The output of the importer: a terminal, where one line is redrawn, or a pipe, which gets a line from time to
 * time.
 */
export interface Screen {
  write(text: string): void;
  redraws: boolean;
  columns: number;
}

/** Shows the progress of a piece of work. */
export interface ProgressBar {
  /** `now` in ms; draws at most every tenth of a second, in a pipe at every fifth of the way. */
  show(done: number, now: number): void;
  /** Removes the line from a terminal, before other output. */
  end(): void;
}

const BAR_CELLS = 24;
const REDRAW_MS = 100;
const PIPE_STEPS = 5;
const ERASE_LINE = '\r\u001b[K';

export function createProgressBar(
  screen: Screen,
  { label, total, startedAt }: { label: string; total: number; startedAt: number },
): ProgressBar {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let step = 0;
  const line = (done: number, now: number) => {
    const seconds = Math.max(0.001, (now - startedAt) / 1000);
    const rate = `${count(Math.round(done / seconds))} rows/s`;
    return `${count(done)} of ${count(total)}  ${rate}`;
  };
  return {
    show(done, now) {
      const share = total === 0 ? 1 : done / total;
      if (!screen.redraws) {
        const reached = Math.floor(share * PIPE_STEPS);
        if (reached <= step) return;
        step = reached;
        screen.write(`${label}: ${line(done, now)}\n`);
        return;
      }
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const full = Math.round(share * BAR_CELLS);
      const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}`;
      screen.write(`${ERASE_LINE}${`${label}  ${bar}  ${line(done, now)}`.slice(0, screen.columns - 1)}`);
    },
    end() {
      if (screen.redraws) screen.write(ERASE_LINE);
    },
  };
}

/** 21,436 */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}
