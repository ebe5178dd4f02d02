import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';
import { type MessageSide, sideOf } from './message-access.ts';

/** A report of a thread for the operators. */
export interface MessageReport {
  reportId: string;
  threadId: string;
  propertyId: string;
  reporterId: string;
  customerId: string;
  side: MessageSide;
  note: string | null;
  createdAt: Date;
  /** The last messages of the other side when it was reported, the latest last. */
  messages: { authorId: string; text: string }[];
}

const SHOWN_MESSAGES = 5;

/** The latest report first. */
export async function latestMessageReports(pool: Pool, limit: number): Promise<MessageReport[]> {
  const { rows } = await pool.query<MessageReport>(
    `SELECT r.id AS "reportId", t.id AS "threadId", t."propertyId", r."reporterId", t."customerId", s.side, r.note,
       r."createdAt",
       (SELECT coalesce(jsonb_agg(to_jsonb(l) - 'seq' ORDER BY l.seq), '[]') FROM (
          SELECT m.seq, m."authorId", m.text FROM messages m
          WHERE m."threadId" = t.id AND m.seq <= r.seq AND m.side <> s.side
          ORDER BY m.seq DESC LIMIT ${SHOWN_MESSAGES}) l) AS messages
     FROM message_reports r JOIN message_threads t ON t.id = r."threadId"
       CROSS JOIN LATERAL (SELECT ${sideOf('r."reporterId"')} AS side) s
     ORDER BY r."createdAt" DESC, r.id DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

/** How many reports there are since an instant, at most `limit`. */
export async function countMessageReports(
  pool: Pool,
  { since, limit }: { since: number; limit: number },
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT FROM message_reports WHERE "createdAt" > $1 LIMIT $2) r`,
    [toDate(since), limit],
  );
  return rows[0]?.count ?? 0;
}
