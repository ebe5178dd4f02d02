import { darker, ellipse, lighter, mix } from '../canvas.ts';
import { onWallFace } from '../space/faces.ts';
import { onWall, type Space, scaleAt, seen, type Wall } from '../space/projection.ts';
import type { Palette } from './palettes.ts';

/** A picture on a wall: a quiet abstract landscape. */
export function art(
  space: Space,
  wall: Wall,
  area: readonly [number, number, number, number],
  palette: Palette,
  kind = 0,
): void {
  const [from, bottom, to, top] = area;
  const inset = 0.05;
  onWallFace(space, wall, [from + 0.02, bottom - 0.04, to + 0.04, top - 0.02], {
    fill: '#1a120a',
    opacity: 0.2,
  });
  onWallFace(space, wall, area, { fill: kind % 2 === 0 ? darker(palette.wood, 0.25) : '#2d2a27' });
  onWallFace(space, wall, [from + 0.02, bottom + 0.02, to - 0.02, top - 0.02], { fill: '#f8f4ea' });
  const inner = [from + inset + 0.04, bottom + inset + 0.04, to - inset - 0.04, top - inset - 0.04] as const;
  const tall = inner[3] - inner[1];
  onWallFace(space, wall, inner, { fill: lighter(palette.second, 0.5) });
  const band = (low: number, high: number, fill: string) =>
    onWallFace(space, wall, [inner[0], inner[1] + tall * low, inner[2], inner[1] + tall * high], { fill });
  band(0, 0.3 + (kind % 3) * 0.06, mix(palette.accent, palette.second, 0.3));
  band(0.24, 0.44, lighter(palette.accent, 0.3));
  const place = onWall(wall, (inner[0] + inner[2]) / 2, inner[1] + tall * 0.66);
  const [x, y] = seen(space, place);
  const r = scaleAt(place[2]) * tall * 0.15;
  space.canvas.add(ellipse(x, y, wall === 'back' ? r : r * 0.55, r, { fill: lighter(palette.accent, 0.12) }));
}
