/** How near both pictures are looked at: the same for both, so that the same places are seen. */
export interface Zoom {
  readonly scale: number;
  /** Where the middle of the window stands in the picture, 0 to 1. */
  readonly x: number;
  readonly y: number;
}

export const WHOLE: Zoom = { scale: 1, x: 0.5, y: 0.5 };
const MOST_SCALE = 6;

/** The same view `by` times nearer; never smaller than whole. */
export function zoomed({ scale, x, y }: Zoom, by: number): Zoom {
  return held({ scale: Math.min(MOST_SCALE, Math.max(1, scale * by)), x, y });
}

/** The window moved over the picture, by so many of its own widths and heights. */
export function moved({ scale, x, y }: Zoom, { right, down }: { right: number; down: number }): Zoom {
  return held({ scale, x: x + right / scale, y: y + down / scale });
}

/** Keeps the window inside the picture. */
function held({ scale, x, y }: Zoom): Zoom {
  const edge = 0.5 / scale;
  const inside = (value: number): number => Math.min(1 - edge, Math.max(edge, value));
  return { scale, x: inside(x), y: inside(y) };
}
