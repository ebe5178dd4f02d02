import { addressLine } from '../../i18n/address-line.ts';
import type { Locale } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import type { WithdrawnPicture } from '../../persistence/listings/picture-mails.ts';
import { type MailedSite, mailPhoto, siteIn } from './mailed-site.ts';
import type { News } from './news-page.ts';

/**
 * The mail to the owner of a listing whose picture reports have withdrawn, in the reader's language. It says nothing of
 * the people who reported: their notes stand in the studio.
 */
export function renderPictureMail({
  picture,
  locale,
  site,
  unsubscribe,
}: {
  readonly picture: WithdrawnPicture;
  readonly locale: Locale;
  readonly site: MailedSite;
  /** Where mails of this kind are switched off. */
  readonly unsubscribe: string;
}): News {
  const { t } = createTranslator(locale, 'user');
  const base = siteIn(site, locale);
  const home = addressLine(picture);
  return {
    subject: t('mail.picture.withdrawnSubject', { home }),
    locale,
    heading: t('mail.picture.withdrawn'),
    home,
    photo: mailPhoto(site, { photoId: picture.photoId, words: t('mail.photoOf', { home }) }),
    note: t('mail.picture.withdrawnText'),
    open: { words: t('mail.picture.open'), address: `${base}/studio/${picture.propertyId}/review` },
    settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
    unsubscribe: { words: t('mail.footer.unsubscribe'), address: unsubscribe },
  };
}
