import type { StandardStatus } from '../entities/property.ts';

/**
 * Where an agent may take a listing from where it is. The triggers record any move truthfully, by whomever; this
 * table keeps agents from moves that would mean nothing or mislead: something that was on offer is never "Coming
 * Soon" again before it left the market, only a listing on the market can be on hold, a sale is followed by a new
 * listing or nothing, and what the public has seen is taken off the market in the open, not made Incomplete.
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

/** The statuses that may follow, without the present one. */
export function movesFrom(status: StandardStatus): readonly StandardStatus[] {
  return MOVES[status].filter((next) => next !== status);
}

/** What a listing can be created as; the others say that something happened before. */
export const FIRST_STATUSES = [
  'Incomplete',
  'Coming Soon',
  'Active',
  'Active Under Contract',
  'Pending',
] as const satisfies readonly StandardStatus[];
