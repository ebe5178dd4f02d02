import { darker, lighter, mix } from '../canvas.ts';
import { face, level, onWallFace, stroke } from '../space/faces.ts';
import { shadow } from '../space/light.ts';
import { onWall, type Space, type Wall } from '../space/projection.ts';
import type { Palette } from './palettes.ts';

export function rug(
  space: Space,
  [x, z, width, depth]: readonly [number, number, number, number],
  palette: Palette,
): void {
  const flat = (inset: number, fill: string, border?: string) =>
    level(
      space,
      [x + inset, z + inset, x + width - inset, z + depth - inset],
      0.01,
      border === undefined ? { fill } : { fill, stroke: border, line: 2 },
    );
  shadow(space, [x, z, width, depth], 0.16);
  flat(0, palette.rug, darker(palette.rug, 0.2));
  flat(0.12, mix(palette.rug, palette.accent, 0.28), lighter(palette.rug, 0.4));
  flat(0.2, lighter(palette.rug, 0.14));
  for (let row = 0; row < 4; row += 1)
    for (let column = 0; column < 6; column += 1) {
      const cx = x + 0.35 + ((width - 0.7) * (column + 0.5)) / 6;
      const cz = z + 0.3 + ((depth - 0.6) * (row + 0.5)) / 4;
      const [w, d] = [(width - 0.7) / 18, (depth - 0.6) / 12];
      face(
        space,
        [
          [cx - w, 0.01, cz],
          [cx, 0.01, cz - d],
          [cx + w, 0.01, cz],
          [cx, 0.01, cz + d],
        ],
        { fill: mix(palette.rug, palette.accent, 0.38) },
      );
    }
}

/** Curtains on both sides of an opening. */
export function curtains(
  space: Space,
  wall: Wall,
  [from, to, top]: readonly [number, number, number],
  color: string,
): void {
  for (const [start, end] of [
    [from - 0.42, from + 0.06],
    [to - 0.06, to + 0.42],
  ] as const) {
    const folds = 6;
    for (let fold = 0; fold < folds; fold += 1) {
      const a = start + ((end - start) * fold) / folds;
      const b = start + ((end - start) * (fold + 1)) / folds;
      const tone = fold % 2 === 0 ? lighter(color, 0.14) : darker(color, 0.1);
      onWallFace(space, wall, [a, 0.03, b, top + 0.2], { fill: tone }, 0.03);
    }
  }
  const rod = (along: number) => onWall(wall, along, top + 0.22, 0.03);
  stroke(space, rod(from - 0.5), rod(to + 0.5), { stroke: '#4a4038', line: 4 });
}
