import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { CARD_SIZES } from '../pictures/picture-files.ts';
import { keepPhoto, keptPhoto } from '../session/kept-photos.ts';
import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Picture } from './picture.tsx';
import './card-photos.css';

/** A picture of a card. */
interface CardImage {
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
  const { strip, isAsked, index, ask, look, show } = useStrip(propertyId, images.length);
  const count = images.length;
  const label = images[index]?.disclosureLabel ?? null;
  return (
    <>
      <div
        ref={strip}
        className="card-photos"
        tabIndex={-1}
        aria-hidden="true"
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
          <Turns address={address} index={index} count={count} onAsk={ask} onShow={show} />
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

/** The strip of photos, and which of them is in view. */
function useStrip(propertyId: string, count: number) {
  const strip = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const [index, setIndex] = useState(0);
  const ask = () => setAsked(true);
  const show = (next: number) => {
    ask();
    const { current } = strip;
    current?.scrollTo({ left: next * current.clientWidth });
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
  return { strip, isAsked, index, ask, look, show };
}

interface TurnsProps {
  readonly address: string;
  readonly index: number;
  readonly count: number;
  readonly onAsk: () => void;
  readonly onShow: (index: number) => void;
}

/** The buttons of the photo before and of the next one. */
function Turns({ address, index, count, onAsk, onShow }: TurnsProps) {
  const { t } = useText();
  return (
    <>
      {/* The keyboard goes round with the other one. */}
      <span className="card-photos-turn card-photos-back">
        <Button
          kind="icon"
          tabIndex={-1}
          aria-label={t('card.previousPhoto', { address })}
          onPress={() => onShow((index + count - 1) % count)}
        >
          <Icon name="back" />
        </Button>
      </span>
      <span className="card-photos-turn card-photos-next">
        <Button
          kind="icon"
          aria-label={t('card.nextPhoto', { address, number: index + 1, count })}
          onFocus={onAsk}
          onPointerEnter={onAsk}
          onPress={() => onShow((index + 1) % count)}
        >
          <Icon name="next" />
        </Button>
      </span>
    </>
  );
}
