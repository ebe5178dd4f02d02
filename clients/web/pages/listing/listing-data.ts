import { notFound } from '@tanstack/react-router';
import type { Outputs } from '../../../typescript/procedures.ts';
import { failureOf } from '../../api/failures.ts';
import { neighborhood, priceHistory, propertyDetail, similar } from '../../api/queries.ts';
import { type PictureChoice, picturesOf } from '../../pictures/picture-choice.ts';
import type { Site } from '../../site/site.ts';

export type Detail = Outputs['properties']['getDetail'];
export type DetailImage = Detail['images'][number];
/** What the large view shows of a picture. */
export type LargePicture = Pick<
  DetailImage,
  'imageId' | 'altText' | 'width' | 'height' | 'disclosureLabel' | 'provenanceUrl'
>;

/** One row of a wide window. */
export const SIMILAR_LIMIT = 4;

interface ListingAddress {
  readonly propertyId: string;
  readonly pictures: PictureChoice | undefined;
}

/** Loads what a listing's page needs before it is shown. @throws notFound for a listing without a public page */
export function loadListing({ api, queries }: Site, { propertyId, pictures }: ListingAddress): Promise<void> {
  return orNotFound(
    Promise.all([
      queries.ensureQueryData(propertyDetail(api, { propertyId, ...picturesOf(pictures) })),
      queries.ensureQueryData(priceHistory(api, { propertyId })),
      queries.ensureQueryData(neighborhood(api, { propertyId })),
      queries.ensureQueryData(similar(api, { propertyId, limit: SIMILAR_LIMIT, ...picturesOf(pictures) })),
    ]),
  );
}

/** Loads what the page of all pictures needs. @throws notFound for a listing without a public page */
export const loadPhotos = ({ api, queries }: Site, { propertyId, pictures }: ListingAddress): Promise<void> =>
  orNotFound(queries.ensureQueryData(propertyDetail(api, { propertyId, ...picturesOf(pictures) })));

async function orNotFound(loading: Promise<unknown>): Promise<void> {
  try {
    await loading;
  } catch (error) {
    const { httpStatus } = failureOf(error);
    if (httpStatus === 404 || httpStatus === 400) throw notFound();
    throw error;
  }
}

/** Sizes of unknown pictures, and of the space in lists. */
export const RATIO = 4 / 3;

/** Width divided by height of a picture. */
export const ratioOf = ({ width, height }: Pick<DetailImage, 'width' | 'height'>): number =>
  width && height ? width / height : RATIO;

/** A photo and what was staged from it, in the order in which they are shown. */
export interface Room {
  readonly original: DetailImage;
  readonly staged: readonly [DetailImage, ...DetailImage[]];
}

/** The photos of which there are staged pictures. */
export function stagedRooms(images: readonly DetailImage[]): Room[] {
  return images
    .filter(({ isStyled }) => !isStyled)
    .flatMap((original) => {
      const [first, ...others] = images.filter(({ originalImageId }) => originalImageId === original.imageId);
      return first === undefined ? [] : [{ original, staged: [first, ...others] }];
    });
}
