import { darker, lighter } from '../canvas.ts';
import { box } from '../space/box.ts';
import { face, stroke, upright } from '../space/faces.ts';
import { shadow } from '../space/light.ts';
import type { Place, Space } from '../space/projection.ts';
import { legs } from './legs.ts';
import type { Palette } from './palettes.ts';
import { vase } from './plants.ts';

export function bookshelf(space: Space, x: number, z: number, palette: Palette): void {
  const [width, height, deep] = [1.1, 1.95, 0.32];
  shadow(space, [x, z, width, deep], 0.36);
  box(space, { at: [x, 0, z], size: [width, height, deep], color: palette.wood });
  const colors = [
    palette.accent,
    palette.second,
    lighter(palette.fabric, 0.2),
    darker(palette.accent, 0.3),
    '#e6dcc8',
    darker(palette.second, 0.3),
  ];
  for (let shelf = 0; shelf < 5; shelf += 1) {
    const low = 0.06 + shelf * 0.38;
    upright(space, [x + 0.05, low, x + width - 0.05, low + 0.34], z, { fill: darker(palette.wood, 0.42) });
    let at = x + 0.08;
    const end = x + width * (0.55 + ((shelf * 3) % 4) * 0.1);
    while (at < end) {
      const wide = 0.03 + space.chance() * 0.035;
      const tall = 0.2 + space.chance() * 0.1;
      upright(space, [at, low, at + wide, low + tall], z, {
        fill: colors[Math.floor(space.chance() * colors.length)] ?? palette.accent,
      });
      at += wide + 0.004;
    }
    if (shelf % 2 === 1) vase(space, [x + width - 0.16, low, z], palette, 0.42);
  }
}

export function mediaUnit(space: Space, x: number, z: number, palette: Palette, width = 1.9): void {
  shadow(space, [x, z, width, 0.42], 0.36);
  legs(space, [x + 0.06, z + 0.04, width - 0.12, 0.34], 0.14, palette.metal);
  box(space, { at: [x, 0.14, z], size: [width, 0.42, 0.42], color: palette.wood });
  for (let part = 1; part < 4; part += 1)
    stroke(space, [x + (width * part) / 4, 0.16, z], [x + (width * part) / 4, 0.54, z], {
      stroke: darker(palette.wood, 0.35),
      line: 1.5,
    });
  const tv: Place = [x + width / 2 - 0.72, 0.62, z + 0.2];
  box(space, { at: tv, size: [1.44, 0.82, 0.05], color: '#23252a' });
  face(
    space,
    [
      [tv[0] + 0.1, 0.7, tv[2]],
      [tv[0] + 0.5, 0.7, tv[2]],
      [tv[0] + 0.95, 1.42, tv[2]],
      [tv[0] + 0.55, 1.42, tv[2]],
    ],
    { fill: '#ffffff', opacity: 0.06 },
  );
}
