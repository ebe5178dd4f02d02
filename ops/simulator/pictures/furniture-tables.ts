import { level, type Range } from './camera.ts';
import { shade } from './colours.ts';
import type { Piece } from './palettes.ts';
import type { Sketch } from './sketch.ts';

/** Four thin legs at the corners of a rectangle, the far ones first. */
export function legs(s: Sketch, { x, z, top }: { x: Range; z: Range; top: number }, colour: string): string {
  const leg = (atX: number, atZ: number, light: number) =>
    s.bar([atX, 0.01, atZ], [atX, top, atZ], { width: 0.045, colour: shade(colour, light) });
  return leg(x[0], z[1], 0.6) + leg(x[1], z[1], 0.6) + leg(x[0], z[0], 0.9) + leg(x[1], z[0], 0.8);
}

/** A low table with a book and a bowl on it. */
export function coffeeTable(x: number, z: number, width = 1.1): Piece {
  const half = width / 2;
  return {
    depth: z,
    footprint: { x: [x - half, x + half], z: [z, z + 0.55] },
    draw: (s, p) =>
      [
        legs(
          s,
          { x: [x - half + 0.06, x + half - 0.06], z: [z + 0.05, z + 0.5], top: 0.36 },
          p.metal === '#e9e4da' ? p.wood : p.metal,
        ),
        s.box(
          { x: [x - half + 0.04, x + half - 0.04], y: [0.14, 0.165], z: [z + 0.05, z + 0.5] },
          shade(p.wood, 0.85),
        ),
        s.box({ x: [x - half, x + half], y: [0.36, 0.405], z: [z, z + 0.55] }, p.tabletop, 0.02),
        s.box({ x: [x - 0.4, x - 0.1], y: [0.405, 0.43], z: [z + 0.14, z + 0.36] }, p.accentDeep),
        s.box({ x: [x - 0.37, x - 0.13], y: [0.43, 0.452], z: [z + 0.16, z + 0.34] }, p.fabricLight),
        s.drum({ x: x + 0.25, z: z + 0.28, y: [0.405, 0.47], radius: [0.06, 0.12] }, p.accent),
      ].join(''),
  };
}

/** A dining table laid with a runner and a vase. */
export function diningTable(x: number, z: number, width = 1.9): Piece {
  const half = width / 2;
  return {
    depth: z,
    footprint: { x: [x - half, x + half], z: [z, z + 0.95] },
    draw: (s, p) =>
      [
        legs(s, { x: [x - half + 0.1, x + half - 0.1], z: [z + 0.1, z + 0.85], top: 0.7 }, p.wood),
        s.box(
          { x: [x - half + 0.06, x + half - 0.06], y: [0.63, 0.71], z: [z + 0.06, z + 0.9] },
          shade(p.wood, 0.9),
        ),
        s.box({ x: [x - half, x + half], y: [0.71, 0.755], z: [z, z + 0.95] }, p.tabletop, 0.02),
        s.polygon(level([x - 0.18, x + 0.18], 0.757, [z, z + 0.95]), p.fabricLight, 'opacity=".85"'),
        ...[-0.6, 0.6].flatMap((dx) => [0.68, 0.2].map((dz) => plate(s, x + dx, z + dz, p.pot))),
        branches(s, [x, 0.757, z + 0.48], p.leaf),
        s.drum({ x, z: z + 0.48, y: [0.757, 0.99], radius: [0.06, 0.045] }, p.pot),
      ].join(''),
  };
}

function plate(s: Sketch, x: number, z: number, colour: string): string {
  const light = shade(colour, 1.35);
  return s.drum({ x, z, y: [0.757, 0.768], radius: [0.1, 0.13] }, light);
}

/** Thin twigs with leaves that stand in a vase. */
function branches(s: Sketch, [x, y, z]: readonly [number, number, number], colour: string): string {
  return [-0.2, -0.09, 0.02, 0.12, 0.22]
    .map((lean, index) => {
      const top = y + 0.5 + 0.09 * ((index * 3) % 4);
      const leaf = (share: number) =>
        s.drum(
          {
            x: x + lean * share,
            z,
            y: [y + (top - y) * share - 0.012, y + (top - y) * share + 0.012],
            radius: [0.026, 0.03],
          },
          shade(colour, 0.9 + 0.1 * (index % 3)),
        );
      return (
        s.bar([x, y + 0.1, z], [x + lean, top, z], { width: 0.01, colour: shade(colour, 0.55) }) +
        [0.6, 0.78, 0.9, 1].map(leaf).join('')
      );
    })
    .join('');
}

/** A small round table for a kitchen corner, with a fruit bowl. */
export function roundTable(x: number, z: number): Piece {
  return {
    depth: z - 0.35,
    footprint: { x: [x - 0.3, x + 0.3], z: [z - 0.3, z + 0.3] },
    draw: (s, p) =>
      [
        s.drum({ x, z, y: [0.01, 0.05], radius: [0.26, 0.24] }, p.metal),
        s.drum({ x, z, y: [0.05, 0.72], radius: [0.05, 0.04] }, p.metal),
        s.drum({ x, z, y: [0.72, 0.755], radius: [0.46, 0.46] }, p.tabletop),
        ...[
          [-0.06, 0.83],
          [0.05, 0.84],
          [0, 0.87],
        ].map(([dx, y]) =>
          s.drum({ x: x + dx!, z, y: [y! - 0.03, y! + 0.03], radius: [0.045, 0.035] }, p.accent),
        ),
        s.drum({ x, z: z - 0.02, y: [0.755, 0.83], radius: [0.07, 0.15] }, p.pot),
      ].join(''),
  };
}

/** A writing desk with a drawer block, a closed laptop, a lamp and a cup. */
export function desk(x: number, z: number, width = 1.6): Piece {
  const half = width / 2;
  return {
    depth: z,
    footprint: { x: [x - half, x + half], z: [z, z + 0.7] },
    draw: (s, p) =>
      [
        legs(
          s,
          { x: [x - half + 0.05, x + half - 0.05], z: [z + 0.05, z + 0.65], top: 0.7 },
          p.metal === '#e9e4da' ? p.wood : p.metal,
        ),
        s.box(
          { x: [x + half - 0.5, x + half - 0.06], y: [0.3, 0.7], z: [z + 0.04, z + 0.66] },
          shade(p.wood, 1.02),
        ),
        ...[0.43, 0.57].map((y) =>
          s.bar([x + half - 0.34, y, z + 0.03], [x + half - 0.22, y, z + 0.03], {
            width: 0.02,
            colour: p.metal,
          }),
        ),
        s.box({ x: [x - half, x + half], y: [0.7, 0.745], z: [z, z + 0.7] }, p.tabletop, 0.02),
        s.bar([x - half + 0.2, 0.75, z + 0.5], [x - half + 0.2, 1.08, z + 0.5], {
          width: 0.02,
          colour: p.metal,
        }),
        s.bar([x - half + 0.2, 1.08, z + 0.5], [x - half + 0.42, 1.18, z + 0.46], {
          width: 0.02,
          colour: p.metal,
        }),
        s.drum({ x: x - half + 0.44, z: z + 0.46, y: [1.08, 1.18], radius: [0.1, 0.04] }, p.accent),
        s.drum({ x: x - half + 0.2, z: z + 0.5, y: [0.745, 0.765], radius: [0.08, 0.08] }, p.metal),
        s.box({ x: [x - 0.2, x + 0.18], y: [0.745, 0.768], z: [z + 0.2, z + 0.46] }, '#b9bcc0', 0.015),
        s.drum({ x: x + 0.42, z: z + 0.3, y: [0.745, 0.84], radius: [0.036, 0.042] }, p.accentDeep),
      ].join(''),
  };
}
