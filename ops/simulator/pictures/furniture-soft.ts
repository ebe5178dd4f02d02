import { level, type Range } from './camera.ts';
import { shade } from './colours.ts';
import type { Piece } from './palettes.ts';
import { type Box, n, type Sketch } from './sketch.ts';

/** A cushion that leans back, corners drawn in. `size` in metres, `turn` in degrees. */
export function pillow(
  s: Sketch,
  at: { x: number; y: number; z: number; size: number; turn: number },
  colour: string,
): string {
  const [u, v] = s.camera.project([at.x, at.y, at.z]);
  const h = (at.size / 2) * s.camera.scaleAt(at.z);
  const k = h * 0.82;
  const outline = `M${n(-h)} ${n(-h)} Q0 ${n(-k)} ${n(h)} ${n(-h)} Q${n(k)} 0 ${n(h)} ${n(h)} Q0 ${n(k)} ${n(-h)} ${n(h)} Q${n(-k)} 0 ${n(-h)} ${n(-h)}Z`;
  const fill = s.gradient(shade(colour, 1.12), shade(colour, 0.78));
  const fold = `<path d="M${n(-h * 0.7)} ${n(-h * 0.7)} Q0 ${n(-h * 0.2)} ${n(h * 0.7)} ${n(-h * 0.7)}" fill="none" stroke="${shade(colour, 1.3)}" stroke-opacity=".35" stroke-width="${n(h * 0.06)}"/>`;
  return `<g transform="translate(${n(u)} ${n(v)}) rotate(${at.turn})"><path d="${outline}" fill="${fill}" stroke="${fill}" stroke-width="${n(h * 0.1)}" stroke-linejoin="round"/>${fold}</g>`;
}

/** A bed with its head against the far wall. */
export function bed(x: number, z: number, width = 1.7): Piece {
  const half = width / 2;
  const head = z + 2.05;
  const across = (grow: number): Range => [x - half - grow, x + half + grow];
  return {
    depth: z,
    footprint: { x: across(0), z: [z, head] },
    draw: (s, p) => {
      const sheet = shade(p.fabricLight, 0.97);
      const cover = (from: number, to: number) =>
        s.box({ x: across(0.03), y: [0.24, 0.58], z: [from, to] }, p.fabricLight, 0.1);
      return [
        s.box({ x: across(0.08), y: [0, 1.12], z: [head, head + 0.1] }, p.accentDeep, 0.08),
        s.box({ x: across(0), y: [0.06, 0.28], z: [z + 0.02, head] }, p.wood, 0.02),
        s.box({ x: across(-0.02), y: [0.28, 0.54], z: [z + 0.04, head] }, sheet, 0.08),
        ...[-1, 1].map((side) => headPillows(s, { x: x + side * half * 0.48, head }, p.fabricLight)),
        pillow(s, { x, y: 0.68, z: head - 0.5, size: 0.36, turn: 4 }, p.accent),
        cover(z, head - 0.62),
        s.box({ x: across(0.035), y: [0.22, 0.595], z: [z + 0.28, z + 0.86] }, p.accent, 0.06),
        cover(z, z + 0.28),
      ].join('');
    },
  };
}

function headPillows(s: Sketch, { x, head }: { x: number; head: number }, colour: string): string {
  const back: Box = { x: [x - 0.36, x + 0.36], y: [0.54, 0.88], z: [head - 0.26, head - 0.06] };
  const front: Box = { x: [x - 0.33, x + 0.33], y: [0.53, 0.79], z: [head - 0.46, head - 0.28] };
  return s.box(back, shade(colour, 1.08), 0.13) + s.box(front, shade(colour, 1.2), 0.12);
}

/** A rectangular rug. */
export function rug(x: Range, z: Range): Piece {
  return {
    depth: Number.POSITIVE_INFINITY,
    footprint: null,
    draw: (s, p) => {
      const base = s.gradient(shade(p.rug, 0.9), shade(p.rug, 1.04));
      const inset = (by: number, fill: string, extra = '') =>
        s.polygon(level([x[0] + by, x[1] - by], 0.003, [z[0] + by, z[1] - by]), fill, extra);
      return [
        inset(-0.015, shade(p.rug, 0.6), 'opacity=".5"'),
        inset(0, base),
        inset(0.07, 'none', `stroke="${p.rugLine}" stroke-width="2" stroke-opacity=".6"`),
      ].join('');
    },
  };
}
