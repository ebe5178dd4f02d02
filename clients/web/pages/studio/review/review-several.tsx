import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MAX_APPROVALS } from '../../../../../machines/limits.ts';
import { Button } from '../../../primitives/button.tsx';
import { StatusBadge } from '../../../primitives/parts.tsx';
import { Picture } from '../../../primitives/picture.tsx';
import { useText } from '../../../site/use-site.ts';
import { photoName } from '../photo-name.ts';
import type { OwnListing, Variant } from '../studio-queries.ts';
import { useSelection } from '../use-selection.ts';
import { UndoLine } from './undo-line.tsx';
import type { useDecisions } from './use-decisions.ts';

interface ReviewSeveralProps {
  readonly listing: OwnListing;
  readonly queue: readonly Variant[];
  readonly decisions: ReturnType<typeof useDecisions>;
}

const SIZES = '(min-width: 48rem) 18rem, 45vw';

/** All pictures that wait, each next to its photo, to approve those that are chosen. */
export default function ReviewSeveral({ listing, queue, decisions }: ReviewSeveralProps) {
  const { t } = useText();
  /** The pictures that have loaded, photos and staged ones. */
  const [loaded, setLoaded] = useState<ReadonlySet<string>>(new Set());
  const add = (imageId: string): void => setLoaded((all) => new Set([...all, imageId]));
  // A picture that is not compared yet, or whose room may have changed, is approved by itself, and one that has not been
  // shown with its photo not at all.
  const isSeen = ({ imageId, styledFromId }: Variant): boolean =>
    loaded.has(imageId) && loaded.has(styledFromId);
  const canChoose = (variant: Variant): boolean => variant.drift?.geometryMoved === false && isSeen(variant);
  const unseen = queue.filter((variant) => !isSeen(variant)).length;
  const ids = queue.filter(canChoose).map(({ imageId }) => imageId);
  const selection = useSelection(ids);
  const chosen = selection.ids.slice(0, MAX_APPROVALS);
  const areAll = ids.length > 0 && selection.ids.length === ids.length;
  const ratioOf = (variant: Variant): number => {
    const photo = listing.photos.find(({ imageId }) => imageId === variant.styledFromId);
    return photo?.width && photo.height ? photo.width / photo.height : 4 / 3;
  };
  return (
    <div className="stack">
      <div className="row review-actions review-actions-above">
        <Button isDisabled={ids.length === 0} onPress={() => selection.choose(areAll ? [] : ids)}>
          {t(areAll ? 'studio.photo.chooseNone' : 'studio.photo.chooseAll')}
        </Button>
        <Button
          kind="primary"
          isDisabled={chosen.length === 0}
          onPress={() => decisions.decide({ kind: 'approveSeveral', imageIds: chosen })}
        >
          {chosen.length === 0
            ? t('studio.review.approve')
            : t('studio.review.approveSeveral', { count: chosen.length })}
        </Button>
        <UndoLine decisions={decisions} />
      </div>
      <p>{t('studio.review.severalNote')}</p>
      <p className="muted" role="status">
        {unseen > 0 && t('studio.review.unseen', { count: unseen })}
      </p>
      <ul className="review-several">
        {queue.map((variant, index) => (
          <li key={variant.imageId}>
            <label className="photo-tile-choice">
              <input
                type="checkbox"
                aria-label={photoName(t, variant, index)}
                checked={selection.has(variant.imageId)}
                disabled={!canChoose(variant)}
                onClick={({ shiftKey }) => selection.toggle(variant.imageId, shiftKey)}
                onChange={() => {}}
              />
              <span className="review-pair">
                {[variant.styledFromId, variant.imageId].map((imageId) => (
                  <span key={imageId} onLoadCapture={() => add(imageId)}>
                    <Picture imageId={imageId} alt="" ratio={ratioOf(variant)} sizes={SIZES} />
                  </span>
                ))}
              </span>
            </label>
            {variant.drift === null ? (
              <p>
                <StatusBadge tone="neutral">{t('studio.review.notCompared')}</StatusBadge>
              </p>
            ) : null}
            {variant.drift?.flags.map(({ flag, label }) => (
              <p key={flag}>
                <StatusBadge tone="warning">{label}</StatusBadge>
              </p>
            ))}
            {variant.drift?.geometryMoved ? (
              <Link
                to="/studio/$propertyId/review"
                params={{ propertyId: listing.propertyId }}
                search={{ picture: variant.imageId }}
              >
                {t('studio.review.alone')}
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
