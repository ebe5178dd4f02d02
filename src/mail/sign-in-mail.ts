import { formatTag, type Locale } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import type { NewDeviceSignIn } from '../../persistence/accounts/sign-in-mails.ts';
import { type MailedSite, siteIn } from './mailed-site.ts';
import type { News } from './news-page.ts';

/** The mail about a sign-in on a new device, in the reader's language: when, on what, from where, and what to do. */
export function renderSignInMail({
  signIn: { signedInAt, client, system, network },
  locale,
  site,
}: {
  readonly signIn: NewDeviceSignIn;
  readonly locale: Locale;
  readonly site: MailedSite;
}): News {
  const { t } = createTranslator(locale, 'user');
  const menu = `${siteIn(site, locale)}/menu`;
  const device = [client, system].filter((part) => part !== null).join(', ') || t('menu.unknownDevice');
  // Where the reader lives is not known.
  const when = new Intl.DateTimeFormat(formatTag(locale, site.country), {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(signedInAt);
  return {
    subject: t('mail.signIn.subject'),
    locale,
    heading: t('mail.signIn.heading'),
    home: device,
    times: [when, ...(network === null ? [] : [t('mail.signIn.network', { network })])],
    open: { words: t('mail.signIn.open'), address: menu },
    settings: { words: t('mail.signIn.notYou'), address: menu },
  };
}
