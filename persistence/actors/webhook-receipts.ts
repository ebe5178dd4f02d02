import type { PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';

/**
 * Received provider callbacks (`ai_provider_webhook_receipts`). Always true: a receipt and the change that its callback
 * caused commit together. So a crash between them cannot lose the callback, and a webhook id is applied at most once
 * (I23). A repeat that arrives while the first is under way waits for it on the unique index. A callback of an unknown
 * attempt is no first one: when it is sent again, the attempt may be known.
 */
export interface WebhookReceipt {
  webhookId: string;
  providerAttemptId: string;
  providerPredictionId: string;
  providerStatus: string;
  at: number;
}
/** `CONFLICT`: it names another attempt's prediction. */
export type WebhookOutcome = 'APPLIED' | 'IGNORED' | 'UNKNOWN_ATTEMPT' | 'CONFLICT';

/** The outcome is known only after the delivery, so the row begins as IGNORED and is settled before the commit. */
export async function insertReceipt(
  client: PoolClient,
  { webhookId, providerAttemptId, providerPredictionId, providerStatus, at }: WebhookReceipt,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO ai_provider_webhook_receipts
       ("webhookId", "providerAttemptId", "providerPredictionId", "providerStatus", "receivedAt", outcome)
     VALUES ($1, $2, $3, $4, $5, 'IGNORED')
     ON CONFLICT ("webhookId") DO UPDATE SET "providerAttemptId" = excluded."providerAttemptId",
       "providerPredictionId" = excluded."providerPredictionId", "providerStatus" = excluded."providerStatus",
       "receivedAt" = excluded."receivedAt", outcome = excluded.outcome
     WHERE ai_provider_webhook_receipts.outcome = 'UNKNOWN_ATTEMPT'`,
    [webhookId, providerAttemptId, providerPredictionId, providerStatus, toDate(at)],
  );
  return rowCount === 1;
}

export async function settleReceipt(
  client: PoolClient,
  { webhookId, outcome }: { webhookId: string; outcome: WebhookOutcome },
): Promise<void> {
  await client.query(`UPDATE ai_provider_webhook_receipts SET outcome = $2 WHERE "webhookId" = $1`, [
    webhookId,
    outcome,
  ]);
}
