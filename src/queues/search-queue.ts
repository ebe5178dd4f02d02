import { Queue } from 'bullmq';
import type { QueueOptions } from './job-queue.ts';
import { ENTRY_OPTIONS, queueNames } from './names.ts';

/** The producing end of `search-indexing{QUEUE_SUFFIX}`; an entry's id is the property's id. */
export interface SearchQueue {
  enqueue(propertyIds: readonly string[]): Promise<void>;
  /** The number of entries in each state; states without any are left out. */
  counts(): Promise<Record<string, number>>;
  /** Removes failed entries: a failed entry would keep its id from being enqueued again. */
  forgetFailed(): Promise<void>;
  close(): Promise<void>;
}

/** Reports after a commit that a listing changed. A hint: it never fails, and losing it costs a sweep's interval. */
export interface SearchHints {
  propertyChanged(propertyId: string): void;
}

/** Finished entries are removed, so any of these is work to do or failed work. */
const STATES = ['waiting', 'active', 'delayed', 'failed', 'prioritized', 'waiting-children'] as const;
const ALL = 0;

export function createSearchQueue(options: QueueOptions): SearchQueue {
  const queue = new Queue(queueNames(options.suffix).search, { connection: options.redis });
  queue.on('error', options.onProblem);
  return {
    async enqueue(propertyIds) {
      await queue.addBulk(
        propertyIds.map((propertyId) => ({
          name: 'rebuild-document',
          data: { propertyId },
          opts: { ...ENTRY_OPTIONS, jobId: propertyId },
        })),
      );
    },
    async counts() {
      const counts = await queue.getJobCounts(...STATES);
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    },
    async forgetFailed() {
      await queue.clean(ALL, ALL, 'failed');
    },
    close: () => queue.close(),
  };
}
