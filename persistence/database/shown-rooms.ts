import { isShownVariant } from './listing-visibility.ts';

/**
 * SQL condition: a second shown image of the photo of `v` is of another kind of room (docs/contract.md#review). Images
 * of the first release have no kind, and differ from none. `OFFSET 0` keeps it one index look-up an image: a join would
 * read whole tables while they are small.
 */
export const otherRoomShown = (v: string): string => `
  EXISTS (SELECT FROM property_images other
    WHERE other."styledFromId" = ${v}."styledFromId" AND other.id <> ${v}.id
      AND other."roomType" <> ${v}."roomType" AND ${isShownVariant('other')} OFFSET 0)`;
export const OTHER_ROOM_SHOWN = `
  SELECT EXISTS (SELECT FROM property_images v WHERE v.id = $1 AND ${otherRoomShown('v')}) AS found`;
