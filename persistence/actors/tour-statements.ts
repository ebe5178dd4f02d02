import type { PoolClient } from 'pg';
import type { TourSlot } from '../../machines/tour-slots.ts';
import { HOLDING_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import { toDate } from '../database/instants.ts';
import { isOffered } from '../database/listing-visibility.ts';
import { oneOf } from '../database/sql-values.ts';
import type { TourListing } from './actor-store.ts';

/** The values of the listing and of the agent's calendar that a tour's events need. */

/**
 * Only listings on the market can be visited. The trigger of 0016 cancels the tours of listings that left the market.
 */
const LOCK_LISTING = `
  SELECT p.id AS "propertyId", p."ownerAgentId", p."autoConfirmTours" AS "autoConfirm",
    ${isOffered('p')} AS "onMarket"
  FROM properties p WHERE p.id = $1 FOR SHARE`;
/** A tour is restored only while both people have their accounts; a trigger of 0039 checks this again. */
const LOCK_LISTING_OF_TOUR = `
  SELECT p.id AS "propertyId", p."ownerAgentId", p."autoConfirmTours" AS "autoConfirm",
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
