import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import type { Clock, JobQueue } from '../ports.ts';

/**
 * Enqueues a job that backs off again. It needs the id of the entry that has just ended, which is free only now; without
 * this the dispatcher would enqueue it later, as a repair. A retry that is due already could not begin, because purchases
 * are switched off: it is left to the dispatcher, which enqueues it once they are on. Otherwise its entries would go round
 * and round.
 */
export async function enqueueRetry(
  { store, queue, clock }: { store: Pick<ActorStore, 'readJob'>; queue: JobQueue; clock: Clock },
  jobId: string,
): Promise<void> {
  const aggregate = await store.readJob(jobId);
  const retryAt = aggregate?.job.state === 'RETRYING.BACKOFF' ? aggregate.job.context.retryAt : null;
  const delayMs = retryAt === null ? 0 : retryAt - clock.now();
  if (delayMs > 0) await queue.enqueue([jobId], { delayMs });
}
