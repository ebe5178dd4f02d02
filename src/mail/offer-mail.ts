import { addressLine } from '../../i18n/address-line.ts';
import { createTranslator, type Locale } from '../../i18n/translator.ts';
import type { MailedOffer, OfferMail } from '../../persistence/listings/offer-mails.ts';
import type { News } from './news-page.ts';

/**
 * The mail to one of the two agents of an offer, in the reader's language. Both read the same heading with both names.
 * The agent who gets the offer also reads what an answer means, and until when it is possible.
 */
export function renderOfferMail({
  offer,
  status,
  side,
  locale,
  origin,
}: Pick<OfferMail, 'status' | 'side'> & {
  readonly offer: MailedOffer;
  readonly locale: Locale;
  /** The origin of the site. */
  readonly origin: string;
}): News {
  const { t } = createTranslator(locale, 'user');
  const { kind, expiresAt, timeZone } = offer;
  const base = locale === 'es' ? `${origin}/es` : origin;
  const home = addressLine(offer);
  const nameless = t('mail.offer.nameless');
  const day = new Intl.DateTimeFormat(locale === 'es' ? 'es-MX' : 'en-US', { dateStyle: 'long', timeZone });
  return {
    subject: t(`mail.offer.subject.${status}`, { home }),
    locale,
    heading: t(`mail.offer.${kind}.${status}`, { from: offer.from || nameless, to: offer.to || nameless }),
    home,
    note:
      status === 'OPEN' && side === 'to'
        ? t(`mail.offer.${kind}.answer`, { day: day.format(expiresAt) })
        : null,
    open: { words: t('mail.offer.open'), address: `${base}/studio` },
    settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
  };
}
