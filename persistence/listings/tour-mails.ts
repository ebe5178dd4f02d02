import type { TourParty } from '../../machines/tour.ts';
import { dueMails } from '../mails/due-mails.ts';

/** A change of a tour that a side may have to learn by mail (0056). */
export interface TourMail {
  readonly tourId: string;
  /** The version of the tour that the change made, and the number of its journal row. */
  readonly seq: number;
  readonly side: TourParty;
}

export const tourMails = dueMails<TourMail>('tour_mails', ['tourId', 'seq', 'side']);
