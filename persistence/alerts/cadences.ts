import type { AlertCadence } from '../entities/values.ts';

const DAY_MS = 86_400_000;
const PERIODS: Readonly<Record<AlertCadence, number | null>> = {
  // Alerts about imports are daily.
  INSTANT: DAY_MS,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
  NONE: null,
};

/** Milliseconds between two runs of a search; null for one that has none. */
export const periodOf = (cadence: AlertCadence): number | null => PERIODS[cadence];

/** When a search that was changed at this time runs first; null for one that tells nothing. */
export function nextRunOf(cadence: AlertCadence, at: number): number | null {
  const period = periodOf(cadence);
  return period === null ? null : at + period;
}
