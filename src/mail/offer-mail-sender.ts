import { mailReader } from '../../persistence/listings/due-mails.ts';
import { mailedOffer, type OfferMail, offerMails } from '../../persistence/listings/offer-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { createMailSender, type MailPorts } from './mail-sender.ts';
import { renderOfferMail } from './offer-mail.ts';

/** Mails both agents each step of an offer (docs/contract.md#mail). */
export const createOfferMailSender = (ports: MailPorts): Sweeper =>
  createMailSender(ports, { ...offerMails, name: 'offer-mails', what: 'a mail about an offer', settle });

async function settle(
  { pool, mailer, origin }: MailPorts,
  { offerId, status, side }: OfferMail,
): Promise<void> {
  const offer = await mailedOffer(pool, { offerId, status, side });
  const reader = offer === null ? null : await mailReader(pool, offer.readerId);
  if (!offer || !reader || reader.mutedMails.includes('LISTING_OFFER')) return;
  const { locale, email } = reader;
  await mailer.sendNews({
    to: email,
    id: `${offerId}.${status}.${side}`,
    ...renderOfferMail({ offer, status, side, locale, origin }),
  });
}
