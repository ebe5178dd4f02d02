import { Queue } from 'bullmq';
import type { QueueOptions } from './job-queue.ts';
import { queueNames } from './names.ts';

/** The queues of the platform, opened read-only: to count and to show entries. */
export interface ObservedQueues {
  readonly all: readonly ObservedQueue[];
  /** The number of entries of each queue in each state that lasts. Throws while the store is down. */
  depths(): Promise<QueueDepth[]>;
  close(): Promise<void>;
}

interface ObservedQueue {
  /** Its name in metrics. */
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
/** Completed entries are removed at once; the remaining ones are work to do or failed work. */
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

export function observeQueues(options: QueueOptions): ObservedQueues {
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
