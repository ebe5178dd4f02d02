import type { Pool } from 'pg';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import { isBought } from './cost-estimates.ts';

/** The queries of the page with estimated costs. Days are days of UTC; sums of money are micro-US-dollars. */

/** Purchases sent on one day. */
export interface DayOfCosts {
  /** `YYYY-MM-DD`. */
  day: string;
  bought: number;
  /** Included in `bought`. */
  lost: number;
  /** Included in `bought`: sent before there was a price for them. */
  unpriced: number;
  microusd: number;
}

const COUNTS = `
  count(*)::int AS bought,
  count(*) FILTER (WHERE a.status = 'LOST')::int AS lost,
  count(*) FILTER (WHERE a."costMicrousd" IS NULL)::int AS unpriced,
  coalesce(sum(a."costMicrousd"), 0)::text AS microusd`;

/** Oldest first; days without a purchase are left out. `since` in milliseconds since 1970. */
export async function costsByDay(pool: Pool, since: number): Promise<DayOfCosts[]> {
  const { rows } = await pool.query<Omit<DayOfCosts, 'microusd'> & { microusd: string }>(
    `SELECT to_char(a."sentAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, ${COUNTS}
     FROM ai_provider_attempts a WHERE a."sentAt" >= $1 AND ${isBought('a')} GROUP BY 1 ORDER BY 1`,
    [toDate(since)],
  );
  return rows.map((row) => ({ ...row, microusd: Number(row.microusd) }));
}

/** A job that bought something. */
export interface JobCosts {
  jobId: string;
  status: string;
  quality: string | null;
  bought: number;
  lost: number;
  unpriced: number;
  microusd: number;
  /** The kinds of the estimates, each once. */
  kinds: string[];
  /** When its latest purchase was sent; milliseconds since 1970. */
  sentAt: number;
}

/** Latest purchase first: an index returns the purchases in that order, and each job appears at its latest one. */
const JOBS = `
  SELECT j.id AS "jobId", j.status::text, s.quality, latest."sentAt", costs.*
  FROM ai_provider_attempts latest
  JOIN ai_jobs j ON j.id = latest."aiJobId"
  JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
  CROSS JOIN LATERAL (
    SELECT ${COUNTS}, array_remove(array_agg(DISTINCT a."costKind"), NULL) AS kinds
    FROM ai_provider_attempts a WHERE a."aiJobId" = j.id AND ${isBought('a')}
  ) costs
  WHERE latest."sentAt" IS NOT NULL AND ${isBought('latest')}
    AND NOT EXISTS (SELECT FROM ai_provider_attempts later
      WHERE later."aiJobId" = latest."aiJobId" AND later."attemptNumber" > latest."attemptNumber"
        AND ${isBought('later')})
    AND ($1::timestamptz IS NULL OR (latest."sentAt", latest."aiJobId") < ($1, $2::uuid))
  ORDER BY latest."sentAt" DESC, latest."aiJobId" DESC LIMIT $3`;

/** `after` is the last row of the previous page. */
export async function costsByJob(
  pool: Pool,
  { after, limit }: { after: Pick<JobCosts, 'sentAt' | 'jobId'> | null; limit: number },
): Promise<JobCosts[]> {
  const { rows } = await pool.query<
    Omit<JobCosts, 'microusd' | 'sentAt'> & { microusd: string; sentAt: Instant }
  >(JOBS, [toDate(after?.sentAt ?? null), after?.jobId ?? null, limit]);
  return rows.map((row) => ({ ...row, microusd: Number(row.microusd), sentAt: toMillis(row.sentAt) }));
}
