export type StatusTone = 'neutral' | 'primary' | 'success' | 'warning' | 'danger';

/** Tones of listing statuses; others are neutral. */
const LISTING: Readonly<Record<string, StatusTone>> = {
  Active: 'success',
  'Active Under Contract': 'warning',
  'Coming Soon': 'primary',
  Pending: 'warning',
};

/** Tones of tour statuses; others are neutral. */
const TOUR: Readonly<Record<string, StatusTone>> = {
  REQUESTED: 'primary',
  RESCHEDULE_PROPOSED: 'warning',
  CONFIRMED: 'success',
  DECLINED: 'danger',
  NO_SHOW: 'danger',
};

export const listingTone = (status: string): StatusTone => LISTING[status] ?? 'neutral';
export const tourTone = (status: string): StatusTone => TOUR[status] ?? 'neutral';
