import { ellipse, HEIGHT, WIDTH } from '../canvas.ts';
import { face } from './faces.ts';
import type { Opening } from './openings.ts';
import { onWall, type Place, ROOM, type Space, seen, type Wall } from './projection.ts';

/** The soft shadow of what stands here. */
export function shadow(
  space: Space,
  [x, z, width, depth]: readonly [number, number, number, number],
  opacity = 0.42,
): void {
  const [left] = seen(space, [x, 0, z + depth / 2]);
  const [right] = seen(space, [x + width, 0, z + depth / 2]);
  const [, near] = seen(space, [x, 0, z]);
  const [, far] = seen(space, [x, 0, z + depth]);
  const fill = space.canvas.radial([
    [0, '#1a120a', opacity],
    [0.62, '#1a120a', opacity * 0.72],
    [1, '#1a120a', 0],
  ]);
  const [rx, ry] = [((right - left) / 2) * 1.24, ((near - far) / 2) * 1.5 + 7];
  space.canvas.add(ellipse((left + right) / 2, (near + far) / 2 + 2, rx, ry, { fill }));
}

/** The sun on the floor, pane by pane. */
export function drawSun(space: Space, { wall, from, to, bottom, top, panes }: Opening): void {
  const { half, front, depth } = ROOM;
  const falls = (along: number, up: number): Place => {
    const [x, , z] = onWall(wall, along, up);
    const [dx, dz] = wall === 'back' ? [0.34, -1.15] : wall === 'left' ? [1.15, -0.42] : [-1.15, -0.42];
    const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
    return [clamp(x + up * dx, -half, half), 0, clamp(z + up * dz, front, depth)];
  };
  const fill = space.canvas.linear([
    [0, '#fff3d2', 0.5],
    [1, '#fff3d2', 0.2],
  ]);
  for (let column = 0; column < panes[0]; column += 1)
    for (let row = 0; row < panes[1]; row += 1) {
      const part = (index: number, count: number, start: number, end: number) =>
        start + ((end - start) * index) / count;
      const [a, b] = [part(column + 0.06, panes[0], from, to), part(column + 0.94, panes[0], from, to)];
      const [c, d] = [part(row + 0.05, panes[1], bottom, top), part(row + 0.95, panes[1], bottom, top)];
      face(space, [falls(a, c), falls(b, c), falls(b, d), falls(a, d)], { fill });
    }
}

/** The soft light of the window in the whole picture. */
export function drawAir({ canvas }: Space, light: Wall): void {
  const at = light === 'left' ? 0.1 : light === 'right' ? 0.9 : 0.5;
  const glow = canvas.radial([
    [0, '#fff6dd', 0.3],
    [1, '#fff6dd', 0],
  ]);
  canvas.add(ellipse(WIDTH * at, HEIGHT * 0.42, WIDTH * 0.6, HEIGHT * 0.62, { fill: glow }));
  const edge = canvas.radial([
    [0.62, '#120c06', 0],
    [1, '#120c06', 0.2],
  ]);
  canvas.add(ellipse(WIDTH / 2, HEIGHT / 2, WIDTH * 0.86, HEIGHT * 0.9, { fill: edge }));
}
