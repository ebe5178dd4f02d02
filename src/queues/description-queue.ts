import { createJobQueue, type OpenQueue, type QueueOptions } from './job-queue.ts';
import { DESCRIBE_LISTING_ENTRY, queueNames } from './names.ts';

/** The producing end of `ai{QUEUE_SUFFIX}`, which also holds what older releases left there. */
export function createDescriptionQueue(options: QueueOptions): OpenQueue {
  return createJobQueue(options, {
    name: queueNames(options.suffix).descriptions,
    entryName: DESCRIBE_LISTING_ENTRY,
  });
}
