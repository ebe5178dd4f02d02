import { type CSSProperties, type PointerEvent, useRef } from 'react';
import { pictureUrl } from '../../../pictures/picture-files.ts';
import { Button } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import type { Photo, Variant } from '../studio-queries.ts';
import { useLoadedPair } from './use-loaded-pair.ts';
import { moved, type Zoom } from './zoom.ts';

export const VIEWS = ['slider', 'blink', 'beside'] as const;
export type View = (typeof VIEWS)[number];

interface ComparePictureProps {
  readonly photo: Photo | undefined;
  readonly variant: Variant;
  /** A pair that is not shown is loaded ahead. */
  readonly isShown: boolean;
  /** Called with the staged picture's id while both pictures are on the screen, with null when they leave it. */
  readonly onScreen: (imageId: string | null) => void;
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

/**
 * A photo and the picture staged from it, exactly over each other or side by side. Both move and zoom together. Neither
 * is shown before both have loaded. One element shows one pair in one arrangement: give it a key of both.
 */
export function ComparePicture(props: ComparePictureProps) {
  const {
    photo,
    variant,
    isShown,
    onScreen,
    view,
    isPhotoShown,
    share,
    onShare,
    areChangesShown,
    zoom,
    onZoom,
  } = props;
  const { t } = useText();
  const pair = useLoadedPair(variant.imageId, isShown, onScreen);
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
      key={pair.attempt}
      className="compare-image"
      {...pair.watch(imageId)}
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
  const label = (text: string, place: string) =>
    isShown ? <span className={`picture-label ${place}`}>{text}</span> : null;
  const labels = {
    before: label(t('gallery.originalLabel'), ''),
    after: label(variant.disclosureLabel, 'compare-label-end'),
  };
  const box = {
    className: 'compare-box',
    // As high as the window, so that the buttons below are in it.
    style: {
      aspectRatio: ratio,
      maxWidth: `calc(${ratio} * (100dvh - 9.5rem))`,
      // A finger moves the page over a whole picture, and the picture once it is nearer.
      touchAction: zoom.scale === 1 ? 'pan-y' : 'none',
    },
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: onPointerUp,
  };
  const cover = pair.isLoaded ? null : (
    <div className="compare-cover" role="status">
      {pair.hasFailed ? (
        <>
          {t('studio.review.notLoaded')}
          <Button onPress={pair.retry}>{t('common.retry')}</Button>
        </>
      ) : (
        t('common.loading')
      )}
    </div>
  );
  if (view === 'beside')
    return (
      <div className="compare-beside" hidden={!isShown}>
        <div {...box}>
          {before}
          {labels.before}
          {cover}
        </div>
        <div {...box}>
          {after}
          {labels.after}
          {pair.isLoaded ? null : <div className="compare-cover" />}
        </div>
      </div>
    );
  const cut = view === 'slider' ? { clipPath: `inset(0 0 0 ${share}%)` } : {};
  return (
    <div {...box} hidden={!isShown}>
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
      {cover}
    </div>
  );
}
