import type { Pool } from 'pg';
import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { oneOf } from '../database/sql-values.ts';

/** One purchase in the provider's list, with the ids of ours that it names. */
export interface ProviderPurchase {
  predictionId: string;
  /** From the address of its callback or of its input. */
  attemptId: string | null;
  originalImageId: string | null;
  prompt: string | null;
  /** Of a text: the job that its prompt names. */
  textJobId: string | null;
}

/**
 * The state of a purchase in a database that may be older than the provider's data. `known`: its prediction is
 * recorded. `recoverable`: the attempt was sent and waits for this answer. `would-repeat`: an open job would buy the
 * same again. `forgotten`: no row refers to it, and no job would buy it again.
 */
export type PurchaseStanding = 'known' | 'recoverable' | 'would-repeat' | 'forgotten';
export interface CheckedPurchase {
  predictionId: string;
  standing: PurchaseStanding;
  /** The open jobs that would buy the same again. */
  jobIds: string[];
  /** The attempt's row, when it is there: that of the id which the purchase names, or that of the text's job. */
  attemptId: string | null;
  /** Every open job that the purchase fits, oldest first, with what it buys. */
  openJobs: { id: string; kind: PurchaseKind }[];
}

const OPEN = oneOf(ACTIVE_JOB_STATUSES);
/** Attempts in these states are never sent again. */
const SENT = `('SENT', 'UNCONFIRMED')`;

/**
 * Compares purchases of the provider with the rows, in the given order (docs/runbooks/database-restore.md). A job would
 * buy again when it is open, has the same original and prompt, and its own purchase is not recorded as sent. A text's
 * prompt names its job.
 */
export async function checkPurchases(
  pool: Pool,
  purchases: readonly ProviderPurchase[],
): Promise<CheckedPurchase[]> {
  const { rows } = await pool.query<CheckedPurchase>(
    `WITH asked AS (
       SELECT at, one->>'predictionId' AS "predictionId", (one->>'attemptId')::uuid AS "attemptId",
         (one->>'originalImageId')::uuid AS "originalImageId", one->>'prompt' AS prompt,
         (one->>'textJobId')::uuid AS "textJobId"
       FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS purchase(one, at)
     ), judged AS (
       SELECT asked.*,
         EXISTS (SELECT FROM ai_provider_attempts a
           WHERE asked."predictionId" IN (a."providerPredictionId", a."strayPredictionId")) AS known,
         attempt.id AS attempt, coalesce(attempt.status IN ${SENT}, false) AS recoverable,
         coalesce(fit."openJobs", '[]') AS "openJobs", coalesce(fit."jobIds", '{}') AS "jobIds"
       FROM asked LEFT JOIN LATERAL (
           SELECT a.id, a.status FROM ai_provider_attempts a WHERE a.id = asked."attemptId"
           UNION ALL SELECT a.id, a.status FROM ai_description_jobs d
             JOIN ai_provider_attempts a ON a."aiJobId" = d."aiJobId" WHERE d."aiJobId" = asked."textJobId"
           LIMIT 1) attempt ON true
         CROSS JOIN LATERAL (
           SELECT jsonb_agg(jsonb_build_object('id', j.id, 'kind',
               CASE j.type WHEN 'DESCRIPTION' THEN 'descriptionJob' ELSE 'stagingJob' END) ORDER BY j."createdAt", j.id)
               AS "openJobs",
             array_agg(j.id ORDER BY j.id) FILTER (WHERE NOT EXISTS (
               SELECT FROM ai_provider_attempts a WHERE a."aiJobId" = j.id AND a."finishedAt" IS NULL
                 AND (a.status IN ${SENT} OR a."providerPredictionId" IS NOT NULL))) AS "jobIds"
           FROM ai_jobs j
             LEFT JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id AND s."originalImageId" = asked."originalImageId"
             LEFT JOIN ai_description_jobs d ON d."aiJobId" = j.id AND d."aiJobId" = asked."textJobId"
           WHERE (s.prompt = asked.prompt OR d."aiJobId" IS NOT NULL) AND j.status IN ${OPEN}) fit
     )
     SELECT "predictionId", attempt AS "attemptId", "openJobs", CASE WHEN known OR recoverable THEN '{}' ELSE "jobIds" END AS "jobIds",
       CASE WHEN known THEN 'known' WHEN recoverable THEN 'recoverable'
         WHEN cardinality("jobIds") > 0 THEN 'would-repeat' ELSE 'forgotten' END AS standing
     FROM judged ORDER BY at`,
    [JSON.stringify(purchases)],
  );
  return rows;
}

/** Purchases in one statement. */
const PAGE = 500;

/** The purchases of this installation that no attempt knows, nor waits for (I41). */
export async function unknownPurchases(
  pool: Pool,
  listed: readonly (ProviderPurchase & { isOurs: boolean })[],
): Promise<CheckedPurchase[]> {
  const ours = listed.filter(({ isOurs }) => isOurs);
  const unknown: CheckedPurchase[] = [];
  for (let at = 0; at < ours.length; at += PAGE) {
    const checked = await checkPurchases(pool, ours.slice(at, at + PAGE));
    unknown.push(...checked.filter(({ standing }) => standing !== 'known' && standing !== 'recoverable'));
  }
  return unknown;
}
