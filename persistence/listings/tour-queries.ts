import type { Pool } from 'pg';
import type { TourEvent, TourParty } from '../../machines/tour.ts';
import type { TourStatus } from '../../machines/vocabulary.ts';
import { PROPOSED_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import type { Row } from '../actors/actor-kind.ts';
import { type TourActor, tourKind } from '../actors/rows/tour-row.ts';
import { toDate } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import { oneOf } from '../database/sql-values.ts';
import { mayAct } from './agent-access.ts';
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
  /** What the customer has reported about pictures of the listing. */
  mismatchReports: OwnReport[];
}
export interface TourHistoryEntry {
  seq: number;
  event: TourEvent;
  from: TourStatus | null;
  to: TourStatus;
}
type ViewRow = Row & Omit<TourView, keyof TourActor>;

/** SQL: the history of the tour `t`, in order. */
export const TOUR_HISTORY = `
  coalesce((SELECT jsonb_agg(jsonb_build_object('seq', j.seq, 'event', j.event, 'from', j."fromState", 'to', j."toState")
     ORDER BY j.seq)
   FROM actor_transitions j WHERE j."actorKind" = 'tour' AND j."actorId" = t.id), '[]')`;
/** Row and journal in one statement, so that a view never mixes two versions. */
const VIEW = `
  ${tourKind.rows.columns}, c.name AS "customerName", a.name AS "agentName", p.address, p."unitNumber", p.city,
  p."stateOrProvince", p."postalCode", p.country, p."propertyTimeZoneName" AS "timeZone", ${TOUR_HISTORY} AS history,
  ${REPORTS_OF_CUSTOMER} AS "mismatchReports"`;
const TABLES = `
  tours t JOIN properties p ON p.id = t."propertyId" JOIN "user" c ON c.id = t."customerId"
  JOIN "user" a ON a.id = t."agentId"`;
/** The person who requested a tour stays its customer, whatever happens to the listing. */
const IS_CUSTOMER = (user: string) => `t."customerId" = ${user}::uuid`;
const IS_AGENT = (user: string) => `(t."customerId" <> ${user}::uuid AND ${mayAct('p', user)})`;
/** SQL condition: the person is one of the two sides of the tour `t` of the listing `p`. */
export const hasSideIn = (user: string): string => `(${IS_CUSTOMER(user)} OR ${IS_AGENT(user)})`;

/** Null for anyone but the two sides, as for an unknown id. */
export async function tourForParty(
  pool: Pool,
  { tourId, userId }: { tourId: string; userId: string },
): Promise<TourView | null> {
  const { rows } = await pool.query<ViewRow>(
    `SELECT ${VIEW}, CASE WHEN ${IS_CUSTOMER('$2')} THEN 'customer' ELSE 'agent' END AS side
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
    `SELECT ${VIEW}, '${side}' AS side FROM ${TABLES} WHERE t.id = $1`,
    [tourId],
  );
  return rows[0] ? fromRow(rows[0]) : null;
}

export interface TourPage {
  userId: string;
  side: TourParty;
  statuses: readonly TourStatus[] | null;
  propertyId: string | null;
  after: { at: number; id: string } | null;
  limit: number;
}

/** The tours of one side, newest request first. */
export async function toursOfParty(pool: Pool, page: TourPage): Promise<TourView[]> {
  const { userId, side, statuses, propertyId, after, limit } = page;
  const { rows } = await pool.query<ViewRow>(
    `SELECT ${VIEW}, '${side}' AS side FROM ${TABLES}
     WHERE ${side === 'customer' ? IS_CUSTOMER('$1') : IS_AGENT('$1')}
       AND ($2::tour_status[] IS NULL OR t.status = ANY ($2)) AND ($3::uuid IS NULL OR t."propertyId" = $3)
       AND ($4::timestamptz IS NULL OR (t."createdAt", t.id) < ($4, $5::uuid))
     ORDER BY t."createdAt" DESC, t.id DESC LIMIT $6`,
    [userId, statuses, propertyId, toDate(after?.at ?? null), after?.id ?? null, limit],
  );
  return rows.map(fromRow);
}

/** The values against which a tour request is checked, and whether the caller is an agent of the listing. */
export interface ShowingListing {
  propertyId: string;
  /** Whether its page is public. */
  isPublic: boolean;
  isOwnListing: boolean;
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
    `SELECT p.id AS "propertyId", ${hasPublicPage('p')} AS "isPublic", ${mayAct('p', '$2')} AS "isOwnListing",
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
