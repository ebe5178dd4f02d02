import type { Range } from './camera.ts';
import { shade } from './colours.ts';
import { pillow } from './furniture-soft.ts';
import { legs } from './furniture-tables.ts';
import type { Piece } from './palettes.ts';

/** A sofa that faces the viewer. */
export function sofa(x: number, z: number, width = 2.2): Piece {
  const half = width / 2;
  return {
    depth: z,
    footprint: { x: [x - half, x + half], z: [z, z + 0.9] },
    draw: (s, p) => {
      const seats = width > 1.9 ? 3 : 2;
      const inner = width - 0.4;
      const seat = (index: number): Range => {
        const left = x - inner / 2 + (index * inner) / seats;
        return [left + 0.008, left + inner / seats - 0.008];
      };
      const each = (draw: (range: Range) => string) =>
        Array.from({ length: seats }, (_, i) => draw(seat(i))).join('');
      return [
        legs(s, { x: [x - half + 0.06, x + half - 0.06], z: [z + 0.06, z + 0.84], top: 0.14 }, p.wood),
        s.box(
          { x: [x - half, x + half], y: [0.12, 0.82], z: [z + 0.68, z + 0.9] },
          shade(p.fabric, 0.92),
          0.06,
        ),
        s.box(
          { x: [x - half + 0.1, x + half - 0.1], y: [0.13, 0.3], z: [z + 0.02, z + 0.8] },
          shade(p.fabric, 0.85),
          0.03,
        ),
        each((range) => s.box({ x: range, y: [0.42, 0.8], z: [z + 0.52, z + 0.72] }, p.fabric, 0.09)),
        each((range) => s.box({ x: range, y: [0.28, 0.46], z: [z, z + 0.62] }, shade(p.fabric, 1.05), 0.07)),
        pillow(s, { x: x - half + 0.42, y: 0.62, z: z + 0.44, size: 0.42, turn: -12 }, p.accent),
        pillow(s, { x: x + half - 0.44, y: 0.61, z: z + 0.44, size: 0.4, turn: 10 }, p.fabricLight),
        s.box(
          { x: [x - half - 0.04, x - half + 0.2], y: [0.12, 0.6], z: [z - 0.02, z + 0.88] },
          p.fabric,
          0.07,
        ),
        s.box(
          { x: [x + half - 0.2, x + half + 0.04], y: [0.12, 0.6], z: [z - 0.02, z + 0.88] },
          p.fabric,
          0.07,
        ),
      ].join('');
    },
  };
}

/** An armchair that faces sideways, towards the middle of the room. */
export function armchair(x: number, z: number): Piece {
  const outward = x > 0 ? 1 : -1;
  const span = (from: number, to: number): Range => (outward > 0 ? [x + from, x + to] : [x - to, x - from]);
  return {
    depth: z,
    footprint: { x: span(-0.4, 0.4), z: [z, z + 0.8] },
    draw: (s, p) => {
      const colour = p.accentDeep;
      return [
        legs(s, { x: span(-0.34, 0.34), z: [z + 0.06, z + 0.74], top: 0.2 }, p.wood),
        s.box({ x: span(-0.4, 0.34), y: [0.18, 0.56], z: [z + 0.66, z + 0.8] }, shade(colour, 0.95), 0.06),
        s.box({ x: span(-0.38, 0.3), y: [0.18, 0.44], z: [z + 0.1, z + 0.7] }, shade(colour, 1.08), 0.07),
        s.box({ x: span(0.2, 0.4), y: [0.18, 0.86], z: [z + 0.04, z + 0.78] }, colour, 0.08),
        pillow(
          s,
          { x: x + outward * 0.08, y: 0.6, z: z + 0.34, size: 0.34, turn: outward * 8 },
          p.fabricLight,
        ),
        s.box({ x: span(-0.4, 0.34), y: [0.18, 0.56], z: [z, z + 0.14] }, colour, 0.06),
      ].join('');
    },
  };
}

/** The long seat of a sectional along the left wall, facing right. */
export function chaise(x: number, z: number, length = 1.9): Piece {
  return {
    depth: z,
    footprint: { x: [x, x + 0.95], z: [z, z + length] },
    draw: (s, p) =>
      [
        legs(s, { x: [x + 0.06, x + 0.88], z: [z + 0.06, z + length - 0.06], top: 0.12 }, p.wood),
        s.box({ x: [x + 0.2, x + 0.95], y: [0.1, 0.3], z: [z, z + length] }, shade(p.fabric, 0.88), 0.04),
        ...[1, 0].map((index) => {
          const range: Range = [
            z + 0.02 + (index * (length - 0.04)) / 2,
            z + ((index + 1) * (length - 0.04)) / 2,
          ];
          return s.box({ x: [x + 0.2, x + 0.97], y: [0.28, 0.45], z: range }, shade(p.fabric, 1.05), 0.07);
        }),
        s.box({ x: [x, x + 0.24], y: [0.1, 0.82], z: [z, z + length] }, shade(p.fabric, 0.95), 0.07),
        pillow(s, { x: x + 0.42, y: 0.6, z: z + length - 0.3, size: 0.42, turn: -10 }, p.accent),
        pillow(s, { x: x + 0.42, y: 0.58, z: z + 0.4, size: 0.38, turn: 6 }, p.fabricLight),
      ].join(''),
  };
}

/** A dining chair; `back` says on which side of the seat its back stands, seen from the viewer. */
export function diningChair(x: number, z: number, back: 'near' | 'far' | 'left' | 'right'): Piece {
  return {
    depth: z,
    footprint: { x: [x - 0.22, x + 0.22], z: [z, z + 0.44] },
    draw: (s, p) => {
      const seat = s.box({ x: [x - 0.23, x + 0.23], y: [0.42, 0.49], z: [z, z + 0.44] }, p.fabricLight, 0.03);
      const frame = legs(s, { x: [x - 0.2, x + 0.2], z: [z + 0.03, z + 0.41], top: 0.43 }, p.wood);
      const upright = {
        near: [z - 0.02, z + 0.04],
        far: [z + 0.4, z + 0.46],
        left: [z, z + 0.44],
        right: [z, z + 0.44],
      } as const;
      const across: Record<typeof back, Range> = {
        near: [x - 0.22, x + 0.22],
        far: [x - 0.22, x + 0.22],
        left: [x - 0.24, x - 0.18],
        right: [x + 0.18, x + 0.24],
      };
      const rest = s.box(
        { x: across[back], y: [0.5, 0.92], z: upright[back] },
        shade(p.fabricLight, 0.94),
        0.05,
      );
      return back === 'near' || (back === 'left' && x > 0) || (back === 'right' && x < 0)
        ? frame + seat + rest
        : frame + rest + seat;
    },
  };
}

/** A desk chair seen from behind. */
export function deskChair(x: number, z: number): Piece {
  return {
    depth: z,
    footprint: { x: [x - 0.26, x + 0.26], z: [z, z + 0.5] },
    draw: (s, p) =>
      [
        ...[-0.26, -0.1, 0.1, 0.26].map((dx) =>
          s.bar([x, 0.1, z + 0.25], [x + dx, 0.04, z + (Math.abs(dx) > 0.2 ? 0.22 : 0.02)], {
            width: 0.04,
            colour: p.metal,
          }),
        ),
        s.bar([x, 0.08, z + 0.25], [x, 0.44, z + 0.25], { width: 0.05, colour: p.metal }),
        s.box({ x: [x - 0.25, x + 0.25], y: [0.43, 0.52], z: [z, z + 0.48] }, p.accentDeep, 0.05),
        s.box(
          { x: [x - 0.23, x + 0.23], y: [0.58, 1.04], z: [z - 0.02, z + 0.06] },
          shade(p.accentDeep, 1.06),
          0.1,
        ),
      ].join(''),
  };
}

/** A round seat without a back. */
export function pouf(x: number, z: number): Piece {
  return {
    depth: z,
    footprint: { x: [x - 0.3, x + 0.3], z: [z - 0.3, z + 0.3] },
    draw: (s, p) => s.drum({ x, z, y: [0.02, 0.4], radius: [0.3, 0.29] }, p.accent),
  };
}
