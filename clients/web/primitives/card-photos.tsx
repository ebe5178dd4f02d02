import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { CARD_SIZES } from '../pictures/picture-files.ts';
import { keepPhoto, keptPhoto } from '../session/kept-photos.ts';
import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Picture } from './picture.tsx';
import './card-photos.css';

/** A picture of a card. */
export interface CardImage {
  readonly imageId: string;
  readonly disclosureLabel: string | null;
}

interface CardPhotosProps {
  readonly propertyId: string;
  /** Street and unit. */
  readonly address: string;
  readonly images: readonly CardImage[];
  readonly isFirst: boolean;
  /** The page of the home. */
  readonly href: string;
  /** Leads there as the card's own link does. */
  readonly onFollow: (event: MouseEvent) => void;
}

/**
 * The first pictures of a home, one at a time: by swipe, or by buttons that pointer and keyboard find. Only the first is
 * loaded before someone asks for another. Each staged one has its label on it, also while it moves.
 */
export function CardPhotos({ propertyId, address, images, isFirst, href, onFollow }: CardPhotosProps) {
  const { t } = useText();
  const strip = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const [index, setIndex] = useState(0);
  const count = images.length;
  const ask = () => setAsked(true);
  const show = (next: number, behavior: ScrollBehavior = 'auto') => {
    ask();
    const { current } = strip;
    current?.scrollTo({ left: next * current.clientWidth, behavior });
  };
  // Back leads to the photo that was shown.
  useEffect(() => {
    const known = keptPhoto(propertyId);
    if (known === 0 || known >= count) return;
    setAsked(true);
    const { current } = strip;
    current?.scrollTo({ left: known * current.clientWidth, behavior: 'instant' });
  }, [propertyId, count]);
  const look = () => {
    const { current } = strip;
    if (current === null || current.clientWidth === 0) return;
    const shown = Math.min(count - 1, Math.round(current.scrollLeft / current.clientWidth));
    if (shown === index) return;
    ask();
    setIndex(shown);
    keepPhoto(propertyId, shown);
  };
  const label = images[index]?.disclosureLabel ?? null;
  return (
    <>
      <div
        ref={strip}
        className="card-photos"
        tabIndex={-1}
        aria-hidden="true"
        tabIndex={-1}
        onScroll={look}
        onTouchStart={ask}
      >
        {images.map(({ imageId, disclosureLabel }, place) => (
          <a key={imageId} className="card-photo" href={href} tabIndex={-1} onClick={onFollow}>
            {place === 0 || isAsked ? (
              <>
                <Picture
                  imageId={imageId}
                  alt=""
                  ratio={4 / 3}
                  sizes={CARD_SIZES}
                  isFirst={isFirst && place === 0}
                />
                {disclosureLabel === null ? null : <span className="picture-label">{disclosureLabel}</span>}
              </>
            ) : null}
          </a>
        ))}
      </div>
      {label === null ? null : <p className="visually-hidden">{label}</p>}
      {count < 2 ? null : (
        <>
          {/* The keyboard goes round with the other one. */}
          <span className="card-photos-turn card-photos-back">
            <Button
              kind="icon"
              tabIndex={-1}
              aria-label={t('card.previousPhoto', { address })}
              onPress={() => show((index + count - 1) % count)}
            >
              <Icon name="back" />
            </Button>
          </span>
          <span className="card-photos-turn card-photos-next">
            <Button
              kind="icon"
              aria-label={t('card.nextPhoto', { address, number: index + 1, count })}
              onFocus={ask}
              onPointerEnter={ask}
              onPress={() => show((index + 1) % count)}
            >
              <Icon name="next" />
            </Button>
          </span>
          <span className="card-photos-dots" aria-hidden="true">
            {images.map(({ imageId }, place) => (
              <span
                key={imageId}
                className={place === index ? 'card-photos-dot card-photos-dot-on' : 'card-photos-dot'}
              />
            ))}
          </span>
        </>
      )}
    </>
  );
}
