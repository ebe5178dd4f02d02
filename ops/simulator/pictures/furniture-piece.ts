import type { Palette } from './palettes.ts';
import type { Sketch } from './sketch.ts';

/** One thing that stands in the room. Things are drawn from the farthest to the nearest. */
export interface Piece {
  /** Distance of its near side from the eye, in metres. */
  depth: number;
  /** Where its shadow falls; null for what lies flat or hangs. */
  footprint: { x: readonly [number, number]; z: readonly [number, number] } | null;
  draw(sketch: Sketch, palette: Palette): string;
}
