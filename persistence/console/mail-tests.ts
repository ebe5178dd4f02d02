import type { Pool } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';

/** Mails that try the mail server (0130): requested by an operator, sent by the API host. */
export const MAIL_TESTS_KEPT_DAYS = 1;

export interface MailTest {
  id: string;
  requestedAt: Date;
  /** Null until the mail server has accepted or refused it. */
  endedAt: Date | null;
  /** Why it was not accepted. */
  problem: string | null;
}

const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 10;

/** False when ten were requested within the hour. */
export async function requestMailTest(
  pool: Pool,
  { email, at }: { email: string; at: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO mail_tests (email, "requestedAt") SELECT $1, $2
     WHERE (SELECT count(*) FROM mail_tests WHERE "requestedAt" > $3) < $4`,
    [email, toDate(at), toDate(at - HOUR_MS), MOST_AN_HOUR],
  );
  return rowCount === 1;
}

/** The latest one; null when none is kept. */
export async function latestMailTest(pool: Pool): Promise<Millis<MailTest> | null> {
  const { rows } = await pool.query<MailTest>(
    `SELECT id, "requestedAt", "endedAt", problem FROM mail_tests ORDER BY "requestedAt" DESC LIMIT 1`,
  );
  return rows[0] === undefined ? null : withMillis(rows[0]);
}

/**
 * Takes one that waits: its end is stored first, as not sent, so that a sender that dies leaves an answer and no mail
 * is sent twice. Null when none waits.
 */
export async function takeMailTest(pool: Pool, at: number): Promise<{ id: string; email: string } | null> {
  const { rows } = await pool.query<{ id: string; email: string }>(
    `UPDATE mail_tests SET "endedAt" = $1, problem = 'INTERRUPTED'
     WHERE id = (SELECT id FROM mail_tests WHERE "endedAt" IS NULL ORDER BY "requestedAt" LIMIT 1
                 FOR UPDATE SKIP LOCKED)
     RETURNING id, email`,
    [toDate(at)],
  );
  return rows[0] ?? null;
}

/** @param problem null when the mail was accepted */
export async function endMailTest(
  pool: Pool,
  { id, problem, at }: { id: string; problem: string | null; at: number },
): Promise<void> {
  await pool.query(`UPDATE mail_tests SET "endedAt" = $2, problem = $3 WHERE id = $1`, [
    id,
    toDate(at),
    problem,
  ]);
}
