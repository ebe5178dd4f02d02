import type { Text } from '../../words/text.ts';
import type { Photo } from './studio-queries.ts';

/** A picture that was staged has no `imageOf`: it shows the room that it was made for. */
type Shown = Pick<Photo, 'roomType'> & Partial<Pick<Photo, 'imageOf'>>;

/** The key of what a photo or a staged picture shows. */
export function subjectKey({ roomType, imageOf }: Shown): string {
  if (roomType !== null) return `room.${roomType}`;
  return imageOf ? `imageOf.${imageOf}` : 'room.unknown';
}

/** What a photo or a staged picture is called, such as `3. Kitchen`. @param index from 0 */
export const photoName = (t: Text['t'], shown: Shown, index: number): string =>
  t('studio.photo.name', { number: index + 1, what: t(subjectKey(shown)) });
