import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { MANUAL_EPOCH } from '../manual-time.ts';

/** A thread with one message of its customer, written by plain SQL. */
export async function seedThread(
  pool: Pool,
  {
    propertyId,
    customerId,
    text = 'Is the roof new?',
  }: { propertyId: string; customerId: string; text?: string },
): Promise<string> {
  const [id, at] = [randomUUID(), new Date(MANUAL_EPOCH)];
  await pool.query(
    `insert into message_threads (id, "propertyId", "customerId", "createdAt", "lastSeq", "customerAt", "agentAt")
     values ($1, $2, $3, $4, 1, $4, $4)`,
    [id, propertyId, customerId, at],
  );
  await pool.query(
    `insert into messages ("threadId", seq, "messageId", side, "authorId", text, "isHeld", "createdAt")
     values ($1, 1, $2, 'customer', $3, $4, false, $5)`,
    [id, randomUUID(), customerId, text, at],
  );
  return id;
}
