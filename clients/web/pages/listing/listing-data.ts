import { notFound } from '@tanstack/react-router';
import type { Outputs } from '../../../typescript/procedures.ts';
import { failureOf } from '../../api/failures.ts';
import { neighborhood, priceHistory, propertyDetail, similar } from '../../api/queries.ts';
import { type PictureChoice, picturesOf } from '../../pictures/picture-choice.ts';
import type { Site } from '../../site/site.ts';

export type Detail = Outputs['properties']['getDetail'];
export type DetailImage = Detail['images'][number];
export type PriceEvent = Outputs['properties']['getPriceHistory']['items'][number];

export const SIMILAR_LIMIT = 6;

/** Loads what a listing's page needs before it is shown. @throws notFound for a listing without a public page */
export async function loadListing(
  { api, queries }: Site,
  { propertyId, pictures }: { readonly propertyId: string; readonly pictures: PictureChoice | undefined },
): Promise<Detail> {
  try {
    const [detail] = await Promise.all([
      queries.ensureQueryData(propertyDetail(api, { propertyId, ...picturesOf(pictures) })),
      queries.ensureQueryData(priceHistory(api, { propertyId })),
      queries.ensureQueryData(neighborhood(api, { propertyId })),
      queries.ensureQueryData(similar(api, { propertyId, limit: SIMILAR_LIMIT, ...picturesOf(pictures) })),
    ]);
    return detail;
  } catch (error) {
    const { httpStatus } = failureOf(error);
    if (httpStatus === 404 || httpStatus === 400) throw notFound();
    throw error;
  }
}

/** A photo and what was staged from it, in the order in which they are shown. */
export interface Room {
  readonly original: DetailImage;
  readonly staged: readonly DetailImage[];
}

/** The pictures of a listing: each photo with its staged pictures. */
export function roomsOf(images: readonly DetailImage[]): Room[] {
  return images
    .filter(({ isStyled }) => !isStyled)
    .map((original) => ({
      original,
      staged: images.filter(({ originalImageId }) => originalImageId === original.imageId),
    }));
}

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
