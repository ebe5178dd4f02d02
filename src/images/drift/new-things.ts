import { boxMean, mapped } from './raster.ts';
import { boundsOf, regionsOf } from './regions.ts';

/** A rectangle as shares of the picture's sides, 0 to 1. */
export interface ShareBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** New edges belong together within squares of nine pixels. */
const GATHER = 4;
const DENSE = 0.06;
/** The share of the picture from which a thing is listed. */
const LEAST_AREA = 0.002;
/** A thing that ends below this row stands on the floor: it is furniture. */
const FURNITURE_HEIGHT = 0.58;
/** More boxes would hide the picture. */
const MOST_BOXES = 8;

/**
 * New things above the height of furniture, largest first: a window, a lamp, a picture on the wall. Whether a thing is
 * allowed cannot be seen from edges, so a person is shown where to look.
 */
export function findNewThings(fresh: Uint8Array, size: { width: number; height: number }): ShareBox[] {
  const { width, height } = size;
  const density = boxMean(
    mapped(size, (at) => fresh[at]!),
    GATHER,
  ).values;
  return regionsOf(size, (at) => density[at]! > DENSE, { least: LEAST_AREA * width * height })
    .map((region) => boundsOf(region, width))
    .filter(({ bottom }) => bottom < FURNITURE_HEIGHT * height)
    .map(({ left, top, right, bottom }) => ({
      left: left / width,
      top: top / height,
      width: (right + 1 - left) / width,
      height: (bottom + 1 - top) / height,
    }))
    .sort((one, other) => other.width * other.height - one.width * one.height)
    .slice(0, MOST_BOXES);
}
