import { darker, ellipse, lighter, line, mix, path, polygon } from '../canvas.ts';
import { shadow } from '../space/light.ts';
import { type Place, ROOM, type Space, scaleAt, seen } from '../space/projection.ts';
import type { Palette } from './palettes.ts';

export function floorLamp(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x - 0.15, z - 0.15, 0.3, 0.3], 0.3);
  const [cx, cy] = seen(space, [x, 0, z]);
  const s = scaleAt(z);
  space.canvas.add(
    ellipse(cx, cy, s * 0.14, s * 0.035, { fill: darker(palette.metal, 0.2) }),
    line([cx, cy], [cx, cy - s * 1.4], { stroke: palette.metal, line: s * 0.025 }),
    ...shade(space, cx, cy - s * 1.28, s * 0.5, palette),
  );
}

export function tableLamp(space: Space, at: Place, palette: Palette): void {
  const [x, y] = seen(space, at);
  const s = scaleAt(at[2]);
  space.canvas.add(
    path(
      `M${x - s * 0.05} ${y}Q${x - s * 0.13} ${y - s * 0.12} ${x} ${y - s * 0.26}Q${x + s * 0.13} ${y - s * 0.12} ${x + s * 0.05} ${y}Z`,
      { fill: darker(palette.accent, 0.05) },
    ),
    ...shade(space, x, y - s * 0.22, s * 0.36, palette),
  );
}

export function pendant(space: Space, x: number, y: number, z: number, palette: Palette, wide = 0.42): void {
  const [cx, cy] = seen(space, [x, y, z]);
  const [, top] = seen(space, [x, ROOM.height, z]);
  const s = scaleAt(z) * wide;
  space.canvas.add(
    line([cx, top], [cx, cy - s * 0.5], { stroke: darker(palette.metal, 0.3), line: 2 }),
    ellipse(cx, cy, s * 1.5, s * 1.1, {
      fill: space.canvas.radial([
        [0, '#ffe2a3', 0.25],
        [1, '#ffe2a3', 0],
      ]),
    }),
    path(
      `M${cx - s * 0.5} ${cy}Q${cx - s * 0.46} ${cy - s * 0.52} ${cx} ${cy - s * 0.56}Q${cx + s * 0.46} ${cy - s * 0.52} ${cx + s * 0.5} ${cy}Z`,
      {
        fill: space.canvas.linear(
          [
            [0, lighter(palette.metal, 0.25)],
            [1, darker(palette.metal, 0.25)],
          ],
          [0, 0, 1, 0],
        ),
      },
    ),
    ellipse(cx, cy, s * 0.5, s * 0.09, { fill: '#fff2cf' }),
  );
}

function shade(space: Space, x: number, bottom: number, size: number, palette: Palette): string[] {
  const cloth = mix(palette.rug, '#fff1d6', 0.6);
  return [
    ellipse(x, bottom - size * 0.3, size * 1.9, size * 1.6, {
      fill: space.canvas.radial([
        [0, '#ffdf9e', 0.2],
        [1, '#ffdf9e', 0],
      ]),
    }),
    polygon(
      [
        [x - size * 0.46, bottom],
        [x + size * 0.46, bottom],
        [x + size * 0.3, bottom - size * 0.6],
        [x - size * 0.3, bottom - size * 0.6],
      ],
      {
        fill: space.canvas.linear([
          [0, lighter(cloth, 0.3)],
          [0.6, lighter(cloth, 0.5)],
          [1, darker(cloth, 0.06)],
        ]),
      },
    ),
  ];
}
