import type { CanonicalRoomType } from '../vocabulary.ts';

/**
 * What a photo can show (docs/contract.md#what-photos-show): those values of RESO's lookup `ImageOf` that name one
 * subject of a photo of a home. The seven rooms that can be staged are among them.
 */
export const PHOTO_SUBJECTS = [
  'Front of Structure',
  'Aerial View',
  'Entry',
  'Lobby',
  'Hallway',
  'Stairs',
  'Living Room',
  'Media Room',
  'Dining Room',
  'Breakfast Area',
  'Kitchen',
  'Pantry',
  'Fireplace',
  'Sun Room',
  'Library',
  'Office',
  'Bedroom',
  'Walk-In Closet(s)',
  'Bathroom',
  'Sauna',
  'Loft',
  'Game Room',
  'Exercise Room',
  'Laundry',
  'Mud Room',
  'Utility Room',
  'Storage',
  'Workshop',
  'Wine Cellar',
  'Basement',
  'Attic',
  'Garage',
  'Parking',
  'Balcony',
  'Deck',
  'Patio',
  'Courtyard',
  'Yard',
  'Pool',
  'Spa',
  'Out Buildings',
  'Back of Structure',
  'Side of Structure',
  'View',
  'Waterfront',
  'Community',
  'Map',
  'Floor Plan',
] as const;
export type PhotoSubject = (typeof PHOTO_SUBJECTS)[number];

/** RESO's words for the rooms that can be staged. */
export const ROOM_SUBJECTS = {
  BEDROOM: 'Bedroom',
  LIVING_ROOM: 'Living Room',
  DINING_ROOM: 'Dining Room',
  KITCHEN: 'Kitchen',
  BATHROOM: 'Bathroom',
  OFFICE: 'Office',
  TV_ROOM: 'Media Room',
} as const satisfies Record<CanonicalRoomType, PhotoSubject>;

/** What cannot be staged. */
export type OtherSubject = Exclude<PhotoSubject, (typeof ROOM_SUBJECTS)[CanonicalRoomType]>;

const ROOM_OF = new Map<PhotoSubject, CanonicalRoomType>(
  Object.entries(ROOM_SUBJECTS).map(([room, subject]) => [subject, room as CanonicalRoomType]),
);
const isOther = (subject: PhotoSubject): subject is OtherSubject => !ROOM_OF.has(subject);
export const OTHER_SUBJECTS: readonly OtherSubject[] = PHOTO_SUBJECTS.filter(isOther);

/** What a photo shows, as its row has it: a room that can be staged, or another subject, or neither. */
export interface StoredSubject {
  readonly roomType: CanonicalRoomType | null;
  readonly imageOf: OtherSubject | null;
}

export function storedSubject(subject: PhotoSubject | null): StoredSubject {
  const roomType = (subject !== null && ROOM_OF.get(subject)) || null;
  return { roomType, imageOf: subject !== null && isOther(subject) ? subject : null };
}
