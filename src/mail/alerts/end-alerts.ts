import type { Pool } from 'pg';
import {
  endAllAlertMails,
  endSavedHomesMails,
  endSearchMails,
} from '../../../persistence/alerts/unsubscribe.ts';
import type { AlertTopic } from './alert-tokens.ts';

/** Ends the alerts by mail that a signed name is about. @returns what has ended, and the name of a search */
export async function endAlerts(
  pool: Pool,
  topic: AlertTopic,
  at: number,
): Promise<{ about: AlertTopic['about']; name: string | null }> {
  const { userId, about } = topic;
  if (about === 'SEARCH') return { about, name: await endSearchMails(pool, topic) };
  await (about === 'ALL' ? endAllAlertMails : endSavedHomesMails)(pool, { userId, at });
  return { about, name: null };
}
