import { createJobQueue, type JobQueue, type QueueOptions } from './job-queue.ts';
import { queueNames, STAGE_ROOM_ENTRY } from './names.ts';

/** The producing end of `ai-staging{QUEUE_SUFFIX}`. */
export function createStagingQueue(options: QueueOptions): JobQueue {
  return createJobQueue(options, { name: queueNames(options.suffix).staging, entryName: STAGE_ROOM_ENTRY });
}
