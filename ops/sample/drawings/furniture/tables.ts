import { darker, ellipse, lighter } from '../canvas.ts';
import { box } from '../space/box.ts';
import { stroke } from '../space/faces.ts';
import { shadow } from '../space/light.ts';
import { ROOM, type Space, scaleAt, seen } from '../space/projection.ts';
import { tableLamp } from './lamps.ts';
import { legs } from './legs.ts';
import type { Palette } from './palettes.ts';
import { vase } from './plants.ts';
import { chair } from './seats.ts';
import { rug } from './textiles.ts';

export function coffeeTable(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 1.15, 0.6], 0.34);
  legs(space, [x + 0.05, z + 0.04, 1.05, 0.52], 0.36, darker(palette.metal, 0.1));
  box(space, { at: [x, 0.36, z], size: [1.15, 0.05, 0.6], color: palette.wood });
  box(space, { at: [x + 0.2, 0.41, z + 0.2], size: [0.36, 0.04, 0.24], color: palette.accent });
  box(space, { at: [x + 0.23, 0.45, z + 0.22], size: [0.3, 0.03, 0.2], color: lighter(palette.rug, 0.2) });
  vase(space, [x + 0.85, 0.41, z + 0.3], palette, 0.7);
}

export function diningTable(space: Space, palette: Palette): void {
  const [x, z, width, depth] = [-1.05, 3.2, 2.1, 1.1];
  rug(space, [x - 0.5, z - 0.5, width + 1, depth + 1.2], palette);
  shadow(space, [x, z, width, depth], 0.42);
  for (const px of [-0.95, -0.25, 0.45]) chair(space, px, z + depth - 0.06, palette, 'away');
  legs(space, [x + 0.12, z + 0.1, width - 0.24, depth - 0.2], 0.7, darker(palette.wood, 0.14));
  box(space, { at: [x, 0.7, z], size: [width, 0.06, depth], color: palette.wood });
  for (let part = 1; part < 5; part += 1)
    stroke(space, [x, 0.76, z + (depth * part) / 5], [x + width, 0.76, z + (depth * part) / 5], {
      stroke: darker(palette.wood, 0.2),
      line: 0.8,
      opacity: 0.6,
    });
  for (const px of [-0.7, 0, 0.7])
    for (const pz of [z + 0.25, z + depth - 0.25]) {
      const [cx, cy] = seen(space, [px, 0.77, pz]);
      const s = scaleAt(pz);
      space.canvas.add(
        ellipse(cx, cy, s * 0.14, s * 0.035, { fill: '#f7f2e7', stroke: darker(palette.rug, 0.2), line: 1 }),
        ellipse(cx, cy, s * 0.09, s * 0.02, { fill: lighter(palette.accent, 0.5) }),
      );
    }
  vase(space, [0, 0.77, z + depth / 2], palette, 1);
  for (const px of [-0.95, -0.25, 0.45]) chair(space, px, z - 0.36, palette, 'toward');
}

export function desk(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 1.6, 0.72], 0.4);
  legs(space, [x + 0.04, z + 0.04, 1.52, 0.64], 0.7, palette.metal);
  box(space, { at: [x + 1.08, 0.24, z + 0.06], size: [0.46, 0.46, 0.6], color: darker(palette.wood, 0.1) });
  for (const up of [0.39, 0.54])
    stroke(space, [x + 1.1, up, z + 0.06], [x + 1.52, up, z + 0.06], {
      stroke: darker(palette.wood, 0.45),
      line: 1.5,
    });
  box(space, { at: [x, 0.7, z], size: [1.6, 0.05, 0.72], color: palette.wood });
  box(space, { at: [x + 0.5, 0.75, z + 0.5], size: [0.2, 0.1, 0.06], color: '#3a3d42' });
  box(space, { at: [x + 0.24, 0.84, z + 0.48], size: [0.72, 0.44, 0.04], color: '#24272c' });
  box(space, { at: [x + 0.3, 0.75, z + 0.14], size: [0.56, 0.02, 0.16], color: '#d7d3ca' });
  box(space, { at: [x + 1.04, 0.75, z + 0.2], size: [0.26, 0.05, 0.2], color: palette.accent });
  tableLamp(space, [x + 1.4, 0.75, z + 0.45], palette);
}

export function nightstand(space: Space, x: number, palette: Palette): void {
  const z = ROOM.depth - 0.55;
  shadow(space, [x, z, 0.5, 0.42], 0.36);
  legs(space, [x + 0.04, z + 0.03, 0.42, 0.36], 0.2, darker(palette.wood, 0.2));
  box(space, { at: [x, 0.18, z], size: [0.5, 0.36, 0.42], color: palette.wood });
  stroke(space, [x + 0.03, 0.36, z], [x + 0.47, 0.36, z], { stroke: darker(palette.wood, 0.4), line: 1.6 });
  tableLamp(space, [x + 0.25, 0.54, z + 0.2], palette);
}
