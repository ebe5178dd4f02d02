import { addressLine } from '../../i18n/address-line.ts';
import { formatTag, type Locale } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import type { MailedOffer, OfferMail } from '../../persistence/listings/offer-mails.ts';
import { isolated } from './mail-layout.ts';
import { type MailedSite, mailPhoto, siteIn } from './mailed-site.ts';
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
  site,
  unsubscribe,
}: Pick<OfferMail, 'status' | 'side'> & {
  readonly offer: MailedOffer;
  readonly locale: Locale;
  readonly site: MailedSite;
  /** Where mails of this kind are switched off. */
  readonly unsubscribe: string;
}): News {
  const { t } = createTranslator(locale, 'user');
  const { kind, expiresAt, timeZone } = offer;
  const base = siteIn(site, locale);
  const home = addressLine(offer);
  const nameless = t('mail.offer.nameless');
  const day = new Intl.DateTimeFormat(formatTag(locale, site.country), { dateStyle: 'long', timeZone });
  return {
    subject: t(`mail.offer.subject.${status}`, { home }),
    locale,
    heading: t(`mail.offer.${kind}.${status}`, {
      from: isolated(offer.from || nameless),
      to: isolated(offer.to || nameless),
    }),
    home,
    photo: mailPhoto(site, { photoId: offer.photoId, words: t('mail.photoOf', { home }) }),
    note:
      status === 'OPEN' && side === 'to'
        ? t(`mail.offer.${kind}.answer`, { day: day.format(expiresAt) })
        : null,
    open: { words: t('mail.offer.open'), address: `${base}/studio` },
    settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
    unsubscribe: { words: t('mail.footer.unsubscribe'), address: unsubscribe },
  };
}
