import type { DetailImage } from './listing-data.ts';

type Subject = NonNullable<DetailImage['imageOf']>;

export interface PhotoGroup {
  readonly imageOf: Subject | null;
  /** The same in the page's language. */
  readonly subject: string | null;
  readonly pictures: readonly DetailImage[];
}

/** As a visitor comes in. The other rooms follow, then what is outside, what is unknown, and the plans. */
const FIRST: readonly Subject[] = [
  'Front of Structure',
  'Entry',
  'Lobby',
  'Living Room',
  'Dining Room',
  'Kitchen',
];
const OUTSIDE: ReadonlySet<Subject> = new Set<Subject>([
  'Aerial View',
  'Back of Structure',
  'Balcony',
  'Community',
  'Courtyard',
  'Deck',
  'Garage',
  'Out Buildings',
  'Parking',
  'Patio',
  'Pool',
  'Side of Structure',
  'Spa',
  'View',
  'Waterfront',
  'Yard',
]);
const PLANS: ReadonlySet<Subject> = new Set<Subject>(['Floor Plan', 'Map']);

function placeOf(imageOf: Subject | null): number {
  if (imageOf === null) return FIRST.length + 2;
  if (PLANS.has(imageOf)) return FIRST.length + 3;
  if (OUTSIDE.has(imageOf)) return FIRST.length + 1;
  const place = FIRST.indexOf(imageOf);
  return place < 0 ? FIRST.length : place;
}

/** Pictures by what they show; what was staged of a photo is with it. Subjects of one place are in the listing's order. */
export function photoGroups(images: readonly DetailImage[]): PhotoGroup[] {
  const groups = new Map<Subject | null, PhotoGroup>();
  for (const image of images) {
    const photo = images.find(({ imageId }) => imageId === image.originalImageId);
    const { imageOf, subject } = photo === undefined || photo.imageOf === null ? image : photo;
    groups.set(imageOf, { imageOf, subject, pictures: [...(groups.get(imageOf)?.pictures ?? []), image] });
  }
  return [...groups.values()].toSorted((one, other) => placeOf(one.imageOf) - placeOf(other.imageOf));
}
