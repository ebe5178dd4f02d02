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
