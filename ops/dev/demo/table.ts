import { formatTable } from '../../operate/text-table.ts';
import { type DemoJob, elapsedMs, seconds } from './job.ts';

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
