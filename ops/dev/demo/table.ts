import { type DemoJob, elapsedMs, seconds } from './job.ts';

export interface TableOptions {
  /** Indexes of the columns that are set flush right. */
  right?: number[];
}

/** Columns two blanks apart, a line under the headings. */
export function formatTable(
  headings: string[],
  rows: string[][],
  { right = [] }: TableOptions = {},
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(headings), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)];
}

/** The table of all jobs at the end of the demo. */
export function jobTable(jobs: readonly DemoJob[]): string[] {
  const headings = ['#', 'Job', 'Photo', 'Room', 'Style', 'Attempts', 'Time', 'Status', 'Review'];
  const rows = jobs.map((job) => [
    String(job.number),
    job.aiJobId.slice(0, 8),
    job.photo.name,
    job.photo.room,
    job.photo.style,
    String(job.seen.attempts.length),
    seconds(elapsedMs(job, Date.now())),
    job.seen.errorCode === null ? job.seen.status : `${job.seen.status} (${job.seen.errorCode})`,
    job.review ?? '–',
  ]);
  return formatTable(headings, rows, { right: [0, 5, 6] });
}
