import { type Plane, planeOf } from './raster.ts';

/** How lightness changes at each pixel, in L* a pixel: Sobel's filter. Zero at the border. */
export interface Gradients {
  readonly width: number;
  readonly height: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly strength: Float32Array;
}

export function gradientsOf({ width, height, values }: Plane): Gradients {
  const [x, y, strength] = [0, 1, 2].map(() => planeOf({ width, height }).values) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let row = 1; row < height - 1; row++) {
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      const [above, below] = [at - width, at + width];
      const diagonal = values[below + 1]! - values[above - 1]!;
      const crossing = values[below - 1]! - values[above + 1]!;
      x[at] = ((values[at + 1]! - values[at - 1]!) * 2 + diagonal - crossing) / 8;
      y[at] = ((values[below]! - values[above]!) * 2 + diagonal + crossing) / 8;
      strength[at] = Math.sqrt(x[at]! ** 2 + y[at]! ** 2);
    }
  }
  return { width, height, x, y, strength };
}
