import type { Pool } from 'pg';
import { finalStatesOf } from '../../machines/step.ts';
import { toDate } from '../database/instants.ts';
import { oneOf } from '../database/sql-values.ts';
import { ACTOR_KINDS, KIND_NAMES } from './actor-kinds.ts';

/**
 * Removes rows by age: receipts of callbacks, answers to old messages (no queue holds such a message any more),
 * finished deletions, traces of ended jobs, stored answers of repeatable calls, the journal of ended actors, expired
 * sessions and sign-in codes, sign-outs of expired console sessions, counts of staging jobs and of what people add that
 * are older than every quota's window, offers of listings that ended without being accepted, ended invitations of
 * agents, checks of the API host, views of homes, reports of wrong data, deliveries of webhooks, alerts with the
 * matches and events that they are made of, and the events of records that are gone from the feed. Always true: a cut
 * (`retention_cuts`) is written before any row from before it is removed. It
 * never moves back, so that invariants can tell which rows may be missing. The journal of an actor is removed as a
 * whole. The journal of a tour is never removed, because it is the tour's history for both sides. After a crash between
 * two batches the next sweep continues.
 */
export const RETAINED = [
  'receipts',
  'messages',
  'outbox',
  'traces',
  'repeats',
  'journal',
  'sessions',
  'signInCodes',
  'counts',
  'growthCounts',
  'consoleSignOuts',
  'offers',
  'invitations',
  'hostChecks',
  'views',
  'dataReports',
  'alerts',
  'searchMatches',
  'favoriteMatches',
  'alertEvents',
  'webhookDeliveries',
  'goneRecords',
] as const;
export type Retained = (typeof RETAINED)[number];

export interface RetentionBatch {
  /** Number of removed rows. */
  removed: number;
  /** Nothing older than the cut is left. */
  finished: boolean;
}

/**
 * Removes at most `limit` rows from before the cut. For the journal: the actors that ended within that many of its
 * rows.
 */
export async function removeBatch(
  pool: Pool,
  { what, before, limit }: { what: Retained; before: number; limit: number },
): Promise<RetentionBatch> {
  const cut = await pool.query<{ walkedAt: string; walkedId: number }>(CUT, [what, toDate(before)]);
  const { walkedAt, walkedId } = cut.rows[0] ?? {};
  const values = [toDate(before), limit, ...(what === 'journal' ? [walkedAt, walkedId] : [])];
  const { rows } = await pool.query<{ looked: number; removed: number }>(REMOVE[what], values);
  const { looked = 0, removed = 0 } = rows[0] ?? {};
  return { removed, finished: looked < limit };
}

const CUT = `
  UPDATE retention_cuts SET before = greatest(before, $2) WHERE what = $1
  RETURNING "walkedAt"::text AS "walkedAt", "walkedId"`;

/** Reads the oldest first from an index, so that the cost depends on the removed rows only. */
const remove = (table: string, key: string, from: string): string => `
  WITH old AS MATERIALIZED (${from}),
  gone AS (DELETE FROM ${table} t USING old WHERE ${key} RETURNING 1)
  SELECT (SELECT count(*) FROM old)::int AS looked, (SELECT count(*) FROM gone)::int AS removed`;

/**
 * Whether the actor of a journal row is over: by the row's state, or because the actor's own row is gone, like that of a
 * staged image whose listing was deleted. Only for kinds that do not keep their journal.
 */
const ENDED = `CASE "actorKind" ${KIND_NAMES.filter((kind) => !('keepsJournal' in ACTOR_KINDS[kind]))
  .map((kind) => ({ ...ACTOR_KINDS[kind], kind, final: finalStatesOf(ACTOR_KINDS[kind].machine) }))
  .filter(({ final }) => final.length > 0)
  .map(
    ({ kind, final, rows }) => `WHEN '${kind}' THEN "toState" IN ${oneOf(final)}
      OR NOT EXISTS (SELECT FROM ${rows.from} WHERE t.id = "actorId")`,
  )
  .join(' ')} ELSE false END`;

/**
 * Walks the journal once in the order of time and stores the position, so that remaining rows (tours, live images,
 * waiting jobs) are not read again. An actor is removed when the walk reaches its final state and the actor has no row
 * after the cut. An actor with a later row is reached again at that row.
 */
const REMOVE_JOURNAL = `
  WITH page AS MATERIALIZED (
    SELECT t.id, t.at, t."actorKind", t."actorId", ${ENDED} AS ended
    FROM actor_transitions t WHERE t.at >= $3 AND (t.at, t.id) > ($3, $4::bigint) AND t.at < $1
    ORDER BY t.at, t.id LIMIT $2
  ), over AS (
    SELECT DISTINCT "actorKind", "actorId" FROM page WHERE ended AND NOT EXISTS (
      SELECT FROM actor_transitions later
      WHERE later."actorKind" = page."actorKind" AND later."actorId" = page."actorId" AND later.at >= $1)
  ), gone AS (
    DELETE FROM actor_transitions t USING over
    WHERE t."actorKind" = over."actorKind" AND t."actorId" = over."actorId" RETURNING 1
  ), walked AS (
    UPDATE retention_cuts SET "walkedAt" = page.at, "walkedId" = page.id
    FROM (SELECT at, id FROM page ORDER BY at DESC, id DESC LIMIT 1) page WHERE what = 'journal'
  )
  SELECT (SELECT count(*) FROM page)::int AS looked, (SELECT count(*) FROM gone)::int AS removed`;

/** A batch of the agents' hourly counts, and all old daily counts of the platform. */
const REMOVE_COUNTS = `
  WITH old AS MATERIALIZED (
    SELECT "agentId", hour FROM agent_job_counts WHERE hour < $1 ORDER BY hour LIMIT $2
  ), days AS (DELETE FROM platform_job_counts WHERE day < $1),
  gone AS (
    DELETE FROM agent_job_counts c USING old WHERE c."agentId" = old."agentId" AND c.hour = old.hour RETURNING 1
  )
  SELECT (SELECT count(*) FROM old)::int AS looked, (SELECT count(*) FROM gone)::int AS removed`;

const REMOVE: Record<Retained, string> = {
  receipts: remove(
    'ai_provider_webhook_receipts',
    't.id = old.id',
    `SELECT id FROM ai_provider_webhook_receipts WHERE "receivedAt" < $1 ORDER BY "receivedAt" LIMIT $2`,
  ),
  messages: remove(
    'legacy_messages',
    't."messageKey" = old."messageKey"',
    `SELECT "messageKey" FROM legacy_messages WHERE "answeredAt" < $1 ORDER BY "answeredAt" LIMIT $2`,
  ),
  outbox: remove(
    'storage_deletion_outbox',
    't.id = old.id',
    `SELECT id FROM storage_deletion_outbox WHERE status = 'DELETED' AND "processedAt" < $1
     ORDER BY "processedAt" LIMIT $2`,
  ),
  traces: remove(
    'ai_job_traces',
    't."aiJobId" = old."aiJobId" AND t."leaseEpoch" = old."leaseEpoch"',
    `SELECT "aiJobId", "leaseEpoch" FROM ai_job_traces WHERE "createdAt" < $1 ORDER BY "createdAt" LIMIT $2`,
  ),
  repeats: remove(
    'idempotency_keys',
    't."userId" = old."userId" AND t.operation = old.operation AND t.key = old.key',
    `SELECT "userId", operation, key FROM idempotency_keys WHERE "createdAt" < $1 ORDER BY "createdAt" LIMIT $2`,
  ),
  journal: REMOVE_JOURNAL,
  sessions: remove(
    'session',
    't.id = old.id',
    `SELECT id FROM session WHERE "expiresAt" < $1 ORDER BY "expiresAt" LIMIT $2`,
  ),
  signInCodes: remove(
    'sign_in_codes',
    't.email = old.email AND t.holder = old.holder AND t."expiresAt" < $1',
    `SELECT email, holder FROM sign_in_codes WHERE "expiresAt" < $1 ORDER BY "expiresAt" LIMIT $2`,
  ),
  counts: REMOVE_COUNTS,
  growthCounts: remove(
    'growth_counts',
    't."userId" = old."userId" AND t.what = old.what AND t.about = old.about AND t.since = old.since',
    'SELECT "userId", what, about, since FROM growth_counts WHERE since < $1 ORDER BY since LIMIT $2',
  ),
  consoleSignOuts: remove(
    'console_sign_outs',
    't."sessionId" = old."sessionId"',
    `SELECT "sessionId" FROM console_sign_outs WHERE "endsAt" < $1 ORDER BY "endsAt" LIMIT $2`,
  ),
  offers: remove(
    'listing_offers',
    't.id = old.id',
    `SELECT id FROM listing_offers WHERE status IN ('DECLINED', 'WITHDRAWN', 'EXPIRED') AND "endedAt" < $1
     ORDER BY "endedAt" LIMIT $2`,
  ),
  invitations: remove(
    'agent_invitations',
    't.id = old.id',
    'SELECT id FROM agent_invitations WHERE "expiresAt" < $1 ORDER BY "expiresAt" LIMIT $2',
  ),
  hostChecks: remove(
    'host_checks',
    't.id = old.id',
    'SELECT id FROM host_checks WHERE "requestedAt" < $1 ORDER BY "requestedAt" LIMIT $2',
  ),
  views: remove(
    'listing_views',
    't."propertyId" = old."propertyId" AND t.day = old.day',
    'SELECT "propertyId", day FROM listing_views WHERE day < $1::timestamptz::date ORDER BY day LIMIT $2',
  ),
  dataReports: remove(
    'data_reports',
    't.id = old.id',
    'SELECT id FROM data_reports WHERE "createdAt" < $1 ORDER BY "createdAt", id LIMIT $2',
  ),
  alerts: remove(
    'alerts',
    't.id = old.id',
    'SELECT id FROM alerts WHERE "createdAt" < $1 ORDER BY "createdAt" LIMIT $2',
  ),
  searchMatches: remove(
    'search_matches',
    't."searchId" = old."searchId" AND t."propertyId" = old."propertyId" AND t."eventId" = old."eventId"',
    `SELECT "searchId", "propertyId", "eventId" FROM search_matches WHERE "createdAt" < $1
     ORDER BY "createdAt" LIMIT $2`,
  ),
  favoriteMatches: remove(
    'favorite_matches',
    't."userId" = old."userId" AND t."propertyId" = old."propertyId" AND t."eventId" = old."eventId"',
    `SELECT "userId", "propertyId", "eventId" FROM favorite_matches WHERE "createdAt" < $1
     ORDER BY "createdAt" LIMIT $2`,
  ),
  alertEvents: remove(
    'alert_events',
    't.id = old.id',
    'SELECT id FROM alert_events WHERE "matchedAt" < $1 ORDER BY "matchedAt" LIMIT $2',
  ),
  webhookDeliveries: remove(
    'webhook_deliveries',
    't.id = old.id',
    'SELECT id FROM webhook_deliveries WHERE "createdAt" < $1 ORDER BY "createdAt" LIMIT $2',
  ),
  goneRecords: remove(
    'published_records',
    't.resource = old.resource AND t.key = old.key AND t."goneAt" = old."goneAt"',
    'SELECT resource, key, "goneAt" FROM published_records WHERE "goneAt" < $1 ORDER BY "goneAt" LIMIT $2',
  ),
};
