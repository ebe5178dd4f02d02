import type { Outputs } from '../../../typescript/procedures.ts';

export type Tour = Outputs['tours']['listMine']['items'][number];
export type Side = 'customer' | 'agent';

/** The side of the person who reads a tour. */
export const sideOf = ({ customer }: Pick<Tour, 'customer'>, personId: string): Side =>
  customer.userId === personId ? 'customer' : 'agent';

/** Whether the other side waits for this one. */
export function awaitsAnswer({ status, proposedBy }: Tour, side: Side): boolean {
  if (status === 'REQUESTED') return side === 'agent';
  return status === 'RESCHEDULE_PROPOSED' && proposedBy !== side;
}

/** A file name that every system takes. */
export const calendarName = ({ tourId }: Pick<Tour, 'tourId'>): string => `tour-${tourId.slice(0, 8)}.ics`;
