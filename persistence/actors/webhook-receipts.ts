import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import type { ActorStore, ActorTransaction } from './actor-store.ts';
import { inTransaction } from './postgres-actor-store.ts';
import { createPostgresTransaction } from './postgres-transaction.ts';

/**
 * Received provider callbacks (`ai_provider_webhook_receipts`). Always true: a receipt and the change that its
 * callback caused commit together, so a crash between them cannot lose the callback, and a webhook id is applied
 * at most once (I23). A repeat that arrives while the first is under way waits for it on the
 * unique index.
 */
interface WebhookReceipt {
  webhookId: string;
  providerAttemptId: string;
  providerPredictionId: string;
  providerStatus: string;
  at: number;
}
export type WebhookOutcome = 'APPLIED' | 'IGNORED' | 'UNKNOWN_ATTEMPT';

interface Receipts {
  /** False when this webhook id was received before. */
  insert(receipt: WebhookReceipt): Promise<boolean>;
  settle(webhookId: string, outcome: WebhookOutcome): Promise<void>;
}

export interface ReceivingStore {
  store: ActorStore;
  /** The receipts of an open transaction of `store`. */
  receiptsIn(tx: ActorTransaction): Receipts;
}

/** The given actor store, with transactions that take receipts too. */
export function createReceivingStore(pool: Pool, store: ActorStore): ReceivingStore {
  const clients = new WeakMap<ActorTransaction, PoolClient>();
  return {
    store: {
      ...store,
      transaction: (work) =>
        inTransaction(pool, (client) => {
          const tx = createPostgresTransaction(client);
          clients.set(tx, client);
          return work(tx);
        }),
    },
    receiptsIn(tx) {
      const client = clients.get(tx);
      if (!client) throw new Error('this transaction belongs to another store');
      return receiptsOn(client);
    },
  };
}

/** The outcome is known only after the delivery, so the row begins as IGNORED and is settled before the commit. */
function receiptsOn(client: PoolClient): Receipts {
  return {
    async insert({ webhookId, providerAttemptId, providerPredictionId, providerStatus, at }) {
      const { rowCount } = await client.query(
        `INSERT INTO ai_provider_webhook_receipts
           ("webhookId", "providerAttemptId", "providerPredictionId", "providerStatus", "receivedAt", outcome)
         VALUES ($1, $2, $3, $4, $5, 'IGNORED') ON CONFLICT ("webhookId") DO NOTHING`,
        [webhookId, providerAttemptId, providerPredictionId, providerStatus, toDate(at)],
      );
      return rowCount === 1;
    },
    async settle(webhookId, outcome) {
      await client.query(`UPDATE ai_provider_webhook_receipts SET outcome = $2 WHERE "webhookId" = $1`, [
        webhookId,
        outcome,
      ]);
    },
  };
}
