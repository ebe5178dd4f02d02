import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobQueue } from '../../supervisors/ports.ts';
import { ENTRY_OPTIONS } from './names.ts';

export interface QueueOptions {
  redis: Redis;
  suffix: string;
  onProblem(error: Error): void;
}
export type OpenQueue = JobQueue & { close(): Promise<void> };

interface JobQueueOptions {
  name: string;
  entryName: string;
  /** Each job's place in the order of starts; jobs without one go first. */
  startOrder?(jobIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** The producing end of a queue of jobs; an entry's id is the job's id, so adding twice is once. */
export function createJobQueue(
  { redis, onProblem }: QueueOptions,
  { name, entryName, startOrder }: JobQueueOptions,
): OpenQueue {
  const queue = new Queue(name, { connection: redis });
  queue.on('error', onProblem);
  return {
    async enqueue(jobIds, { delayMs = 0 } = {}) {
      const order = await startOrder?.(jobIds);
      await queue.addBulk(
        jobIds.map((jobId) => ({
          name: entryName,
          data: { aiJobId: jobId },
          opts: { ...ENTRY_OPTIONS, jobId, delay: delayMs, priority: order?.get(jobId) ?? 0 },
        })),
      );
    },
    async remove(jobId) {
      await queue.remove(jobId);
    },
    async missing(jobIds) {
      const pipeline = redis.pipeline();
      for (const jobId of jobIds) pipeline.exists(queue.toKey(jobId));
      const answers = (await pipeline.exec()) ?? [];
      return jobIds.filter((_, index) => {
        const [error, exists] = answers[index] ?? [null, 0];
        if (error) throw error;
        return exists === 0;
      });
    },
    async pauseStarts(ms) {
      await queue.rateLimit(Math.ceil(ms));
    },
    close: () => queue.close(),
  };
}
