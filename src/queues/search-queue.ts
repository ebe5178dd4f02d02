import { queueOnUse } from './job-queue.ts';
import { ENTRY_OPTIONS, queueNames } from './names.ts';
import type { QueueOptions } from './queue.ts';

export type SearchQueue = ReturnType<typeof createSearchQueue>;

/** Announces after a commit that a listing changed. A hint: it never fails, and a lost one costs a sweep's interval. */
export interface SearchHints {
  propertyChanged(propertyId: string): void;
}

/** Finished entries are removed, so any of these is work to do or failed work. */
const STATES = ['waiting', 'active', 'delayed', 'failed', 'prioritized', 'waiting-children'] as const;
const ALL = 0;

/** The producing end of `search-indexing{QUEUE_SUFFIX}`; an entry's id is the property's id. */
export function createSearchQueue(options: QueueOptions) {
  const queue = queueOnUse(queueNames(options.suffix).search, options);
  return {
    async enqueue(propertyIds: readonly string[]): Promise<void> {
      await (await queue()).addBulk(
        propertyIds.map((propertyId) => ({
          name: 'rebuild-document',
          data: { propertyId },
          opts: { ...ENTRY_OPTIONS, jobId: propertyId },
        })),
      );
    },
    /** The number of entries in each state; states without any are left out. */
    async counts(): Promise<Record<string, number>> {
      const counts = await (await queue()).getJobCounts(...STATES);
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    },
    /** Removes failed entries: a failed entry would prevent its id from being enqueued again. */
    async forgetFailed(): Promise<void> {
      await (await queue()).clean(ALL, ALL, 'failed');
    },
    close: async (): Promise<void> => (await queue.loaded())?.close(),
  };
}
