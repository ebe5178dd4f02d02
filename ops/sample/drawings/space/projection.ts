import { type Canvas, chanceOf, type Point, WIDTH } from '../canvas.ts';

/**
 * A room in perspective, in meters: x to the right from its middle, y up from the floor, z away from the camera. Vertical
 * lines stay vertical, as in a good photo.
 */
export type Place = readonly [x: number, y: number, z: number];
export type Wall = 'back' | 'left' | 'right';

export const ROOM = { half: 2.8, height: 2.75, depth: 6, front: 1.55 } as const;
/** The height of the camera. */
export const EYE = 1.38;
const FOCAL = 1000;
const HORIZON = 470;

export interface Space {
  readonly canvas: Canvas;
  readonly chance: () => number;
  /** Where the camera stands, left or right of the middle. */
  readonly camera: number;
}

export function createSpace(canvas: Canvas, given: { seed: number; camera: number }): Space {
  return { canvas, chance: chanceOf(given.seed), camera: given.camera };
}

export const seen = ({ camera }: Space, [x, y, z]: Place): Point => [
  WIDTH / 2 + ((x - camera) * FOCAL) / z,
  HORIZON - ((y - EYE) * FOCAL) / z,
];
/** Pixels of a meter at this distance. */
export const scaleAt = (z: number): number => FOCAL / z;

/** A place on a wall: along it (x, or z for the side walls), and up. */
export const onWall = (wall: Wall, along: number, up: number, off = 0): Place =>
  wall === 'back'
    ? [along, up, ROOM.depth - off]
    : [wall === 'left' ? -ROOM.half + off : ROOM.half - off, up, along];
