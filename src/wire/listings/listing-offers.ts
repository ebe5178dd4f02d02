import { z } from 'zod';
import { OFFER_KINDS, OFFER_STATUSES } from '../../../persistence/entities/values.ts';
import type { ListingOffer } from '../../../persistence/listings/listing-offers.ts';
import { keysetPaging } from '../keyset-cursor.ts';
import { instant, iso, pageOutput, uuid, viewOf } from '../text.ts';
import { listingAgent } from './listing-agents.ts';
import { ownProperty } from './properties.ts';

/** The shapes of offers of listings (docs/contract.md#offers). */
export const answerOfferInput = z.strictObject({
  offerId: uuid,
  accept: z.boolean(),
  /** With an accepted ownership: whether the former owner stays an assigned agent. */
  keepFormerOwner: z.boolean().default(false),
});
export const offerInput = z.strictObject({ offerId: uuid });
export const listOffersInput = z.strictObject({
  propertyId: uuid.optional(),
  status: z.enum(OFFER_STATUSES).optional(),
  ...keysetPaging,
});

const party = listingAgent.omit({ isOwner: true });

export const listingOffer = z.object({
  offerId: z.string(),
  propertyId: z.string(),
  kind: z.enum(OFFER_KINDS),
  status: z.enum(OFFER_STATUSES),
  /** The name of a deleted account is empty. */
  from: party,
  to: party,
  /** What the agent would take on. Null when the caller is no agent of the listing and the offer has ended. */
  listing: ownProperty
    .pick({
      address: true,
      unitNumber: true,
      city: true,
      stateOrProvince: true,
      postalCode: true,
      standardStatus: true,
      listPrice: true,
      currency: true,
    })
    .extend({ photoCount: z.int(), openTourCount: z.int() })
    .nullable(),
  createdAt: instant,
  expiresAt: instant,
  endedAt: instant.nullable(),
});
export const listOffersOutput = pageOutput(listingOffer);

export function toOffer(offer: ListingOffer): z.output<typeof listingOffer> {
  return viewOf(listingOffer, {
    ...offer,
    createdAt: iso(offer.createdAt),
    expiresAt: iso(offer.expiresAt),
    endedAt: iso(offer.endedAt),
  });
}
