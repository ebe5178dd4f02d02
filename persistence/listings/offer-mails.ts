import type { Pool } from 'pg';
import { publicPhoto } from '../database/listing-visibility.ts';
import type { OfferKind, OfferStatus } from '../entities/values.ts';
import { dueMails } from '../mails/due-mails.ts';

/** A change of an offer that one of its two agents learns by mail (0100). */
export interface OfferMail {
  readonly offerId: string;
  /** The status that the change made. */
  readonly status: OfferStatus;
  readonly side: 'from' | 'to';
}

export const offerMails = dueMails<OfferMail>('offer_mails', ['offerId', 'status', 'side']);

/** What the mail is about. The name of a deleted account is empty. */
export interface MailedOffer {
  readonly kind: OfferKind;
  readonly expiresAt: Date;
  readonly readerId: string;
  readonly from: string;
  readonly to: string;
  readonly address: string;
  readonly unitNumber: string | null;
  readonly city: string;
  readonly timeZone: string;
  /** A photo of the home that everyone may see. */
  readonly photoId: string | null;
}

/** Null when the offer has changed since, and that change has a mail of its own. */
export async function mailedOffer(
  pool: Pool,
  { offerId, status, side }: OfferMail,
): Promise<MailedOffer | null> {
  const { rows } = await pool.query<MailedOffer>(
    `SELECT o.kind, o."expiresAt", CASE WHEN $3 = 'from' THEN f.id ELSE t.id END AS "readerId",
       f.name AS "from", t.name AS "to", p.address, p."unitNumber", p.city, p."propertyTimeZoneName" AS "timeZone",
       ${publicPhoto('p')} AS "photoId"
     FROM listing_offers o JOIN properties p ON p.id = o."propertyId"
       JOIN "user" f ON f.id = o."fromAgentId" JOIN "user" t ON t.id = o."toAgentId"
     WHERE o.id = $1 AND o.status = $2`,
    [offerId, status, side],
  );
  return rows[0] ?? null;
}
