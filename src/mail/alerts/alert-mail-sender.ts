import { type AlertMail, alertMails } from '../../../persistence/alerts/alert-mails.ts';
import type { Sweeper } from '../../../supervisors/sweepers/sweeper.ts';
import type { SearchTerms } from '../../search/criteria.ts';
import { type ComposedMail, createMailSender, type MailPorts } from '../mail-sender.ts';
import { readerOf, siteIn } from '../mailed-site.ts';
import { renderAlertMail } from './alert-mail.ts';
import { alertNow } from './alert-now.ts';
import { ALERT_SWITCH_PATH, type AlertTokens, type AlertTopic } from './alert-tokens.ts';

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
