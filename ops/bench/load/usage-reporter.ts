/**
 * Loaded before a measured program (`--import`): answers its launcher what the process has used so far, and ends the
 * process when the launcher is gone.
 */
export interface Usage {
  /** Processor time of all threads since the start, in the process and in the kernel for it. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}
export type UsageQuestion = 'usage' | 'usage at rest';

const MICROSECONDS = 1e6;
/** A second collection takes what the first one's finalizers let go. */
const COLLECTIONS = 2;

process.on('message', (question: unknown) => {
  if (question === 'usage at rest') for (let done = 0; done < COLLECTIONS; done++) globalThis.gc?.();
  if (question === 'usage' || question === 'usage at rest') process.send?.(usage());
});
process.once('disconnect', () => process.exit(0));

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / MICROSECONDS, rssBytes: process.memoryUsage.rss() };
}
