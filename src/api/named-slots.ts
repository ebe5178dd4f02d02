import { type ShowingFault, showingFault } from '../../machines/showing-rules.ts';
import { type SlotFault, slotFault, type TourSlot } from '../../machines/tour-slots.ts';
import type { ShowingListing } from '../../persistence/listings/tour-queries.ts';
import { PublicError } from '../errors/errors.ts';

const WORDS: Record<SlotFault | ShowingFault, string> = {
  PASSED: 'This time has passed. Name one in the future.',
  TOO_SHORT: 'A tour takes at least 15 minutes.',
  TOO_LONG: 'A tour takes at most 4 hours.',
  TOO_SOON: 'This is too soon for this home. Name a later time.',
  WRONG_DAY: 'This home is not shown on this day. Name another day.',
  OUTSIDE_HOURS: 'This home is not shown at this hour. Name a time within its showing hours.',
};

/** @throws PublicError INVALID_INPUT that names each slot that is wrong by itself or at which the home is not shown. */
export function requireShowable(slots: readonly TourSlot[], listing: ShowingListing, at: number): void {
  const fields: Record<string, string[]> = {};
  for (const [index, slot] of slots.entries()) {
    const fault = slotFault(slot, at) ?? showingFault(slot, listing, at);
    if (fault !== null) fields[`slots.${index}`] = [WORDS[fault]];
    else if (slots.slice(0, index).some(({ startsAt }) => startsAt === slot.startsAt))
      fields[`slots.${index}`] = ['This time is named twice.'];
  }
  if (Object.keys(fields).length > 0) throw new PublicError('INVALID_INPUT', { fields });
}

/**
 * The slot on the table that begins then, or the only one.
 * @throws PublicError INVALID_INPUT when it is not one of them, or none was named where there are several
 */
export function slotOnTable(slots: readonly TourSlot[], startsAt: number | undefined): TourSlot {
  const [only] = slots;
  const named = startsAt === undefined ? undefined : slots.find((slot) => slot.startsAt === startsAt);
  const slot = named ?? (startsAt === undefined && slots.length === 1 ? only : undefined);
  if (slot !== undefined) return slot;
  throw new PublicError('INVALID_INPUT', { fields: { startsAt: ['Name the start of one of the slots.'] } });
}
