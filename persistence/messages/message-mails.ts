import type { Pool } from 'pg';
import { publicPhoto } from '../database/listing-visibility.ts';
import { type DueMails, dueMails } from '../mails/due-mails.ts';
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

/** SQL condition: the message `m` of the other side is to be seen by the reader, who has not read it. */
const isUnreadBy = (user: string, side: string): string =>
  `m.side <> ${side} AND NOT m."isHeld"
   AND m.seq > coalesce((SELECT r.seq FROM message_reads r WHERE r."threadId" = t.id AND r."userId" = ${user}), 0)`;

/** SQL condition: the reader's side has not blocked the other side of the thread `t`. */
const isOpenFor = (side: string): string =>
  `(CASE ${side} WHEN 'customer' THEN t."customerBlockedAt" ELSE t."agentBlockedAt" END) IS NULL`;

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
        WHERE m."threadId" = t.id AND m.seq BETWEEN w."fromSeq" AND $3 AND ${isUnreadBy('$2', 's.side')}
       ) AS messages
     FROM message_mails w JOIN message_threads t ON t.id = w."threadId" JOIN properties p ON p.id = t."propertyId"
       CROSS JOIN LATERAL (SELECT ${sideOf('$2')} AS side) s
     WHERE w."threadId" = $1 AND w."userId" = $2 AND ${hasSide('$2')} AND ${isOpenFor('s.side')}`,
    [threadId, userId, seq],
  );
  const [thread] = rows;
  return thread === undefined || thread.messages.length === 0 ? null : thread;
}

/** What a notice about messages says. */
export interface NoticedThread {
  readonly propertyId: string;
  readonly customerId: string;
  readonly address: string;
  readonly unitNumber: string | null;
  readonly city: string;
}

/** Null for a reader who has read it all up to `seq`, sees the thread no more, or has blocked the other side. */
export async function noticedThread(
  pool: Pool,
  { threadId, userId, seq }: { readonly threadId: string; readonly userId: string; readonly seq: string },
): Promise<NoticedThread | null> {
  const { rows } = await pool.query<NoticedThread>(
    `SELECT t."propertyId", t."customerId", p.address, p."unitNumber", p.city
     FROM message_threads t JOIN properties p ON p.id = t."propertyId"
       CROSS JOIN LATERAL (SELECT ${sideOf('$2')} AS side) s
     WHERE t.id = $1 AND ${hasSide('$2')} AND ${isOpenFor('s.side')} AND EXISTS (
       SELECT FROM messages m WHERE m."threadId" = t.id AND m.seq <= $3::bigint AND ${isUnreadBy('$2', 's.side')})`,
    [threadId, userId, seq],
  );
  return rows[0] ?? null;
}
