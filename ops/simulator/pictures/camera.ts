/** Picture size in pixels. */
export interface Canvas {
  width: number;
  height: number;
}

/** Metres: x to the right of the eye's axis, y up from the floor, z away from the eye. */
export type Point3 = readonly [x: number, y: number, z: number];
export type Point2 = readonly [u: number, v: number];

export interface Camera extends Canvas {
  /** Row of the horizon in pixels. */
  horizon: number;
  project(point: Point3): Point2;
  /** Pixels per metre at that depth. */
  scaleAt(z: number): number;
}

export const EYE_HEIGHT_M = 1.5;
const HORIZON_SHARE = 0.45;

/**
 * The one camera of all drawings: one-point perspective, eye at 1.5 m, looking straight ahead. Sample rooms and staged
 * furniture share it, so that furniture drawn over a sample room stands on its floor.
 */
export function createCamera({ width, height }: Canvas): Camera {
  const focal = Math.min(0.6 * Math.sqrt(width * height * 1.5), 0.78 * width);
  const horizon = height * HORIZON_SHARE;
  return {
    width,
    height,
    horizon,
    project: ([x, y, z]) => [width / 2 + (focal * x) / z, horizon - (focal * (y - EYE_HEIGHT_M)) / z],
    scaleAt: (z) => focal / z,
  };
}

export type Range = readonly [from: number, to: number];

/** The corners of a level rectangle at that height. */
export function level(x: Range, y: number, z: Range): Point3[] {
  return corners(x, z).map(([across, along]): Point3 => [across, y, along]);
}

/** The corners of an upright rectangle that faces the eye. */
export function upright(x: Range, y: Range, z: number): Point3[] {
  return corners(x, y).map(([across, up]): Point3 => [across, up, z]);
}

/** The corners of an upright rectangle that faces to the side. */
export function lateral(x: number, y: Range, z: Range): Point3[] {
  return corners(y, z).map(([up, along]): Point3 => [x, up, along]);
}

function corners([a, b]: Range, [c, d]: Range): Point2[] {
  return [
    [a, c],
    [b, c],
    [b, d],
    [a, d],
  ];
}
