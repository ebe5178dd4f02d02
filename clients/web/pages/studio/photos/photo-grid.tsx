import { type LiHTMLAttributes, useState } from 'react';
import { useText } from '../../../site/use-site.ts';
import { photoName } from '../photo-name.ts';
import type { StyleState } from '../staging/photo-states.ts';
import type { Job, Photo } from '../studio-queries.ts';
import type { Selection } from '../use-selection.ts';
import { PHOTO_DRAG } from './dropped-files.ts';
import { orderAfter } from './photo-order.ts';
import { PhotoTile } from './photo-tile.tsx';
import type { Arrange } from './use-arrange.ts';
import './photo-grid.css';

interface PhotoGridProps {
  /** All photos of the listing. */
  readonly photos: readonly Photo[];
  /** The ids of those that are shown. */
  readonly shown: readonly string[];
  readonly states: ReadonlyMap<string, readonly StyleState[]>;
  readonly selection: Selection;
  readonly arrange: Arrange;
  readonly onLarge: (imageId: string) => void;
  readonly onStageAgain: (job: Job) => void;
}

const NONE: readonly StyleState[] = [];

/** Photos in their order: chosen by a tap, by space, and in ranges with shift; ordered by dragging, the chosen ones together. */
export function PhotoGrid(props: PhotoGridProps) {
  const { photos, shown, states, selection, onLarge, onStageAgain } = props;
  const { t } = useText();
  const dragging = useDragging(props);
  return (
    <ul className="photo-grid" aria-label={t('studio.photos')}>
      {photos.map((photo, index) => {
        const { imageId } = photo;
        if (!shown.includes(imageId)) return null;
        return (
          <li key={imageId} {...dragging.of(imageId)}>
            <PhotoTile
              photo={photo}
              name={photoName(t, photo, index)}
              same={sameAs(photos, photo)}
              states={states.get(imageId) ?? NONE}
              isChosen={selection.has(imageId)}
              onToggle={(isRange) => selection.toggle(imageId, isRange, shown)}
              onLarge={onLarge}
              onStageAgain={onStageAgain}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** What a photo is dragged with and dropped on: the chosen ones together. */
function useDragging({
  photos,
  selection,
  arrange,
}: Pick<PhotoGridProps, 'photos' | 'selection' | 'arrange'>) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const moved = dragged === null ? [] : selection.has(dragged) ? selection.ids : [dragged];
  const end = (): void => {
    setDragged(null);
    setTarget(null);
  };
  const drop = (imageId: string): void => {
    const listed = photos.map((photo) => photo.imageId);
    if (dragged !== null && !moved.includes(imageId))
      void arrange(orderAfter(listed, { moved, dragged, target: imageId }), moved);
    end();
  };
  const of = (imageId: string): LiHTMLAttributes<HTMLLIElement> => ({
    className: [
      'photo-tile',
      ...(target === imageId ? ['photo-tile-target'] : []),
      ...(moved.includes(imageId) ? ['photo-tile-moved'] : []),
    ].join(' '),
    draggable: true,
    onDragStart({ dataTransfer }) {
      dataTransfer.setData(PHOTO_DRAG, imageId);
      dataTransfer.effectAllowed = 'move';
      setDragged(imageId);
    },
    onDragOver(event) {
      if (dragged === null) return;
      event.preventDefault();
      setTarget(imageId);
    },
    onDragEnd: end,
    onDrop(event) {
      if (dragged === null) return;
      event.preventDefault();
      drop(imageId);
    },
  });
  return { of };
}

/** The number of another photo that is the same picture, from 1; null where there is none. */
function sameAs(photos: readonly Photo[], { imageId, sameAsId }: Photo): number | null {
  const first = sameAsId ?? imageId;
  const other = photos.findIndex(
    (one) => one.imageId !== imageId && (one.imageId === first || one.sameAsId === first),
  );
  return other < 0 ? null : other + 1;
}
