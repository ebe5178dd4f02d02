import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface QueueOptions {
  redis: Redis;
  suffix: string;
  onProblem(error: Error): void;
}

/**
 * The queue, on a shared connection. A queue whose opening failed is of no use any more, so it is closed, and another one
 * must be opened.
 * @throws at once while the store is away, and when it refuses
 */
export async function openQueue(
  name: string,
  { redis, onProblem }: Omit<QueueOptions, 'suffix'>,
): Promise<Queue> {
  const queue = new Queue(name, { connection: redis, skipWaitingForReady: true });
  queue.on('error', onProblem);
  try {
    await queue.waitUntilReady();
    return queue;
  } catch (error) {
    await queue.close();
    throw error;
  }
}
