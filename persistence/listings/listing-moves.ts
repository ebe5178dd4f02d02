import type { StandardStatus } from '../entities/values.ts';

/**
 * The status changes that an agent may make. The triggers record any change by any writer; this table prevents changes
 * that mean nothing or mislead. A listing that was on offer can be "Coming Soon" again only after it left the market.
 * Only a listing on the market can be on hold. After a sale only a new listing may follow. A listing that was public is
 * taken off the market openly and is not made Incomplete.
 */
const OFF: readonly StandardStatus[] = ['Canceled', 'Expired', 'Withdrawn'];
const OFFERED: readonly StandardStatus[] = ['Active', 'Active Under Contract', 'Pending'];
const ON_OFFER: readonly StandardStatus[] = [...OFFERED, 'Hold', ...OFF, 'Closed', 'Delete'];
const AGAIN: readonly StandardStatus[] = [...OFFERED, 'Coming Soon', ...OFF, 'Closed', 'Delete'];

const MOVES: Readonly<Record<StandardStatus, readonly StandardStatus[]>> = {
  Incomplete: [...OFFERED, 'Coming Soon', 'Closed', 'Delete'],
  'Coming Soon': ON_OFFER,
  Active: ON_OFFER,
  'Active Under Contract': ON_OFFER,
  Pending: ON_OFFER,
  Hold: [...OFFERED, ...OFF, 'Closed', 'Delete'],
  Canceled: AGAIN,
  Expired: AGAIN,
  Withdrawn: AGAIN,
  Closed: ['Active', 'Coming Soon', 'Delete'],
  Delete: ['Incomplete'],
};

/** The possible next statuses, without the present one. */
export function movesFrom(status: StandardStatus): readonly StandardStatus[] {
  return MOVES[status].filter((next) => next !== status);
}

/** The possible statuses of a new listing; all others mean that something happened before. */
export const FIRST_STATUSES = [
  'Incomplete',
  'Coming Soon',
  'Active',
  'Active Under Contract',
  'Pending',
] as const satisfies readonly StandardStatus[];
