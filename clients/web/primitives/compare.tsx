import { type PointerEvent, type ReactNode, useState } from 'react';
import { useText } from '../site/use-site.ts';
import { Icon } from './icon.tsx';
import { Picture } from './picture.tsx';
import './compare.css';

const SIZES = '(min-width: 48rem) 48rem, 66vw';

/**
 * A photo and the picture staged from it, over each other with a seam that is dragged on the picture or moved by keyboard.
 * Without JavaScript they are side by side.
 */
export function Compare({
  original,
  staged,
  ratio,
  children,
}: {
  readonly original: { readonly imageId: string; readonly alt: string };
  readonly staged: { readonly imageId: string; readonly alt: string; readonly label: string | null };
  /** Width divided by height of both. */
  readonly ratio: number;
  /** The text below them. */
  readonly children: ReactNode;
}) {
  const { t } = useText();
  const { share, setShare, onPointerDown, onPointerMove } = useSeam();
  return (
    <figure className="before-after">
      <div
        className="before-after-pictures"
        style={{
          maxWidth: `calc(${ratio} * var(--before-after-height))`,
          ['--share' as string]: `${share}%`,
        }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
      >
        <div className="before-after-picture">
          <Picture imageId={original.imageId} alt={original.alt} ratio={ratio} sizes={SIZES} />
        </div>
        <div className="before-after-picture before-after-staged">
          <Picture imageId={staged.imageId} alt={staged.alt} ratio={ratio} sizes={SIZES} />
        </div>
        <span className="picture-label before-after-original-label" hidden={share === 0}>
          {t('gallery.originalLabel')}
        </span>
        {staged.label === null ? null : (
          <span className="picture-label before-after-staged-label" hidden={share === 100}>
            {staged.label}
          </span>
        )}
        <input
          className="before-after-slider visually-hidden"
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label={t('gallery.slider')}
          onChange={({ currentTarget }) => setShare(Number(currentTarget.value))}
        />
        <div className="before-after-seam" aria-hidden="true">
          <span className="before-after-handle">
            <Icon name="compare" />
          </span>
        </div>
      </div>
      <figcaption className="row">{children}</figcaption>
    </figure>
  );
}

/** `share` is the place of the seam, in percent of the width. It follows a pressed pointer. */
function useSeam() {
  const [share, setShare] = useState(50);
  const drag = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setShare(Math.round(Math.min(100, Math.max(0, ((clientX - left) / width) * 100))));
  };
  return {
    share,
    setShare,
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      event.currentTarget.setPointerCapture(event.pointerId);
      drag(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
    },
  };
}
