import { z } from 'zod';
import type { Measure, NeighborhoodStats } from '../../../persistence/listings/neighborhood-stats.ts';
import { instant, iso } from '../text.ts';

/** Fewer rows would reveal single homes instead of a neighborhood (docs/contract.md#neighborhood-figures). */
export const SMALLEST_SAMPLE = 5;

/** How a figure is computed; `neighborhood.method.<name>` has the text. */
export const STATS_METHODS = [
  'medianOfSales12Months',
  'countOfSales12Months',
  'medianDaysToContract12Months',
  'medianSaleToList12Months',
  'countOfNewListings12Months',
  'medianOfActiveListings',
  'countOfActiveListings',
  'shareOfActiveListings',
] as const;
type Method = (typeof STATS_METHODS)[number];

const figure = z.object({
  /** Null with fewer than five rows (`n`). */
  value: z.number().nullable(),
  n: z.int(),
  method: z.enum(STATS_METHODS),
  asOf: instant,
  periodBegin: instant.nullable(),
  periodEnd: instant.nullable(),
  /** Compared with the same period a year before; null when either has fewer than five rows. */
  yearOverYear: z.object({ changePct: z.number(), nBefore: z.int() }).nullable(),
});

/** Figures of a listing's neighborhood; no crime, no demographics (docs/contract.md#neighborhood-figures). */
export const neighborhoodOutput = z.object({
  region: z.object({ type: z.enum(['POSTAL_CODE', 'CITY']), name: z.string(), country: z.string() }),
  market: z.enum(['SALE', 'RENT']),
  currency: z.string(),
  areaUnits: z.string(),
  figures: z.object({
    medianSalePrice: figure,
    medianListPrice: figure,
    medianPricePerArea: figure,
    homesSold: figure,
    activeInventory: figure,
    newListings: figure,
    /** Days from listing to contract; sales after more than a year are left out. */
    medianDaysOnMarket: figure,
    /** 1 means sold at the list price. */
    saleToListRatio: figure,
    /** Share of the active listings, from 0 to 1. */
    shareWithPriceCut: figure,
  }),
});

export function toNeighborhood(stats: NeighborhoodStats): z.output<typeof neighborhoodOutput> {
  const { region, isLease, currency, areaUnits, sales, newListingsSince, figures, at } = stats;
  const over = (period: Period) => (measure: Measure & { before?: Measure }, method: Method) =>
    toFigure(measure, { method, at, period });
  const now = over(null);
  const sold = over(sales);
  const listed = over({ from: newListingsSince, to: at });
  return {
    region,
    currency,
    areaUnits,
    market: isLease ? 'RENT' : 'SALE',
    figures: {
      medianSalePrice: sold(figures.medianSalePrice, 'medianOfSales12Months'),
      medianListPrice: now(figures.medianListPrice, 'medianOfActiveListings'),
      medianPricePerArea: sold(figures.medianPricePerArea, 'medianOfSales12Months'),
      homesSold: sold(figures.homesSold, 'countOfSales12Months'),
      activeInventory: now(figures.activeInventory, 'countOfActiveListings'),
      newListings: listed(figures.newListings, 'countOfNewListings12Months'),
      medianDaysOnMarket: sold(figures.medianDaysOnMarket, 'medianDaysToContract12Months'),
      saleToListRatio: sold(figures.saleToListRatio, 'medianSaleToList12Months'),
      shareWithPriceCut: now(figures.shareWithPriceCut, 'shareOfActiveListings'),
    },
  };
}

type Period = NeighborhoodStats['sales'];

function toFigure(
  measure: Measure & { before?: Measure },
  { method, at, period }: { method: Method; at: number; period: Period },
): z.output<typeof figure> {
  return {
    value: measure.n < SMALLEST_SAMPLE ? null : measure.value,
    n: measure.n,
    method,
    asOf: iso(at),
    periodBegin: iso(period?.from ?? null),
    periodEnd: iso(period?.to ?? null),
    yearOverYear: change(measure, measure.before),
  };
}

function change(present: Measure, before: Measure | undefined): z.output<typeof figure>['yearOverYear'] {
  if (before === undefined || before.n < SMALLEST_SAMPLE || present.n < SMALLEST_SAMPLE) return null;
  if (before.value === null || before.value === 0 || present.value === null) return null;
  const changePct = Math.round(((present.value - before.value) / before.value) * 10_000) / 100;
  return { changePct, nBefore: before.n };
}
