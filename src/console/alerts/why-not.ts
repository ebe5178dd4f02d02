import type { ListingInSearch, SearchForOperators } from '../../../persistence/alerts/operator-reads.ts';

/**
 * Why a person has heard nothing of a listing by a search, the first reason first; empty when nothing speaks
 * against an alert.
 */
export function whyNot(search: SearchForOperators, listing: ListingInSearch): string[] {
  const { cadence, isFound, isSuspended } = search;
  const { events } = listing;
  const reasons: [boolean, string][] = [
    [isSuspended, 'The account is suspended.'],
    [cadence === 'NONE', 'The person wants no alerts of this search.'],
    [listing.isOwn, 'The person is an agent of this listing.'],
    [!listing.isPublic, 'The listing is not public.'],
    [
      listing.isPublic && !listing.isFound,
      'The search does not find the listing: its filters exclude it now.',
    ],
    [
      events.length === 0,
      'Nothing has happened to the listing since the search was saved that alerts are about.',
    ],
    [events.some(({ isMatched }) => !isMatched), 'An event of the listing has not been matched yet.'],
    [
      cadence === 'INSTANT' && events.length > 0 && events.every(({ isBulk }) => isBulk),
      'Its events came from an import, which is alerted once a day.',
    ],
    [
      cadence === 'DAILY' || cadence === 'WEEKLY',
      `The search has alerts by the ${cadence === 'DAILY' ? 'day' : 'week'}: its next run finds events since the last one.`,
    ],
    [isFound === false, 'Changes of homes do not find the search yet: its keys are being made.'],
  ];
  return reasons.filter(([holds]) => holds).map(([, sentence]) => sentence);
}
