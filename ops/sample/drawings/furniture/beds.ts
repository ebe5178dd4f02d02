import { darker, lighter, mix } from '../canvas.ts';
import { box } from '../space/box.ts';
import { level, stroke } from '../space/faces.ts';
import { shadow } from '../space/light.ts';
import { ROOM, type Space } from '../space/projection.ts';
import type { Palette } from './palettes.ts';

export function bed(space: Space, x: number, palette: Palette, width = 1.75): void {
  const z = ROOM.depth - 2.15;
  shadow(space, [x, z, width, 2.05], 0.46);
  box(space, {
    at: [x - 0.08, 0, ROOM.depth - 0.14],
    size: [width + 0.16, 1.18, 0.12],
    color: mix(palette.second, palette.wood, 0.4),
    soft: 0.06,
  });
  for (let part = 1; part < 5; part += 1) {
    const along = x - 0.08 + ((width + 0.16) * part) / 5;
    stroke(space, [along, 0.5, ROOM.depth - 0.14], [along, 1.14, ROOM.depth - 0.14], {
      stroke: darker(palette.second, 0.3),
      line: 1.4,
      opacity: 0.6,
    });
  }
  box(space, { at: [x, 0.1, z], size: [width, 0.24, 2.02], color: palette.wood });
  box(space, {
    at: [x + 0.02, 0.32, z + 0.03],
    size: [width - 0.04, 0.24, 1.96],
    color: '#f7f3ea',
    soft: 0.07,
  });
  const pillow = (px: number, pz: number, wide: number, color: string) =>
    box(space, { at: [px, 0.58, pz], size: [wide, 0.34, 0.16], color, soft: 0.13 });
  for (const px of [x + 0.1, x + width / 2 + 0.04])
    pillow(px, ROOM.depth - 0.42, width / 2 - 0.14, '#fbf8f1');
  for (const px of [x + 0.2, x + width / 2 + 0.1])
    pillow(px, ROOM.depth - 0.6, width / 2 - 0.3, palette.second);
  pillow(x + width / 2 - 0.24, ROOM.depth - 0.76, 0.48, palette.accent);
  // The cover, folded back.
  box(space, {
    at: [x - 0.03, 0.3, z - 0.02],
    size: [width + 0.06, 0.3, 1.2],
    color: palette.fabric,
    soft: 0.08,
  });
  level(space, [x, z + 1, x + width, z + 1.2], 0.62, { fill: lighter(palette.fabric, 0.5) });
  box(space, {
    at: [x - 0.05, 0.3, z + 0.16],
    size: [width + 0.1, 0.33, 0.46],
    color: palette.accent,
    soft: 0.06,
  });
  for (let part = 1; part < 12; part += 1) {
    const along = x + (width * part) / 12;
    stroke(space, [along, 0.34, z + 0.14], [along, 0.62, z + 0.14], {
      stroke: darker(palette.accent, 0.2),
      line: 1,
      opacity: 0.5,
    });
  }
}
