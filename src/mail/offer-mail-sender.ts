import { mailedOffer, type OfferMail, offerMails } from '../../persistence/listings/offer-mails.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type ComposedMail, createMailSender, type MailPorts } from './mail-sender.ts';
import { type MailSwitches, switchAddress } from './mail-switches.ts';
import { readerOf } from './mailed-site.ts';
import { renderOfferMail } from './offer-mail.ts';

/** Mails both agents each step of an offer (docs/contract.md#mail). */
export function createOfferMailSender(ports: MailPorts & { readonly switches: MailSwitches }): Sweeper {
  const { switches } = ports;
  const compose = async (
    { pool, site }: MailPorts,
    { offerId, status, side }: OfferMail,
  ): Promise<ComposedMail | null> => {
    const offer = await mailedOffer(pool, { offerId, status, side });
    const reader = offer === null ? null : await readerOf({ pool, site }, offer.readerId);
    if (!offer || !reader || reader.mutedMails.includes(KIND)) return null;
    const { readerId: userId } = offer;
    const unsubscribe = switchAddress({ ...site, switches }, { userId, kind: KIND });
    return {
      countedFor: userId,
      to: reader.email,
      id: `${offerId}.${status}.${side}`,
      news: renderOfferMail({ offer, status, side, locale: reader.locale, site, unsubscribe }),
    };
  };
  return createMailSender(ports, {
    ...offerMails,
    name: 'offer-mails',
    what: 'a mail about an offer',
    compose,
  });
}

const KIND = 'LISTING_OFFER';
