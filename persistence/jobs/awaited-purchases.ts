import type { Pool } from 'pg';
import { type Instant, toMillis } from '../database/instants.ts';

/**
 * Purchases about which only the provider's list can tell: those whose answer was lost, and those of which the provider
 * says 404. One whose scan has decided (`notListedAt`) waits for its own runner and not for another scan.
 */
export interface AwaitedPurchase {
  kind: 'providerAttempt' | 'descriptionJob';
  /** Of the attempt; of the job when it is a description. */
  id: string;
  jobId: string;
  /** UNCONFIRMED, or whatever it was in when the provider said 404. */
  state: string;
  sentAt: number;
  unconfirmedSince: number | null;
  goneSince: number | null;
  /** Known for those that are gone. */
  predictionId: string | null;
}

interface AwaitedRow extends Omit<AwaitedPurchase, 'sentAt' | 'unconfirmedSince' | 'goneSince'> {
  sentAt: Instant;
  unconfirmedSince: Instant | null;
  goneSince: Instant | null;
}

/** Reads what is under way and nothing else. */
const AWAITED = `
  SELECT 'providerAttempt' AS kind, id, "aiJobId" AS "jobId", status::text AS state,
    coalesce("sentAt", "unconfirmedSince", "goneSince") AS "sentAt", "unconfirmedSince", "goneSince",
    "providerPredictionId" AS "predictionId"
  FROM ai_provider_attempts
  WHERE "notListedAt" IS NULL AND (status = 'UNCONFIRMED'
    OR (status IN ('RUNNING', 'COLLECTING', 'CANCELING') AND "goneSince" IS NOT NULL))
  UNION ALL
  SELECT 'descriptionJob', d."aiJobId", d."aiJobId", d."sendState",
    coalesce(d."sentAt", d."unconfirmedSince", d."goneSince"), d."unconfirmedSince", d."goneSince",
    d."providerPredictionId"
  FROM ai_jobs j JOIN ai_description_jobs d ON d."aiJobId" = j.id
  WHERE j.type = 'DESCRIPTION' AND j.status = 'PROCESSING' AND d."notListedAt" IS NULL
    AND (d."sendState" = 'UNCONFIRMED' OR (d."sendState" = 'RUNNING' AND d."goneSince" IS NOT NULL))`;

/** All of them, as last committed. */
export async function awaitedPurchases(pool: Pool): Promise<AwaitedPurchase[]> {
  const { rows } = await pool.query<AwaitedRow>(AWAITED);
  return rows.map((row) => ({
    ...row,
    sentAt: toMillis(row.sentAt),
    unconfirmedSince: toMillis(row.unconfirmedSince),
    goneSince: toMillis(row.goneSince),
  }));
}
