import type { MarketTime } from '../../../persistence/listings/property-queries.ts';

const DAY_MS = 86_400_000;

/**
 * Whole days of the present listing period up to `at`, or of the last period when the listing is off the market;
 * null when it was never on the market.
 */
export function daysOnMarket(
  { listedAt, offMarketAt }: Pick<MarketTime, 'listedAt' | 'offMarketAt'>,
  at: number,
): number | null {
  if (listedAt === null) return null;
  return Math.max(0, Math.floor((Math.min(at, offMarketAt ?? at) - listedAt) / DAY_MS));
}

/** The same, and with the earlier periods added. */
export function marketDays(
  market: Pick<MarketTime, 'listedAt' | 'offMarketAt' | 'marketDaysBefore'>,
  at: number,
) {
  const days = daysOnMarket(market, at);
  return {
    daysOnMarket: days,
    cumulativeDaysOnMarket: days === null ? null : market.marketDaysBefore + days,
  };
}
