import type { Pool } from 'pg';
import type { DeletionErrorClass } from '../../machines/deletion-item.ts';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import type { AiJobStatus, AiJobType } from '../../machines/vocabulary.ts';
import { toDate } from '../database/instants.ts';

/**
 * The candidates of an operator's bulk operation: pages in the order of age and id, so that every candidate comes once,
 * whatever happens to earlier ones. Actors that were created after the start are left out.
 */
export type CandidateSource =
  | {
      of: 'jobs';
      types: readonly AiJobType[];
      statuses: readonly AiJobStatus[];
      quarantined: boolean | null;
      createdBefore: number;
    }
  /** Jobs whose picture was refused for its host. */
  | { of: 'refused-outputs'; endedSince: number; createdBefore: number }
  /** Failed deletions with this class of error; null means any. */
  | { of: 'deletions'; errorClass: DeletionErrorClass | null; createdBefore: number };

export interface Candidate {
  id: string;
  /** Its position in the order, for the next page. */
  createdAt: string;
}

export async function operationCandidates(
  pool: Pool,
  source: CandidateSource,
  { after, limit }: { after: Candidate | null; limit: number },
): Promise<Candidate[]> {
  const { from, where, values } = clauseOf(source);
  const place = `($${values.length + 1}::timestamptz IS NULL
    OR (t."createdAt", t.id) > ($${values.length + 1}::timestamptz, $${values.length + 2}::uuid))`;
  const { rows } = await pool.query<Candidate>(
    `SELECT t.id, t."createdAt"::text AS "createdAt" FROM ${from} t WHERE ${where} AND ${place}
     ORDER BY t."createdAt", t.id LIMIT $${values.length + 3}`,
    [...values, after?.createdAt ?? null, after?.id ?? null, limit],
  );
  return rows;
}

export async function countOperationCandidates(pool: Pool, source: CandidateSource): Promise<number> {
  const { from, where, values } = clauseOf(source);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${from} t WHERE ${where}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

function clauseOf(source: CandidateSource): { from: string; where: string; values: unknown[] } {
  const before = toDate(source.createdBefore);
  switch (source.of) {
    case 'jobs':
      return {
        from: 'ai_jobs',
        where: `t.type = ANY($1::ai_job_type[]) AND t.status = ANY($2::ai_job_status[]) AND t."createdAt" <= $3
          AND ($4::boolean IS NULL OR (t."quarantinedAt" IS NOT NULL) = $4)`,
        values: [source.types, source.statuses, before, source.quarantined],
      };
    case 'refused-outputs':
      return {
        from: 'ai_jobs',
        where: `t.type = 'ROOM_STAGING' AND t.status = 'FAILED' AND t."errorCode" = $1 AND t."finishedAt" >= $2
          AND t."createdAt" <= $3`,
        values: ['OUTPUT_HOST_REFUSED' satisfies AttemptErrorCode, toDate(source.endedSince), before],
      };
    case 'deletions':
      return {
        from: 'storage_deletion_outbox',
        where: `t.status = 'FAILED' AND t."createdAt" <= $1 AND ($2::text IS NULL OR t."errorClass" = $2)`,
        values: [before, source.errorClass],
      };
  }
}
