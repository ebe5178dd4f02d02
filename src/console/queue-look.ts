import type { Queue } from 'bullmq';
import type { ObservedQueueName, ObservedQueues } from '../queues/observed-queues.ts';
import type { QueueEntry, QueueLook } from './actors/wait-context.ts';

const QUEUE_OF = { stagingJob: 'staging', descriptionJob: 'descriptions' } as const satisfies Record<
  string,
  ObservedQueueName
>;
/** Of all job queues, only staging has a start rate. */
const LIMITED: ObservedQueueName = 'staging';

/**
 * The state of a job's queue; null when the key-value store does not answer.
 * @param startsPerMinute the staging queue's limit, which is given to all its consumers
 */
export async function lookAtQueue(
  { all }: ObservedQueues,
  kind: keyof typeof QUEUE_OF,
  { jobId, startsPerMinute }: { jobId: string; startsPerMinute: number },
): Promise<QueueLook | null> {
  const name = QUEUE_OF[kind];
  const queue = all.find((one) => one.name === name)?.queue;
  if (queue === undefined) return null;
  try {
    const [entry, counts, paused, consumers, limitedMs] = await Promise.all([
      entryOf(queue, jobId),
      queue.getJobCounts('waiting', 'prioritized'),
      queue.isPaused(),
      queue.getWorkersCount(),
      name === LIMITED ? queue.getRateLimitTtl(startsPerMinute) : 0,
    ]);
    const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { entry, waiting, paused, consumers, limitedMs: Math.max(0, limitedMs) };
  } catch {
    // The owner of the connection logs the error; the page is shown without the queue.
    return null;
  }
}

async function entryOf(queue: Queue, jobId: string): Promise<QueueEntry | null> {
  const job = await queue.getJob(jobId);
  if (job === undefined) return null;
  const state = await job.getState();
  const delayedUntil = state === 'delayed' ? job.timestamp + (job.opts.delay ?? 0) : null;
  return { state, delayedUntil, starts: job.attemptsStarted };
}
