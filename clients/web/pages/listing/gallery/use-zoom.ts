import { type PointerEvent, useRef, useState } from 'react';

/** A finger that moves further to the side than this turns the page, in pixels. */
const SWIPE = 48;
const MOST_SCALE = 4;
/** What a double tap shows. */
const NEAR = 2;

interface Place {
  readonly x: number;
  readonly y: number;
}
/** How a picture lies in its view: its size against the whole, and its middle in pixels from the middle of the view. */
interface Zoom extends Place {
  readonly scale: number;
}

const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };

/** The fingers of a gesture: their middle and their distance. */
interface Grip extends Place {
  readonly spread: number;
}

/** Fingers and mouse on a picture: two zoom, one moves an enlarged picture or turns to the next one. */
export function useZoom(onTurn: (by: 1 | -1) => void) {
  const [zoom, setZoom] = useState(WHOLE);
  const fingers = useRef(new Map<number, Place>());
  const start = useRef<{ readonly grip: Grip; readonly zoom: Zoom } | null>(null);

  const begin = (): void => {
    start.current = fingers.current.size === 0 ? null : { grip: gripOf(fingers.current), zoom };
  };
  const onPointerDown = ({ pointerId, clientX: x, clientY: y }: PointerEvent): void => {
    fingers.current.set(pointerId, { x, y });
    begin();
  };
  const onPointerMove = ({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent): void => {
    if (start.current === null || !fingers.current.has(pointerId)) return;
    fingers.current.set(pointerId, { x, y });
    const { grip: from, zoom: before } = start.current;
    const to = gripOf(fingers.current);
    const by = from.spread > 0 && to.spread > 0 ? to.spread / from.spread : 1;
    const moved = { scale: before.scale * by, x: before.x + to.x - from.x, y: before.y + to.y - from.y };
    setZoom(inside(moved, currentTarget.getBoundingClientRect()));
  };
  const onPointerUp = ({ pointerId, clientX }: PointerEvent): void => {
    const began = start.current;
    const wasOne = fingers.current.size === 1;
    fingers.current.delete(pointerId);
    begin();
    if (!wasOne || began === null || began.zoom.scale > 1 || zoom.scale > 1) return;
    const moved = clientX - began.grip.x;
    if (Math.abs(moved) > SWIPE) onTurn(moved < 0 ? 1 : -1);
  };
  const forget = ({ pointerId }: PointerEvent): void => {
    fingers.current.delete(pointerId);
    begin();
  };
  const onDoubleClick = (): void => setZoom(zoom.scale > 1 ? WHOLE : { ...WHOLE, scale: NEAR });
  return {
    transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`,
    reset: () => setZoom(WHOLE),
    on: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: forget,
      onPointerLeave: forget,
      onDoubleClick,
    },
  };
}

function gripOf(fingers: ReadonlyMap<number, Place>): Grip {
  const [one = { x: 0, y: 0 }, other = one] = [...fingers.values()];
  return {
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
    spread: Math.hypot(one.x - other.x, one.y - other.y),
  };
}

/** Never smaller than the view, and never moved out of it. */
function inside(
  { scale, x, y }: Zoom,
  { width, height }: { readonly width: number; readonly height: number },
): Zoom {
  const size = Math.min(MOST_SCALE, Math.max(1, scale));
  const held = (place: number, length: number): number => {
    const most = ((size - 1) * length) / 2;
    return Math.min(most, Math.max(-most, place));
  };
  return { scale: size, x: held(x, width), y: held(y, height) };
}
