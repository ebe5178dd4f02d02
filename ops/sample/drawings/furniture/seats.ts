import { darker, lighter, line } from '../canvas.ts';
import { box } from '../space/box.ts';
import { face, stroke } from '../space/faces.ts';
import { shadow } from '../space/light.ts';
import { type Space, scaleAt, seen } from '../space/projection.ts';
import { legs } from './legs.ts';
import type { Palette } from './palettes.ts';

export function armchair(space: Space, x: number, z: number, palette: Palette): void {
  const color = palette.second;
  shadow(space, [x, z, 0.8, 0.75]);
  legs(space, [x + 0.06, z + 0.06, 0.68, 0.62], 0.2, palette.wood);
  box(space, {
    at: [x + 0.06, 0.2, z + 0.55],
    size: [0.68, 0.66, 0.18],
    color: darker(color, 0.05),
    soft: 0.12,
  });
  box(space, {
    at: [x + 0.06, 0.2, z + 0.05],
    size: [0.68, 0.22, 0.6],
    color: lighter(color, 0.07),
    soft: 0.08,
  });
  for (const side of [x, x + 0.67])
    box(space, { at: [side, 0.2, z + 0.02], size: [0.13, 0.38, 0.66], color, soft: 0.07 });
}

/** Seen from behind, as it stands in front of the camera. */
export function couchFromBehind(
  space: Space,
  x: number,
  z: number,
  width: number,
  { fabric, accent, second, wood }: Palette,
): void {
  shadow(space, [x - 0.1, z, width + 0.2, 0.9], 0.5);
  for (const side of [x, x + width - 0.2])
    box(space, { at: [side, 0.14, z + 0.05], size: [0.2, 0.44, 0.85], color: fabric, soft: 0.08 });
  for (const [at, color] of [
    [x + 0.4, accent],
    [x + width - 0.75, second],
  ] as const)
    box(space, { at: [at, 0.62, z + 0.3], size: [0.38, 0.3, 0.1], color, soft: 0.11 });
  box(space, { at: [x, 0.12, z], size: [width, 0.66, 0.2], color: darker(fabric, 0.04), soft: 0.09 });
  for (const leg of [x + 0.06, x + width - 0.12])
    box(space, { at: [leg, 0, z + 0.02], size: [0.06, 0.12, 0.06], color: darker(wood, 0.2) });
  stroke(space, [x + width / 2, 0.18, z], [x + width / 2, 0.74, z], { stroke: darker(fabric, 0.2), line: 2 });
  // A throw over the back.
  const [from, to] = [x + width * 0.66, x + width * 0.84];
  face(
    space,
    [
      [from, 0.36, z - 0.01],
      [to, 0.34, z - 0.01],
      [to, 0.8, z - 0.01],
      [from, 0.8, z - 0.01],
    ],
    { fill: lighter(accent, 0.25) },
  );
  for (let part = 1; part < 6; part += 1) {
    const along = from + ((to - from) * part) / 6;
    stroke(space, [along, 0.34, z - 0.01], [along, 0.79, z - 0.01], {
      stroke: darker(accent, 0.1),
      line: 1,
      opacity: 0.5,
    });
  }
}

export function chair(space: Space, x: number, z: number, palette: Palette, looks: 'toward' | 'away'): void {
  const [width, depth] = [0.48, 0.46];
  shadow(space, [x, z, width, depth], 0.3);
  const back = () => {
    const at = looks === 'away' ? z + depth - 0.05 : z;
    for (const px of [x, x + width - 0.05])
      box(space, { at: [px, 0.44, at], size: [0.05, 0.5, 0.05], color: darker(palette.wood, 0.1) });
    box(space, { at: [x, 0.62, at], size: [width, 0.28, 0.05], color: palette.fabric, soft: 0.05 });
  };
  if (looks === 'away') back();
  legs(space, [x, z, width, depth], 0.42, darker(palette.wood, 0.1));
  box(space, { at: [x, 0.42, z], size: [width, 0.07, depth], color: palette.fabric, soft: 0.05 });
  if (looks === 'toward') back();
}

export function officeChair(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 0.56, 0.5], 0.36);
  const [cx, cy] = seen(space, [x + 0.28, 0, z + 0.25]);
  const s = scaleAt(z + 0.25);
  for (const dx of [-0.24, -0.12, 0.12, 0.24])
    space.canvas.add(
      line([cx, cy - s * 0.1], [cx + dx * s, cy + s * 0.02], {
        stroke: darker(palette.metal, 0.2),
        line: s * 0.03,
      }),
    );
  space.canvas.add(line([cx, cy - s * 0.1], [cx, cy - s * 0.42], { stroke: palette.metal, line: s * 0.05 }));
  box(space, { at: [x + 0.02, 0.42, z], size: [0.52, 0.09, 0.5], color: palette.fabric, soft: 0.07 });
  box(space, { at: [x + 0.05, 0.56, z], size: [0.46, 0.52, 0.07], color: palette.fabric, soft: 0.09 });
}

export function stool(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 0.36, 0.34], 0.32);
  legs(space, [x, z, 0.36, 0.34], 0.62, palette.metal);
  stroke(space, [x, 0.24, z], [x + 0.36, 0.24, z], { stroke: palette.metal, line: 4 });
  box(space, { at: [x - 0.01, 0.62, z - 0.01], size: [0.38, 0.08, 0.36], color: palette.accent, soft: 0.06 });
}

export function bench(space: Space, x: number, z: number, palette: Palette, width = 1.2): void {
  shadow(space, [x, z, width, 0.42], 0.34);
  legs(space, [x + 0.05, z + 0.03, width - 0.1, 0.36], 0.3, palette.wood);
  box(space, { at: [x, 0.28, z], size: [width, 0.16, 0.42], color: palette.second, soft: 0.07 });
}
