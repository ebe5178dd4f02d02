import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { pictureUrl } from '../../pictures/picture-files.ts';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { useText } from '../../site/use-site.ts';
import type { DetailImage } from './listing-data.ts';
import { StagedLabel } from './staged-label.tsx';
import './lightbox.css';

interface LightboxProps {
  readonly pictures: readonly DetailImage[];
  /** The picture that is shown first. */
  readonly first: number;
  readonly onClose: () => void;
}

/** A finger that moves further to the side than this turns the page, in pixels. */
const SWIPE = 48;
const MOST_ZOOM = 4;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pictures as large as the window: arrow keys and swipes turn the page, two fingers zoom, Escape closes. */
export default function Lightbox({ pictures, first, onClose }: LightboxProps) {
  const { t } = useText();
  const [index, setIndex] = useState(first);
  const [zoom, setZoom] = useState(1);
  const fingers = useRef(new Map<number, Point>());
  const start = useRef<{ readonly at: Point; readonly spread: number; readonly zoom: number } | null>(null);
  const image = pictures[index];
  if (image === undefined) return null;
  const turn = (by: number): void => {
    setZoom(1);
    setIndex((index + by + pictures.length) % pictures.length);
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowRight') turn(1);
    if (key === 'ArrowLeft') turn(-1);
  };
  const spreadOf = (): number => {
    const [one, other] = [...fingers.current.values()];
    return one === undefined || other === undefined ? 0 : Math.hypot(one.x - other.x, one.y - other.y);
  };
  const onPointerDown = ({ pointerId, clientX: x, clientY: y }: PointerEvent): void => {
    fingers.current.set(pointerId, { x, y });
    start.current = { at: { x, y }, spread: spreadOf(), zoom };
  };
  const onPointerMove = ({ pointerId, clientX: x, clientY: y }: PointerEvent): void => {
    if (!fingers.current.has(pointerId)) return;
    fingers.current.set(pointerId, { x, y });
    const began = start.current;
    const spread = spreadOf();
    if (began !== null && began.spread > 0 && spread > 0)
      setZoom(Math.min(MOST_ZOOM, Math.max(1, (began.zoom * spread) / began.spread)));
  };
  const onPointerUp = ({ pointerId, clientX: x }: PointerEvent): void => {
    const wasOne = fingers.current.size === 1;
    fingers.current.delete(pointerId);
    const began = start.current;
    if (!wasOne || began === null || began.spread > 0 || zoom > 1) return;
    start.current = null;
    const moved = x - began.at.x;
    if (Math.abs(moved) > SWIPE) turn(moved < 0 ? 1 : -1);
  };
  const onPointerCancel = ({ pointerId }: PointerEvent): void => {
    fingers.current.delete(pointerId);
  };
  return (
    <Sheet
      title={t('gallery.position', { number: index + 1, count: pictures.length })}
      onClose={onClose}
      isFull
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and swipes repeat what the buttons do */}
      <div
        className="lightbox"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerCancel}
      >
        <div className="lightbox-picture">
          <img
            key={image.imageId}
            src={pictureUrl(image.imageId, 2048)}
            alt={image.altText}
            draggable={false}
            style={{ transform: `scale(${zoom})` }}
          />
          <StagedLabel image={image} />
        </div>
        <div className="lightbox-controls">
          <Button kind="icon" aria-label={t('gallery.previous')} onPress={() => turn(-1)}>
            <Icon name="back" />
          </Button>
          <p aria-live="polite">{image.altText}</p>
          <Button kind="icon" aria-label={t('gallery.next')} onPress={() => turn(1)} autoFocus>
            <Icon name="next" />
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
