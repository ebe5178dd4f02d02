import type { Gradients } from './gradients.ts';
import { boxMean } from './raster.ts';

/** What became of an edge pixel of the photo. */
export const EDGE = {
  none: 0,
  /** Its surroundings are smooth now: nothing stands in front of it, it is gone. */
  erased: 1,
  /** Other edges are there now: something stands in front of it, or it has changed. */
  covered: 2,
} as const;

export interface EdgeChanges {
  /** By pixel of the photo, a value of `EDGE`. */
  readonly lost: Uint8Array;
  /** By pixel of the staged picture: 1 for an edge that the photo does not have. */
  readonly fresh: Uint8Array;
}

/** L* a pixel. A new edge must be stronger, because encoders and light make weak ones everywhere. */
export const LEAST_EDGE = 2.2;
const LEAST_FRESH_EDGE = 1.3 * LEAST_EDGE;
/** An edge may lie this far from its old place: the rest of alignment, and lenses. */
const REACH = 3;
/** Edges of the same thing run in the same direction (cosine), and are not much weaker. */
const SAME_DIRECTION = 0.85;
const LEAST_REST = 0.3;
const WHOLE_REST = 0.6;
const LEAST_FOUND = 0.5;
/** Around an erased edge less than this share of the old edges is left, within a square of nine pixels. */
const SMOOTH = 0.45;
const SURROUNDINGS = 4;

/** Compares the edges of two aligned pictures in both directions. */
export function compareEdges(photo: Gradients, staged: Gradients): EdgeChanges {
  const { width, height } = photo;
  const size = { width, height };
  const busyBefore = boxMean({ ...size, values: photo.strength }, SURROUNDINGS).values;
  const busyNow = boxMean({ ...size, values: staged.strength }, SURROUNDINGS).values;
  const lost = new Uint8Array(width * height);
  const fresh = new Uint8Array(width * height);
  for (let y = REACH + 1; y < height - REACH - 1; y++) {
    for (let x = REACH + 1; x < width - REACH - 1; x++) {
      const at = y * width + x;
      if (photo.strength[at]! > LEAST_EDGE && found(photo, staged, at) < LEAST_FOUND)
        lost[at] = busyNow[at]! < SMOOTH * busyBefore[at]! ? EDGE.erased : EDGE.covered;
      if (staged.strength[at]! > LEAST_FRESH_EDGE && found(staged, photo, at) < LEAST_FOUND) fresh[at] = 1;
    }
  }
  return { lost, fresh };
}

/** How much of one edge pixel is found in the other picture near its place, 0 to 1. */
function found(one: Gradients, other: Gradients, at: number): number {
  const [gx, gy, strength] = [one.x[at]!, one.y[at]!, one.strength[at]!];
  let best = 0;
  for (let v = -REACH; v <= REACH; v++) {
    for (let u = -REACH; u <= REACH; u++) {
      const there = at + v * one.width + u;
      const rest = other.strength[there]!;
      if (rest < LEAST_REST * strength) continue;
      const along = Math.abs(gx * other.x[there]! + gy * other.y[there]!);
      if (along <= SAME_DIRECTION * strength * rest) continue;
      best = Math.max(best, rest / (WHOLE_REST * strength));
      if (best >= 1) return 1;
    }
  }
  return best;
}
