import { createTranslator } from '../../i18n/translator.ts';
import { mailedEndpoint, type WebhookMail, webhookMails } from '../../persistence/webhooks/webhook-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { isolated } from './mail-layout.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { readerOf, siteIn } from './mailed-site.ts';

/** Mails agents that a webhook of theirs was turned off (docs/contract.md#mail). */
export const createWebhookMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, {
    ...webhookMails,
    name: 'webhook-mails',
    what: 'a mail about a webhook',
    compose,
  });

/** It cannot be switched off: without it, what the endpoint misses is noticed by no one. */
async function compose({ pool, site }: MailPorts, mail: WebhookMail): Promise<ComposedMail | null> {
  const endpoint = await mailedEndpoint(pool, mail);
  const reader = endpoint === null ? null : await readerOf({ pool, site }, endpoint.userId);
  if (!endpoint || !reader) return null;
  const { userId, url, offReason, offAt } = endpoint;
  const { t } = createTranslator(reader.locale, 'user');
  const host = isolated(new URL(url).host);
  const base = siteIn(site, reader.locale);
  return {
    countedFor: userId,
    to: reader.email,
    id: `${mail.endpointId}.${offAt.getTime()}.webhook`,
    news: {
      subject: t('mail.webhook.subject', { host }),
      locale: reader.locale,
      heading: t('mail.webhook.heading', { host }),
      note: `${t(`mail.webhook.reason.${offReason}`)} ${t('mail.webhook.next')}`,
      open: { words: t('mail.webhook.open'), address: `${base}/studio/webhooks` },
      settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
    },
  };
}
