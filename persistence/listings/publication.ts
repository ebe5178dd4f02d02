import type { OwnProperty } from './property-queries.ts';

/** What buyers need of a listing, and an agent may still have to give: its photos, its place on the map, its text. */
export const PUBLICATION_NEEDS = ['PHOTO', 'POSITION', 'DESCRIPTION'] as const;
export type PublicationNeed = (typeof PUBLICATION_NEEDS)[number];

/** What is missing before the listing is ready to be published, in the order of the work. */
export function missingForPublication(
  listing: Pick<OwnProperty, 'imageCount' | 'latitude' | 'longitude' | 'publicRemarks'>,
): PublicationNeed[] {
  const isThere: Record<PublicationNeed, boolean> = {
    PHOTO: listing.imageCount > 0,
    POSITION: listing.latitude !== null && listing.longitude !== null,
    DESCRIPTION: listing.publicRemarks !== null,
  };
  return PUBLICATION_NEEDS.filter((need) => !isThere[need]);
}
