import type { Pool } from 'pg';
import { answeringAgent } from '../database/answering-agent.ts';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import { publicPhoto } from '../database/listing-visibility.ts';
import { listingsOf } from '../listings/agent-access.ts';
import { type TourPage, UNREAD_TOURS } from '../listings/tour-queries.ts';
import { hasSide, isShownTo, type MessageSide, sideOf } from './message-access.ts';

export interface Message {
  messageId: string;
  seq: number;
  side: MessageSide;
  authorId: string;
  /** Empty for a deleted account. */
  authorName: string;
  text: string;
  createdAt: number;
}

/** A thread as one of its readers sees it. */
export interface MessageThread {
  id: string;
  propertyId: string;
  address: string;
  unitNumber: string | null;
  city: string;
  timeZone: string;
  photoId: string | null;
  customerId: string;
  /** Empty for a deleted account. */
  customerName: string;
  /** Who answers for the listing. */
  agentId: string;
  agentName: string;
  side: MessageSide;
  /** Messages of the other side that the reader has not read. */
  unread: number;
  /** Whether the reader's side has blocked the other one. */
  isBlocked: boolean;
  /** Whether the other side is there no more. */
  isClosed: boolean;
  last: Message | null;
  /** The last message that the reader sees, else the beginning. */
  changedAt: number;
}
type StoredMessage = Stored<Message, 'createdAt'>;
type ThreadRow = Omit<MessageThread, 'last' | 'changedAt'> & {
  changedAt: Date;
  last: (Omit<Message, 'createdAt'> & { createdAt: string }) | null;
};

const MESSAGE = `m."messageId", m.seq, m.side, m."authorId", a.name AS "authorName", m.text, m."createdAt"`;
const MESSAGES = `messages m JOIN "user" a ON a.id = m."authorId"`;

/** SQL: a thread without a customer, or of a listing without an owner, has no one who could answer. */
const isClosedFor = (side: string): string =>
  `CASE ${side} WHEN 'customer' THEN o.email IS NULL ELSE c.email IS NULL END`;

/** Threads `t` with their side, for the reader in `$1`. */
const VIEW = `
  t.id, t."propertyId", p.address, p."unitNumber", p.city, p."propertyTimeZoneName" AS "timeZone",
  ${publicPhoto('p')} AS "photoId", t."customerId", c.name AS "customerName", coalesce(o.id, p."ownerAgentId") AS "agentId", coalesce(o.name, '') AS "agentName",
  s.side, CASE s.side WHEN 'customer' THEN t."customerAt" ELSE t."agentAt" END AS "changedAt",
  (CASE s.side WHEN 'customer' THEN t."customerBlockedAt" ELSE t."agentBlockedAt" END) IS NOT NULL AS "isBlocked",
  ${isClosedFor('s.side')} AS "isClosed",
  (SELECT count(*)::int FROM messages m WHERE m."threadId" = t.id AND m.side <> s.side AND NOT m."isHeld"
     AND m.seq > coalesce((SELECT r.seq FROM message_reads r WHERE r."threadId" = t.id AND r."userId" = $1), 0)) AS unread,
  (SELECT to_jsonb(l) FROM (SELECT ${MESSAGE} FROM ${MESSAGES} WHERE m."threadId" = t.id AND ${isShownTo('s.side')}
     ORDER BY m.seq DESC LIMIT 1) l) AS last`;
const TABLES = `
  JOIN properties p ON p.id = t."propertyId" JOIN "user" c ON c.id = t."customerId"
  LEFT JOIN "user" o ON o.id = ${answeringAgent('p')} CROSS JOIN LATERAL (SELECT ${sideOf('$1')} AS side) s`;

/** Null for everyone but its sides, and while there is none. */
export async function threadOf(
  pool: Pool,
  { userId, propertyId, customerId }: { userId: string; propertyId: string; customerId: string },
): Promise<MessageThread | null> {
  const { rows } = await pool.query<ThreadRow>(
    `SELECT ${VIEW} FROM message_threads t ${TABLES}
     WHERE t."propertyId" = $2 AND t."customerId" = $3 AND ${hasSide('$1')}`,
    [userId, propertyId, customerId],
  );
  return rows[0] === undefined ? null : toThread(rows[0]);
}

/** SQL: the threads of person $1, by index for each side. */
const OF_PERSON = `
  (SELECT t.*, t."customerAt" AS "changedAt" FROM message_threads t WHERE t."customerId" = $1::uuid
   UNION ALL
   SELECT t.*, t."agentAt" FROM message_threads t WHERE t."propertyId" IN ${listingsOf('$1')} AND t."customerId" <> $1::uuid)`;
const CHANGED = `date_trunc('milliseconds', t."changedAt")`;

/** The threads of a person as either side, the latest message first. */
export async function threadsOf(
  pool: Pool,
  { userId, after, limit }: Pick<TourPage, 'userId' | 'after' | 'limit'>,
): Promise<MessageThread[]> {
  const { rows } = await pool.query<ThreadRow>(
    `WITH page AS (
       SELECT t.id, ${CHANGED} AS changed FROM ${OF_PERSON} t
       WHERE $2::timestamptz IS NULL OR (${CHANGED}, t.id) < ($2, $3::uuid)
       ORDER BY changed DESC, t.id DESC LIMIT $4)
     SELECT ${VIEW} FROM page JOIN message_threads t ON t.id = page.id ${TABLES}
     ORDER BY page.changed DESC, page.id DESC`,
    [userId, toDate(after?.at ?? null), after?.id ?? null, limit],
  );
  return rows.map(toThread);
}

/** Messages of a thread that a side sees: those after a number, or the last ones, or the last before a number. */
export async function messagesOf(
  pool: Pool,
  {
    threadId,
    side,
    after,
    before,
    limit,
  }: { threadId: string; side: MessageSide; after: number | null; before: number | null; limit: number },
): Promise<Message[]> {
  const { rows } = await pool.query<StoredMessage>(
    `SELECT ${MESSAGE} FROM ${MESSAGES} WHERE m."threadId" = $1 AND ${isShownTo('$2')}
       AND ($3::int IS NULL OR m.seq > $3) AND ($4::int IS NULL OR m.seq < $4)
     ORDER BY m.seq ${after === null ? 'DESC' : ''} LIMIT $5`,
    [threadId, side, after, before, limit],
  );
  return rows.map(withMillis);
}

/** How many threads have something that the person has not read: a message, or a change of a tour since then. */
export async function countUnread(
  pool: Pool,
  { userId, since }: { userId: string; since: number },
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT t."propertyId", t."customerId" FROM ${OF_PERSON} t
       WHERE EXISTS (SELECT FROM messages m WHERE m."threadId" = t.id AND m.side <> ${sideOf('$1')} AND NOT m."isHeld"
         AND m.seq > coalesce((SELECT r.seq FROM message_reads r WHERE r."threadId" = t.id AND r."userId" = $1), 0))
       UNION ${UNREAD_TOURS}) unread`,
    [userId, toDate(since)],
  );
  return rows[0]?.count ?? 0;
}

const toThread = (row: ThreadRow): MessageThread => ({
  ...row,
  changedAt: row.changedAt.getTime(),
  last: row.last && { ...row.last, createdAt: Date.parse(row.last.createdAt) },
});
