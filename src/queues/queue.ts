import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface QueueOptions {
  redis: Redis;
  suffix: string;
  onProblem(error: Error): void;
}

/** The queue, on a shared connection. */
export function openQueue(name: string, { redis, onProblem }: Omit<QueueOptions, 'suffix'>): Queue {
  const queue = new Queue(name, { connection: redis });
  queue.on('error', onProblem);
  return queue;
}
