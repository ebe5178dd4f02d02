import type { JobActor } from '../../persistence/actors/rows/job-row.ts';
import type { JobMessage } from '../actors/messages.ts';
import type { HeldJob, QueueDelivery, RunnerPorts } from './held-job.ts';

/**
 * Starts or retries a waiting job that the queue has delivered. The machine and the start rate decide whether it may.
 * While purchases are switched off, or there is no room, the job stays where it is. Returns how long to wait when there
 * is no room, else null.
 */
export async function admit(
  ports: RunnerPorts,
  held: HeldJob,
  delivery: QueueDelivery,
): Promise<number | null> {
  const { nudges } = held;
  const aggregate = held.seen ?? (await ports.store.readJob(held.jobId));
  if (aggregate === null) return null;
  await ports.refreshStarts();
  await ports.checkpoint('before-reserve', held.jobId);
  const event = startOf(ports, aggregate.job, delivery);
  const told =
    event &&
    (await ports.actorSystem.deliverAsSeen(
      aggregate,
      { to: ports.kind, id: held.jobId, event },
      held.origin,
    ));
  await ports.checkpoint('after-reserve', held.jobId);
  if (held.nudges === nudges) held.seen = told?.now ?? null;
  return told?.outcome === 'limited' ? told.waitMs : null;
}

function startOf(
  { clock, chance, startsAllowed, startsPerMinute }: RunnerPorts,
  job: JobActor,
  delivery: QueueDelivery,
): JobMessage | null {
  const at = clock.now();
  const start = { at, enabled: startsAllowed(), attemptId: chance.id(), startsPerMinute };
  if (job.state === 'RETRYING.BACKOFF') return { type: 'RETRY_DUE', ...start };
  if (!job.state.startsWith('PENDING')) return null;
  const waitedMs = startableMs(job, { at, delivery });
  return { type: 'WORKER_STARTED', ...start, queueAttempt: delivery.queueAttempt, waitedMs };
}

/**
 * How long a waiting job could have started: since its submission, without the time in which purchases were switched
 * off. A job that was found while they were off keeps its wait until then; counting resumes with an entry that is
 * enqueued once they are on.
 */
function startableMs(
  { state, createdAt, context }: JobActor,
  { at, delivery }: { at: number; delivery: QueueDelivery },
): number {
  const before = state === 'PENDING.QUEUED' ? null : context.queueWaitMs;
  return before === null
    ? Math.max(0, at - createdAt)
    : before + Math.max(0, at - Math.max(delivery.queuedAt, createdAt));
}
