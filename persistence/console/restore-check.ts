import type { Pool } from 'pg';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { oneOf } from '../database/sql-values.ts';

/** What the provider tells of one purchase, as far as it names ours. */
export interface ProviderPurchase {
  predictionId: string;
  /** Named by its callback or its input's address. */
  attemptId: string | null;
  originalImageId: string | null;
  prompt: string | null;
}

/**
 * What a database that may be older than the provider knows of a purchase. `known`: its prediction is recorded.
 * `recoverable`: the attempt was sent and waits for exactly this answer. `would-repeat`: a job is open that would buy
 * the same again. `forgotten`: no row leads to it, and nothing would buy it again by itself.
 */
export type PurchaseStanding = 'known' | 'recoverable' | 'would-repeat' | 'forgotten';
export interface CheckedPurchase {
  predictionId: string;
  standing: PurchaseStanding;
  /** The open jobs that would buy it again. */
  jobIds: string[];
}

const OPEN = oneOf(ACTIVE_JOB_STATUSES);
/** Attempts in these states never send again, whatever happens. */
const SENT = `('SENT', 'UNCONFIRMED')`;

/**
 * Sets purchases of the provider against the rows, in the order given (docs/runbooks/database-restore.md). A job would
 * buy again when it is open, is about the same original with the same prompt (or the same text's prompt), and its own
 * purchase is not on record as sent.
 */
export async function checkPurchases(
  pool: Pool,
  purchases: readonly ProviderPurchase[],
): Promise<CheckedPurchase[]> {
  const { rows } = await pool.query<CheckedPurchase>(
    `WITH asked AS (
       SELECT at, one->>'predictionId' AS "predictionId", (one->>'attemptId')::uuid AS "attemptId",
         (one->>'originalImageId')::uuid AS "originalImageId", one->>'prompt' AS prompt
       FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS purchase(one, at)
     ), judged AS (
       SELECT asked.*,
         EXISTS (SELECT FROM ai_provider_attempts a
           WHERE asked."predictionId" IN (a."providerPredictionId", a."strayPredictionId")) AS known,
         EXISTS (SELECT FROM ai_provider_attempts a
           WHERE a.id = asked."attemptId" AND a.status IN ${SENT}) AS recoverable,
         ARRAY(
           SELECT j.id FROM ai_jobs j
             LEFT JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id AND s."originalImageId" = asked."originalImageId"
             LEFT JOIN ai_description_jobs d ON d."aiJobId" = j.id AND asked."originalImageId" IS NULL
           WHERE asked.prompt IN (s.prompt, d.prompt) AND j.status IN ${OPEN}
             AND NOT EXISTS (SELECT FROM ai_provider_attempts a WHERE a."aiJobId" = j.id
               AND (a.status IN ${SENT} OR a."providerPredictionId" IS NOT NULL) AND a."finishedAt" IS NULL)
           ORDER BY 1) AS "jobIds"
       FROM asked
     )
     SELECT "predictionId", CASE WHEN known OR recoverable THEN '{}' ELSE "jobIds" END AS "jobIds",
       CASE WHEN known THEN 'known' WHEN recoverable THEN 'recoverable'
         WHEN cardinality("jobIds") > 0 THEN 'would-repeat' ELSE 'forgotten' END AS standing
     FROM judged ORDER BY at`,
    [JSON.stringify(purchases)],
  );
  return rows;
}
