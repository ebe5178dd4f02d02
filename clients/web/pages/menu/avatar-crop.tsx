import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../primitives/button.tsx';
import { Field } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { useText } from '../../site/use-site.ts';
import { type Crop, LARGEST_ZOOM, MIDDLE, squareOf, within } from './crop.ts';
import './avatar-crop.css';

/** Pixels of the picture that is sent. */
const SENT_SIDE = 512;
/** So far an arrow key moves the square, as a share of its side. */
const STEP = 0.05;

interface AvatarCropProps {
  readonly picture: ImageBitmap;
  readonly onChosen: (square: Blob) => void;
  readonly onClose: () => void;
}

/** Chooses the square of a picture: by dragging, by arrow keys, and with a slider for its size. */
export default function AvatarCrop({ picture, onChosen, onClose }: AvatarCropProps) {
  const { t } = useText();
  const [crop, setCrop] = useState<Crop>(MIDDLE);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => draw(canvas.current, picture, crop), [picture, crop]);
  /** Moves the picture under the square, by shares of the square's side. */
  const move = (right: number, down: number): void =>
    setCrop((now) => {
      const { side } = squareOf(picture, now);
      const x = now.x - (right * side) / picture.width;
      return within(picture, { ...now, x, y: now.y - (down * side) / picture.height });
    });
  const onPointerMove = ({ buttons, movementX, movementY, currentTarget }: PointerEvent): void => {
    if (buttons !== 0) move(movementX / currentTarget.clientWidth, movementY / currentTarget.clientWidth);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [right, down] = ARROWS[event.key] ?? [0, 0];
    if (right === 0 && down === 0) return;
    event.preventDefault();
    move(right * STEP, down * STEP);
  };
  const choose = (): void =>
    canvas.current?.toBlob((square) => square && onChosen(square), 'image/webp', 0.9);
  return (
    <Sheet title={t('menu.cropTitle')} onClose={onClose}>
      <div className="stack">
        <p>{t('menu.cropText')}</p>
        <canvas
          ref={canvas}
          className="avatar-crop"
          width={SENT_SIDE}
          height={SENT_SIDE}
          role="img"
          aria-label={t('menu.cropSquare')}
          tabIndex={0}
          onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
          onPointerMove={onPointerMove}
          onKeyDown={onKeyDown}
        />
        <Field label={t('menu.cropZoom')}>
          <input
            type="range"
            min={1}
            max={LARGEST_ZOOM}
            step={0.05}
            value={crop.zoom}
            onChange={({ currentTarget }) =>
              setCrop((now) => within(picture, { ...now, zoom: Number(currentTarget.value) }))
            }
          />
        </Field>
        <Button kind="primary" onPress={choose}>
          {t('menu.cropUse')}
        </Button>
      </div>
    </Sheet>
  );
}

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function draw(canvas: HTMLCanvasElement | null, picture: ImageBitmap, crop: Crop): void {
  const { left, top, side } = squareOf(picture, crop);
  const pen = canvas?.getContext('2d');
  pen?.clearRect(0, 0, SENT_SIDE, SENT_SIDE);
  pen?.drawImage(picture, left, top, side, side, 0, 0, SENT_SIDE, SENT_SIDE);
}
