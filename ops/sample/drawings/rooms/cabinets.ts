import { darker, type Look, lighter } from '../canvas.ts';
import { stroke, upright } from '../space/faces.ts';
import type { Space } from '../space/projection.ts';

/** Doors of a row of cabinets, with handles. */
export function doors(
  space: Space,
  area: { x: number; y: number; z: number; width: number; height: number; count: number },
  color: string,
): void {
  const { x, y, z, width, height, count } = area;
  const wide = width / count;
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [x + index * wide + 0.015, x + (index + 1) * wide - 0.015];
    const panel = (inset: number, look: Look) =>
      upright(space, [from + inset, y + 0.015 + inset, to - inset, y + height - 0.015 - inset], z, look);
    panel(0, { fill: lighter(color, 0.05), stroke: darker(color, 0.3), line: 1.2 });
    panel(0.06, { fill: darker(color, 0.03), stroke: darker(color, 0.16), line: 1 });
    const handle = index % 2 === 0 ? to - 0.035 : from + 0.035;
    const middle = y > 1.2 ? y + 0.12 : y + height - 0.14;
    stroke(space, [handle, middle - 0.05, z], [handle, middle + 0.06, z], { stroke: '#a88a4f', line: 3 });
  }
}
