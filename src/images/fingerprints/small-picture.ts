import { boxMean, halved, mapped, type Plane, type Raster } from '../drift/raster.ts';

/** A picture as fingerprints see it: about 256 pixels wide, with what alignment and hashes need of it. */
export interface SmallPicture extends Raster {
  readonly gray: Plane;
  /** Gray planes of a quarter, half and the whole side, through their local mean and spread: light and tint fall out. */
  readonly levels: readonly [Plane, Plane, Plane];
}

/** Pixels of the longer side. */
const SIDE = 256;
/** Longer side by shorter side, up to which that is enough; a panorama keeps more, so that it has rows. */
const WIDE = 1.9;
const MOST_SIDE = 1024;
const SPREAD_RADIUS = 8;
/** Below this spread there is only grain. */
const SPREAD_FLOOR = 4;

/** Pixels of the longer side for a picture of this shape. */
export function smallSide({ width, height }: { width: number; height: number }): number {
  const ratio = Math.max(width / height, height / width);
  return Math.min(MOST_SIDE, Math.round(SIDE * Math.sqrt(Math.max(1, ratio / WIDE))));
}

/** @param raster as wide as `smallSide` says */
export function smallPicture({ width, height, rgb }: Raster): SmallPicture {
  const gray = mapped(
    { width, height },
    (at) => 0.299 * rgb[3 * at]! + 0.587 * rgb[3 * at + 1]! + 0.114 * rgb[3 * at + 2]!,
  );
  const half = halved(gray);
  return { width, height, rgb, gray, levels: [spread(halved(half)), spread(half), spread(gray)] };
}

function spread(plane: Plane): Plane {
  const mean = boxMean(plane, SPREAD_RADIUS).values;
  const squares = boxMean(
    mapped(plane, (at) => plane.values[at]! ** 2),
    SPREAD_RADIUS,
  ).values;
  return mapped(
    plane,
    (at) =>
      (plane.values[at]! - mean[at]!) /
      (Math.sqrt(Math.max(0, squares[at]! - mean[at]! ** 2)) + SPREAD_FLOOR),
  );
}
