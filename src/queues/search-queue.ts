import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { ENTRY_OPTIONS, queueNames } from './names.ts';

/** The producing end of `search-indexing{QUEUE_SUFFIX}`; an entry's id is the property's id. */
export interface SearchQueue {
  enqueue(propertyIds: string[]): Promise<void>;
  close(): Promise<void>;
}

export function createSearchQueue(options: {
  redis: Redis;
  suffix: string;
  onProblem(error: Error): void;
}): SearchQueue {
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
    close: () => queue.close(),
  };
}
