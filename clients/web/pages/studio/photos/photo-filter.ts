import type { AddressQuery } from '../../../addresses/address-query.ts';
import { canBeStaged } from '../staging/can-be-staged.ts';
import type { StyleState } from '../staging/photo-states.ts';
import type { Photo } from '../studio-queries.ts';

/** Which photos are shown, as the page's address says it. */
export const FILTERS = ['all', 'no-room', 'not-staged', 'to-review'] as const;
export type PhotoFilter = (typeof FILTERS)[number];

/** The filter of an address. Another value counts as none. */
export const filterIn = ({ show }: AddressQuery): PhotoFilter => FILTERS.find((one) => one === show) ?? 'all';

/** Whether a filter shows a photo. @param states what has become of the photo */
export function fits(filter: PhotoFilter, photo: Photo, states: readonly StyleState[]): boolean {
  if (filter === 'no-room') return photo.imageOf === null;
  if (filter === 'to-review') return states.some(isToReview);
  return filter === 'all' || (canBeStaged(photo) && !states.some(isOrdered));
}

const isToReview = (state: StyleState): boolean =>
  state.kind === 'staged' && state.variant.reviewStatus === 'PENDING_REVIEW';

/** A picture that is there or on its way; a withdrawn one is there no more. */
const isOrdered = (state: StyleState): boolean =>
  state.kind === 'open' || (state.kind === 'staged' && state.variant.withdrawnAt === null);
