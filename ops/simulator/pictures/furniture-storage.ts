import { upright } from './camera.ts';
import { mix, seededRandom, shade } from './colours.ts';
import type { Palette, Piece } from './palettes.ts';
import type { Sketch } from './sketch.ts';

/** A low cabinet with doors; `on` draws what stands on it. */
export function sideboard(
  at: { x: number; z: number; width: number; height: number; doors: number },
  on: (s: Sketch, p: Palette) => string = () => '',
): Piece {
  const { x, z, width, height, doors } = at;
  const left = x - width / 2;
  return {
    depth: z,
    footprint: { x: [left, left + width], z: [z, z + 0.42] },
    draw: (s, p) => {
      const front = Array.from({ length: doors }, (_, index) => {
        const from = left + (index * width) / doors;
        const to = from + width / doors;
        const panel = s.polygon(
          upright([from + 0.02, to - 0.02], [0.17, height - 0.05], z),
          s.gradient(shade(p.wood, 1.12), shade(p.wood, 0.92)),
          `stroke="${shade(p.wood, 0.6)}" stroke-opacity=".6"`,
        );
        return (
          panel +
          s.bar([to - 0.07, height * 0.55, z], [to - 0.07, height * 0.7, z], {
            width: 0.016,
            colour: p.metal,
          })
        );
      });
      const feet = [left + 0.08, left + width - 0.08].map((foot) =>
        s.bar([foot, 0.01, z + 0.05], [foot, 0.14, z + 0.05], { width: 0.04, colour: p.metal }),
      );
      return (
        feet.join('') +
        s.box({ x: [left, left + width], y: [0.13, height], z: [z, z + 0.42] }, p.wood) +
        front.join('') +
        on(s, p)
      );
    },
  };
}

/** The screen of a TV that stands on a cabinet, switched off. */
export function screen(x: number, y: number, z: number, width = 1.3): (s: Sketch, p: Palette) => string {
  const height = width * 0.5625;
  return (s) => {
    const half = width / 2;
    const glass = s.gradient('#33383f', '#0d0f12');
    const sheen: [number, number, number][] = [
      [x - half * 0.9, y + height * 0.95, z],
      [x - half * 0.2, y + height * 0.95, z],
      [x - half * 0.62, y + 0.08, z],
      [x - half * 0.9, y + 0.08, z],
    ];
    return [
      s.bar([x - 0.3, y - 0.05, z], [x - 0.3, y + 0.02, z], { width: 0.03, colour: '#1b1c1e' }),
      s.bar([x + 0.3, y - 0.05, z], [x + 0.3, y + 0.02, z], { width: 0.03, colour: '#1b1c1e' }),
      s.box({ x: [x - half, x + half], y: [y, y + height], z: [z, z + 0.05] }, '#17181a', 0.015),
      s.polygon(upright([x - half + 0.02, x + half - 0.02], [y + 0.02, y + height - 0.02], z), glass),
      s.polygon(sheen, '#ffffff', 'opacity=".06"'),
    ].join('');
  };
}

/** A freestanding shelf with books, boxes and a pot. */
export function bookshelf(x: number, z: number, seed = 7): Piece {
  const [left, right, top] = [x - 0.45, x + 0.45, 1.85];
  return {
    depth: z,
    footprint: { x: [left, right], z: [z, z + 0.32] },
    draw: (s, p) => {
      const random = seededRandom(seed);
      const boards = [0.06, 0.5, 0.94, 1.38, 1.82];
      const shelf = (y: number) =>
        s.box({ x: [left, right], y: [y - 0.02, y + 0.02], z: [z, z + 0.32] }, p.wood, 0.005);
      const back = s.polygon(upright([left, right], [0.04, top], z + 0.32), shade(p.wood, 0.5));
      const rows = boards
        .slice(0, 4)
        .map(
          (y) => shelf(y) + books(s, p, { left: left + 0.05, right: right - 0.08, y: y + 0.02, z, random }),
        );
      const posts = [left, right].map((at) =>
        s.box({ x: [at - 0.02, at + 0.02], y: [0, top + 0.02], z: [z, z + 0.32] }, p.wood, 0.005),
      );
      return back + rows.join('') + shelf(1.82) + posts.join('');
    },
  };
}

function books(
  s: Sketch,
  p: Palette,
  row: { left: number; right: number; y: number; z: number; random: () => number },
): string {
  const colours = [p.accent, p.accentDeep, p.fabricLight, p.fabric, mix(p.accent, '#ffffff', 0.4), p.pot];
  const drawn: string[] = [];
  let x = row.left;
  while (x < row.right - 0.06) {
    const width = 0.03 + row.random() * 0.035;
    if (row.random() < 0.14) x += 0.08;
    else {
      const height = 0.22 + row.random() * 0.12;
      const colour = colours[Math.floor(row.random() * colours.length)]!;
      drawn.push(
        s.box(
          { x: [x, x + width], y: [row.y, row.y + height], z: [row.z + 0.05, row.z + 0.25] },
          colour,
          0.004,
        ),
      );
      x += width + 0.004;
    }
  }
  return drawn.join('');
}

/** A nightstand with a table lamp. */
export function nightstand(x: number, z: number): Piece {
  return {
    depth: z,
    footprint: { x: [x - 0.24, x + 0.24], z: [z, z + 0.4] },
    draw: (s, p) =>
      [
        s.box({ x: [x - 0.24, x + 0.24], y: [0.1, 0.52], z: [z, z + 0.4] }, p.wood),
        s.bar([x - 0.18, 0.02, z + 0.03], [x - 0.18, 0.1, z + 0.03], { width: 0.035, colour: p.metal }),
        s.bar([x + 0.18, 0.02, z + 0.03], [x + 0.18, 0.1, z + 0.03], { width: 0.035, colour: p.metal }),
        s.bar([x - 0.2, 0.32, z - 0.003], [x + 0.2, 0.32, z - 0.003], {
          width: 0.008,
          colour: shade(p.wood, 0.6),
        }),
        s.bar([x - 0.05, 0.42, z - 0.01], [x + 0.05, 0.42, z - 0.01], { width: 0.018, colour: p.metal }),
        s.glow([x, 0.95, z + 0.2], { radius: 0.55, colour: '#ffdf9e', strength: 0.4 }),
        s.drum({ x, z: z + 0.2, y: [0.52, 0.72], radius: [0.075, 0.03] }, p.pot),
        s.drum({ x, z: z + 0.2, y: [0.72, 0.98], radius: [0.16, 0.11] }, p.shade),
      ].join(''),
  };
}
