import { MAX_TOUR_SLOT_MS, MIN_TOUR_SLOT_MS } from './limits.ts';

/** A time for a tour, as instants; the end is excluded. */
export interface TourSlot {
  startsAt: number;
  endsAt: number;
}

/**
 * Why a slot cannot be named at the instant `at`; null when it can. Whether the listing can be shown then:
 * showing-rules.ts.
 */
export type SlotFault = 'PASSED' | 'TOO_SHORT' | 'TOO_LONG';

export function slotFault({ startsAt, endsAt }: TourSlot, at: number): SlotFault | null {
  if (startsAt <= at) return 'PASSED';
  if (endsAt - startsAt < MIN_TOUR_SLOT_MS) return 'TOO_SHORT';
  return endsAt - startsAt > MAX_TOUR_SLOT_MS ? 'TOO_LONG' : null;
}

export function isSameSlot(one: TourSlot, other: TourSlot): boolean {
  return one.startsAt === other.startsAt && one.endsAt === other.endsAt;
}

/** Slots are identified by their start. */
export function haveDistinctStarts(slots: readonly TourSlot[]): boolean {
  return new Set(slots.map(({ startsAt }) => startsAt)).size === slots.length;
}

export function lastStart(slots: readonly TourSlot[]): number {
  return Math.max(...slots.map(({ startsAt }) => startsAt));
}
