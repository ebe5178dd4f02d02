import { notFound } from '@tanstack/react-router';
import type { Outputs } from '../../../typescript/procedures.ts';
import { failureOf } from '../../api/failures.ts';
import { neighborhood, priceHistory, propertyDetail, similar } from '../../api/queries.ts';
import { type PictureChoice, picturesOf } from '../../pictures/picture-choice.ts';
import type { Site } from '../../site/site.ts';

export type Detail = Outputs['properties']['getDetail'];
export type DetailImage = Detail['images'][number];

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
