import type { Pool } from 'pg';
import {
  type AlertHome,
  type DueAlert,
  homesOfAlert,
  readAlert,
} from '../../../persistence/alerts/due-alerts.ts';
import type { SearchTerms } from '../../search/criteria.ts';
import { storedCriteria } from '../../search/criteria.ts';

/** What is to be said of an alert now, whichever way it is sent; null when nothing of it holds. */
export async function alertNow(
  pool: Pool,
  alertId: string,
  terms: SearchTerms,
): Promise<(DueAlert & { homes: AlertHome[] }) | null> {
  const alert = await readAlert(pool, alertId);
  if (alert === null || alert.cadence === 'NONE') return null;
  const criteria = alert.search === null ? null : await storedCriteria(pool, alert.search.filters, terms);
  const homes = await homesOfAlert(pool, alert, { criteria, at: terms.at });
  return homes.length === 0 ? null : { ...alert, homes };
}
