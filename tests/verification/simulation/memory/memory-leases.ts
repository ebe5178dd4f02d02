import type { PurchaseKind } from '../../../../machines/purchase-kinds.ts';
import type { LeaseStore, LeaseTaken, UnderLease } from '../../../../persistence/actors/actor-store.ts';
import type { ProviderAttemptActor } from '../../../../persistence/actors/rows/attempt-row.ts';
import { jobAggregate } from './memory-transaction.ts';
import { type Connection, Session } from './session.ts';
import { FINAL_JOBS, type StoredJob } from './tables.ts';

/** Leases and sweeper questions about the jobs of one kind, each one statement: a hop there, the change, a hop back. */
export function createMemoryLeases(
  { server, owner: process, hop }: Connection,
  kind: PurchaseKind,
): LeaseStore {
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
    const row = { ...job, ...changed } as StoredJob;
    session.write('stagingJob', jobId, row);
    return row;
  };
  const acquire = async (
    session: Session,
    jobId: string,
    { owner, at, ttlMs }: { owner: string; at: number; ttlMs: number },
  ): Promise<LeaseTaken | null> => {
    let found = { abandonedBy: null as string | null, interrupted: false };
    const row = await change(session, jobId, (job) => {
      if (job.kind !== kind || FINAL_JOBS.has(job.state) || job.quarantinedAt !== null || !isFree(job, at))
        return null;
      if (job.lease !== null) server.takenOver({ jobId, epoch: job.lease.epoch });
      found = { abandonedBy: job.lease?.owner ?? null, interrupted: job.localPass !== null };
      const epoch = job.leaseEpoch + 1;
      const heartbeatAt = job.state.startsWith('PENDING') ? job.heartbeatAt : at;
      return { leaseEpoch: epoch, lease: { owner, epoch, expiresAt: at + ttlMs }, heartbeatAt };
    });
    if (!row?.lease) return null;
    return { jobId, lease: row.lease, ...found, failures: row.failures, seen: jobAggregate(session, jobId) };
  };
  const underLease = (
    label: string,
    { jobId, owner, epoch }: UnderLease,
    next: (job: StoredJob) => Partial<StoredJob>,
  ) =>
    statement(label, (session) =>
      change(session, jobId, (job) =>
        job.lease?.owner === owner && job.leaseEpoch === epoch ? next(job) : null,
      ),
    );
  return {
    acquireLease: ({ jobId, ...holder }) =>
      statement('acquire lease', (session) => acquire(session, jobId, holder)),
    acquireLeases: ({ jobIds, ...holder }) =>
      statement('acquire leases', async (session) => {
        const taken: LeaseTaken[] = [];
        for (const jobId of jobIds) {
          if (!session.tryLock(`job ${jobId}`)) continue;
          const one = await acquire(session, jobId, holder);
          if (one !== null) taken.push(one);
        }
        return taken;
      }),
    renewLeases: ({ leases, owner, at, ttlMs }) =>
      statement('renew leases', (session) => {
        const renewed: string[] = [];
        const locked: string[] = [];
        for (const { jobId, epoch } of leases) {
          const job = session.read('stagingJob', jobId);
          if (!job || job.lease?.owner !== owner || job.leaseEpoch !== epoch || FINAL_JOBS.has(job.state))
            continue;
          if (!session.tryLock(`job ${jobId}`)) {
            locked.push(jobId);
            continue;
          }
          const expiresAt = Math.max(job.lease.expiresAt, at + ttlMs);
          session.write('stagingJob', jobId, { ...job, lease: { owner, epoch, expiresAt }, heartbeatAt: at });
          renewed.push(jobId);
        }
        return { renewed, locked };
      }),
    releaseLease: ({ jobId, owner, epoch }) =>
      statement('release lease', async (session) => {
        await change(session, jobId, (job) =>
          job.lease?.owner === owner && job.leaseEpoch === epoch ? { lease: null, localPass: null } : null,
        );
      }),
    markLocalPass: ({ pass, alone, version, ...lease }) =>
      underLease('mark local pass', lease, () => ({ localPass: { pass, alone, version } })).then(Boolean),
    async clearLocalPass(lease) {
      await underLease('clear local pass', lease, () => ({ localPass: null }));
    },
    noteFailure: (lease) =>
      underLease('note failure', lease, ({ failures }) => ({ failures: failures + 1 })).then(
        (row) => row?.failures ?? 0,
      ),
    async forgetFailures(lease) {
      await underLease('forget failures', lease, () => ({ failures: 0 }));
    },
    dueJobs: ({ afterId, limit, at, enabled, createdBefore }) =>
      statement('due jobs', (session) => {
        const after = afterId === null ? null : session.read('stagingJob', afterId);
        return session
          .all('stagingJob')
          .filter(
            (job) =>
              job.kind === kind &&
              (after === null || bySubmission(after, job) < 0) &&
              isDue(job, { at, enabled, createdBefore }),
          )
          .toSorted(bySubmission)
          .slice(0, limit)
          .map(({ id }) => id);
      }),
    orphanedJobs: ({ limit, at, enabled }) =>
      statement('orphaned jobs', (session) => {
        const attempts = session.all('providerAttempt');
        return session
          .all('stagingJob')
          .filter((job) => job.kind === kind && isOrphaned(job, { at, enabled, attempts }))
          .toSorted(byLeaseEnd)
          .slice(0, limit)
          .map(({ id }) => id);
      }),
    quarantine: ({ jobId, at, error: _ }) =>
      statement('quarantine', async (session) => {
        await change(session, jobId, (job) =>
          job.quarantinedAt === null && !FINAL_JOBS.has(job.state)
            ? { quarantinedAt: at, lease: null, localPass: null }
            : null,
        );
      }),
    staleJobs: (thresholds) =>
      statement('stale jobs', (session) => {
        const { at, pendingMs, activeMs, retryingMs } = thresholds;
        const patience: Record<string, number> = { PENDING: pendingMs, RETRYING: retryingMs };
        return session
          .all('stagingJob')
          .filter((job) => job.kind === kind && !FINAL_JOBS.has(job.state))
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

const bySubmission = (a: StoredJob, b: StoredJob): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : Number(a.id > b.id));

const leaseEnd = ({ lease }: StoredJob) => lease?.expiresAt ?? 0;
const byLeaseEnd = (a: StoredJob, b: StoredJob): number =>
  leaseEnd(a) - leaseEnd(b) || (a.id < b.id ? -1 : Number(a.id > b.id));

const isFree = ({ lease }: StoredJob, at: number) => lease === null || lease.expiresAt <= at;

/** Waiting for the queue; with the flag off only jobs that are not yet in PROVIDER_DISABLED are enqueued. */
export function isDue(
  job: StoredJob,
  { at, enabled, createdBefore }: { at: number; enabled: boolean; createdBefore: number },
): boolean {
  if (job.quarantinedAt !== null || !isFree(job, at)) return false;
  if (job.state === 'RETRYING.BACKOFF') return enabled && (job.context.retryAt ?? 0) <= at;
  if (!job.state.startsWith('PENDING') || job.createdAt > createdBefore) return false;
  return enabled || job.state === 'PENDING.QUEUED';
}

/** In progress without a holder. With the flag off a job with an unsent purchase is not rescued. */
export function isOrphaned(
  job: StoredJob,
  { at, enabled, attempts }: { at: number; enabled: boolean; attempts: readonly ProviderAttemptActor[] },
): boolean {
  if (job.quarantinedAt !== null || !isFree(job, at)) return false;
  if (job.state === 'CANCEL_REQUESTED') return true;
  if (!job.state.startsWith('PROCESSING')) return false;
  return enabled || !attempts.some(({ jobId, state }) => jobId === job.id && state === 'RESERVED');
}
