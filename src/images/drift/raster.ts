/** Pictures as typed arrays, row by row from the top left. All positions and lengths are pixels of the comparison. */

/** Three bytes a pixel: red, green, blue, in sRGB. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** One number a pixel. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

export function planeOf({ width, height }: { width: number; height: number }): Plane {
  return { width, height, values: new Float32Array(width * height) };
}

/** Each pixel computed from its index. */
export function mapped(size: { width: number; height: number }, value: (index: number) => number): Plane {
  const plane = planeOf(size);
  const { values } = plane;
  for (let at = 0; at < values.length; at++) values[at] = value(at);
  return plane;
}

/** The mean over a square of `2 * radius + 1` pixels; at the border, over the part inside the picture. */
export function boxMean({ width, height, values }: Plane, radius: number): Plane {
  const across = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    slideMean(values, across, { first: y * width, step: 1, count: width, radius });
  const mean = new Float32Array(width * height);
  for (let x = 0; x < width; x++) slideMean(across, mean, { first: x, step: width, count: height, radius });
  return { width, height, values: mean };
}

/** A moving mean along one row or column. */
function slideMean(
  from: Float32Array,
  to: Float32Array,
  { first, step, count, radius }: { first: number; step: number; count: number; radius: number },
): void {
  let sum = 0;
  for (let at = 0; at < Math.min(radius, count); at++) sum += from[first + at * step]!;
  for (let at = 0; at < count; at++) {
    if (at + radius < count) sum += from[first + (at + radius) * step]!;
    if (at - radius - 1 >= 0) sum -= from[first + (at - radius - 1) * step]!;
    const [low, high] = [Math.max(0, at - radius), Math.min(count - 1, at + radius)];
    to[first + at * step] = sum / (high - low + 1);
  }
}

/** Half the size: each pixel is the mean of four. */
export function halved({ width, height, values }: Plane): Plane {
  const half = planeOf({ width: width >> 1, height: height >> 1 });
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const at = 2 * y * width + 2 * x;
      half.values[y * half.width + x] =
        (values[at]! + values[at + 1]! + values[at + width]! + values[at + width + 1]!) / 4;
    }
  }
  return half;
}
