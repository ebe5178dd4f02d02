import { type CSSProperties, type PointerEvent, useRef } from 'react';
import { pictureUrl } from '../../../pictures/picture-files.ts';
import { useText } from '../../../site/use-site.ts';
import type { Photo, Variant } from '../studio-queries.ts';
import { moved, type Zoom } from './zoom.ts';

export const VIEWS = ['slider', 'blink', 'beside'] as const;
export type View = (typeof VIEWS)[number];

interface ComparePictureProps {
  readonly photo: Photo | undefined;
  readonly variant: Variant;
  readonly view: View;
  /** For blinking: whether the photo is shown. */
  readonly isPhotoShown: boolean;
  /** For the slider: where the staged picture begins, 0 to 100. */
  readonly share: number;
  readonly onShare: (share: number) => void;
  /** Whether the map of changes lies over the staged picture. */
  readonly areChangesShown: boolean;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
}

/** A photo and the picture staged from it, exactly over each other or side by side. Both move and zoom together. */
export function ComparePicture(props: ComparePictureProps) {
  const { photo, variant, view, isPhotoShown, share, onShare, areChangesShown, zoom, onZoom } = props;
  const { t } = useText();
  const drag = useRef<{ readonly x: number; readonly y: number; readonly from: Zoom } | null>(null);
  const ratio = photo?.width && photo.height ? photo.width / photo.height : 4 / 3;
  const style: CSSProperties = {
    transform: `scale(${zoom.scale}) translate(${(0.5 - zoom.x) * 100}%, ${(0.5 - zoom.y) * 100}%)`,
  };
  const onPointerDown = ({
    currentTarget,
    pointerId,
    clientX: x,
    clientY: y,
  }: PointerEvent<HTMLElement>): void => {
    if (zoom.scale === 1) return;
    currentTarget.setPointerCapture(pointerId);
    drag.current = { x, y, from: zoom };
  };
  const onPointerMove = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void => {
    if (drag.current === null) return;
    const { x, y, from } = drag.current;
    const { width, height } = currentTarget.getBoundingClientRect();
    onZoom(moved(from, { right: (x - clientX) / width, down: (y - clientY) / height }));
  };
  const onPointerUp = (): void => {
    drag.current = null;
  };
  const picture = (imageId: string, alt: string) => (
    <img
      className="compare-image"
      src={pictureUrl(imageId, 1280)}
      alt={alt}
      draggable={false}
      style={style}
    />
  );
  const before = picture(variant.styledFromId, t('studio.review.photo'));
  const heatMap = variant.drift?.heatMapUrl ?? null;
  const after = (
    <>
      {picture(variant.imageId, t('studio.review.staged'))}
      {areChangesShown && heatMap !== null ? (
        <img className="compare-image compare-changes" src={heatMap} alt="" draggable={false} style={style} />
      ) : null}
    </>
  );
  const labels = {
    before: <span className="picture-label">{t('gallery.originalLabel')}</span>,
    after: <span className="picture-label compare-label-end">{variant.disclosureLabel}</span>,
  };
  const box = {
    className: 'compare-box',
    // As large as the window, so that the buttons below are in it.
    style: {
      aspectRatio: ratio,
      maxWidth: `calc(${ratio} * 54dvh)`,
      // A finger moves the page over a whole picture, and the picture once it is nearer.
      touchAction: zoom.scale === 1 ? 'pan-y' : 'none',
    },
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: onPointerUp,
  };
  if (view === 'beside')
    return (
      <div className="compare-beside">
        <div {...box}>
          {before}
          {labels.before}
        </div>
        <div {...box}>
          {after}
          {labels.after}
        </div>
      </div>
    );
  const cut = view === 'slider' ? { clipPath: `inset(0 0 0 ${share}%)` } : {};
  return (
    <div {...box}>
      {before}
      {view === 'slider' || isPhotoShown ? labels.before : null}
      <div className="compare-over" style={cut} hidden={view === 'blink' && isPhotoShown}>
        {after}
      </div>
      {view === 'slider' || !isPhotoShown ? labels.after : null}
      {view === 'slider' ? (
        <input
          className="compare-slider"
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label={t('gallery.slider')}
          // The picture below is not dragged with it.
          onPointerDown={(event) => event.stopPropagation()}
          onChange={({ currentTarget }) => onShare(Number(currentTarget.value))}
        />
      ) : null}
    </div>
  );
}
