import { createTranslator } from '../../../i18n/translator.ts';
import { neighborhoodStats } from '../../../persistence/listings/neighborhood-stats.ts';
import { priceHistory } from '../../../persistence/listings/price-events.ts';
import {
  readAgentCard,
  readPropertyDetail,
  similarProperties,
} from '../../../persistence/listings/property-details.ts';
import { found } from '../../errors/found.ts';
import { agentCard } from '../../wire/listings/agent-card.ts';
import { neighborhoodOutput, toNeighborhood } from '../../wire/listings/neighborhood.ts';
import { priceHistoryInput, priceHistoryOutput, toPriceEvent } from '../../wire/listings/price-history.ts';
import {
  detailInput,
  propertyDetail,
  propertyInput,
  toPropertyDetail,
} from '../../wire/listings/property-detail.ts';
import { similarInput, similarOutput } from '../../wire/listings/search.ts';
import { pageOf } from '../../wire/text.ts';
import { publicProcedure } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** The public part of one listing; one without a public page is NOT_FOUND. */
export function publicListingProcedures({ pool, clock, cards, settings }: Services) {
  const ofListing = publicProcedure.meta({ errors: ['NOT_FOUND'] });
  return {
    getDetail: ofListing
      .input(detailInput)
      .output(propertyDetail)
      .query(async ({ ctx, input: { propertyId, pictures } }) => {
        const viewerId = ctx.user?.role === 'agent' ? ctx.user.id : null;
        const detail = found(await readPropertyDetail(pool, { propertyId, viewerId }));
        const words = createTranslator(localeOf(ctx), 'user');
        return toPropertyDetail(detail, { ...settings, at: clock.now(), words, pictures });
      }),
    getPriceHistory: ofListing
      .input(priceHistoryInput)
      .output(priceHistoryOutput)
      .query(async ({ input: { propertyId, cursor, limit } }) => {
        const afterSeq = cursor ? Number(cursor) : null;
        const events = found(await priceHistory(pool, { propertyId, afterSeq, limit: limit + 1 }));
        return pageOf(events.map(toPriceEvent), limit, ({ seq }) => String(seq));
      }),
    getNeighborhoodStats: ofListing
      .input(propertyInput)
      .output(neighborhoodOutput)
      .query(async ({ input: { propertyId } }) => {
        const at = clock.now();
        return toNeighborhood(found(await neighborhoodStats(pool, { propertyId, at })), at);
      }),
    getAgentCard: ofListing
      .input(propertyInput)
      .output(agentCard)
      .query(async ({ input: { propertyId } }) => found(await readAgentCard(pool, propertyId))),
    listSimilar: ofListing
      .input(similarInput)
      .output(similarOutput)
      .query(async ({ input: { propertyId, limit, pictures } }) => ({
        items: await cards.of(found(await similarProperties(pool, { propertyId, limit })), pictures),
      })),
  };
}
