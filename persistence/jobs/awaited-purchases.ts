import type { Pool } from 'pg';
import type { AiJobType } from '../../machines/vocabulary.ts';
import { type Stored, withMillis } from '../database/instants.ts';

/**
 * Purchases that only the provider's list can resolve: those with a lost answer, and those for which the provider
 * answers 404. A purchase whose scan has decided (`notListedAt`) waits for its own runner and not for another scan.
 */
export interface AwaitedPurchase {
  /** The job's type. */
  type: AiJobType;
  /** The attempt's id. */
  id: string;
  jobId: string;
  /** UNCONFIRMED, or the state in which the provider answered 404. */
  state: string;
  sentAt: number;
  unconfirmedSince: number | null;
  goneSince: number | null;
  /** Known when the provider answered 404. */
  predictionId: string | null;
}

type AwaitedRow = Stored<AwaitedPurchase, 'sentAt' | 'unconfirmedSince' | 'goneSince'>;

/** Reads only purchases under way. */
const AWAITED = `
  SELECT j.type, a.id, a."aiJobId" AS "jobId", a.status::text AS state,
    coalesce(a."sentAt", a."unconfirmedSince", a."goneSince") AS "sentAt", a."unconfirmedSince", a."goneSince",
    a."providerPredictionId" AS "predictionId"
  FROM ai_provider_attempts a JOIN ai_jobs j ON j.id = a."aiJobId"
  WHERE a."notListedAt" IS NULL AND (a.status = 'UNCONFIRMED'
    OR (a.status IN ('RUNNING', 'COLLECTING', 'CANCELING') AND a."goneSince" IS NOT NULL))`;

/** All awaited purchases, as last committed. */
export async function awaitedPurchases(pool: Pool): Promise<AwaitedPurchase[]> {
  const { rows } = await pool.query<AwaitedRow>(AWAITED);
  return rows.map(withMillis);
}
