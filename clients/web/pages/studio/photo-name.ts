import type { Text } from '../../words/text.ts';
import type { RoomType } from './studio-queries.ts';

/** What a photo or a staged picture is called, such as `3. Kitchen`. @param index from 0 */
export const photoName = (t: Text['t'], roomType: RoomType | null, index: number): string =>
  t('studio.photo.name', {
    number: index + 1,
    what: t(roomType === null ? 'room.unknown' : `room.${roomType}`),
  });
