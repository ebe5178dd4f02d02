import type { Pool } from 'pg';
import type { AiJobType } from '../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import type { Row } from './actor-kind.ts';
import type { LeaseStore, LeaseTaken } from './actor-store.ts';
import * as statements from './lease-statements.ts';
import { aggregateOf, type JobAggregate, type Lease } from './rows/job-row.ts';
import * as sweeps from './sweep-statements.ts';

type TakenRow = Row & { epoch: number; beatAt: Instant | null } & Omit<LeaseTaken, 'lease' | 'seen'>;
function takenOf(row: TakenRow, holder: Omit<Lease, 'epoch'>): LeaseTaken {
  const { jobId, epoch, abandonedBy, interrupted, failures } = row;
  const lease = { ...holder, epoch };
  return { jobId, lease, abandonedBy, interrupted, failures, seen: seenIn(row, lease) };
}

function seenIn(row: TakenRow, lease: Lease): JobAggregate | null {
  if (row.id === null) return null;
  try {
    const { job, attempts } = aggregateOf(row);
    return { job: { ...job, lease, leaseEpoch: lease.epoch, heartbeatAt: toMillis(row.beatAt) }, attempts };
  } catch {
    // The lease is taken all the same. The next read of the job reports the error.
    return null;
  }
}

/** Leases and sweeper queries about the jobs of one type on PostgreSQL, each one statement. */
export function createPostgresLeases(pool: Pool, type: AiJobType): LeaseStore {
  const ids = async (sql: string, values: unknown[]) =>
    (await pool.query<{ id: string }>(sql, values)).rows.map((row) => row.id);
  return {
    async acquireLease({ jobId, owner, at, ttlMs }) {
      const values = [jobId, owner, toDate(at), toDate(at + ttlMs), type];
      const { rows } = await pool.query<TakenRow>(prepared(statements.ACQUIRE_LEASE, values));
      return rows[0] ? takenOf(rows[0], { owner, expiresAt: at + ttlMs }) : null;
    },
    async acquireLeases({ jobIds, owner, at, ttlMs }) {
      const values = [jobIds, owner, toDate(at), toDate(at + ttlMs), type];
      const { rows } = await pool.query<TakenRow>(statements.ACQUIRE_LEASES, values);
      return rows.map((row) => takenOf(row, { owner, expiresAt: at + ttlMs }));
    },
    async renewLeases({ leases, owner, at, ttlMs }) {
      const { rows } = await pool.query<{ mine: string[]; renewed: string[] }>(statements.RENEW_LEASES, [
        leases.map((lease) => lease.jobId),
        leases.map((lease) => lease.epoch),
        toDate(at),
        toDate(at + ttlMs),
        owner,
      ]);
      const { mine, renewed } = rows[0] ?? { mine: [], renewed: [] };
      const done = new Set(renewed);
      return { renewed, locked: mine.filter((id) => !done.has(id)) };
    },
    async releaseLease({ jobId, owner, epoch }) {
      await pool.query(prepared(statements.RELEASE_LEASE, [jobId, owner, epoch]));
    },
    async markLocalPass({ jobId, owner, epoch, pass, alone, version }) {
      const values = [jobId, owner, epoch, pass, alone, version];
      const { rowCount } = await pool.query(prepared(statements.MARK_LOCAL_PASS, values));
      return rowCount === 1;
    },
    async clearLocalPass({ jobId, owner, epoch }) {
      await pool.query(prepared(statements.CLEAR_LOCAL_PASS, [jobId, owner, epoch]));
    },
    async noteFailure({ jobId, owner, epoch }) {
      const { rows } = await pool.query<{ failures: number }>(statements.NOTE_FAILURE, [jobId, owner, epoch]);
      return rows[0]?.failures ?? 0;
    },
    async forgetFailures({ jobId, owner, epoch }) {
      await pool.query(statements.FORGET_FAILURES, [jobId, owner, epoch]);
    },
    dueJobs: ({ afterId, limit, at, enabled, createdBefore }) =>
      ids(sweeps.DUE_JOBS, [afterId, toDate(at), enabled, toDate(createdBefore), limit, type]),
    orphanedJobs: ({ limit, at, enabled }) => ids(sweeps.ORPHANED_JOBS, [toDate(at), limit, enabled, type]),
    async quarantine({ jobId, at, error }) {
      await pool.query(statements.QUARANTINE_JOB, [jobId, toDate(at), error]);
    },
    async staleJobs({ at, pendingMs, activeMs, retryingMs }) {
      const { rows } = await pool.query<{ id: string; status: string; silentMs: number }>(sweeps.STALE_JOBS, [
        toDate(at),
        ...[pendingMs, activeMs, retryingMs].map((ms) => `${ms} milliseconds`),
        type,
        sweeps.MAX_STALE_JOBS,
      ]);
      return rows.map(({ id, status, silentMs }) => ({ jobId: id, status, silentMs }));
    },
  };
}
