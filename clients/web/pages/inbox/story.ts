import type { Tour } from './tour-list.ts';

export type Step = Tour['history'][number];

/** Deeds of people, each also in the words for the person who reads. */
export const DEEDS_OF_PEOPLE = [
  'requested',
  'booked',
  'confirmed',
  'proposed',
  'kept',
  'declined',
  'canceled',
  'completed',
  'missed',
  'contested',
  'undone',
] as const;
/** What the platform does by itself. */
export const DEEDS_OF_PLATFORM = ['keptByTime', 'canceledBySystem', 'contestRead', 'expired'] as const;
type Deed = (typeof DEEDS_OF_PEOPLE)[number] | (typeof DEEDS_OF_PLATFORM)[number];

const OPEN = ['REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED'];

/** What a step of a tour is, named like the catalog's keys. */
export function deedOf({ from, to, actor, slots }: Step): Deed {
  if (from === null) return to === 'CONFIRMED' ? 'booked' : 'requested';
  if (!OPEN.includes(from) && from !== to) return 'undone';
  if (from === 'NO_SHOW') return actor === 'customer' ? 'contested' : 'contestRead';
  switch (to) {
    case 'RESCHEDULE_PROPOSED':
      return 'proposed';
    case 'CONFIRMED':
      if (slots.length > 0) return 'confirmed';
      return actor === 'system' ? 'keptByTime' : 'kept';
    case 'CANCELLED':
      return actor === 'system' ? 'canceledBySystem' : 'canceled';
    default:
      return DEEDS[to] ?? 'expired';
  }
}

const DEEDS: Readonly<Record<string, Deed>> = {
  DECLINED: 'declined',
  COMPLETED: 'completed',
  NO_SHOW: 'missed',
};

/** Words of the platform in the place of a person's reason. */
const REASONS: Readonly<Record<string, string>> = {
  LISTING_LEFT_MARKET: 'tour.reason.listingLeftMarket',
  ACCOUNT_DELETED: 'tour.reason.accountDeleted',
  ACCOUNT_SUSPENDED: 'tour.reason.accountSuspended',
};

/** What was written with a step: the key of the platform's words, or a person's own. */
export function wordsOf(
  { note, actor, to }: Step,
  { reason }: Tour,
): { key: string } | { text: string } | null {
  // The platform writes no note: its reason is the tour's.
  const words = note ?? (actor === 'system' && to === 'CANCELLED' ? reason : null);
  const key = words === null ? undefined : REASONS[words];
  if (key !== undefined) return { key };
  return words === null ? null : { text: words };
}
