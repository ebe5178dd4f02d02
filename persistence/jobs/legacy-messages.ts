import type { Pool, PoolClient } from 'pg';
import { CANONICAL_STYLES, type CanonicalRoomType } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import { countStagingJobs } from './staging-quotas.ts';
import {
  type LockedOriginal,
  lockOriginal,
  type StagingSubmission,
  type Submitted,
  submitFor,
} from './staging-submissions.ts';

/**
 * Makes durable jobs of old `stage-room` messages. Always true: one message creates at most one job, however often it
 * is delivered. Whatever the answer, its transaction leaves a row under the message's key, and a message with a row
 * creates nothing. What a job or a variant already covers is not made again. The original's lock serializes concurrent
 * deliveries; without an original the row does. A crash before the commit leaves nothing, and the message is delivered
 * again. A message that a person must look at leaves no row, because it may become a job afterwards.
 */
export interface LegacyMessage
  extends Omit<StagingSubmission, 'canonicalRoomType' | 'prompt' | 'promptVersion' | 'legacy'> {
  messageKey: string;
  metadata: Record<string, string | number>;
  /** Id of the old release's job row, for which migration 0009 may have created a job already. */
  legacyJobId: string | null;
  /** Null: the original's own room type counts. */
  roomType: CanonicalRoomType | null;
  render(roomType: CanonicalRoomType): { prompt: string; promptVersion: string };
}
export type MaterialisedMessage =
  | ({ outcome: 'submitted' } & Submitted)
  /** Answered before, by an earlier delivery, or made a job by the migration. */
  | { outcome: 'known'; aiJobId: string | null }
  | { outcome: 'original-gone' }
  | { outcome: 'not-original' }
  | { outcome: 'room-unknown' };

export function materialiseLegacyMessage(pool: Pool, message: LegacyMessage): Promise<MaterialisedMessage> {
  return inTransaction(pool, async (client) => {
    const original = await lockOriginal(client, message.originalImageId);
    const answer = (await earlierAnswer(client, message)) ?? (await answerTo(client, message, original));
    if (answer.outcome === 'not-original' || answer.outcome === 'room-unknown') return answer;
    await noteAnswer(client, message, answer);
    return answer;
  });
}

async function answerTo(
  client: PoolClient,
  message: LegacyMessage,
  original: LockedOriginal | null,
): Promise<MaterialisedMessage> {
  if (original === null) return { outcome: 'original-gone' };
  if (original.isAltered) return { outcome: 'not-original' };
  const canonicalRoomType = message.roomType ?? original.roomType;
  if (canonicalRoomType === null) return { outcome: 'room-unknown' };
  const { messageKey, metadata, render, roomType: _said, legacyJobId: _old, ...submission } = message;
  const requestedByUserId = await knownUser(client, message.requestedByUserId);
  const submitted = await submitFor(
    client,
    {
      ...submission,
      requestedByUserId,
      canonicalRoomType,
      ...render(canonicalRoomType),
      legacy: { messageKey, metadata },
    },
    original,
  );
  if (submitted.disposition === 'ENQUEUED') {
    // The previous release accepted the message, so it is never rejected. It does not count against the share of
    // unapproved agents.
    const counted = {
      agentId: requestedByUserId,
      approved: true,
      jobs: 1,
      at: message.at,
      platformDay: null,
    };
    await countStagingJobs(client, counted);
  }
  return { outcome: 'submitted', ...submitted };
}

/**
 * The answer of an earlier delivery. The previous release stored the key only of a message that became a job, in the
 * job's row.
 */
async function earlierAnswer(
  client: PoolClient,
  { messageKey, legacyJobId, originalImageId }: LegacyMessage,
): Promise<MaterialisedMessage | null> {
  const { rows } = await client.query<{ aiJobId: string | null }>(
    `SELECT "aiJobId" FROM legacy_messages WHERE "messageKey" = $1
     UNION ALL
     SELECT "aiJobId" FROM ai_room_staging_jobs
     WHERE "legacyMessageKey" = $1 OR ("aiJobId" = $2 AND "originalImageId" = $3)
     LIMIT 1`,
    [messageKey, legacyJobId, originalImageId],
  );
  const [row] = rows;
  return row === undefined ? null : { outcome: 'known', aiJobId: row.aiJobId };
}

/** The first answer stays. */
async function noteAnswer(
  client: PoolClient,
  { messageKey, at }: LegacyMessage,
  answer: MaterialisedMessage,
): Promise<void> {
  await client.query(
    `INSERT INTO legacy_messages ("messageKey", disposition, "aiJobId", "answeredAt") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("messageKey") DO NOTHING`,
    [
      messageKey,
      answer.outcome === 'submitted' ? answer.disposition : answer.outcome,
      'aiJobId' in answer ? answer.aiJobId : null,
      toDate(at),
    ],
  );
}

async function knownUser(client: PoolClient, userId: string | null): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM "user" WHERE id = $1`, [userId]);
  return rows[0]?.id ?? null;
}

export interface AliasUse {
  jobs: number;
  /** The instant of the latest of these jobs; null when there is none. */
  latestAt: number | null;
}

/** Staging jobs since `since` that were submitted under a name other than the six canonical styles. */
export async function aliasUseSince(pool: Pool, since: number): Promise<AliasUse> {
  const { rows } = await pool.query<{ jobs: number; latestAt: Instant | null }>(
    `SELECT count(*)::int AS jobs, max("createdAt") AS "latestAt" FROM ai_room_staging_jobs
     WHERE "createdAt" >= $1 AND "submittedStyle" IS NOT NULL
       AND upper(regexp_replace(btrim("submittedStyle"), '[[:space:]_-]+', '_', 'g')) <> ALL ($2::text[])`,
    [toDate(since), [...CANONICAL_STYLES]],
  );
  const [row] = rows;
  return { jobs: row?.jobs ?? 0, latestAt: toMillis(row?.latestAt ?? null) };
}
