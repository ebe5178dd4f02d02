import type { Gradients } from './gradients.ts';
import { boxMean, halved, mapped, type Plane } from './raster.ts';

/** A corner of the photo, and how far its look-alike in the staged picture lies from it. */
export interface Match {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

export interface Matches {
  /** Corners that were looked for. */
  readonly tried: number;
  readonly found: readonly Match[];
}

/** At most one corner in each cell, so that one busy curtain does not decide for the room. */
const CELL = 26;
const MARGIN = 14;
/** The smaller eigenvalue of the structure tensor, in (L* a pixel)²: below it, a place can slide along an edge. */
const LEAST_CORNER = 1.2;
/** Correlation of the two patches; furniture in front of a corner gives less. */
const LEAST_LIKENESS = 0.8;

/** From coarse to fine: the size of a pixel, how far is searched around the place so far, the patch's radius. */
const LEVELS = [
  { scale: 4, reach: 8, radius: 4 },
  { scale: 2, reach: 2, radius: 6 },
  { scale: 1, reach: 2, radius: 6 },
] as const;
/** On the coarse level a nearer place wins between equals: repeated patterns look alike everywhere. */
const DISTANCE_COST = 0.0006;

/** Looks the corners of the photo up in the staged picture, up to 38 pixels away. */
export function matchCorners(photo: Plane, gradients: Gradients, staged: Plane): Matches {
  const [photoHalf, stagedHalf] = [halved(photo), halved(staged)];
  const pyramid: Pyramid = {
    4: [halved(photoHalf), halved(stagedHalf)],
    2: [photoHalf, stagedHalf],
    1: [photo, staged],
  };
  const corners = findCorners(gradients);
  const found = corners.flatMap((corner) => lookUp(pyramid, corner) ?? []);
  return { tried: corners.length, found };
}

type Pyramid = Readonly<Record<1 | 2 | 4, readonly [photo: Plane, staged: Plane]>>;

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** The strongest corner of each cell (Shi and Tomasi's measure). */
function findCorners(gradients: Gradients): Corner[] {
  const { width, height, x, y } = gradients;
  const product = (p: Float32Array, q: Float32Array) =>
    boxMean(
      mapped(gradients, (at) => p[at]! * q[at]!),
      3,
    ).values;
  const [xx, yy, xy] = [product(x, x), product(y, y), product(x, y)];
  const corners: Corner[] = [];
  for (let top = MARGIN; top + CELL < height - MARGIN; top += CELL) {
    for (let left = MARGIN; left + CELL < width - MARGIN; left += CELL) {
      let best = LEAST_CORNER;
      let corner: Corner | null = null;
      for (let row = top; row < top + CELL; row++) {
        for (let column = left; column < left + CELL; column++) {
          const at = row * width + column;
          const half = (xx[at]! + yy[at]!) / 2;
          const smaller = half - Math.sqrt(Math.max(0, half * half - xx[at]! * yy[at]! + xy[at]! ** 2));
          if (smaller <= best) continue;
          best = smaller;
          corner = { x: column, y: row };
        }
      }
      if (corner !== null) corners.push(corner);
    }
  }
  return corners;
}

/** Null when no place looks alike enough, or the corner is too near to the border. */
function lookUp(pyramid: Pyramid, { x, y }: Corner): Match | null {
  let [dx, dy, likeness] = [0, 0, -1];
  for (const { scale, reach, radius } of LEVELS) {
    const [photo, staged] = pyramid[scale];
    const at = { x: Math.round(x / scale), y: Math.round(y / scale) };
    if (!isInside(photo, at, radius)) return null;
    const around = { x: at.x + Math.round(dx / scale), y: at.y + Math.round(dy / scale) };
    const cost = scale === 4 ? DISTANCE_COST : 0;
    const patch = patchOf(photo, at, radius);
    let best = -1;
    let place = around;
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) {
        const there = { x: around.x + u, y: around.y + v };
        const alike = correlation(patch, staged, there) - cost * (u * u + v * v);
        if (alike <= best) continue;
        best = alike;
        place = there;
      }
    }
    [dx, dy, likeness] = [(place.x - at.x) * scale, (place.y - at.y) * scale, best];
  }
  return likeness > LEAST_LIKENESS ? { x, y, dx, dy } : null;
}

const isInside = ({ width, height }: Plane, { x, y }: Corner, radius: number): boolean =>
  x >= radius && y >= radius && x < width - radius && y < height - radius;

/** A square of pixels with its mean taken away, and the length of what is left. */
interface Patch {
  readonly radius: number;
  readonly values: Float32Array;
  readonly length: number;
}

function patchOf({ width, values }: Plane, { x, y }: Corner, radius: number): Patch {
  const side = 2 * radius + 1;
  const patch = new Float32Array(side * side);
  for (let row = 0; row < side; row++)
    patch.set(values.subarray((y - radius + row) * width + x - radius).subarray(0, side), row * side);
  const mean = patch.reduce((sum, value) => sum + value, 0) / patch.length;
  let square = 0;
  for (let at = 0; at < patch.length; at++) {
    patch[at]! -= mean;
    square += patch[at]! ** 2;
  }
  return { radius, values: patch, length: Math.sqrt(square) };
}

/** Normalized cross-correlation, -1 to 1; -1 outside the picture and where a patch is flat. */
function correlation({ radius, values, length }: Patch, plane: Plane, { x, y }: Corner): number {
  if (!isInside(plane, { x, y }, radius) || length < 1) return -1;
  const side = 2 * radius + 1;
  let [sum, square, product] = [0, 0, 0];
  for (let row = 0, at = 0; row < side; row++) {
    const first = (y - radius + row) * plane.width + x - radius;
    for (let column = 0; column < side; column++, at++) {
      const value = plane.values[first + column]!;
      sum += value;
      square += value * value;
      product += value * values[at]!;
    }
  }
  const spread = square - (sum * sum) / (side * side);
  // The mean of `values` is zero, so the other mean falls out of the product.
  return spread < 1 ? -1 : product / (length * Math.sqrt(spread));
}
