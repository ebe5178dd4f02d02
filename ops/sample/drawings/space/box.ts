import { darker, type Look, lighter } from '../canvas.ts';
import { level, sideways, upright } from './faces.ts';
import { EYE, type Place, type Space, scaleAt } from './projection.ts';

interface Box {
  /** The left, lower, front corner. */
  readonly at: Place;
  /** Width, height, depth. */
  readonly size: Place;
  readonly color: string;
  /** How round its edges are, in meters. */
  readonly soft?: number;
}

/** The faces of a box that the camera sees, each in its own light. */
export function box(
  space: Space,
  { at: [x, y, z], size: [width, height, depth], color, soft = 0 }: Box,
): void {
  const [right, top, back] = [x + width, y + height, z + depth];
  const look = (fill: string): Look =>
    soft === 0 ? { fill, stroke: fill, line: 0.6 } : { fill, stroke: fill, line: soft * scaleAt(z) };
  const inset = soft / 2;
  const [l, r, b, t] = [x + inset, right - inset, y + inset, top - inset];
  if (y > EYE) level(space, [l, z, r, back], b, look(darker(color, 0.34)));
  if (l > space.camera) sideways(space, [z, b, back, t], l, look(darker(color, 0.22)));
  if (r < space.camera) sideways(space, [z, b, back, t], r, look(darker(color, 0.16)));
  if (top < EYE) level(space, [l, z, r, back], t, look(lighter(color, 0.2)));
  const front: Look =
    soft === 0 ? { fill: shaded(space, color), stroke: darker(color, 0.12) } : { fill: color, stroke: color };
  upright(space, [l, b, r, t], z, { ...look(color), ...front });
}

/** A little darker toward the floor. */
function shaded({ canvas }: Space, color: string): string {
  return canvas.linear([
    [0, lighter(color, 0.06)],
    [1, darker(color, 0.1)],
  ]);
}
