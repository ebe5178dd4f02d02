import { darker, lighter, mix } from '../canvas.ts';
import { face, level } from './faces.ts';
import { type Place, ROOM, type Space } from './projection.ts';

export interface Floor {
  readonly kind: 'planks' | 'herringbone' | 'tiles' | 'checks';
  readonly color: string;
}

export function drawFloor(space: Space, { kind, color }: Floor): void {
  const { half, depth, front } = ROOM;
  level(space, [-half, front, half, depth], 0, { fill: color });
  if (kind === 'planks') planks(space, color);
  else if (kind === 'herringbone') herringbone(space, color);
  else tiles(space, color, kind === 'checks');
  const { canvas } = space;
  const glow = canvas.linear([
    [0, '#ffffff', 0.16],
    [0.5, '#ffffff', 0.02],
    [1, '#140d07', 0.26],
  ]);
  level(space, [-half, front, half, depth], 0, { fill: glow });
}

function planks(space: Space, color: string): void {
  const { half, depth, front } = ROOM;
  const wide = 0.165;
  for (let x = -half; x < half - 0.01; x += wide) {
    let z = front - space.chance() * 1.4;
    while (z < depth) {
      const end = Math.min(depth, z + 1 + space.chance() * 0.9);
      const tone = mix(darker(color, 0.16), lighter(color, 0.14), space.chance());
      const from = Math.max(front, z);
      if (end > front)
        level(space, [x, from, x + wide, end], 0, {
          fill: tone,
          stroke: darker(color, 0.34),
          line: 0.7,
        });
      z = end;
    }
  }
}

function herringbone(space: Space, color: string): void {
  const { half, depth, front } = ROOM;
  const [long, wide] = [0.5, 0.14];
  const reach = long * Math.SQRT1_2;
  const step = wide * Math.SQRT2;
  for (let z = front - long; z < depth; z += step)
    for (let x = -half, lean = 1; x < half; x += reach, lean = -lean) {
      const [near, far] = lean > 0 ? [z, z + reach] : [z + reach, z];
      const end = Math.min(half, x + reach);
      const corners: Place[] = [
        [x, 0, near],
        [end, 0, far],
        [end, 0, far + step],
        [x, 0, near + step],
      ];
      if (corners.some(([, , depthOf]) => depthOf < front || depthOf > depth)) continue;
      face(space, corners, {
        fill: mix(darker(color, 0.18), lighter(color, 0.12), space.chance() * 0.7 + (lean > 0 ? 0.3 : 0)),
        stroke: darker(color, 0.36),
        line: 0.6,
      });
    }
}

function tiles(space: Space, color: string, checked: boolean): void {
  const { half, depth, front } = ROOM;
  const side = 0.4;
  let row = 0;
  for (let z = front; z < depth - 0.01; z += side, row += 1) {
    let column = 0;
    for (let x = -half; x < half - 0.01; x += side, column += 1) {
      const isDark = checked && (row + column) % 2 === 1;
      const base = isDark ? darker(color, 0.62) : color;
      const end = Math.min(depth, z + side);
      level(space, [x, z, x + side, end], 0, {
        fill: mix(base, lighter(base, 0.2), space.chance() * 0.5),
        stroke: darker(color, 0.2),
        line: 1,
      });
    }
  }
}
