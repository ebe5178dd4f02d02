import { ROOM_SUBJECTS } from '../../machines/disclosure/photo-subject.ts';

/**
 * What pictures show. A row has either the room or another subject (property_images_image_of_check); RESO's word for a
 * room is computed here, and nowhere else.
 */
const wordOfRoom = (image: string): string =>
  `CASE ${image}."roomType" ${Object.entries(ROOM_SUBJECTS)
    .map(([room, word]) => `WHEN '${room}' THEN '${word}'`)
    .join(' ')} END`;

/** SQL: what the picture with this alias shows, in RESO's words; null where its row does not say. */
export const imageOf = (image: string): string => `coalesce(${image}."imageOf", ${wordOfRoom(image)})`;

/** SQL: what picture `i` shows. One that does not say shows what its photo `o` does (`ORIGINAL_JOIN`). */
export const PICTURE_IMAGE_OF = `coalesce(${imageOf('i')}, ${imageOf('o')}) AS "imageOf"`;
/** SQL: the same as a room that can be staged; null for other subjects. */
export const PICTURE_ROOM = `CASE WHEN i."imageOf" IS NULL THEN coalesce(i."roomType", o."roomType") END AS "roomType"`;
