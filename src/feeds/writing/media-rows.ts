import { storedSubject } from '../../../machines/disclosure/photo-subject.ts';
import type { MediaRow } from '../../../persistence/feeds/feed-media.ts';
import type { FeedPicture } from '../mapping/map-media.ts';

/** The rows of a listing's pictures, in the order of the feed. */
export function mediaRows(propertyId: string, pictures: readonly FeedPicture[]): MediaRow[] {
  const shown = pictures.filter(({ reason }) => reason === null);
  const first =
    shown.find(({ isPreferred, alteration }) => isPreferred && alteration === null) ??
    shown.find(({ alteration }) => alteration === null) ??
    shown[0];
  return pictures.map(({ subject, modifiedAt, ...picture }) => ({
    ...picture,
    ...storedSubject(subject),
    propertyId,
    isFirst: picture.key === first?.key,
    modifiedAt: modifiedAt === null ? null : new Date(modifiedAt).toISOString(),
  }));
}
