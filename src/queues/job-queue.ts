import type { Pool } from 'pg';
import { readStartOrder } from '../../persistence/jobs/start-order.ts';
import type { JobQueue } from '../../supervisors/ports.ts';
import { loadedOnce } from '../loaded-once.ts';
import { DESCRIBE_LISTING_ENTRY, ENTRY_OPTIONS, queueNames, STAGE_ROOM_ENTRY } from './names.ts';
import type { QueueOptions } from './queue.ts';

/** A queue that its first use opens: loading BullMQ takes a tenth of a second, and a `web` process may never need it. */
export const queueOnUse = (name: string, options: Omit<QueueOptions, 'suffix'>) =>
  loadedOnce(async () => (await import('./queue.ts')).openQueue(name, options));

type OpenQueue = JobQueue & { close(): Promise<void> };

/**
 * The producing end of a queue of jobs. An entry's id is the job's id, so adding a job twice has no effect.
 * @param startOrder each job's position in the order of starts; jobs without one go first
 */
function createJobQueue(
  options: QueueOptions,
  {
    name,
    entryName,
    startOrder,
  }: {
    name: string;
    entryName: string;
    startOrder?(jobIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  },
): OpenQueue {
  const queue = queueOnUse(name, options);
  return {
    async enqueue(jobIds, { delayMs = 0 } = {}) {
      const order = await startOrder?.(jobIds);
      await (await queue()).addBulk(
        jobIds.map((jobId) => ({
          name: entryName,
          data: { aiJobId: jobId },
          opts: { ...ENTRY_OPTIONS, jobId, delay: delayMs, priority: order?.get(jobId) ?? 0 },
        })),
      );
    },
    async remove(jobId) {
      await (await queue()).remove(jobId);
    },
    async missing(jobIds) {
      const opened = await queue();
      const pipeline = options.redis.pipeline();
      for (const jobId of jobIds) pipeline.exists(opened.toKey(jobId));
      const answers = (await pipeline.exec()) ?? [];
      return jobIds.filter((_, index) => {
        const [error, exists] = answers[index] ?? [null, 0];
        if (error) throw error;
        return exists === 0;
      });
    },
    async pauseStarts(ms) {
      await (await queue()).rateLimit(Math.ceil(ms));
    },
    close: async () => (await queue.loaded())?.close(),
  };
}

/** The producing end of `ai-staging{QUEUE_SUFFIX}`. It delivers jobs in their order of starts. */
export function createStagingQueue(options: QueueOptions & { pool: Pool }): OpenQueue {
  return createJobQueue(options, {
    name: queueNames(options.suffix).staging,
    entryName: STAGE_ROOM_ENTRY,
    startOrder: (jobIds) => readStartOrder(options.pool, jobIds),
  });
}

/** The producing end of `ai{QUEUE_SUFFIX}`, which also holds entries of older releases. */
export function createDescriptionQueue(options: QueueOptions): OpenQueue {
  return createJobQueue(options, {
    name: queueNames(options.suffix).descriptions,
    entryName: DESCRIBE_LISTING_ENTRY,
  });
}
