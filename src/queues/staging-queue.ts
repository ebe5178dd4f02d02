import type { Pool } from 'pg';
import { readStartOrder } from '../../persistence/jobs/start-order.ts';
import { createJobQueue, type OpenQueue, type QueueOptions } from './job-queue.ts';
import { queueNames, STAGE_ROOM_ENTRY } from './names.ts';

/** The producing end of `ai-staging{QUEUE_SUFFIX}`. It brings jobs in their order of starts. */
export function createStagingQueue(options: QueueOptions & { pool: Pool }): OpenQueue {
  return createJobQueue(options, {
    name: queueNames(options.suffix).staging,
    entryName: STAGE_ROOM_ENTRY,
    startOrder: (jobIds) => readStartOrder(options.pool, jobIds),
  });
}
