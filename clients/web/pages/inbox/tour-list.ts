import type { Outputs } from '../../../typescript/procedures.ts';

export type Tour = Outputs['tours']['listMine']['items'][number];

/** Whether the other side waits for this one. */
export function awaitsAnswer({ status, proposedBy }: Tour, side: 'customer' | 'agent'): boolean {
  if (status === 'REQUESTED') return side === 'agent';
  return status === 'RESCHEDULE_PROPOSED' && proposedBy !== side;
}

/** A file name that every system takes. */
export const calendarName = ({ tourId }: Pick<Tour, 'tourId'>): string => `tour-${tourId.slice(0, 8)}.ics`;
