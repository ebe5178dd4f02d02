import { lazy, Suspense } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { StatusBadge } from '../../../primitives/parts.tsx';
import { Picture } from '../../../primitives/picture.tsx';
import { useText } from '../../../site/use-site.ts';
import type { StyleState } from '../staging/photo-states.ts';
import type { Job, Photo, Variant } from '../studio-queries.ts';
import { PhotoCheck } from './photo-check.tsx';

const PhotoStates = lazy(() => import('../staging/photo-states-list.tsx'));

interface PhotoTileProps {
  readonly photo: Photo;
  /** Such as `3. Kitchen`. */
  readonly name: string;
  /** The number of another photo that is the same picture. */
  readonly same: number | null;
  readonly states: readonly StyleState[];
  readonly isChosen: boolean;
  readonly onToggle: (isRange: boolean) => void;
  readonly onLarge: (imageId: string) => void;
  readonly onStageAgain: (job: Job) => void;
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
const RATIO = 4 / 3;

/** A photo with the pictures staged from it, its room and what has become of it. */
export function PhotoTile(props: PhotoTileProps) {
  const { photo, name, same, states, isChosen, onToggle, onLarge, onStageAgain } = props;
  const { t } = useText();
  const { imageId, isMain, alteration, imageOf, stagingRefusal } = photo;
  const staged = states.flatMap((state) => (state.kind === 'staged' ? [state.variant] : []));
  return (
    <>
      <div className={staged.length === 0 ? '' : 'photo-tile-pair'}>
        <div className="photo-tile-photo">
          <label className="photo-tile-choice">
            <input
              type="checkbox"
              aria-label={name}
              checked={isChosen}
              onClick={({ shiftKey }) => onToggle(shiftKey)}
              onChange={() => {}}
            />
            <Picture imageId={imageId} alt="" ratio={RATIO} sizes={SIZES} />
          </label>
          {alteration === null && !isMain ? null : (
            <span className="photo-tile-cover">
              <StatusBadge tone={isMain ? 'primary' : 'warning'}>
                {t(isMain ? 'studio.photo.cover' : 'studio.altered.badge')}
              </StatusBadge>
            </span>
          )}
          <span className="photo-tile-large">
            <Button
              kind="pill"
              aria-label={t('studio.photo.large', { name })}
              onPress={() => onLarge(imageId)}
            >
              <Icon name="expand" />
            </Button>
          </span>
        </div>
        {staged.map((variant) => (
          <StagedPicture key={variant.imageId} variant={variant} name={name} onLarge={onLarge} />
        ))}
      </div>
      <p className={imageOf === null ? 'muted' : ''}>{name}</p>
      <div className="photo-tile-notes">
        <PhotoCheck photo={photo} name={name} />
        {same === null ? null : <p className="photo-tile-same">{t('studio.photo.same', { number: same })}</p>}
        {stagingRefusal === null || HIDDEN.has(photo.photoState ?? '') ? null : (
          <p className="muted">{t(REFUSALS[stagingRefusal] ?? 'errors.internal')}</p>
        )}
      </div>
      <Suspense>
        {states.length === 0 ? null : (
          <PhotoStates propertyId={photo.propertyId} states={states} onStageAgain={onStageAgain} />
        )}
      </Suspense>
    </>
  );
}

/** A picture staged from a photo, with its label; a press shows it large. */
function StagedPicture({
  variant: { imageId, style, disclosureLabel },
  name,
  onLarge,
}: {
  readonly variant: Variant;
  readonly name: string;
  readonly onLarge: (imageId: string) => void;
}) {
  const { t } = useText();
  const picture = [name, style].filter((part) => part !== null).join(', ');
  return (
    <button type="button" className="photo-tile-staged" onClick={() => onLarge(imageId)}>
      <Picture imageId={imageId} alt="" ratio={RATIO} sizes={SIZES} />
      <span className="picture-label">{disclosureLabel}</span>
      <span className="visually-hidden">{t('studio.photo.large', { name: picture })}</span>
    </button>
  );
}
