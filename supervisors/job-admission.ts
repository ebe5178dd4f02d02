import type { HeldJob, QueueDelivery, RunnerPorts } from './held-job.ts';

/**
 * Lets a waiting job start, or try again, now that the queue's start rate has admitted it. Whether it may is
 * the machine's decision; while purchases are switched off it stays where it is.
 */
export async function admit(ports: RunnerPorts, held: HeldJob, delivery: QueueDelivery): Promise<void> {
  const { mailroom, clock, chance, mayStart, checkpoint } = ports;
  const aggregate = await ports.store.readJob(held.jobId);
  if (aggregate === null) return;
  const at = clock.now();
  const { state } = aggregate.job;
  await checkpoint('before-reserve', held.jobId);
  const common = { at, enabled: mayStart(), attemptId: chance.id() };
  if (state.startsWith('PENDING')) {
    const queueWaitMs = Math.max(0, at - delivery.queuedAt);
    const event = {
      type: 'WORKER_STARTED',
      ...common,
      queueAttempt: delivery.queueAttempt,
      queueWaitMs,
    } as const;
    await mailroom.deliver({ to: 'stagingJob', id: held.jobId, event }, held.origin);
  } else if (state === 'RETRYING.BACKOFF') {
    const event = { type: 'RETRY_DUE', ...common } as const;
    await mailroom.deliver({ to: 'stagingJob', id: held.jobId, event }, held.origin);
  }
  await checkpoint('after-reserve', held.jobId);
}
