import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { StagingQueue } from '../../supervisors/ports.ts';
import { ENTRY_OPTIONS, queueNames } from './names.ts';

/** The producing end of `ai-staging{QUEUE_SUFFIX}`; an entry's id is the job's id, so adding twice is once. */
export function createStagingQueue(options: {
  redis: Redis;
  suffix: string;
  onProblem(error: Error): void;
}): StagingQueue & { close(): Promise<void> } {
  const { redis } = options;
  const queue = new Queue(queueNames(options.suffix).staging, { connection: redis });
  queue.on('error', options.onProblem);
  return {
    async enqueue(jobIds, { delayMs = 0 } = {}) {
      await queue.addBulk(
        jobIds.map((jobId) => ({
          name: 'stage-room',
          data: { aiJobId: jobId },
          opts: { ...ENTRY_OPTIONS, jobId, delay: delayMs },
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
