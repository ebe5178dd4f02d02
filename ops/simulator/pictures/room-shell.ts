import { lateral, level, type Point3, type Range, upright } from './camera.ts';
import { mix, shade } from './colours.ts';
import type { Sketch } from './sketch.ts';

/** An empty room seen from its middle: metres, colors `#rrggbb`. */
export interface RoomShell {
  halfWidth: number;
  depth: number;
  ceiling: number;
  wall: string;
  floor: string;
  flooring: 'boards' | 'tiles';
  /** Edge of a floor tile, in metres. */
  tile: number;
}

/** Where the drawing of walls and floor begins: behind the lower edge of any picture. */
const NEAR = 0.9;

/** Ceiling, walls, floor and skirting, with the shade in the corners. */
export function drawShell(s: Sketch, room: RoomShell, random: () => number): string {
  const { halfWidth: w, depth: d, ceiling: c, wall } = room;
  const ceiling: Point3[] = level([-w, w], c, [NEAR, d]);
  const back: Point3[] = upright([-w, w], [0, c], d);
  const side = (x: number): Point3[] => lateral(x, [0, c], [NEAR, d]);
  return [
    s.polygon(ceiling, s.gradient('#fbfaf7', '#e6e3dd')),
    s.polygon(back, s.gradient(shade(wall, 1.05), shade(wall, 0.94))),
    s.polygon(side(-w), s.gradient(shade(wall, 0.98), shade(wall, 0.88), 'right')),
    s.polygon(side(w), s.gradient(shade(wall, 0.98), shade(wall, 1.06), 'right')),
    room.flooring === 'boards' ? boards(s, room, random) : tiles(s, room, random),
    cornerShade(s, room),
    skirting(s, room),
  ].join('');
}

/** Boards that run away from the eye, each plank in its own tone. */
function boards(s: Sketch, { halfWidth, depth, floor }: RoomShell, random: () => number): string {
  const width = 0.17;
  const drawn = [flat(s, [-halfWidth, halfWidth], [NEAR, depth], shade(floor, 0.6))];
  for (let x = -halfWidth; x < halfWidth; x += width) {
    const right = Math.min(x + width - 0.004, halfWidth);
    for (let z = NEAR - random() * 1.5; z < depth; ) {
      const end = z + 1 + random() * 1.1;
      const tone = shade(floor, 0.92 + random() * 0.16);
      const range: [number, number] = [Math.max(z, NEAR), Math.min(end - 0.006, depth)];
      if (range[0] < range[1])
        drawn.push(flat(s, [x, right], range, tone) + grain(s, { x: [x, right], z: range, tone }, random));
      z = end;
    }
  }
  return drawn.join('');
}

function grain(
  s: Sketch,
  { x, z, tone }: { x: [number, number]; z: [number, number]; tone: string },
  random: () => number,
): string {
  return Array.from({ length: 3 }, () => {
    const at = x[0] + (x[1] - x[0]) * random();
    const sliver: Point3[] = [
      [at, 0, z[0]],
      [at + 0.006, 0, z[0]],
      [at + 0.004, 0, z[1]],
    ];
    return s.polygon(sliver, shade(tone, 0.8), 'opacity=".35"');
  }).join('');
}

function tiles(s: Sketch, { halfWidth, depth, floor, tile }: RoomShell, random: () => number): string {
  const drawn = [flat(s, [-halfWidth, halfWidth], [NEAR, depth], shade(floor, 0.78))];
  for (let x = -Math.ceil(halfWidth / tile) * tile; x < halfWidth; x += tile) {
    for (let z = depth - tile; z > NEAR - tile; z -= tile) {
      const across: [number, number] = [Math.max(x, -halfWidth), Math.min(x + tile - 0.008, halfWidth)];
      const range: [number, number] = [Math.max(z, NEAR), z + tile - 0.01];
      if (across[0] < across[1] && range[0] < range[1]) {
        drawn.push(flat(s, across, range, shade(floor, 0.97 + random() * 0.06)));
      }
    }
  }
  return drawn.join('');
}

/** The little light that corners get: darker towards the edges of the back wall and the floor before it. */
function cornerShade(s: Sketch, { halfWidth: w, depth: d, ceiling: c }: RoomShell): string {
  const back = (x: Range, y: Range, fill: string) => s.polygon(upright(x, y, d), fill);
  const floor: Point3[] = level([-w, w], 0, [d, d - 1.4]);
  return [
    s.polygon(floor, s.gradient('#00000029', '#00000000')),
    back([-w, w], [0, 0.7], s.gradient('#00000000', '#0000001c')),
    back([-w, w], [c - 0.35, c], s.gradient('#00000022', '#00000000')),
    back([-w, -w + 0.3], [0, c], s.gradient('#00000026', '#00000000', 'right')),
    back([w - 0.3, w], [0, c], s.gradient('#00000000', '#00000026', 'right')),
  ].join('');
}

function skirting(s: Sketch, { halfWidth: w, depth: d, wall }: RoomShell): string {
  const white = mix(wall, '#ffffff', 0.75);
  const edge = `stroke="${shade(wall, 0.6)}" stroke-opacity=".5" stroke-width="1"`;
  return [
    s.polygon(upright([-w, w], [0, 0.11], d), s.gradient(white, shade(white, 0.9)), edge),
    s.polygon(lateral(-w, [0, 0.11], [NEAR, d]), shade(white, 0.88), edge),
    s.polygon(lateral(w, [0, 0.11], [NEAR, d]), shade(white, 0.96), edge),
  ].join('');
}

function flat(s: Sketch, x: Range, z: Range, fill: string): string {
  return s.polygon(level(x, 0, z), fill);
}
