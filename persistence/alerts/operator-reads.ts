import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { AlertCadence, AlertChannel } from '../entities/values.ts';
import { answersFor } from '../listings/agent-access.ts';
import { criteriaSql } from '../search/criteria-sql.ts';
import type { Criteria } from '../search/search-index.ts';
import type { AlertKind } from './alert-writes.ts';
import { isForSearches } from './saved-searches.ts';

/** Alerts for operators (docs/contract.md#alerts-about-homes): what waits, and what became of a search. Ids only. */

/** What waits, each count up to the given limit, with the time since when. */
export interface AlertBacklog {
  events: number;
  eventsSince: Date | null;
  matches: number;
  matchesDueSince: Date | null;
  runs: number;
  runsDueSince: Date | null;
  mails: number;
  mailsDueSince: Date | null;
}

/** @param limit where counting ends */
export async function alertBacklog(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<AlertBacklog> {
  const { rows } = await pool.query<AlertBacklog>(
    `SELECT e.n AS events, e.since AS "eventsSince", m.n AS matches, m.since AS "matchesDueSince",
       r.n AS runs, r.since AS "runsDueSince", l.n AS mails, l.since AS "mailsDueSince"
     FROM
       (SELECT count(*)::int AS n, min("createdAt") AS since FROM (
          SELECT "createdAt" FROM alert_events WHERE seq IS NULL ORDER BY id LIMIT $2) x) e,
       (SELECT count(*)::int AS n, min("dueAt") AS since FROM (
          SELECT "dueAt" FROM search_matches WHERE "alertId" IS NULL AND "dueAt" <= $1 ORDER BY "dueAt" LIMIT $2) x) m,
       (SELECT count(*)::int AS n, min("nextRunAt") AS since FROM (
          SELECT "nextRunAt" FROM saved_searches WHERE "nextRunAt" <= $1 ORDER BY "nextRunAt" LIMIT $2) x) r,
       (SELECT count(*)::int AS n, min("nextAttemptAt") AS since FROM (
          SELECT "nextAttemptAt" FROM alert_mails WHERE "nextAttemptAt" <= $1 ORDER BY "nextAttemptAt" LIMIT $2) x) l`,
    [toDate(at), limit],
  );
  const [backlog] = rows;
  if (backlog === undefined) throw new Error('a query of counts has one row');
  return backlog;
}

export interface WaitingAlertMail {
  alertId: string;
  userId: string;
  searchId: string | null;
  homes: number;
  attempts: number;
  createdAt: Date;
  nextAttemptAt: Date;
}

/** Mails of alerts that are still to be sent, the longest due first. */
export async function waitingAlertMails(pool: Pool, limit: number): Promise<WaitingAlertMail[]> {
  const { rows } = await pool.query<WaitingAlertMail>(
    `SELECT a.id AS "alertId", a."userId", a."searchId", jsonb_array_length(a.items) + a.more AS homes, m.attempts,
       a."createdAt", m."nextAttemptAt"
     FROM alert_mails m JOIN alerts a ON a.id = m."alertId" ORDER BY m."nextAttemptAt", a.id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** A saved search without its name and filters, which say where a person looks for a home. */
export interface SearchForOperators {
  searchId: string;
  userId: string;
  cadence: AlertCadence;
  channels: AlertChannel[];
  createdAt: Date;
  nextRunAt: Date | null;
  /** Whether changes of homes find it already; null for a search that has no instant alerts. */
  isFound: boolean | null;
  waiting: number;
  lastAlertAt: Date | null;
  isSuspended: boolean;
}

const SEARCHES = `
  SELECT s.id AS "searchId", s."userId", s.cadence, s.channels, s."createdAt", s."nextRunAt",
    CASE s.cadence WHEN 'INSTANT' THEN s."keysAt" IS NOT NULL END AS "isFound",
    (SELECT count(*)::int FROM search_matches m WHERE m."searchId" = s.id AND m."alertId" IS NULL) AS waiting,
    (SELECT max(a."createdAt") FROM alerts a WHERE a."searchId" = s.id) AS "lastAlertAt",
    u."suspendedAt" IS NOT NULL AS "isSuspended"
  FROM saved_searches s JOIN "user" u ON u.id = s."userId"`;

/** The searches of a person, the latest first. */
export async function searchesForOperators(pool: Pool, userId: string): Promise<SearchForOperators[]> {
  const { rows } = await pool.query<SearchForOperators>(
    `${SEARCHES} WHERE s."userId" = $1 ORDER BY s."createdAt" DESC, s.id`,
    [userId],
  );
  return rows;
}

export async function searchForOperators(pool: Pool, searchId: string): Promise<SearchForOperators | null> {
  const { rows } = await pool.query<SearchForOperators>(`${SEARCHES} WHERE s.id = $1`, [searchId]);
  return rows[0] ?? null;
}

export interface SearchMatch {
  propertyId: string;
  kind: AlertKind;
  createdAt: Date;
  dueAt: Date;
  alertId: string | null;
  /** Whether the alert's mail is still to be sent. */
  mailWaits: boolean;
}

/** The last matches of a search with instant alerts. */
export async function lastMatches(pool: Pool, searchId: string, limit: number): Promise<SearchMatch[]> {
  const { rows } = await pool.query<SearchMatch>(
    `SELECT m."propertyId", m.kind, m."createdAt", m."dueAt", m."alertId", l."alertId" IS NOT NULL AS "mailWaits"
     FROM search_matches m LEFT JOIN alert_mails l ON l."alertId" = m."alertId"
     WHERE m."searchId" = $1 ORDER BY m."createdAt" DESC, m."eventId" DESC LIMIT $2`,
    [searchId, limit],
  );
  return rows;
}

/** What decides whether a person hears of a listing by a search. */
export interface ListingInSearch {
  /** Whether the search finds the listing now. */
  isFound: boolean;
  isPublic: boolean;
  isOwn: boolean;
  /** Its last events since the search exists that alerts are made of. */
  events: { kind: AlertKind; createdAt: Date; isMatched: boolean; isBulk: boolean }[];
}

/** Null for a listing that does not exist. */
export async function listingInSearch(
  pool: Pool,
  search: Pick<SearchForOperators, 'userId' | 'createdAt'>,
  { propertyId, criteria, limit }: { propertyId: string; criteria: Criteria; limit: number },
): Promise<ListingInSearch | null> {
  const values = new SqlValues();
  const [listing, person] = [values.add(propertyId, 'uuid'), values.add(search.userId, 'uuid')];
  const { rows } = await pool.query<Omit<ListingInSearch, 'events'>>(
    `SELECT ${hasPublicPage('p')} AS "isPublic", ${answersFor('p', person)} AS "isOwn",
       EXISTS (SELECT FROM search_listings WHERE "propertyId" = ${listing} AND ${criteriaSql(criteria, values)}) AS "isFound"
     FROM properties p WHERE p.id = ${listing}`,
    values.list,
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { rows: events } = await pool.query<ListingInSearch['events'][number]>(
    `SELECT e.kind, e."createdAt", e.seq IS NOT NULL AS "isMatched", e."isBulk" FROM alert_events e
     WHERE e."propertyId" = $1 AND e."createdAt" >= $2 AND ${isForSearches('e')} ORDER BY e.id DESC LIMIT $3`,
    [propertyId, search.createdAt, limit],
  );
  return { ...found, events };
}

/** The filters of a search, to compare a listing with them; they are not shown. */
export async function filtersOfSearch(pool: Pool, searchId: string): Promise<unknown> {
  const { rows } = await pool.query<{ filters: unknown }>(
    'SELECT filters FROM saved_searches WHERE id = $1',
    [searchId],
  );
  return rows[0]?.filters;
}
