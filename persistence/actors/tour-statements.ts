import type { PoolClient } from 'pg';
import type { TourSlot } from '../../machines/tour-slots.ts';
import { HOLDING_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import { toDate } from '../database/instants.ts';
import { isOffered } from '../database/listing-visibility.ts';
import { oneOf } from '../database/sql-values.ts';
import { TourConflictError, type TourListing } from './actor-store.ts';
import { tourColumns } from './tour-row.ts';

/** The statements of the actor store about tours, and what its two constraints mean for a caller. */

export const LOCK_TOUR = `SELECT ${tourColumns('t')} FROM tours t WHERE t.id = $1 FOR UPDATE`;

const SET_NAMES = `status, "agentId", "proposedSlots", "proposedBy", "proposedById", rounds, "proposalExpiresAt",
    "heldStartsAt", "heldEndsAt", reason, "closedAt", "closedBy", "closedFrom"`;
export const UPDATE_TOUR = `
  UPDATE tours SET version = version + 1, "updatedAt" = $3,
    (${SET_NAMES}) = ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  WHERE id = $1 AND version = $2`;
export const INSERT_TOUR = `
  INSERT INTO tours (id, version, "createdAt", "updatedAt", ${SET_NAMES}, "customerId", "propertyId", kind, note)
  VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`;

/** Only what is offered can be visited; the trigger of 0016 cancels the tours of listings that left the market. */
const LOCK_LISTING = `
  SELECT p.id AS "propertyId", p."ownerAgentId", p."autoConfirmTours" AS "autoConfirm",
    ${isOffered('p')} AS "onMarket"
  FROM properties p WHERE p.id = $1 FOR SHARE`;
/** A tour is taken up again only while its people have their accounts; a trigger of 0039 looks once more. */
const LOCK_LISTING_OF_TOUR = `
  SELECT p.id AS "propertyId", p."ownerAgentId", p."autoConfirmTours" AS "autoConfirm",
    ${isOffered('p')} AND NOT EXISTS (
      SELECT FROM "user" u WHERE u.id IN (t."customerId", t."agentId", t."proposedById") AND u.email IS NULL
    ) AS "onMarket"
  FROM tours t JOIN properties p ON p.id = t."propertyId" WHERE t.id = $1 FOR SHARE OF p`;
const IS_HELD = `
  SELECT FROM tours WHERE "agentId" = $1 AND status IN ${oneOf(HOLDING_TOUR_STATUSES)}
    AND tstzrange("heldStartsAt", "heldEndsAt") && tstzrange($2, $3) LIMIT 1`;

/** Shared: requests of one listing do not wait for each other, a change of its status waits for them all. */
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

const CONFLICT_OF_CONSTRAINT: Record<string, TourConflictError['reason']> = {
  tours_held_slots_do_not_overlap: 'slot-taken',
  tours_one_open_uidx: 'already-open',
  tours_updated_refuse_tombstones: 'person-gone',
};

/**
 * Rethrows a failed write of a tour; one of its constraints as `TourConflictError`, which is no conflict to be
 * repeated: the same write would fail again.
 */
export function refuseTourWrite(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  const reason = CONFLICT_OF_CONSTRAINT[constraint];
  throw reason === undefined ? error : new TourConflictError(reason);
}
