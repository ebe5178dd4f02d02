import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';

/**
 * Estimated costs of purchases (`ai_provider_attempts.costMicrousd`, `costKind`). They are written after the fact,
 * outside the pipeline, and read by people only. No statement that moves a job or an attempt uses these columns, so a
 * price can neither change nor block a decision.
 */

/**
 * What counts as bought: the attempt has a prediction id, or it ended with an unknown outcome (`LOST`, and attempts
 * given up meanwhile). Source: docs/charts/provider-attempt.md.
 */
export const isBought = (attempt: string): string =>
  `(${attempt}."providerPredictionId" IS NOT NULL
    OR (${attempt}."unconfirmedSince" IS NOT NULL AND ${attempt}.status IN ('LOST', 'FAILED')))`;

export interface EstimateRequest {
  /** Micro-US-dollars per picture, by quality in lower case. */
  prices: Readonly<Record<string, number>>;
  /** The value for `costKind`. */
  kind: string;
  /** Attempts sent since then, milliseconds since 1970. */
  sentSince: number;
  limit: number;
}

/**
 * Stores the price of purchases that have none yet and whose quality has a known price. Locked rows are left for the
 * next run, so that no transaction waits for this one. Returns the number of rows and their sum.
 */
export async function noteEstimates(
  pool: Pool,
  { prices, kind, sentSince, limit }: EstimateRequest,
): Promise<{ attempts: number; microusd: number }> {
  const { rows } = await pool.query<{ attempts: number; microusd: string }>(
    `WITH unpriced AS (
       SELECT a.id, price.microusd
       FROM ai_provider_attempts a
       JOIN ai_room_staging_jobs s ON s."aiJobId" = a."aiJobId"
       JOIN unnest($1::text[], $2::bigint[]) AS price(quality, microusd) ON price.quality = s.quality
       WHERE a."sentAt" >= $3 AND a."costKind" IS NULL AND ${isBought('a')}
       ORDER BY a."sentAt" LIMIT $5
       FOR UPDATE OF a SKIP LOCKED
     ), noted AS (
       UPDATE ai_provider_attempts a SET "costMicrousd" = unpriced.microusd, "costKind" = $4
       FROM unpriced WHERE a.id = unpriced.id RETURNING a."costMicrousd" AS microusd
     )
     SELECT count(*)::int AS attempts, coalesce(sum(microusd), 0)::text AS microusd FROM noted`,
    [Object.keys(prices), Object.values(prices), toDate(sentSince), kind, limit],
  );
  const [noted] = rows;
  return { attempts: noted?.attempts ?? 0, microusd: Number(noted?.microusd ?? 0) };
}
