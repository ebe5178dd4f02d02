import pg, { type Pool, type PoolClient } from 'pg';
import { MESSAGE_MAIL_MS } from '../../machines/limits.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { answeringAgent } from '../database/answering-agent.ts';
import { toDate } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import { countMessage } from '../growth/growth-counts.ts';
import { answersFor, listingsOf } from '../listings/agent-access.ts';
import { writeMessageNotices } from '../push/push-notices.ts';
import { hasSide, type MessageSide, sideOf } from './message-access.ts';

/**
 * Writing in threads (docs/contract.md#questions). Every change of a thread holds the lock of its row, so its messages get
 * their numbers without a gap in the order of their commits: a reader who has number 7 has all before it. The author names
 * each message, and the constraint `messages_once` takes a name once, so a repeat finds what the first call wrote.
 */
interface NewMessage {
  authorId: string;
  /** Named by the author. */
  messageId: string;
  text: string;
  at: number;
}

interface SentMessage {
  threadId: string;
  seq: number;
  createdAt: number;
}

/**
 * Why nothing was sent. `own`: the author is an agent of the listing. `closed`: the other side is there no more, or the
 * author's side has blocked it. `used`: the name is that of another message. `noAgent`: no agent here answers for the home.
 */
export type SendFault = 'missing' | 'own' | 'closed' | 'used' | 'noAgent';
export type SendOutcome = { sent: SentMessage } | { sent: null; fault: SendFault };

/** Writes to the agents of a listing with a public page, in the customer's thread, which the first message begins. */
export function openThread(
  pool: Pool,
  message: NewMessage & { threadId: string; propertyId: string },
): Promise<SendOutcome> {
  const { threadId: id, propertyId, authorId, at } = message;
  return sending(pool, async (client) => {
    const { rows } = await client.query<{ isPublic: boolean; isOwn: boolean; hasAgent: boolean }>(
      `SELECT ${hasPublicPage('p')} AS "isPublic", ${answersFor('p', '$2')} AS "isOwn",
         ${answeringAgent('p')} IS NOT NULL AS "hasAgent" FROM properties p WHERE p.id = $1`,
      [propertyId, authorId],
    );
    const [listing] = rows;
    if (!listing?.isPublic) return { sent: null, fault: 'missing' };
    if (listing.isOwn) return { sent: null, fault: 'own' };
    if (!listing.hasAgent) return { sent: null, fault: 'noAgent' };
    const { rowCount } = await client.query(BEGIN_THREAD, [id, propertyId, authorId, toDate(at)]);
    const { rows: found } = await client.query<{ id: string }>(
      'SELECT id FROM message_threads WHERE "propertyId" = $1 AND "customerId" = $2',
      [propertyId, authorId],
    );
    const threadId = found[0]?.id ?? id;
    return append(client, { ...message, threadId, beginsThread: rowCount === 1 });
  });
}

/** The customer of a thread, whom one of the listing's agents has blocked elsewhere, is blocked from its beginning. */
const BEGIN_THREAD = `
  INSERT INTO message_threads
    (id, "propertyId", "customerId", "createdAt", "customerAt", "agentAt", "agentBlockedAt", "agentBlockedById")
  SELECT $1, p.id, $3::uuid, $4::timestamptz, $4, $4, b.at, b.by
  FROM properties p LEFT JOIN LATERAL (
    SELECT $4::timestamptz AS at, o."agentBlockedById" AS by FROM message_threads o
    WHERE o."customerId" = $3 AND o."agentBlockedById" IS NOT NULL AND ${answersFor('p', 'o."agentBlockedById"')}
    LIMIT 1) b ON true
  WHERE p.id = $2 ON CONFLICT ("propertyId", "customerId") DO NOTHING`;

/** Writes to the other side of a thread. */
export function sendMessage(pool: Pool, message: NewMessage & { threadId: string }): Promise<SendOutcome> {
  return sending(pool, (client) => append(client, { ...message, beginsThread: false }));
}

interface LockedThread {
  side: MessageSide;
  lastSeq: number;
  isClosed: boolean;
  isBlockedByOther: boolean;
}

/** With the lock of the thread; null for everyone but its sides. */
async function lockThread(
  client: PoolClient,
  { threadId, userId }: { threadId: string; userId: string },
): Promise<LockedThread | null> {
  // The lock first: what is read by the statement that waits for it may be older than the change that it waited for.
  await client.query('SELECT FROM message_threads WHERE id = $1 FOR NO KEY UPDATE', [threadId]);
  const { rows } = await client.query<LockedThread>(
    `SELECT s.side, t."lastSeq",
       CASE s.side WHEN 'customer' THEN o.email IS NULL OR t."customerBlockedAt" IS NOT NULL
         ELSE c.email IS NULL OR t."agentBlockedAt" IS NOT NULL END AS "isClosed",
       (CASE s.side WHEN 'customer' THEN t."agentBlockedAt" ELSE t."customerBlockedAt" END) IS NOT NULL
         AS "isBlockedByOther"
     FROM message_threads t JOIN properties p ON p.id = t."propertyId" JOIN "user" c ON c.id = t."customerId"
       LEFT JOIN "user" o ON o.id = ${answeringAgent('p')} CROSS JOIN LATERAL (SELECT ${sideOf('$2')} AS side) s
     WHERE t.id = $1 AND ${hasSide('$2')}`,
    [threadId, userId],
  );
  return rows[0] ?? null;
}

async function append(
  client: PoolClient,
  message: NewMessage & { threadId: string; beginsThread: boolean },
): Promise<SendOutcome> {
  const { threadId, authorId, messageId, text, beginsThread, at } = message;
  const thread = await lockThread(client, { threadId, userId: authorId });
  if (thread === null) return { sent: null, fault: 'missing' };
  const before = await sentBefore(client, message);
  if (before !== null) return before;
  if (thread.isClosed) return { sent: null, fault: 'closed' };
  await countMessage(client, { userId: authorId, beginsThread, at });
  const { side, isBlockedByOther: isHeld } = thread;
  const seq = thread.lastSeq + 1;
  await client.query(
    `INSERT INTO messages ("threadId", seq, "messageId", side, "authorId", text, "isHeld", "createdAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [threadId, seq, messageId, side, authorId, text, isHeld, toDate(at)],
  );
  await client.query(
    `UPDATE message_threads SET "lastSeq" = $2,
       "customerAt" = CASE WHEN $3 AND $4 = 'agent' THEN "customerAt" ELSE $5 END,
       "agentAt" = CASE WHEN $3 AND $4 = 'customer' THEN "agentAt" ELSE $5 END
     WHERE id = $1`,
    [threadId, seq, isHeld, side, toDate(at)],
  );
  if (!isHeld) await tellReaders(client, { threadId, seq, side, at });
  return { sent: { threadId, seq, createdAt: at } };
}

/** What an earlier call with this name has written; null without one. */
async function sentBefore(
  client: PoolClient,
  { authorId, messageId, threadId, text }: NewMessage & { threadId: string },
): Promise<SendOutcome | null> {
  const { rows } = await client.query<{ threadId: string; seq: number; text: string; createdAt: Date }>(
    'SELECT "threadId", seq, text, "createdAt" FROM messages WHERE "authorId" = $1 AND "messageId" = $2',
    [authorId, messageId],
  );
  const [found] = rows;
  if (found === undefined) return null;
  if (found.threadId !== threadId || found.text !== text) return { sent: null, fault: 'used' };
  return { sent: { threadId, seq: found.seq, createdAt: found.createdAt.getTime() } };
}

/** By mail and by push, when they have not read it in time. */
async function tellReaders(
  client: PoolClient,
  { threadId, seq, side, at }: { threadId: string; seq: number; side: MessageSide; at: number },
): Promise<void> {
  const dueAt = at + MESSAGE_MAIL_MS;
  const { rows } = await client.query<{ userId: string }>(WRITE_MAILS, [threadId, seq, side, toDate(dueAt)]);
  const readers = rows.map(({ userId }) => userId);
  await writeMessageNotices(client, { readers, subjectId: threadId, seq, at, dueAt });
}

/** For each reader of the other side; one that waits already grows. */
const WRITE_MAILS = `
  INSERT INTO message_mails AS w ("threadId", "userId", "fromSeq", seq, "nextAttemptAt")
  SELECT $1, reader.id, $2, $2, $4::timestamptz FROM (
    SELECT t."customerId" AS id FROM message_threads t WHERE t.id = $1 AND $3 = 'agent'
    UNION SELECT p."ownerAgentId" FROM message_threads t JOIN properties p ON p.id = t."propertyId"
      WHERE t.id = $1 AND $3 = 'customer' AND p."feedId" IS NULL
    UNION SELECT pa."agentId" FROM message_threads t JOIN property_agents pa ON pa."propertyId" = t."propertyId"
      WHERE t.id = $1 AND $3 = 'customer') reader
  ORDER BY reader.id
  ON CONFLICT ("threadId", "userId") DO UPDATE SET seq = excluded.seq
  RETURNING "userId"`;

/** Two calls with one name in two threads wait for each other at the constraint, and one of them is refused. */
async function sending(pool: Pool, work: (client: PoolClient) => Promise<SendOutcome>): Promise<SendOutcome> {
  try {
    return await inTransaction(pool, work);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'messages_once')
      return { sent: null, fault: 'used' };
    throw error;
  }
}

/** Notes how far a person has read; a mark never goes back, nor beyond the thread. False for everyone but its sides. */
export async function markThreadRead(
  pool: Pool,
  { userId, threadId, seq }: { userId: string; threadId: string; seq: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `WITH seen AS (
       SELECT t.id, least(t."lastSeq", $3::int) AS seq FROM message_threads t JOIN properties p ON p.id = t."propertyId"
       WHERE t.id = $2 AND ${hasSide('$1')}),
     marked AS (
       INSERT INTO message_reads ("userId", "threadId", seq) SELECT $1::uuid, id, seq FROM seen WHERE seq > 0
       ON CONFLICT ("userId", "threadId") DO UPDATE SET seq = excluded.seq WHERE message_reads.seq < excluded.seq)
     SELECT EXISTS (SELECT FROM seen)`,
    [userId, threadId, seq],
  );
  return rows[0]?.exists ?? false;
}

/** Reports a thread as it is now. A repeat with nothing new in it changes nothing. False for everyone but its sides. */
export async function reportThread(
  pool: Pool,
  report: { reportId: string; userId: string; threadId: string; note: string | null; at: number },
): Promise<boolean> {
  const { reportId, userId, threadId, note, at } = report;
  const { rows } = await pool.query<{ exists: boolean }>(
    `WITH seen AS (
       SELECT t.id, t."lastSeq" FROM message_threads t JOIN properties p ON p.id = t."propertyId"
       WHERE t.id = $2 AND ${hasSide('$1')}),
     reported AS (
       INSERT INTO message_reports (id, "threadId", "reporterId", seq, note, "createdAt")
       SELECT $3::uuid, id, $1::uuid, "lastSeq", $4, $5::timestamptz FROM seen
       ON CONFLICT ON CONSTRAINT message_reports_once DO NOTHING)
     SELECT EXISTS (SELECT FROM seen)`,
    [userId, threadId, reportId, note, toDate(at)],
  );
  return rows[0]?.exists ?? false;
}

/**
 * Blocks the other side of a thread, or ends that. An agent blocks the customer in the threads of all listings that the
 * agent acts for. Nothing tells the other side. False for everyone but the thread's sides.
 */
export async function blockThread(
  pool: Pool,
  { userId, threadId, isBlocked, at }: { userId: string; threadId: string; isBlocked: boolean; at: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ side: MessageSide }>(
    `SELECT ${sideOf('$2')} AS side FROM message_threads t JOIN properties p ON p.id = t."propertyId"
     WHERE t.id = $1 AND ${hasSide('$2')}`,
    [threadId, userId],
  );
  const [thread] = rows;
  if (thread === undefined) return false;
  const sql = thread.side === 'customer' ? BLOCK_AGENTS : BLOCK_CUSTOMER;
  await pool.query(sql, [threadId, isBlocked, toDate(at), userId]);
  return true;
}

const BLOCK_AGENTS = `
  UPDATE message_threads SET "customerBlockedAt" = CASE WHEN $2 THEN coalesce("customerBlockedAt", $3::timestamptz) END
  WHERE id = $1 AND "customerId" = $4`;
/** In one order, so that two agents who block the same customer do not wait for each other in a circle. */
const BLOCK_CUSTOMER = `
  UPDATE message_threads SET "agentBlockedAt" = CASE WHEN $2 THEN coalesce("agentBlockedAt", $3::timestamptz) END,
    "agentBlockedById" = CASE WHEN $2 THEN coalesce("agentBlockedById", $4::uuid) END
  WHERE id IN (SELECT t.id FROM message_threads t
    WHERE t."customerId" = (SELECT "customerId" FROM message_threads WHERE id = $1)
      AND t."propertyId" IN ${listingsOf('$4')} ORDER BY t.id FOR NO KEY UPDATE)`;
