import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { secondsFor, serveTurns } from '../peers/serve-turns.ts';

/** The limit of the database: each callback as one statement that only writes its receipt. */
const LANES = Number(process.env.LANES);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? '', max: LANES });

serveTurns(
  {
    async turn(attemptIds: readonly string[]) {
      const count = attemptIds.length;
      const seconds = await secondsFor({ count, lanes: LANES }, async (index) => {
        await pool.query({
          name: 'receipt',
          text: `INSERT INTO ai_provider_webhook_receipts ("webhookId", "providerAttemptId", "providerPredictionId",
            "providerStatus", outcome) VALUES ($1, $2, $3, 'succeeded', 'APPLIED')`,
          values: [`msg_${randomUUID()}`, attemptIds[index], `p-${index}`],
        });
      });
      return count / seconds;
    },
  },
  () => pool.end(),
);
