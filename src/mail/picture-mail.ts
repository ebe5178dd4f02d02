import { addressLine } from '../../i18n/address-line.ts';
import { createTranslator, type Locale } from '../../i18n/translator.ts';
import type { WithdrawnPicture } from '../../persistence/listings/picture-mails.ts';
import type { News } from './news-page.ts';

/**
 * The mail to the owner of a listing whose picture reports have withdrawn, in the reader's language. It says nothing of
 * the people who reported: their notes stand in the studio.
 */
export function renderPictureMail({
  picture,
  locale,
  origin,
}: {
  readonly picture: WithdrawnPicture;
  readonly locale: Locale;
  /** The origin of the site. */
  readonly origin: string;
}): News {
  const { t } = createTranslator(locale, 'user');
  const base = locale === 'es' ? `${origin}/es` : origin;
  const home = addressLine(picture);
  return {
    subject: t('mail.picture.withdrawnSubject', { home }),
    locale,
    heading: t('mail.picture.withdrawn'),
    home,
    note: t('mail.picture.withdrawnText'),
    open: { words: t('mail.picture.open'), address: `${base}/studio/${picture.propertyId}/review` },
    settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
  };
}
