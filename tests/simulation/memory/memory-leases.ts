import type { LeaseStore, ProviderAttemptActor } from '../../../persistence/actor-store.ts';
import { type Connection, Session } from './session.ts';
import { FINAL_JOBS, type StoredJob } from './tables.ts';

/** Leases and sweeper questions, each one statement: a hop there, the change, a hop back. */
export function createMemoryLeases({ server, owner: process, hop }: Connection): LeaseStore {
  const statement = async <T>(label: string, work: (session: Session) => Promise<T> | T): Promise<T> => {
    await hop(label);
    const session = new Session(server, process);
    try {
      const result = await work(session);
      session.commit();
      await hop(`${label}: answer`);
      return result;
    } finally {
      session.rollback();
    }
  };
  const change = async (
    session: Session,
    jobId: string,
    next: (job: StoredJob) => Partial<StoredJob> | null,
  ): Promise<StoredJob | null> => {
    await session.lock(`job ${jobId}`);
    const job = session.read('stagingJob', jobId);
    const changed = job && next(job);
    if (!job || !changed) return null;
    const row = { ...job, ...changed };
    session.write('stagingJob', jobId, row);
    return row;
  };
  const page = (
    session: Session,
    afterId: string | null,
    limit: number,
    wanted: (job: StoredJob) => boolean,
  ) =>
    session
      .all('stagingJob')
      .filter((job) => (afterId === null || job.id > afterId) && wanted(job))
      .slice(0, limit)
      .map(({ id }) => id);
  return {
    acquireLease: ({ jobId, owner, at, ttlMs }) =>
      statement('acquire lease', async (session) => {
        let abandonedBy: string | null = null;
        const row = await change(session, jobId, (job) => {
          if (FINAL_JOBS.has(job.state) || job.quarantinedAt !== null || !isFree(job, at)) return null;
          abandonedBy = job.lease?.owner ?? null;
          const epoch = job.leaseEpoch + 1;
          const heartbeatAt = job.state.startsWith('PENDING') ? job.heartbeatAt : at;
          return { leaseEpoch: epoch, lease: { owner, epoch, expiresAt: at + ttlMs }, heartbeatAt };
        });
        return row?.lease ? { lease: row.lease, abandonedBy } : null;
      }),
    renewLeases: ({ leases, owner, at, ttlMs }) =>
      statement('renew leases', async (session) => {
        const renewed: string[] = [];
        for (const { jobId, epoch } of leases) {
          const row = await change(session, jobId, (job) =>
            job.lease?.owner === owner && job.leaseEpoch === epoch && !FINAL_JOBS.has(job.state)
              ? { lease: { owner, epoch, expiresAt: at + ttlMs }, heartbeatAt: at }
              : null,
          );
          if (row) renewed.push(jobId);
        }
        return renewed;
      }),
    releaseLease: ({ jobId, owner, epoch }) =>
      statement('release lease', async (session) => {
        await change(session, jobId, (job) =>
          job.lease?.owner === owner && job.leaseEpoch === epoch ? { lease: null } : null,
        );
      }),
    dueJobs: ({ afterId, limit, at, enabled, createdBefore }) =>
      statement('due jobs', (session) =>
        page(session, afterId, limit, (job) => isDue(job, { at, enabled, createdBefore })),
      ),
    orphanedJobs: ({ afterId, limit, at, enabled }) =>
      statement('orphaned jobs', (session) => {
        const attempts = session.all('providerAttempt');
        return page(session, afterId, limit, (job) => isOrphaned(job, { at, enabled, attempts }));
      }),
    quarantine: ({ jobId, at, error: _ }) =>
      statement('quarantine', async (session) => {
        await change(session, jobId, (job) =>
          job.quarantinedAt === null && !FINAL_JOBS.has(job.state)
            ? { quarantinedAt: at, lease: null }
            : null,
        );
      }),
    staleJobs: (thresholds) =>
      statement('stale jobs', (session) => {
        const { at, pendingMs, activeMs, retryingMs } = thresholds;
        const patience: Record<string, number> = { PENDING: pendingMs, RETRYING: retryingMs };
        return session
          .all('stagingJob')
          .filter((job) => !FINAL_JOBS.has(job.state))
          .map((job) => {
            const status = job.state.split('.')[0] ?? '';
            const since = status === 'PENDING' ? job.createdAt : (job.heartbeatAt ?? job.createdAt);
            return { jobId: job.id, status, silentMs: at - since };
          })
          .filter(({ status, silentMs }) => silentMs > (patience[status] ?? activeMs))
          .sort((a, b) => b.silentMs - a.silentMs);
      }),
  };
}

const isFree = ({ lease }: StoredJob, at: number) => lease === null || lease.expiresAt <= at;

/** Waiting for the queue; with the flag off only jobs that do not know it yet are offered. */
export function isDue(
  job: StoredJob,
  { at, enabled, createdBefore }: { at: number; enabled: boolean; createdBefore: number },
): boolean {
  if (job.quarantinedAt !== null || !isFree(job, at)) return false;
  if (job.state === 'RETRYING.BACKOFF') return enabled && (job.context.retryAt ?? 0) <= at;
  if (!job.state.startsWith('PENDING') || job.createdAt > createdBefore) return false;
  return enabled || job.state === 'PENDING.QUEUED';
}

/** Under way, but nobody holds it. With the flag off a purchase that was not sent yet stays where it is. */
export function isOrphaned(
  job: StoredJob,
  { at, enabled, attempts }: { at: number; enabled: boolean; attempts: readonly ProviderAttemptActor[] },
): boolean {
  if (job.quarantinedAt !== null || !isFree(job, at)) return false;
  if (job.state === 'CANCEL_REQUESTED') return true;
  if (!job.state.startsWith('PROCESSING')) return false;
  return enabled || !attempts.some(({ jobId, state }) => jobId === job.id && state === 'RESERVED');
}
