import { queueNames } from './names.ts';
import { openQueue, type QueueOptions } from './queue.ts';

const OBSERVED = ['staging', 'descriptions', 'search', 'storage'] as const;
/** Completed entries are removed at once; the remaining ones are work to do or failed work. */
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
/** The queue's name in metrics. */
export type ObservedQueueName = (typeof OBSERVED)[number];
export type ObservedQueues = ReturnType<typeof observeQueues>;

/** The queues of the platform, opened read-only: to count and to show entries. */
export function observeQueues(options: QueueOptions) {
  const names = queueNames(options.suffix);
  const all = OBSERVED.map((name) => ({ name, queue: openQueue(names[name], options) }));
  return {
    all,
    /** The number of entries of each queue in each lasting state. Throws while the store is down. */
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
