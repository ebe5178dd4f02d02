import type { Pool } from 'pg';
import { type AlertMail, alertMails } from '../../persistence/alerts/alert-mails.ts';
import {
  type AlertHome,
  type DueAlert,
  homesOfAlert,
  readAlert,
} from '../../persistence/alerts/due-alerts.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { storedCriteria } from '../search/criteria-of.ts';
import type { SearchTerms } from '../wire/listings/search-criteria.ts';
import { renderAlertMail } from './alert-mail.ts';
import { ALERT_SWITCH_PATH, type AlertTokens, type AlertTopic } from './alert-tokens.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { readerOf, siteIn } from './mailed-site.ts';

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

export interface AlertMailPorts extends MailPorts {
  readonly tokens: AlertTokens;
  /** Of filters that name none. */
  readonly units: SearchTerms['site'];
}

/** Mails people what happened to homes that they search for or have saved (docs/contract.md#mail). */
export function createAlertMailSender(ports: AlertMailPorts): Sweeper {
  const { tokens, units, clock } = ports;
  const compose = async ({ pool, site }: MailPorts, { alertId }: AlertMail): Promise<ComposedMail | null> => {
    const alert = await alertNow(pool, alertId, { at: clock.now(), site: units });
    if (alert === null || !alert.channels.includes('MAIL')) return null;
    const { userId, search } = alert;
    const reader = await readerOf({ pool, site }, userId);
    if (reader === null) return null;
    const topic: AlertTopic =
      search === null ? { userId, about: 'SAVED_HOMES' } : { userId, about: 'SEARCH', searchId: search.id };
    const token = tokens.sign(topic);
    const unsubscribe = {
      page: `${siteIn(site, reader.locale)}/unsubscribe?token=${token}`,
      oneClick: `${site.origin}${ALERT_SWITCH_PATH}/${token}`,
    };
    return {
      countedFor: userId,
      mayWait: true,
      to: reader.email,
      id: `${alertId}.alert`,
      news: renderAlertMail({ ...alert, locale: reader.locale, site, unsubscribe }),
    };
  };
  return createMailSender(ports, { ...alertMails, name: 'alert-mails', what: 'an alert', compose });
}
