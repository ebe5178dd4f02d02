import { createTranslator } from '../../../i18n/translator.ts';
import { writeDataReport } from '../../../persistence/listings/data-reports.ts';
import { priceHistory } from '../../../persistence/listings/price-events.ts';
import {
  readAgentCard,
  readPropertyDetail,
  similarProperties,
} from '../../../persistence/listings/property-details.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { agentCard } from '../../wire/listings/agent-card.ts';
import { reportDataInput, reportDataOutput } from '../../wire/listings/data-reports.ts';
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
export function publicListingProcedures({ pool, publicReads, clock, chance, settings }: Services) {
  const ofListing = publicProcedure.meta({ errors: ['NOT_FOUND'] });
  return {
    getDetail: ofListing
      .input(detailInput)
      .output(propertyDetail)
      .query(async ({ ctx, input: { propertyId, pictures } }) => {
        const viewerId = ctx.user?.role === 'agent' ? ctx.user.id : null;
        // Agents also see drafts of their own, which are private.
        const reader = viewerId === null ? (await publicReads(ctx)).reader : pool;
        const detail = found(await readPropertyDetail(reader, { propertyId, viewerId }));
        const words = createTranslator(localeOf(settings.site, ctx), 'user');
        return toPropertyDetail(detail, { ...settings, at: clock.now(), words, pictures });
      }),
    /** What someone says is wrong about a listing, for the operators. */
    reportData: ofListing
      .input(reportDataInput)
      .output(reportDataOutput)
      .mutation(async ({ input }) => {
        const outcome = await writeDataReport(pool, { ...input, id: chance.id(), at: clock.now() });
        if (outcome === 'missing') throw new PublicError('NOT_FOUND');
        return { propertyId: input.propertyId, isKept: outcome === 'kept' };
      }),
    getPriceHistory: ofListing
      .input(priceHistoryInput)
      .output(priceHistoryOutput)
      .query(async ({ ctx, input: { propertyId, cursor, limit } }) => {
        const { reader } = await publicReads(ctx);
        const afterSeq = cursor ? Number(cursor) : null;
        const events = found(await priceHistory(reader, { propertyId, afterSeq, limit: limit + 1 }));
        return pageOf(events.map(toPriceEvent), limit, ({ seq }) => String(seq));
      }),
    getNeighborhoodStats: ofListing
      .input(propertyInput)
      .output(neighborhoodOutput)
      .query(async ({ ctx, input: { propertyId } }) => {
        const { neighborhoods } = await publicReads(ctx);
        return toNeighborhood(found(await neighborhoods.statsFor(propertyId)));
      }),
    getAgentCard: ofListing
      .meta({ errors: ['NOT_FOUND', 'NO_AGENT_HERE'] })
      .input(propertyInput)
      .output(agentCard)
      .query(async ({ ctx, input: { propertyId } }) => {
        const { reader } = await publicReads(ctx);
        const { agent } = found(await readAgentCard(reader, propertyId));
        if (agent === null) throw new PublicError('NO_AGENT_HERE');
        return agent;
      }),
    listSimilar: ofListing
      .input(similarInput)
      .output(similarOutput)
      .query(async ({ ctx, input: { propertyId, limit, pictures } }) => {
        const { reader, cards } = await publicReads(ctx);
        const sources = found(await similarProperties(reader, { propertyId, limit }));
        return { items: cards.ofSources(sources, pictures) };
      }),
  };
}
