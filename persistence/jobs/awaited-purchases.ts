import type { Pool } from 'pg';
import type { AiJobType } from '../../machines/vocabulary.ts';
import { type Stored, withMillis } from '../database/instants.ts';

/**
 * Purchases about which only the provider's list can tell: those whose answer was lost, and those of which the provider
 * says 404. One whose scan has decided (`notListedAt`) waits for its own runner and not for another scan.
 */
export interface AwaitedPurchase {
  /** Of the job. */
  type: AiJobType;
  /** Of the attempt. */
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

type AwaitedRow = Stored<AwaitedPurchase, 'sentAt' | 'unconfirmedSince' | 'goneSince'>;

/** Reads what is under way and nothing else. */
const AWAITED = `
  SELECT j.type, a.id, a."aiJobId" AS "jobId", a.status::text AS state,
    coalesce(a."sentAt", a."unconfirmedSince", a."goneSince") AS "sentAt", a."unconfirmedSince", a."goneSince",
    a."providerPredictionId" AS "predictionId"
  FROM ai_provider_attempts a JOIN ai_jobs j ON j.id = a."aiJobId"
  WHERE a."notListedAt" IS NULL AND (a.status = 'UNCONFIRMED'
    OR (a.status IN ('RUNNING', 'COLLECTING', 'CANCELING') AND a."goneSince" IS NOT NULL))`;

/** All of them, as last committed. */
export async function awaitedPurchases(pool: Pool): Promise<AwaitedPurchase[]> {
  const { rows } = await pool.query<AwaitedRow>(AWAITED);
  return rows.map(withMillis);
}
