import { type Look, line, polygon } from '../canvas.ts';
import { type Place, ROOM, type Space, seen, type Wall } from './projection.ts';

export function face(space: Space, places: readonly Place[], look: Look): void {
  space.canvas.add(
    polygon(
      places.map((place) => seen(space, place)),
      look,
    ),
  );
}

export function stroke(space: Space, from: Place, to: Place, look: Look): void {
  space.canvas.add(line(seen(space, from), seen(space, to), look));
}

/** From one corner to the opposite one. */
type Area = readonly [number, number, number, number];

/** A rectangle that faces the camera. */
export const upright = (space: Space, [left, bottom, right, top]: Area, z: number, look: Look): void =>
  face(
    space,
    [
      [left, bottom, z],
      [right, bottom, z],
      [right, top, z],
      [left, top, z],
    ],
    look,
  );

/** A rectangle that lies, as a floor does. */
export const level = (space: Space, [left, near, right, far]: Area, y: number, look: Look): void =>
  face(
    space,
    [
      [left, y, near],
      [right, y, near],
      [right, y, far],
      [left, y, far],
    ],
    look,
  );

/** A rectangle that faces left or right. */
export const sideways = (space: Space, [near, bottom, far, top]: Area, x: number, look: Look): void =>
  face(
    space,
    [
      [x, bottom, near],
      [x, bottom, far],
      [x, top, far],
      [x, top, near],
    ],
    look,
  );

/** A rectangle on a wall, from its x (or its z, on a side wall). */
export function onWallFace(space: Space, wall: Wall, area: Area, look: Look, off = 0): void {
  if (wall === 'back') upright(space, area, ROOM.depth - off, look);
  else sideways(space, area, wall === 'left' ? -ROOM.half + off : ROOM.half - off, look);
}
