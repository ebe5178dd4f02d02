import type { OfferKind } from '../../../persistence/entities/values.ts';
import { MAX_ASSIGNED_AGENTS } from '../../../persistence/listings/listing-agents.ts';
import {
  answerOffer,
  type OfferCall,
  type OfferDecision,
  type OfferOutcome,
  offerListing,
  offersOf,
  readOffer,
  withdrawOffer,
} from '../../../persistence/listings/listing-offers.ts';
import { withRetries } from '../../../supervisors/actors/retry-policy.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { keysetCursor } from '../../wire/keyset-cursor.ts';
import { listingAgentInput } from '../../wire/listings/listing-agents.ts';
import {
  answerOfferInput,
  listingOffer,
  listOffersInput,
  listOffersOutput,
  offerInput,
  toOffer,
} from '../../wire/listings/listing-offers.ts';
import { pageOf } from '../../wire/text.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';
import { requireVerified } from '../verified-session.ts';

const VERIFIED = ['VERIFICATION_REQUIRED'] as const;

/** `properties.offerOwnership/offerAssignment/answerOffer/withdrawOffer` (docs/contract.md#offers). */
export function listingOfferProcedures(services: Services) {
  const { pool, clock, logger } = services;
  const shown = async (call: OfferCall) => toOffer(found(await readOffer(pool, call)));
  const offering = (kind: OfferKind) =>
    agentProcedure
      .meta({ errors: ['NOT_FOUND', 'FORBIDDEN', ...(kind === 'OWNERSHIP' ? VERIFIED : [])] })
      .input(listingAgentInput)
      .output(listingOffer)
      .mutation(async ({ ctx, input }) => {
        if (kind === 'OWNERSHIP') requireVerified(ctx.user, clock);
        const call = { callerId: ctx.user.id, at: clock.now() };
        const offer = { ...input, ...call, kind };
        const offerId = offered(await withRetries(services, () => offerListing(pool, offer)));
        logger.info(
          { event: 'offers.made', offerId, ...input, kind, userId: ctx.user.id },
          'a listing was offered',
        );
        return shown({ ...call, offerId });
      });
  const deciding = agentProcedure.meta({
    errors: ['NOT_FOUND', 'FORBIDDEN', 'OFFER_ENDED', 'NOT_YET_DURABLE'],
  });
  return {
    offerOwnership: offering('OWNERSHIP'),
    offerAssignment: offering('ASSIGNMENT'),
    answerOffer: deciding
      .input(answerOfferInput)
      .output(listingOffer)
      .mutation(async ({ ctx, input }) => {
        const call = { offerId: input.offerId, callerId: ctx.user.id, at: clock.now() };
        refuse(await withRetries(services, () => answerOffer(pool, { ...call, ...input })));
        logger.info({ event: 'offers.answered', ...input, userId: ctx.user.id }, 'an offer was answered');
        return shown(call);
      }),
    withdrawOffer: deciding
      .input(offerInput)
      .output(listingOffer)
      .mutation(async ({ ctx, input }) => {
        const call = { ...input, callerId: ctx.user.id, at: clock.now() };
        refuse(await withRetries(services, () => withdrawOffer(pool, call)));
        logger.info({ event: 'offers.withdrawn', ...input, userId: ctx.user.id }, 'an offer was withdrawn');
        return shown(call);
      }),
  };
}

/** `users.listOffers`: what the caller was offered and has offered, newest first. */
export const listOffersProcedure = ({ pool, clock }: Services) =>
  agentProcedure
    .input(listOffersInput)
    .output(listOffersOutput)
    .query(async ({ ctx, input: { propertyId = null, status = null, cursor = null, limit } }) => {
      const page = { propertyId, status, after: cursor, limit: limit + 1, at: clock.now() };
      const offers = await offersOf(pool, { ...page, callerId: ctx.user.id });
      return pageOf(offers.map(toOffer), limit, ({ createdAt, offerId }) =>
        keysetCursor({ at: Date.parse(createdAt), id: offerId }),
      );
    });

const FULL = `A listing has at most ${MAX_ASSIGNED_AGENTS} assigned agents and open offers. End one first.`;

function offered(offer: OfferOutcome): string {
  switch (offer.outcome) {
    case 'offered':
      return offer.offerId;
    case 'none':
      throw new PublicError('NOT_FOUND');
    case 'assigned':
      throw new PublicError('FORBIDDEN');
    case 'not-an-agent':
      throw unfit('This is not an agent.');
    case 'is-one-already':
      throw unfit('This is an agent of the listing already.');
    case 'too-many':
      throw unfit(FULL);
  }
}

const unfit = (message: string) => new PublicError('INVALID_INPUT', { fields: { agentId: [message] } });

function refuse(decision: OfferDecision): void {
  switch (decision) {
    case 'decided':
      return;
    case 'missing':
      throw new PublicError('NOT_FOUND');
    case 'not-yours':
      throw new PublicError('FORBIDDEN');
    case 'ended':
      throw new PublicError('OFFER_ENDED');
    case 'too-many':
      throw new PublicError('INVALID_INPUT', { fields: { offerId: [FULL] } });
  }
}
