/** Which square of a picture is taken: its center as shares of the width and height, and how much it is magnified. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  /** 1 takes the largest square that fits. */
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const LARGEST_ZOOM = 4;
export const MIDDLE: Crop = { x: 0.5, y: 0.5, zoom: 1 };

/** The same crop with its square inside the picture. */
export function within({ width, height }: Size, { x, y, zoom }: Crop): Crop {
  const held = Math.min(Math.max(zoom, 1), LARGEST_ZOOM);
  const side = Math.min(width, height) / held;
  const inside = (share: number, length: number): number => {
    const half = side / length / 2;
    return Math.min(Math.max(share, half), 1 - half);
  };
  return { x: inside(x, width), y: inside(y, height), zoom: held };
}

/** The square in pixels of the picture. */
export function squareOf(size: Size, crop: Crop): { left: number; top: number; side: number } {
  const { x, y, zoom } = within(size, crop);
  const side = Math.min(size.width, size.height) / zoom;
  return { left: x * size.width - side / 2, top: y * size.height - side / 2, side };
}
