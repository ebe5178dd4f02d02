import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface QueueOptions {
  redis: Redis;
  suffix: string;
  onProblem(error: Error): void;
}

/**
 * The queue, on a shared connection. Opening it asks the store nothing: a queue whose first question failed would fail for
 * ever (BullMQ 6.7). So it can be opened while the store is away, and works as soon as it is back.
 */
export function openQueue(name: string, { redis, onProblem }: Omit<QueueOptions, 'suffix'>): Queue {
  const queue = new Queue(name, {
    connection: redis,
    skipVersionCheck: true,
    skipWaitingForReady: true,
  });
  queue.on('error', onProblem);
  return queue;
}
