import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { queueNames } from './names.ts';

/** The queues of the platform as an onlooker sees them: opened to count and to show entries, never to change them. */
export interface ObservedQueues {
  readonly all: readonly ObservedQueue[];
  /** How many entries each queue has in each state in which they can stay. Throws while the store is away. */
  depths(): Promise<QueueDepth[]>;
  close(): Promise<void>;
}

interface ObservedQueue {
  /** What metrics call it. */
  name: ObservedQueueName;
  queue: Queue;
}
export type ObservedQueueName = (typeof OBSERVED)[number];

interface QueueDepth {
  queue: ObservedQueueName;
  state: (typeof STATES)[number];
  entries: number;
}

const OBSERVED = ['staging', 'descriptions', 'search', 'storage'] as const;
/** Completed entries leave at once; those that stay are work to do or work that was not done. */
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

export function observeQueues(options: {
  redis: Redis;
  suffix: string;
  onProblem(error: Error): void;
}): ObservedQueues {
  const names = queueNames(options.suffix);
  const all = OBSERVED.map((name) => {
    const queue = new Queue(names[name], { connection: options.redis });
    queue.on('error', options.onProblem);
    return { name, queue };
  });
  return {
    all,
    async depths() {
      const counted = await Promise.all(all.map(({ queue }) => queue.getJobCounts(...STATES, 'prioritized')));
      return all.flatMap(({ name }, index) => {
        const { prioritized = 0, waiting = 0, ...others } = counted[index] ?? {};
        const counts: Record<string, number> = { ...others, waiting: waiting + prioritized };
        return STATES.map((state) => ({ queue: name, state, entries: counts[state] ?? 0 }));
      });
    },
    close: async () => void (await Promise.allSettled(all.map(({ queue }) => queue.close()))),
  };
}
