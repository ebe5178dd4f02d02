import type { Outputs } from '../../../typescript/procedures.ts';

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

export interface ChartBox {
  readonly width: number;
  readonly height: number;
}

/**
 * The line of a price chart in a box, as the `points` of an SVG polyline: a price holds until the next one.
 * @param until the right end of the chart, in milliseconds since 1970
 */
export function chartPoints(steps: readonly PriceStep[], until: number, { width, height }: ChartBox): string {
  const prices = steps.map(({ price }) => price);
  const lowest = Math.min(...prices);
  const span = Math.max(...prices) - lowest || 1;
  const from = steps[0]?.at ?? until;
  const time = Math.max(until - from, 1);
  const x = (at: number): string => (((at - from) / time) * width).toFixed(1);
  const y = (price: number): string => (height - ((price - lowest) / span) * height).toFixed(1);
  return steps
    .flatMap(({ at, price }, index) => [
      ...(index === 0 ? [] : [`${x(at)},${y(steps[index - 1]?.price ?? price)}`]),
      `${x(at)},${y(price)}`,
    ])
    .concat(steps.length === 0 ? [] : [`${x(until)},${y(steps.at(-1)?.price ?? 0)}`])
    .join(' ');
}
