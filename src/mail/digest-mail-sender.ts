import { createTranslator } from '../../i18n/translator.ts';
import { type DigestMail, digestMails, linesOf } from '../../persistence/accounts/mail-hours.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { readerOf, siteIn } from './mailed-site.ts';

/** Mails people in one digest what came in an hour beyond their limit of mails (docs/contract.md#mail). */
export const createDigestMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, { ...digestMails, name: 'digest-mails', what: 'a digest', compose });

/** An hour without held mails has no digest; its row only goes. */
async function compose({ pool, site }: MailPorts, mail: DigestMail): Promise<ComposedMail | null> {
  const { userId, hour, held } = mail;
  const reader = held === 0 ? null : await readerOf({ pool, site }, userId);
  if (!reader) return null;
  const { locale, email } = reader;
  const { t } = createTranslator(locale, 'user');
  const base = siteIn(site, locale);
  const lines = await linesOf(pool, mail);
  const others = held - lines.length;
  return {
    countedFor: null,
    to: email,
    id: `${userId}.${hour.getTime()}.${held}.digest`,
    news: {
      subject: t('mail.digest.subject', { count: held }),
      locale,
      heading: t('mail.digest.heading', { count: held }),
      links: lines,
      times: others === 0 ? [] : [t('mail.digest.others', { count: others })],
      open: { words: t('mail.digest.open'), address: `${base}/inbox` },
      settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
    },
  };
}
