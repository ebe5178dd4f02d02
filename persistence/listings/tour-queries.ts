import type { Pool } from 'pg';
import type { TourEvent, TourParty } from '../../machines/tour.ts';
import type { TourStatus } from '../../machines/vocabulary.ts';
import { PROPOSED_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import type { Row } from '../actors/actor-kind.ts';
import { type TourActor, tourKind } from '../actors/rows/tour-row.ts';
import { answeringAgent } from '../database/answering-agent.ts';
import { toDate } from '../database/instants.ts';
import { hasPublicPage, publicPhoto } from '../database/listing-visibility.ts';
import { oneOf } from '../database/sql-values.ts';
import { answersFor, listingsOf } from './agent-access.ts';
import { type OwnReport, REPORTS_OF_CUSTOMER } from './mismatch-reports.ts';

/** A tour as one of its two sides sees it. */
export interface TourView extends TourActor {
  /** The caller's side. */
  side: TourParty;
  customerName: string;
  agentName: string;
  address: string;
  unitNumber: string | null;
  city: string;
  stateOrProvince: string | null;
  postalCode: string | null;
  country: string;
  timeZone: string;
  /** The journal, beginning with the request. */
  history: TourHistoryEntry[];
  changedAt: Date;
  /** The version that the caller has read last; 0 for none. */
  readVersion: number;
  /** A photo of the home that everyone may see; null without one. */
  photoId: string | null;
  /** What the customer has reported about pictures of the listing. */
  mismatchReports: OwnReport[];
}
export interface TourHistoryEntry {
  seq: number;
  event: TourEvent;
  from: TourStatus | null;
  to: TourStatus;
  /** The name of the person who did it; null for the platform, '' for a deleted account. */
  name: string | null;
}
type ViewRow = Row & Omit<TourView, keyof TourActor>;

/** SQL: the history of the tour `t`, in order. */
export const TOUR_HISTORY = `
  coalesce((SELECT jsonb_agg(jsonb_build_object('seq', j.seq, 'event', j.event, 'from', j."fromState", 'to', j."toState",
     'name', (SELECT name FROM "user" WHERE id = (j.event ->> 'userId')::uuid)) ORDER BY j.seq)
   FROM actor_transitions j WHERE j."actorKind" = 'tour' AND j."actorId" = t.id), '[]')`;
/** Row and journal in one statement, so that a view never mixes two versions. @param reader of the read mark */
const viewFor = (reader: string): string => `
  ${tourKind.rows.columns}, c.name AS "customerName", a.name AS "agentName", p.address, p."unitNumber", p.city,
  p."stateOrProvince", p."postalCode", p.country, p."propertyTimeZoneName" AS "timeZone", ${TOUR_HISTORY} AS history,
  ${REPORTS_OF_CUSTOMER} AS "mismatchReports", t."updatedAt" AS "changedAt", ${publicPhoto('p')} AS "photoId",
  coalesce((SELECT r.version FROM tour_reads r WHERE r."tourId" = t.id AND r."userId" = ${reader}::uuid), 0) AS "readVersion"`;
const JOINS = `
  JOIN properties p ON p.id = t."propertyId" JOIN "user" c ON c.id = t."customerId"
  JOIN "user" a ON a.id = t."agentId"`;
const TABLES = `tours t ${JOINS}`;
/** The person who requested a tour stays its customer, whatever happens to the listing. */
const IS_CUSTOMER = (user: string) => `t."customerId" = ${user}::uuid`;
const IS_AGENT = (user: string) => `(t."customerId" <> ${user}::uuid AND ${answersFor('p', user)})`;
/** SQL condition: the person is one of the two sides of the tour `t` of the listing `p`. */
export const hasSideIn = (user: string): string => `(${IS_CUSTOMER(user)} OR ${IS_AGENT(user)})`;

/** Null for anyone but the two sides, as for an unknown id. */
export async function tourForParty(
  pool: Pool,
  { tourId, userId }: { tourId: string; userId: string },
): Promise<TourView | null> {
  const { rows } = await pool.query<ViewRow>(
    `SELECT ${viewFor('$2')}, CASE WHEN ${IS_CUSTOMER('$2')} THEN 'customer' ELSE 'agent' END AS side
     FROM ${TABLES} WHERE t.id = $1 AND ${hasSideIn('$2')}`,
    [tourId, userId],
  );
  return rows[0] ? fromRow(rows[0]) : null;
}

/** A tour as a mail to one of its sides shows it; null when there is none. */
export async function tourOfSide(
  pool: Pool,
  { tourId, side }: { tourId: string; side: TourParty },
): Promise<TourView | null> {
  const { rows } = await pool.query<ViewRow>(
    `SELECT ${viewFor('null')}, '${side}' AS side FROM ${TABLES} WHERE t.id = $1`,
    [tourId],
  );
  return rows[0] ? fromRow(rows[0]) : null;
}

export interface TourPage {
  userId: string;
  side: TourParty;
  statuses: readonly TourStatus[] | null;
  propertyId: string | null;
  customerId: string | null;
  after: { at: number; id: string } | null;
  limit: number;
}

/** The tours of one side, newest request first. */
export async function toursOfParty(pool: Pool, page: TourPage): Promise<TourView[]> {
  const { userId, side, statuses, propertyId, customerId, after, limit } = page;
  const { rows } = await pool.query<ViewRow>(
    `SELECT ${viewFor('$1')}, '${side}' AS side FROM ${TABLES}
     WHERE ${side === 'customer' ? IS_CUSTOMER('$1') : IS_AGENT('$1')}
       AND ($2::tour_status[] IS NULL OR t.status = ANY ($2)) AND ($3::uuid IS NULL OR t."propertyId" = $3)
       AND ($4::timestamptz IS NULL OR (t."createdAt", t.id) < ($4, $5::uuid))
       AND ($7::uuid IS NULL OR t."customerId" = $7)
     ORDER BY t."createdAt" DESC, t.id DESC LIMIT $6`,
    [userId, statuses, propertyId, toDate(after?.at ?? null), after?.id ?? null, limit, customerId],
  );
  return rows.map(fromRow);
}

/** SQL: the tours of person $1, each with the side that they have. A subquery for each side, because each has its index. */
const OF_PERSON = `
  (SELECT t.*, 'customer' AS side FROM tours t WHERE ${IS_CUSTOMER('$1')}
   UNION ALL
   SELECT t.*, 'agent' FROM tours t WHERE t."propertyId" IN ${listingsOf('$1')} AND NOT ${IS_CUSTOMER('$1')})`;
/** SQL: when a tour changed, as exactly as a cursor tells it. */
const CHANGED = `date_trunc('milliseconds', t."updatedAt")`;

/** The tour of each home and customer that changed last, as either side, the latest change first. */
export async function threadsOfPerson(
  pool: Pool,
  { userId, after, limit }: Pick<TourPage, 'userId' | 'after' | 'limit'>,
): Promise<TourView[]> {
  const { rows } = await pool.query<ViewRow>(
    `WITH latest AS (
       SELECT DISTINCT ON (t."propertyId", t."customerId") t.id, t.side, ${CHANGED} AS changed FROM ${OF_PERSON} t
       ORDER BY t."propertyId", t."customerId", ${CHANGED} DESC, t.id DESC),
     page AS (
       SELECT * FROM latest WHERE $2::timestamptz IS NULL OR (changed, id) < ($2, $3::uuid)
       ORDER BY changed DESC, id DESC LIMIT $4)
     SELECT ${viewFor('$1')}, page.side FROM page JOIN tours t ON t.id = page.id ${JOINS}
     ORDER BY page.changed DESC, page.id DESC`,
    [userId, toDate(after?.at ?? null), after?.id ?? null, limit],
  );
  return rows.map(fromRow);
}

/** SQL: home and customer of the threads that person $1 has not read: what the other side or the platform changed since $2. */
export const UNREAD_TOURS = `
  SELECT t."propertyId", t."customerId" FROM (
    SELECT DISTINCT ON (t."propertyId", t."customerId") t.* FROM ${OF_PERSON} t WHERE t."updatedAt" > $2
    ORDER BY t."propertyId", t."customerId", ${CHANGED} DESC, t.id DESC) t
  WHERE NOT EXISTS (SELECT FROM tour_reads r
      WHERE r."tourId" = t.id AND r."userId" = $1 AND r.version >= t.version)
    AND EXISTS (SELECT FROM actor_transitions j WHERE j."actorKind" = 'tour' AND j."actorId" = t.id
      AND j.seq = t.version AND j.event ->> 'actor' <> t.side)`;

/** How many threads of tours a person has not read. */
export async function countUnreadThreads(
  pool: Pool,
  { userId, since }: { readonly userId: string; readonly since: number },
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${UNREAD_TOURS}) unread`,
    [userId, toDate(since)],
  );
  return rows[0]?.count ?? 0;
}

/** Notes that a person has read a tour so far; a mark never goes back, nor beyond the tour. */
export async function markTourRead(
  pool: Pool,
  { userId, tourId, version }: { readonly userId: string; readonly tourId: string; readonly version: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO tour_reads ("userId", "tourId", version)
     SELECT $1, t.id, least(t.version, $3) FROM tours t WHERE t.id = $2
     ON CONFLICT ("userId", "tourId") DO UPDATE SET version = excluded.version
       WHERE tour_reads.version < excluded.version`,
    [userId, tourId, version],
  );
}

/** The values against which a tour request is checked, and whether the caller is an agent of the listing. */
export interface ShowingListing {
  propertyId: string;
  /** Whether its page is public. */
  isPublic: boolean;
  isOwnListing: boolean;
  /** False for a feed's listing for which no agent here answers. */
  hasAgent: boolean;
  timeZone: string;
  advanceNoticeHours: number;
  startTime: string | null;
  endTime: string | null;
  days: string[];
}

/** Null when there is no such listing, or when it is not public. */
export async function showingListing(
  pool: Pool,
  { propertyId, userId }: { propertyId: string; userId: string },
): Promise<ShowingListing | null> {
  const { rows } = await pool.query<ShowingListing>(
    `SELECT p.id AS "propertyId", ${hasPublicPage('p')} AS "isPublic", ${answersFor('p', '$2')} AS "isOwnListing",
       ${answeringAgent('p')} IS NOT NULL AS "hasAgent",
       p."propertyTimeZoneName" AS "timeZone", p."showingAdvanceNotice" AS "advanceNoticeHours",
       p."showingStartTime"::text AS "startTime", p."showingEndTime"::text AS "endTime", p."showingDays" AS days
     FROM properties p WHERE p.id = $1`,
    [propertyId, userId],
  );
  return rows[0] ?? null;
}

/** Tours that TIME_PASSED moves: the time to answer has passed, or no outcome was reported in time. */
export async function dueTours(
  pool: Pool,
  page: { at: number; outcomePatienceMs: number; afterId: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    // Due tours come from the indexes of deadlines. Ordered by id directly, the planner might walk every tour.
    `WITH due AS MATERIALIZED (
       SELECT id FROM tours
       WHERE status IN ${oneOf(PROPOSED_TOUR_STATUSES)} AND "proposalExpiresAt" <= $1
       UNION ALL
       SELECT id FROM tours WHERE status = 'CONFIRMED' AND "heldEndsAt" <= $2
     )
     SELECT id FROM due WHERE ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4`,
    [toDate(page.at), toDate(page.at - page.outcomePatienceMs), page.afterId, page.limit],
  );
  return rows.map(({ id }) => id);
}

const fromRow = (row: ViewRow): TourView => ({ ...row, ...tourKind.rows.fromRow(row) });
