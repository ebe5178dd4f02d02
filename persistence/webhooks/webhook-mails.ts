import type { Pool } from 'pg';
import { dueMails } from '../mails/due-mails.ts';
import type { WebhookOffReason } from './endpoints.ts';

/** Mails that tell an agent that an endpoint was turned off (0177). */
export interface WebhookMail {
  readonly endpointId: string;
}

export const webhookMails = dueMails<WebhookMail>('webhook_mails', ['endpointId']);

/** Null when the endpoint is on again, or gone. */
export async function mailedEndpoint(
  pool: Pool,
  { endpointId }: WebhookMail,
): Promise<{ userId: string; url: string; offReason: WebhookOffReason; offAt: Date } | null> {
  const { rows } = await pool.query<{
    userId: string;
    url: string;
    offReason: WebhookOffReason;
    offAt: Date;
  }>(
    `SELECT "userId", url, "offReason", "offAt" FROM webhook_endpoints
     WHERE id = $1 AND state = 'OFF' AND "userId" IS NOT NULL`,
    [endpointId],
  );
  return rows[0] ?? null;
}
