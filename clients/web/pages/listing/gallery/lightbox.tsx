import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { pictureUrl } from '../../../pictures/picture-files.ts';
import { Button } from '../../../primitives/button.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useText } from '../../../site/use-site.ts';
import { type LargePicture, ratioOf } from '../listing-data.ts';
import { StagedLabel } from './staged-label.tsx';
import { useZoom } from './use-zoom.ts';
import './lightbox.css';

interface LightboxProps {
  readonly pictures: readonly LargePicture[];
  /** The place of the picture that is shown first. */
  readonly first: number;
  readonly onClose: () => void;
  /** What can be done with a picture; a buyer only looks. */
  readonly actionsOf?: (imageId: string) => ReactNode;
}

const WIDTH = 2048;

/** Pictures as large as the window, each of them whole: arrow keys and swipes turn the page, two fingers zoom, Escape closes. */
export default function Lightbox({ pictures, first, onClose, actionsOf }: LightboxProps) {
  const { t } = useText();
  const [index, setIndex] = useState(first);
  const { length } = pictures;
  const at = (place: number): LargePicture | undefined => pictures[(place + length) % length];
  const turn = (by: 1 | -1): void => {
    reset();
    setIndex((index + by + length) % length);
  };
  const { transform, reset, on } = useZoom(turn);
  const image = at(index);
  const controls = useRef<HTMLDivElement>(null);
  // What had the focus may have gone with the picture before; the keys of the view need it.
  useEffect(() => {
    if (document.activeElement === document.body)
      controls.current?.querySelector<HTMLElement>(':scope > button:last-of-type')?.focus();
  });
  usePreload([at(index + 1)?.imageId, at(index - 1)?.imageId].join(' '));
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowRight') turn(1);
    if (key === 'ArrowLeft') turn(-1);
  };
  if (image === undefined) return null;
  const ratio = ratioOf(image);
  return (
    <Sheet title={t('gallery.position', { number: index + 1, count: length })} onClose={onClose} isFull>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys repeat what the buttons do */}
      <div className="lightbox" onKeyDown={onKeyDown}>
        <div className="lightbox-view" {...on}>
          <div
            key={image.imageId}
            className="lightbox-picture"
            style={{ aspectRatio: ratio, width: `min(100cqw, calc(100cqh * ${ratio}))` }}
          >
            <img
              src={pictureUrl(image.imageId, WIDTH)}
              alt={image.altText}
              draggable={false}
              style={{ transform }}
            />
            <StagedLabel image={image} />
          </div>
        </div>
        <div className="lightbox-controls" ref={controls}>
          <Button kind="icon" aria-label={t('gallery.previous')} onPress={() => turn(-1)}>
            <Icon name="back" />
          </Button>
          <div className="lightbox-words">
            <p aria-live="polite">{image.altText}</p>
            {actionsOf?.(image.imageId)}
          </div>
          <Button kind="icon" aria-label={t('gallery.next')} onPress={() => turn(1)} autoFocus>
            <Icon name="next" />
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

/** @param imageIds with spaces between them */
function usePreload(imageIds: string): void {
  useEffect(() => {
    for (const imageId of imageIds.split(' ')) new Image().src = pictureUrl(imageId, WIDTH);
  }, [imageIds]);
}
