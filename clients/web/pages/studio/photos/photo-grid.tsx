import { lazy, Suspense, useState } from 'react';
import { StatusBadge } from '../../../primitives/parts.tsx';
import { Picture } from '../../../primitives/picture.tsx';
import { useText } from '../../../site/use-site.ts';
import { photoName } from '../photo-name.ts';
import type { StyleState } from '../staging/photo-states.ts';
import type { Photo } from '../studio-queries.ts';
import type { Selection } from '../use-selection.ts';
import { PHOTO_DRAG } from './dropped-files.ts';
import { PhotoCheck } from './photo-check.tsx';

const PhotoStates = lazy(() => import('../staging/photo-states-list.tsx'));

interface PhotoGridProps {
  readonly photos: readonly Photo[];
  readonly states: ReadonlyMap<string, readonly StyleState[]>;
  readonly selection: Selection;
  /** Moves a photo to an index of the list. */
  readonly onMove: (imageId: string, position: number) => void;
}

/** Why a photo cannot be staged. */
const REFUSALS: Readonly<Record<string, string>> = {
  IMAGE_NOT_ORIGINAL: 'staging.imageNotOriginal',
  PHOTO_TOO_SMALL: 'staging.photoTooSmall',
  PHOTO_SHAPE: 'staging.photoShape',
};

/** Their own sentence says more. */
const HIDDEN: ReadonlySet<string> = new Set(['QUESTION', 'STAGED_PICTURE']);

const SIZES = '(min-width: 48rem) 14rem, 45vw';

/** The photos in their order: chosen by a tap, by space, and in ranges with shift; ordered by dragging. */
export function PhotoGrid({ photos, states, selection, onMove }: PhotoGridProps) {
  const { t } = useText();
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const end = (): void => {
    setDragged(null);
    setTarget(null);
  };
  return (
    <ul className="photo-grid" aria-label={t('studio.photos')}>
      {photos.map((photo, index) => {
        const { imageId, isMain, alteration, imageOf, stagingRefusal } = photo;
        const name = photoName(t, photo, index);
        const own = states.get(imageId) ?? [];
        return (
          <li
            key={imageId}
            className={target === imageId ? 'photo-tile photo-tile-target' : 'photo-tile'}
            draggable
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData(PHOTO_DRAG, imageId);
              dataTransfer.effectAllowed = 'move';
              setDragged(imageId);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setTarget(imageId);
            }}
            onDragEnd={end}
            onDrop={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              if (dragged !== imageId) onMove(dragged, index);
              end();
            }}
          >
            <label className="photo-tile-choice">
              <input
                type="checkbox"
                aria-label={name}
                checked={selection.has(imageId)}
                onClick={({ shiftKey }) => selection.toggle(imageId, shiftKey)}
                onChange={() => {}}
              />
              <Picture imageId={imageId} alt="" ratio={4 / 3} sizes={SIZES} />
            </label>
            {alteration === null ? null : (
              <span className="photo-tile-cover">
                <StatusBadge tone="warning">{t('studio.altered.badge')}</StatusBadge>
              </span>
            )}
            {isMain ? (
              <span className="photo-tile-cover">
                <StatusBadge tone="primary">{t('studio.photo.cover')}</StatusBadge>
              </span>
            ) : null}
            <p className={imageOf === null ? 'muted' : ''}>{name}</p>
            <PhotoCheck photo={photo} name={name} />
            {stagingRefusal === null || HIDDEN.has(photo.photoState ?? '') ? null : (
              <p className="muted">{t(REFUSALS[stagingRefusal] ?? 'errors.internal')}</p>
            )}
            <Suspense>
              {own.length === 0 ? null : <PhotoStates propertyId={photo.propertyId} states={own} />}
            </Suspense>
          </li>
        );
      })}
    </ul>
  );
}
