import type { Pool } from 'pg';
import type { LeaseStore } from './actor-store.ts';
import type { AiJobType } from './entities/ai-job.ts';
import { toDate } from './instants.ts';
import * as statements from './lease-statements.ts';
import { prepared } from './prepared.ts';

/** Leases and sweeper questions about the jobs of one type on PostgreSQL, each one statement. */
export function createPostgresLeases(pool: Pool, type: AiJobType): LeaseStore {
  const ids = async (sql: string, values: unknown[]) =>
    (await pool.query<{ id: string }>(sql, values)).rows.map((row) => row.id);
  return {
    async acquireLease({ jobId, owner, at, ttlMs }) {
      const expiresAt = at + ttlMs;
      const { rows } = await pool.query<{ epoch: number; abandonedBy: string | null }>(
        prepared(statements.ACQUIRE_LEASE, [jobId, owner, toDate(at), toDate(expiresAt), type]),
      );
      const row = rows[0];
      return row ? { lease: { owner, epoch: row.epoch, expiresAt }, abandonedBy: row.abandonedBy } : null;
    },
    renewLeases: ({ leases, owner, at, ttlMs }) =>
      ids(statements.RENEW_LEASES, [
        leases.map((lease) => lease.jobId),
        leases.map((lease) => lease.epoch),
        toDate(at),
        toDate(at + ttlMs),
        owner,
      ]),
    async releaseLease({ jobId, owner, epoch }) {
      await pool.query(prepared(statements.RELEASE_LEASE, [jobId, owner, epoch]));
    },
    dueJobs: ({ afterId, limit, at, enabled, createdBefore }) =>
      ids(statements.DUE_JOBS, [afterId, toDate(at), enabled, toDate(createdBefore), limit, type]),
    orphanedJobs: ({ afterId, limit, at, enabled }) =>
      ids(statements.ORPHANED_JOBS, [afterId, toDate(at), limit, enabled, type]),
    async quarantine({ jobId, at, error }) {
      await pool.query(statements.QUARANTINE_JOB, [jobId, toDate(at), error]);
    },
    async staleJobs({ at, pendingMs, activeMs, retryingMs }) {
      const { rows } = await pool.query<{ id: string; status: string; silentMs: number }>(
        statements.STALE_JOBS,
        [toDate(at), ...[pendingMs, activeMs, retryingMs].map((ms) => `${ms} milliseconds`), type],
      );
      return rows.map(({ id, status, silentMs }) => ({ jobId: id, status, silentMs }));
    },
  };
}
