import type { Outputs } from '../../../../typescript/procedures.ts';

export type PriceEvent = Outputs['properties']['getPriceHistory']['items'][number];

/** A step of the price chart: the price that held from one instant to the next. */
export interface PriceStep {
  readonly at: number;
  readonly price: number;
}

/** The prices of a history in the order of time; rows without a price, and rows that a correction replaces, are left out. */
export function priceSteps(events: readonly PriceEvent[]): PriceStep[] {
  const corrected = new Set(events.map(({ correctsSeq }) => correctsSeq));
  return events
    .filter(({ seq, price }) => price !== null && !corrected.has(seq))
    .map(({ at, price }) => ({ at: Date.parse(at), price: price ?? 0 }))
    .toSorted((a, b) => a.at - b.at);
}

/** The prices and instants between which a chart is drawn, and the prices at its lines. */
export interface ChartAxes {
  readonly from: number;
  readonly until: number;
  readonly lowest: number;
  readonly highest: number;
  /** From the lowest to the highest. */
  readonly ticks: readonly number[];
}

/** As many lines as are read at a glance. */
const MOST_TICKS = 4;

/**
 * The axes of a price chart. They do not begin at zero, and the lines stand at round prices.
 * @param steps at least one
 * @param until the right end of the chart, in milliseconds since 1970
 */
export function chartAxes(steps: readonly PriceStep[], until: number): ChartAxes {
  const prices = steps.map(({ price }) => price);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const step = roundStep((most - least || most || 1) / (MOST_TICKS - 1));
  const lowest = Math.floor(least / step) * step;
  const count = Math.max(1, Math.ceil((most - lowest) / step));
  const ticks = Array.from({ length: count + 1 }, (_, index) => lowest + index * step);
  return { from: steps[0]?.at ?? until, until, lowest, highest: lowest + count * step, ticks };
}

/** The next larger of 1, 2, 2.5, 5 and 10, times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 2.5, 5, 10].find((round) => round * power >= least) ?? 10);
}

/** Where a price stands in the chart, in percent from its top. */
export const heightOf = (price: number, { lowest, highest }: ChartAxes): number =>
  100 - ((price - lowest) / (highest - lowest)) * 100;

/** The line of a price chart of 100 by 100, as the `points` of an SVG polyline: a price holds until the next one. */
export function chartPoints(steps: readonly PriceStep[], axes: ChartAxes): string {
  const time = Math.max(axes.until - axes.from, 1);
  const x = (at: number): string => (((at - axes.from) / time) * 100).toFixed(1);
  const y = (price: number): string => heightOf(price, axes).toFixed(1);
  return steps
    .flatMap(({ at, price }, index) => [
      ...(index === 0 ? [] : [`${x(at)},${y(steps[index - 1]?.price ?? price)}`]),
      `${x(at)},${y(price)}`,
    ])
    .concat(steps.length === 0 ? [] : [`${x(axes.until)},${y(steps.at(-1)?.price ?? 0)}`])
    .join(' ');
}
