import type { PoolClient } from 'pg';
import type { TourSlot } from '../../machines/tour-slots.ts';
import { visitEndedAt } from '../../machines/tour-visit.ts';
import { HOLDING_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import { answeringAgent } from '../database/answering-agent.ts';
import { toDate } from '../database/instants.ts';
import { isOffered } from '../database/listing-visibility.ts';
import { oneOf } from '../database/sql-values.ts';
import type { Row } from './actor-kind.ts';
import type { TourListing } from './actor-store.ts';
import { type MismatchReportActor, mismatchReportKind } from './rows/mismatch-report-row.ts';
import { tourKind } from './rows/tour-row.ts';

/** The values that the events of tours and of reports after visits need. */

/**
 * Only listings on the market can be visited. The trigger of 0016 cancels the tours of listings that left the market.
 */
const ANSWERING = `coalesce(${answeringAgent('p')}, p."ownerAgentId") AS "ownerAgentId"`;
const LOCK_LISTING = `
  SELECT p.id AS "propertyId", ${ANSWERING}, p."autoConfirmTours" AS "autoConfirm",
    ${isOffered('p')} AND ${answeringAgent('p')} IS NOT NULL AS "onMarket"
  FROM properties p WHERE p.id = $1 FOR SHARE`;
/** A tour is restored only while both people have their accounts; a trigger of 0039 checks this again. */
const LOCK_LISTING_OF_TOUR = `
  SELECT p.id AS "propertyId", ${ANSWERING}, p."autoConfirmTours" AS "autoConfirm",
    ${isOffered('p')} AND NOT EXISTS (
      SELECT FROM "user" u WHERE u.id IN (t."customerId", t."agentId", t."proposedById") AND u.email IS NULL
    ) AS "onMarket"
  FROM tours t JOIN properties p ON p.id = t."propertyId" WHERE t.id = $1 FOR SHARE OF p`;
const IS_HELD = `
  SELECT FROM tours WHERE "agentId" = $1 AND status IN ${oneOf(HOLDING_TOUR_STATUSES)}
    AND tstzrange("heldStartsAt", "heldEndsAt") && tstzrange($2, $3) LIMIT 1`;

/**
 * A shared lock: requests for one listing do not wait for each other, but a change of its status waits for all of them.
 */
export async function lockListing(
  client: PoolClient,
  { of, id }: { of: 'property' | 'tour'; id: string },
): Promise<TourListing | null> {
  const sql = of === 'property' ? LOCK_LISTING : LOCK_LISTING_OF_TOUR;
  return (await client.query<TourListing>(sql, [id])).rows[0] ?? null;
}

export async function firstFreeSlot(
  client: PoolClient,
  { agentId, slots }: { agentId: string; slots: readonly TourSlot[] },
): Promise<TourSlot | null> {
  for (const slot of slots) {
    const held = await client.query(IS_HELD, [agentId, toDate(slot.startsAt), toDate(slot.endsAt)]);
    if (held.rowCount === 0) return slot;
  }
  return null;
}

const FIND_REPORT = `
  ${mismatchReportKind.rows.select()} WHERE t."stagedImageId" = $1 AND t."customerId" = $2`;
const UNDECIDED_REPORTS = `
  SELECT id, status AS state FROM mismatch_reports
  WHERE "stagedImageId" = $1 AND status IN ('OPEN', 'ACKNOWLEDGED') ORDER BY id`;

export async function findReport(
  client: PoolClient,
  { stagedImageId, customerId }: { stagedImageId: string; customerId: string },
): Promise<MismatchReportActor | null> {
  const { rows } = await client.query<Row>(FIND_REPORT, [stagedImageId, customerId]);
  return rows[0] ? mismatchReportKind.rows.fromRow(rows[0]) : null;
}

export async function undecidedReportsOf(
  client: PoolClient,
  stagedImageId: string,
): Promise<{ id: string; state: string }[]> {
  return (await client.query<{ id: string; state: string }>(UNDECIDED_REPORTS, [stagedImageId])).rows;
}

/** Without a lock: a tour that changes at the same time keeps its reports, as one that changes later. */
export async function visitEndedAtOf(client: PoolClient, tourId: string, at: number): Promise<number | null> {
  const { rows } = await client.query<Row>(`${tourKind.rows.select()} WHERE t.id = $1`, [tourId]);
  return rows[0] ? visitEndedAt(tourKind.rows.fromRow(rows[0]), at) : null;
}
