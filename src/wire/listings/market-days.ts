import type { MarketTime } from '../../../persistence/listings/property-queries.ts';

const DAY_MS = 86_400_000;

/**
 * Whole days on the market at `at`: `daysOnMarket` of the present listing period, or of the last one when the listing
 * is off the market; `cumulativeDaysOnMarket` with the periods before. Both null when it was never on the market.
 */
export function marketDays(
  {
    listedAt,
    offMarketAt,
    marketDaysBefore,
  }: Pick<MarketTime, 'listedAt' | 'offMarketAt' | 'marketDaysBefore'>,
  at: number,
) {
  if (listedAt === null) return { daysOnMarket: null, cumulativeDaysOnMarket: null };
  const daysOnMarket = Math.max(0, Math.floor(((offMarketAt ?? at) - listedAt) / DAY_MS));
  return { daysOnMarket, cumulativeDaysOnMarket: marketDaysBefore + daysOnMarket };
}
