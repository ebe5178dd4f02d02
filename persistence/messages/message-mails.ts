import type { Pool } from 'pg';
import { publicPhoto } from '../database/listing-visibility.ts';
import { type DueMails, dueMails } from '../listings/due-mails.ts';
import { hasSide, type MessageSide, sideOf } from './message-access.ts';

/** A mail about messages of a thread that its reader had not read in time; up to `seq` when it was taken (0160). */
export interface MessageMail {
  readonly threadId: string;
  readonly userId: string;
  readonly seq: number;
}

const mails = dueMails<MessageMail>('message_mails', ['threadId', 'userId', 'seq']);

/** What came while a mail was sent is about to be another one, two minutes after the first of it. */
const REMOVE = `
  UPDATE message_mails w SET "fromSeq" = $3 + 1, attempts = 0,
    "nextAttemptAt" = (SELECT m."createdAt" + interval '2 minutes' FROM messages m
      WHERE m."threadId" = $1 AND m.seq = $3 + 1)
  WHERE w."threadId" = $1 AND w."userId" = $2 AND w.seq > $3 AND w."fromSeq" <= $3`;

export const messageMails: DueMails<MessageMail> = {
  take: mails.take,
  putOff: mails.putOff,
  async remove(db, mail) {
    await mails.remove(db, mail);
    await db.query(REMOVE, [mail.threadId, mail.userId, mail.seq]);
  },
};

/** What the mail says. Names of deleted accounts are empty. */
export interface MailedThread {
  readonly propertyId: string;
  readonly customerId: string;
  readonly side: MessageSide;
  readonly address: string;
  readonly unitNumber: string | null;
  readonly city: string;
  readonly photoId: string | null;
  /** Unread ones, the first first. */
  readonly messages: readonly { readonly author: string; readonly text: string }[];
}

/** Null for a reader who has read it all, sees the thread no more, or has blocked the other side. */
export async function mailedThread(
  pool: Pool,
  { threadId, userId, seq }: MessageMail,
): Promise<MailedThread | null> {
  const { rows } = await pool.query<MailedThread>(
    `SELECT t."propertyId", t."customerId", s.side, p.address, p."unitNumber", p.city, ${publicPhoto('p')} AS "photoId",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('author', a.name, 'text', m.text) ORDER BY m.seq), '[]')
        FROM messages m JOIN "user" a ON a.id = m."authorId"
        WHERE m."threadId" = t.id AND m.side <> s.side AND NOT m."isHeld" AND m.seq BETWEEN w."fromSeq" AND $3
          AND m.seq > coalesce((SELECT r.seq FROM message_reads r WHERE r."threadId" = t.id AND r."userId" = $2), 0)
       ) AS messages
     FROM message_mails w JOIN message_threads t ON t.id = w."threadId" JOIN properties p ON p.id = t."propertyId"
       CROSS JOIN LATERAL (SELECT ${sideOf('$2')} AS side) s
     WHERE w."threadId" = $1 AND w."userId" = $2 AND ${hasSide('$2')}
       AND (CASE s.side WHEN 'customer' THEN t."customerBlockedAt" ELSE t."agentBlockedAt" END) IS NULL`,
    [threadId, userId, seq],
  );
  const [thread] = rows;
  return thread === undefined || thread.messages.length === 0 ? null : thread;
}
