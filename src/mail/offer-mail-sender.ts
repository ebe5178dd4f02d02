import { mailedOffer, type OfferMail, offerMails } from '../../persistence/listings/offer-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { readerOf } from './mailed-site.ts';
import { renderOfferMail } from './offer-mail.ts';

/** Mails both agents each step of an offer (docs/contract.md#mail). */
export const createOfferMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, { ...offerMails, name: 'offer-mails', what: 'a mail about an offer', compose });

async function compose(
  { pool, site }: MailPorts,
  { offerId, status, side }: OfferMail,
): Promise<ComposedMail | null> {
  const offer = await mailedOffer(pool, { offerId, status, side });
  const reader = offer === null ? null : await readerOf({ pool, site }, offer.readerId);
  if (!offer || !reader || reader.mutedMails.includes('LISTING_OFFER')) return null;
  return {
    countedFor: offer.readerId,
    to: reader.email,
    id: `${offerId}.${status}.${side}`,
    news: renderOfferMail({ offer, status, side, locale: reader.locale, site }),
  };
}
