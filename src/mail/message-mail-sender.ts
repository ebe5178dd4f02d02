import { addressLine } from '../../i18n/address-line.ts';
import type { Locale } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import {
  type MailedThread,
  type MessageMail,
  mailedThread,
  messageMails,
} from '../../persistence/messages/message-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { isolated } from './mail-layout.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { type MailSwitches, switchAddress } from './mail-switches.ts';
import { type MailedSite, mailPhoto, readerOf, siteIn } from './mailed-site.ts';
import type { News } from './news-page.ts';

const KIND = 'MESSAGE_RECEIVED';

/** Mails people the messages that they have not read in two minutes (docs/contract.md#mail). */
export function createMessageMailSender(ports: MailPorts & { readonly switches: MailSwitches }): Sweeper {
  const { switches } = ports;
  const compose = async ({ pool, site }: MailPorts, mail: MessageMail): Promise<ComposedMail | null> => {
    const thread = await mailedThread(pool, mail);
    const reader = thread === null ? null : await readerOf({ pool, site }, mail.userId);
    if (!thread || !reader || reader.mutedMails.includes(KIND)) return null;
    const { userId, threadId, seq } = mail;
    const unsubscribe = switchAddress({ ...site, switches }, { userId, kind: KIND });
    return {
      countedFor: userId,
      isAboutMessages: true,
      to: reader.email,
      id: `${threadId}.${userId}.${seq}`,
      news: renderMessageMail(thread, { locale: reader.locale, site, unsubscribe }),
    };
  };
  return createMailSender(ports, {
    ...messageMails,
    name: 'message-mails',
    what: 'a mail about messages',
    compose,
  });
}

interface MessageMailOptions {
  readonly locale: Locale;
  readonly site: MailedSite;
  /** Where mails of this kind are switched off. */
  readonly unsubscribe: string;
}

/** The first unread message, and how many there are. Its button leads to the thread. */
function renderMessageMail(thread: MailedThread, { locale, site, unsubscribe }: MessageMailOptions): News {
  const { t } = createTranslator(locale, 'user');
  const { propertyId, customerId, messages, photoId } = thread;
  const base = siteIn(site, locale);
  const home = addressLine(thread);
  const [first] = messages;
  const who = first?.author || t('mail.tour.nameless');
  return {
    subject: t('mail.message.subject', { home }),
    locale,
    heading: t('mail.message.heading', { who: isolated(who), count: messages.length }),
    home,
    photo: mailPhoto(site, { photoId, words: t('mail.photoOf', { home }) }),
    quote: first === undefined ? null : { who, words: first.text },
    open: { words: t('mail.message.open'), address: `${base}/inbox/${propertyId}/${customerId}` },
    settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
    unsubscribe: { words: t('mail.footer.unsubscribe'), address: unsubscribe },
  };
}
