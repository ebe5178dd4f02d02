import { box } from '../space/box.ts';
import type { Space } from '../space/projection.ts';

/** Four of them, below what lies on this area. */
export function legs(
  space: Space,
  [x, z, width, depth]: readonly [number, number, number, number],
  height: number,
  color: string,
): void {
  for (const dz of [depth - 0.05, 0])
    for (const dx of [0, width - 0.05])
      box(space, { at: [x + dx, 0, z + dz], size: [0.05, height, 0.05], color });
}
